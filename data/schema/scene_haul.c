/// The keys of a scene's haul, and the check of its roads: every CHECK_SPACING m along a road no corner of the truck
/// may be off the site, a mound, the machine's start, or the other truck.

#include <math.h>
#include <stdio.h>

#include "data/core/elementary.h"
#include "data/core/constants.h"
#include "data/schema/scene_check.h"
#include "data/schema/scene_fixture.h"
#include "data/schema/scene_ground.h"
#include "data/schema/truck_way.h"

/// m of a road between two checked places.
#define CHECK_SPACING 0.5

static const DataKey pose_keys[] = {
    ROW_NUMBER("x", ScenePose, x, -100, 100, 1, "m: where the middle of the bed is then, to the east"),
    ROW_NUMBER("y", ScenePose, y, -100, 100, 1, "m: where the middle of the bed is then, to the north"),
    ROW_NUMBER("heading_deg", ScenePose, heading, -360, 360, UNIT_DEG,
               "deg: where the truck looks then, from east to north"),
    ROW_END,
};
static const DataKey pose = ROW_ITEM(ScenePose, pose_keys);

const DataKey scene_haul_keys[] = {
    ROW_INTEGER_OR("trucks", SceneHaul, trucks, 1, SCENE_MAX_TRUCKS, 1, "how many take turns"),
    ROW_NUMBER_OR("load_mass", SceneHaul, load_mass, 100, 500000, 1, 0,
                  "kg: with so much a driver leaves; 0: with the payload"),
    ROW_MAPPING("wait", SceneHaul, wait, pose_keys,
                "where a truck waits; from here it backs to the spot where it is loaded"),
    ROW_MAPPING("turn", SceneHaul, turn, pose_keys, "from here a truck backs to the dump"),
    ROW_MAPPING("dump", SceneHaul, dump, pose_keys, "here a truck tips, over its tail"),
    ROW_NUMBER_OR("dump_radius", SceneHaul, dump_radius, 2, 30, 1, 8, "m: what lies so near to the dump is no spill"),
    ROW_LIST_OPTIONAL("out", SceneHaul, out, out_count, 0, SCENE_MAX_VIA, &pose,
                      "places that a loaded truck drives through on its way to turn"),
    ROW_LIST_OPTIONAL("back", SceneHaul, back, back_count, 0, SCENE_MAX_VIA, &pose,
                      "places that an empty truck drives through on its way to wait"),
    ROW_END,
};

bool scene_check_truck(Document *document, const SceneTruck *truck, Status *status)
{
    static const char *const stated[] = {"bed_length", "bed_width", "bed_height", "floor_height"};
    bool file = truck->file[0] != '\0';
    for (size_t k = 0; k < sizeof stated / sizeof stated[0]; k++) {
        DocumentPath path = document_path("exercise.truck.%s", stated[k]);
        if ((document_find(document, path.text) != NULL) == file) {
            return document_fail_at(document, path.text, status,
                                    file ? "the truck's file states it, too: one of them is needed"
                                         : "the key is missing (only a truck with a file may lack it)");
        }
    }
    if (!file && document_find(document, "exercise.haul") != NULL) {
        return document_fail_at(document, "exercise.haul", status,
                                "nobody can drive a bed without a truck, allowed with exercise.truck.file");
    }
    return true;
}

void scene_complete_truck(Document *document, SceneParams *scene)
{
    SceneTruck *spot = &scene->exercise.truck;
    SceneHaul *haul = &scene->exercise.haul;
    const TruckParams *truck = &scene->truck;
    spot->bed_length = truck->bed.length;
    spot->bed_width = truck->bed.width;
    spot->bed_height = truck->bed.height;
    spot->floor_height = truck->bed.floor_height;
    spot->tail_height = truck->bed.tail_height;
    if (document_find(document, "exercise.haul") == NULL) {
        *haul = (SceneHaul){.trucks = 0};
    } else if (!(haul->load_mass > 0.0)) {
        haul->load_mass = truck->payload;
    }
}

/// ---- roads ---------------------------------------------------------------------------------------------------------

/// What the roads of a scene are checked against.
typedef struct Site {
    Document *document;
    const SceneParams *scene;
    const MachineParams *machine;
    Status *status;
} Site;

static const char *const road_names[TRUCK_ROAD_COUNT] = {"the road to the dump", "the road back",
                                                         "the way to the spot"};

/// Key that errors of a road name.
static const char *const road_keys[TRUCK_ROAD_COUNT] = {"exercise.haul.dump", "exercise.haul.wait",
                                                        "exercise.haul.wait"};

/// No fixture stands on a road.
static bool check_fixtures(const Site *site, int road, const TruckPlace *place)
{
    for (int k = 0; k < site->scene->fixtures_count; k++) {
        const SceneFixture *fixture = &site->scene->fixtures[k];
        if (scene_fixture_meets_truck(fixture, &site->scene->truck, place)) {
            return document_fail_at(site->document, document_path("fixtures.%d", k).text, site->status,
                                    "%s runs through the %s: a truck at %.4g, %.4g is in it", road_names[road],
                                    fixture->name, place->x, place->y);
        }
    }
    return true;
}

static bool check_on_site(const Site *site, int road, const TruckPlace *place)
{
    const TruckParams *truck = &site->scene->truck;
    const SceneGround *ground = &site->scene->ground;
    double x, y, half = 0.5 * truck->bed.width, c = same_cos(place->heading), s = same_sin(place->heading);
    truck_bed_middle(truck, place, &x, &y);
    for (int corner = 0; corner < 4; corner++) {
        double u = corner < 2 ? truck->front : -0.5 * truck->bed.length, v = corner % 2 ? half : -half;
        double at_x = x + c * u - s * v, at_y = y + s * u + c * v;
        if (!(fabs(at_x) <= 0.5 * ground->size_x && fabs(at_y) <= 0.5 * ground->size_y)) {
            return document_fail_at(site->document, road_keys[road], site->status,
                                    "%s leaves the site of %.6g x %.6g m: a corner of the truck is at %.4g, %.4g "
                                    "(turning radius %.4g m)",
                                    road_names[road], ground->size_x, ground->size_y, at_x, at_y,
                                    truck->drive.turning_radius);
        }
    }
    return true;
}

static bool check_free(const Site *site, int road, const TruckPlace *place)
{
    const TruckParams *truck = &site->scene->truck;
    const SceneMachine *start = &site->scene->machine;
    double away = truck_distance(truck, place, start->x, start->y);
    double room = fmax(site->machine->tail_radius,
                       same_hypot(0.5 * site->machine->tracks.length,
                                  0.5 * (site->machine->tracks.gauge + site->machine->tracks.shoe_width)));
    if (!(away >= room)) {
        return document_fail_at(site->document, road_keys[road], site->status,
                                "%s runs %.3g m beside the machine's middle at %.4g, %.4g, allowed from %.3g m on",
                                road_names[road], away, start->x, start->y, room);
    }
    double surface = scene_surface_change(&site->scene->ground, place->x, place->y, place->heading,
                                          (double[]){0.0, truck->wheelbase}, 0.5 * truck->bed.width);
    if (!(fabs(surface) <= scene_truck_level)) {
        return document_fail_at(site->document, road_keys[road], site->status,
                                "%s runs over earthworks: the ground under a truck at %.4g, %.4g is at %.3g m, allowed "
                                "up to %.3g m beside the level",
                                road_names[road], place->x, place->y, surface, scene_truck_level);
    }
    for (int k = 0; k < site->scene->ground.mound_count; k++) {
        const SceneMound *mound = &site->scene->ground.mounds[k];
        double foot = mound->height / same_tan(site->scene->soils[mound->soil_index].repose_angle);
        away = truck_distance(truck, place, mound->x, mound->y);
        if (!(away >= foot)) {
            return document_fail_at(site->document, road_keys[road], site->status,
                                    "%s runs %.3g m beside the middle of ground.mounds.%d, allowed from %.3g m on "
                                    "(where its slope ends)",
                                    road_names[road], away, k, foot);
        }
    }
    return true;
}

/// No road may need the place where the other truck stands meanwhile.
static bool check_waiting(const Site *site, const TruckRoute *route)
{
    const double room = 0.5; // m
    const TruckParams *truck = &site->scene->truck;
    const SceneHaul *haul = &site->scene->exercise.haul;
    const TruckPlace wait = truck_place_of(truck, &haul->wait);
    const TruckPlace spot = route->roads[TRUCK_ROAD_OUT].pieces[0].start, dump = truck_place_of(truck, &haul->dump);
    const struct {
        TruckRoad road;
        const TruckPlace *standing;
        const char *where;
    } pairs[] = {{TRUCK_ROAD_OUT, &wait, "where the other truck waits"},
                 {TRUCK_ROAD_BACK, &spot, "where the other truck is loaded"},
                 {TRUCK_ROAD_IN, &dump, "where the other truck tips"}};
    for (size_t k = 0; haul->trucks > 1 && k < sizeof pairs / sizeof pairs[0]; k++) {
        const TruckWay *way = &route->roads[pairs[k].road];
        for (double s = 0.0; s < way->length + CHECK_SPACING; s += CHECK_SPACING) {
            TruckPlace place = truck_way_at(way, s);
            if (truck_places_meet(truck, &place, pairs[k].standing, room)) {
                return document_fail_at(site->document, road_keys[pairs[k].road], site->status,
                                        "%s runs %s (%.4g, %.4g)", road_names[pairs[k].road], pairs[k].where,
                                        pairs[k].standing->x, pairs[k].standing->y);
            }
        }
    }
    return true;
}

bool scene_check_haul(Document *document, const SceneParams *scene, const MachineParams *machine, Status *status)
{
    const SceneHaul *haul = &scene->exercise.haul;
    const SceneTruck *spot = &scene->exercise.truck;
    double half = 0.5 * spot->bed_length;
    if (!scene_check_rectangle(document, &scene->ground, "exercise.truck", (double[]){spot->x, spot->y}, spot->heading,
                               (double[]){-half, half}, 0.5 * spot->bed_width, status)) {
        return false;
    }
    if (haul->trucks == 0) {
        return true;
    }
    if (!(haul->load_mass <= scene->truck.payload)) {
        return document_fail_at(document, "exercise.haul.load_mass", status,
                                "read %.6g, allowed up to the payload of %s (%.6g)", haul->load_mass,
                                scene->exercise.truck.file, scene->truck.payload);
    }
    TruckRoute route;
    if (!truck_route(&scene->truck, &scene->exercise.truck, haul, &route)) {
        return document_fail_at(document, "exercise.haul", status, "its roads have too many bends");
    }
    const Site site = {document, scene, machine, status};
    for (int road = 0; road < TRUCK_ROAD_COUNT; road++) {
        const TruckWay *way = &route.roads[road];
        for (double s = 0.0; s < way->length + CHECK_SPACING; s += CHECK_SPACING) {
            TruckPlace place = truck_way_at(way, s);
            if (!check_on_site(&site, road, &place) || !check_free(&site, road, &place) ||
                !check_fixtures(&site, road, &place)) {
                return false;
            }
        }
    }
    return check_waiting(&site, &route);
}
