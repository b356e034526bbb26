/// The site of a scene before the start: strata of the ground at a place, corners of fixtures, measures of the truck.
#include <math.h>
#include <string.h>

#include "data/core/elementary.h"
#include "data/schema/scene_relief.h"
#include "data/schema/scene_site.h"

/// ---- ground --------------------------------------------------------------------------------------------------------

/// Strata of a place: layers, cut by patches, shaped by earthworks, with mounds on top.
///
/// The ground is made of them once, and the loader computes how many layers lie on one another. A patch replaces what
/// lies between its depths, so that it splits at most one layer in two; where patches overlap, the later one of the
/// file holds. An earthwork is a pyramid's stump: its planes meet at the corners, so that of the falls from the side
/// and from the end the greater one holds. A mound is a cone at the repose angle of its soil.

static const double least_stratum = 1e-6; ///< m: a thinner rest of a layer comes from rounding
static const double steepest = 89.9 * M_PI / 180.0; ///< rad: a side from here on stands upright

static SceneDirection direction_of(double heading)
{
    return (SceneDirection){same_cos(heading), same_sin(heading)};
}

static bool patch_holds(const ScenePatch *patch, const SceneDirection *heading, double x, double y)
{
    double dx = x - patch->x, dy = y - patch->y;
    if (patch->radius > 0.0) {
        return dx * dx + dy * dy <= patch->radius * patch->radius;
    }
    if (4.0 * (dx * dx + dy * dy) > patch->length * patch->length + patch->width * patch->width) {
        return false;
    }
    double c = heading->cosine, s = heading->sine;
    return fabs(dx * c + dy * s) <= 0.5 * patch->length && fabs(dy * c - dx * s) <= 0.5 * patch->width;
}

bool scene_patch_holds(const ScenePatch *patch, double x, double y)
{
    SceneDirection heading = direction_of(patch->heading);
    return patch_holds(patch, &heading, x, y);
}

double scene_mound_height(const SceneMound *mound, double tan_repose, double x, double y)
{
    double dx = x - mound->x, dy = y - mound->y, reach = 1.000001 * mound->height; // m: rounding is far less
    if ((dx * dx + dy * dy) * tan_repose * tan_repose > reach * reach) {
        return 0.0; // most places are far from it
    }
    double height = mound->height - sqrt(dx * dx + dy * dy) * tan_repose;
    return height > 0.0 ? height : 0.0;
}

/// m a metre that a side falls; HUGE_VAL: it stands upright.
static double fall_of(double slope)
{
    return slope > steepest ? HUGE_VAL : same_tan(slope);
}

static SceneSides sides_of(const SceneEarthwork *earthwork)
{
    double start = earthwork->start_slope > 0.0 ? earthwork->start_slope : earthwork->slope;
    double end = earthwork->end_slope > 0.0 ? earthwork->end_slope : earthwork->slope;
    return (SceneSides){.heading = direction_of(earthwork->heading),
                        .side = fall_of(earthwork->slope),
                        .start = fall_of(start),
                        .end = fall_of(end)};
}

static double earthwork_height(const SceneEarthwork *earthwork, const SceneSides *sides, double x, double y)
{
    double dx = x - earthwork->x, dy = y - earthwork->y, c = sides->heading.cosine, s = sides->heading.sine;
    double along = dx * c + dy * s, across = fabs(dy * c - dx * s) - 0.5 * earthwork->width;
    double beyond = fabs(along) - 0.5 * earthwork->length, fall = 0.0;
    if (across > least_stratum) {
        fall = across * sides->side;
    }
    if (beyond > least_stratum) {
        fall = fmax(fall, beyond * (along < 0.0 ? sides->start : sides->end));
    }
    return earthwork->shape == SCENE_EARTHWORK_BANK ? earthwork->height - fall : earthwork->height + fall;
}

double scene_earthwork_height(const SceneEarthwork *earthwork, double x, double y)
{
    SceneSides sides = sides_of(earthwork);
    return earthwork_height(earthwork, &sides, x, y);
}

void scene_find_angles(const SceneGround *ground, SceneAngles *angles)
{
    for (int k = 0; k < ground->patch_count; k++) {
        angles->patch[k] = direction_of(ground->patches[k].heading);
    }
    for (int k = 0; k < ground->earthwork_count; k++) {
        angles->earthwork[k] = sides_of(&ground->earthworks[k]);
    }
}

double scene_surface(const SceneGround *ground, double undisturbed, double x, double y)
{
    double surface = undisturbed + scene_relief_height(ground, x, y);
    for (int k = 0; k < ground->earthwork_count; k++) {
        double plane = scene_earthwork_height(&ground->earthworks[k], x, y);
        surface = ground->earthworks[k].shape == SCENE_EARTHWORK_BANK ? fmax(surface, plane) : fmin(surface, plane);
    }
    return surface;
}

double scene_surface_change(const SceneGround *ground, double x, double y, double heading, const double along[2],
                            double half_width)
{
    enum { ALONG = 33, ACROSS = 9 };
    double most = 0.0, c = same_cos(heading), s = same_sin(heading);
    for (int k = 0; k < ALONG * ACROSS; k++) {
        double u = along[0] + (along[1] - along[0]) * (double)(k / ACROSS) / (ALONG - 1);
        double v = half_width * (2.0 * (k % ACROSS) / (ACROSS - 1) - 1.0);
        double surface = scene_surface(ground, 0.0, x + c * u - s * v, y + s * u + c * v);
        most = fabs(surface) > fabs(most) ? surface : most;
    }
    return most;
}

SceneStand scene_stand(const SceneGround *ground, double x, double y, double heading, double length, double width)
{
    enum { ALONG = 17, ACROSS = 9 };
    double height[ALONG * ACROSS], u[ALONG * ACROSS], v[ALONG * ACROSS], c = same_cos(heading), s = same_sin(heading);
    double mean = 0.0, uu = 0.0, uz = 0.0, vv = 0.0, vz = 0.0;
    for (int k = 0; k < ALONG * ACROSS; k++) {
        u[k] = length * ((double)(k / ACROSS) / (ALONG - 1) - 0.5);
        v[k] = width * ((double)(k % ACROSS) / (ACROSS - 1) - 0.5);
        height[k] = scene_surface(ground, 0.0, x + c * u[k] - s * v[k], y + s * u[k] + c * v[k]);
        mean += height[k] / (ALONG * ACROSS);
        uu += u[k] * u[k];
        vv += v[k] * v[k];
        uz += u[k] * height[k];
        vz += v[k] * height[k];
    }
    SceneStand stand = {.height = mean, .along = uz / uu, .across = vz / vv};
    double highest = -HUGE_VAL, lowest = HUGE_VAL;
    for (int k = 0; k < ALONG * ACROSS; k++) {
        double above = height[k] - stand.height - stand.along * u[k] - stand.across * v[k];
        highest = fmax(highest, above);
        lowest = fmin(lowest, above);
    }
    stand.height += highest;
    stand.deepest = highest - lowest;
    return stand;
}

/// Adds a stratum below the others; joins it with the last one of the same kind.
static void add_below(SceneProfile *profile, double thickness, int soil, bool loose)
{
    if (thickness < least_stratum) {
        return;
    }
    SceneStratum *last = profile->count > 0 ? &profile->strata[profile->count - 1] : NULL;
    if (last != NULL && last->soil == soil && last->loose == loose) {
        last->thickness += thickness;
        return;
    }
    profile->strata[profile->count++] = (SceneStratum){thickness, soil, loose};
}

/// Puts a patch in the place of what lay between its depths.
static void insert_patch(SceneProfile *profile, const ScenePatch *patch)
{
    SceneProfile before;
    before.count = profile->count;
    memcpy(before.strata, profile->strata, (size_t)profile->count * sizeof profile->strata[0]);
    double depth = 0.0, bottom = patch->top + patch->thickness;
    bool placed = false;
    profile->count = 0;
    for (int k = 0; k < before.count; k++) {
        const SceneStratum *old = &before.strata[k];
        double end = depth + old->thickness;
        if (end <= patch->top || depth >= bottom) {
            add_below(profile, old->thickness, old->soil, old->loose);
        } else {
            add_below(profile, patch->top - depth, old->soil, old->loose);
            if (!placed) {
                add_below(profile, patch->thickness, patch->soil_index, false);
                placed = true;
            }
            add_below(profile, end - bottom, old->soil, old->loose);
        }
        depth = end;
    }
}

/// Puts a stratum on top; joins it with one of the same kind.
static void add_on_top(SceneProfile *profile, double thickness, int soil, bool loose)
{
    if (profile->count > 0 && profile->strata[0].loose == loose && profile->strata[0].soil == soil) {
        profile->strata[0].thickness += thickness;
        return;
    }
    memmove(profile->strata + 1, profile->strata, (size_t)profile->count * sizeof profile->strata[0]);
    profile->strata[0] = (SceneStratum){thickness, soil, loose};
    profile->count++;
}

static void take_off_top(SceneProfile *profile, double thickness)
{
    while (profile->count > 0 && thickness > 0.0) {
        if (profile->strata[0].thickness - thickness >= least_stratum) {
            profile->strata[0].thickness -= thickness;
            return;
        }
        thickness -= profile->strata[0].thickness;
        profile->count--;
        memmove(profile->strata, profile->strata + 1, (size_t)profile->count * sizeof profile->strata[0]);
    }
}

/// `plane` m, world: the earthwork's height at the place.
static void apply_earthwork(SceneProfile *profile, const SceneEarthwork *earthwork, double plane, double *surface)
{
    if (earthwork->shape == SCENE_EARTHWORK_BANK && plane - *surface >= least_stratum) {
        add_on_top(profile, plane - *surface, earthwork->soil_index, earthwork->loose);
        *surface = plane;
    } else if (earthwork->shape == SCENE_EARTHWORK_CUT && *surface - plane >= least_stratum) {
        take_off_top(profile, *surface - plane);
        *surface = plane;
    }
}

/// Digs away or fills what lies between the surface and the heights of the relief; layers stay.
static void apply_relief(SceneProfile *profile, const SceneRelief *relief, double relief_height, double *surface)
{
    if (relief_height - *surface >= least_stratum) {
        add_on_top(profile, relief_height - *surface, relief->soil_index, relief->loose);
    } else if (*surface - relief_height >= least_stratum) {
        take_off_top(profile, *surface - relief_height);
    }
    *surface = relief_height;
}

void scene_profile(const SceneGround *ground, const SceneAngles *angles, const double *tan_repose, double depth,
                   double x, double y, SceneProfile *profile)
{
    profile->count = 0;
    bool stays = ground->surface.layers == SCENE_RELIEF_STAY;
    double relief = scene_relief_height(ground, x, y), rest = stays ? depth : depth + relief;
    for (int k = 0; k + 1 < ground->layer_count; k++) {
        add_below(profile, fmin(ground->layers[k].thickness, rest), ground->layers[k].soil_index, false);
        rest -= ground->layers[k].thickness;
    }
    add_below(profile, rest, ground->layers[ground->layer_count - 1].soil_index, false);
    for (int k = 0; k < ground->patch_count; k++) {
        if (patch_holds(&ground->patches[k], &angles->patch[k], x, y)) {
            insert_patch(profile, &ground->patches[k]);
        }
    }
    double surface = depth - ground->bedrock_depth + (stays ? 0.0 : relief);
    if (stays) {
        apply_relief(profile, &ground->surface, relief, &surface);
    }
    for (int k = 0; k < ground->earthwork_count; k++) {
        double plane = earthwork_height(&ground->earthworks[k], &angles->earthwork[k], x, y);
        apply_earthwork(profile, &ground->earthworks[k], plane, &surface);
    }
    for (int k = 0; k < ground->mound_count; k++) {
        double height = scene_mound_height(&ground->mounds[k], tan_repose[ground->mounds[k].soil_index], x, y);
        if (height >= least_stratum) {
            add_on_top(profile, height, ground->mounds[k].soil_index, true);
        }
    }
}

/// ---- fixtures and truck --------------------------------------------------------------------------------------------

/// A place beyond the middle of a fixture: `u` m towards its heading, `v` m to the left.
static Vec3 place_beside(const SceneFixture *fixture, double u, double v, double z)
{
    double c = same_cos(fixture->heading), s = same_sin(fixture->heading);
    return vec3(fixture->x + c * u - s * v, fixture->y + s * u + c * v, z);
}

/// Corners around a circle with a flat side on top: `right` and `up` from its middle, m.
static void circle_corner(double radius, int k, double *right, double *up)
{
    double angle = 2.0 * M_PI * (k + 0.5) / SCENE_POST_SIDES, out = radius / same_cos(M_PI / SCENE_POST_SIDES);
    *right = out * same_cos(angle);
    *up = out * same_sin(angle);
}

SceneFixture scene_fixture_lying(const SceneFixture *fixture, double heading)
{
    SceneFixture lying = *fixture;
    double foot = fmax(0.0, fixture->bottom), height = fixture->top - foot, thick = 2.0 * fixture->radius;
    if (fixture->shape == SCENE_FIXTURE_BOX) {
        bool thin = fixture->length < fixture->width; // along its heading
        thick = thin ? fixture->length : fixture->width;
        double across = fixture->heading + (thin ? 0.0 : 0.5 * M_PI);
        bool ahead = same_cos(heading - across) >= 0.0;
        heading = ahead ? across : across + M_PI;
        *(thin ? &lying.length : &lying.width) = height;
        lying.bottom = 0.0;
        lying.top = thick;
    } else {
        lying.shape = SCENE_FIXTURE_PIPE;
        lying.heading = heading;
        lying.length = height;
        lying.z = fixture->radius;
        lying.bottom = 0.0;
        lying.top = thick;
    }
    double away = 0.5 * (thick + height);
    lying.x += away * same_cos(heading);
    lying.y += away * same_sin(heading);
    return lying;
}

int scene_fixture_outline(const SceneFixture *fixture, Vec3 points[SCENE_POST_SIDES])
{
    if (fixture->shape == SCENE_FIXTURE_POST) {
        for (int k = 0; k < SCENE_POST_SIDES; k++) {
            double angle = 2.0 * M_PI * k / SCENE_POST_SIDES, out = fixture->radius / same_cos(M_PI / SCENE_POST_SIDES);
            points[k] = place_beside(fixture, out * same_cos(angle), out * same_sin(angle), fixture->bottom);
        }
        return SCENE_POST_SIDES;
    }
    double half = fixture->shape == SCENE_FIXTURE_PIPE ? fixture->radius : 0.5 * fixture->width;
    for (int k = 0; k < 4; k++) {
        double u = k == 1 || k == 2 ? 0.5 * fixture->length : -0.5 * fixture->length, v = k >= 2 ? half : -half;
        points[k] = place_beside(fixture, u, v, fixture->bottom);
    }
    return 4;
}

int scene_fixture_points(const SceneFixture *fixture, Vec3 points[SCENE_FIXTURE_MAX_POINTS])
{
    if (fixture->shape == SCENE_FIXTURE_PIPE) {
        for (int k = 0; k < SCENE_POST_SIDES; k++) {
            double right, up;
            circle_corner(fixture->radius, k, &right, &up);
            points[k] = place_beside(fixture, -0.5 * fixture->length, -right, fixture->z + up);
            points[SCENE_POST_SIDES + k] = place_beside(fixture, 0.5 * fixture->length, -right, fixture->z + up);
        }
        return 2 * SCENE_POST_SIDES;
    }
    int corners = scene_fixture_outline(fixture, points);
    for (int k = 0; k < corners; k++) {
        points[corners + k] = vec3(points[k].x, points[k].y, fixture->top);
    }
    return 2 * corners;
}

double scene_fixture_crown(const SceneFixture *fixture, double x, double y)
{
    double dx = x - fixture->x, dy = y - fixture->y, c = same_cos(fixture->heading), s = same_sin(fixture->heading);
    double u = fabs(dx * c + dy * s), v = fabs(dy * c - dx * s);
    bool within = false;
    switch (fixture->shape) {
    case SCENE_FIXTURE_BOX:
        within = u <= 0.5 * fixture->length && v <= 0.5 * fixture->width;
        break;
    case SCENE_FIXTURE_POST:
        within = u * u + v * v <= fixture->radius * fixture->radius;
        break;
    case SCENE_FIXTURE_PIPE:
        return u <= 0.5 * fixture->length && v < fixture->radius
                   ? fixture->z + sqrt(fixture->radius * fixture->radius - v * v)
                   : -HUGE_VAL;
    }
    return within ? fixture->top : -HUGE_VAL;
}

bool scene_is_to_expose(const SceneExercise *exercise, const SceneFixture *fixture)
{
    return exercise->expose[0] != '\0' && fixture->shape != SCENE_FIXTURE_POST &&
           strstr(fixture->name, exercise->expose) != NULL;
}

/// Extent of convex points along a direction in plan.
static void extent_along(const Vec3 *points, int count, double x, double y, double *low, double *high)
{
    *low = HUGE_VAL;
    *high = -HUGE_VAL;
    for (int k = 0; k < count; k++) {
        double at = points[k].x * x + points[k].y * y;
        *low = fmin(*low, at);
        *high = fmax(*high, at);
    }
}

/// True when no line along a side of the first outline runs between the two.
static bool overlap_across_sides(const Vec3 *first, int sides, const Vec3 *second, int count)
{
    for (int k = 0; k < sides; k++) {
        double x = first[(k + 1) % sides].y - first[k].y, y = first[k].x - first[(k + 1) % sides].x, a[2], b[2];
        extent_along(first, sides, x, y, &a[0], &a[1]);
        extent_along(second, count, x, y, &b[0], &b[1]);
        if (a[1] < b[0] || b[1] < a[0]) {
            return false;
        }
    }
    return true;
}

bool scene_fixture_meets_truck(const SceneFixture *fixture, const TruckParams *truck, const TruckPlace *place)
{
    const double wall = 0.09, clearance = 0.3, roof = 2.86; // m: as a truck is drawn
    double x, y, c = same_cos(place->heading), s = same_sin(place->heading), side = 0.5 * truck->bed.width + wall;
    truck_bed_middle(truck, place, &x, &y);
    Vec3 outline[4], points[SCENE_POST_SIDES];
    for (int k = 0; k < 4; k++) {
        double ahead = k == 1 || k == 2 ? truck->front : -0.5 * truck->bed.length - wall, left = k >= 2 ? side : -side;
        outline[k] = vec3(x + c * ahead - s * left, y + s * ahead + c * left, 0.0);
    }
    int corners = scene_fixture_outline(fixture, points);
    double top = fmax(roof, truck->bed.floor_height + truck->bed.height);
    return fixture->bottom < top && fixture->top > clearance && overlap_across_sides(outline, 4, points, corners) &&
           overlap_across_sides(points, corners, outline, 4);
}

/// The rest of a truck of the 25-t class around a bed, m: wall of the bed, gap between bed and cab, cab, bumper. Chosen
/// by eye.
static const double bed_wall = 0.09, least_gap = 0.55, cab_length = 1.75, bumper = 0.10;

/// The same of its body on springs and tyres: as the file of the shipped 25-t truck has it (machines/truck-25t.yaml).
static const double class_tare = 20000.0, class_payload = 24000.0; // kg
static const TruckChassis class_chassis = {.front_share = 0.42,
                                           .center_height = 1.25,
                                           .inertia_size = {7.4, 2.4, 1.8},
                                           .gauge = 2.3,
                                           .front_stiffness = 5.0e5,
                                           .rear_stiffness = 1.5e6,
                                           .damping_ratio = 0.3,
                                           .tyre_stiffness = 8.0e5,
                                           .tyre_friction = 0.6,
                                           .front_limit = 14000.0,
                                           .rear_limit = 33000.0};

TruckParams scene_truck_shape(const SceneParams *scene)
{
    const SceneTruck *t = &scene->exercise.truck;
    if (t->file[0] != '\0') {
        return scene->truck;
    }
    double half = 0.5 * t->bed_length;
    TruckParams truck = {.bed = {.length = t->bed_length,
                                 .width = t->bed_width,
                                 .height = t->bed_height,
                                 .tail_height = t->bed_height,
                                 .floor_height = t->floor_height}};
    truck.front = half + bed_wall + least_gap + cab_length + bumper;
    truck.rear_axle = 1.63 - half;
    truck.wheelbase = truck.front - bumper - 0.95 - truck.rear_axle;
    truck.wheel_diameter = 1.12;
    truck.tare = class_tare;
    truck.payload = class_payload;
    truck.chassis = class_chassis;
    truck.chassis.gauge = fmin(class_chassis.gauge, 0.82 * t->bed_width);
    return truck;
}
