/// Makes boulders: points spread over an ellipsoid by the golden angle and drawn in at random, their convex hull, and
/// slices of it as prisms (Andrew 1979, Another efficient algorithm for convex hulls in two dimensions).
#include "trainer/sim/rock_shapes.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "data/core/elementary.h"
#include "data/core/random.h"
#include "data/core/tool_geometry.h"
#include "machine/solids.h"
#include "soil/soil.h"

/// Shape of a kind of boulder: corners on an ellipsoid, each drawn in by up to `rough` of its distance.
typedef struct Look {
    int corners;
    double axis[3][2]; ///< least and greatest half axes, of the longest
    double rough;
} Look;

// Sneed and Folk 1958: axis ratios of compact, and of platy pebbles.
static const Look looks[] = {
    [SCENE_ROCK_ANGULAR] = {13, {{1.0, 1.0}, {0.7, 0.95}, {0.55, 0.85}}, 0.25},
    [SCENE_ROCK_ROUNDED] = {22, {{1.0, 1.0}, {0.85, 0.97}, {0.75, 0.92}}, 0.06},
    [SCENE_ROCK_SLAB] = {14, {{1.0, 1.0}, {0.65, 0.9}, {0.28, 0.4}}, 0.15},
};

enum { STREAM_CORNER = 201, STREAM_AXIS = 202 };

double rock_round(double value)
{
    return round(value * 1e6) * 1e-6;
}

/// Spread evenly over the sphere by the golden angle, each then moved at random.
static Vec3 corner_of(const Look *look, const double axis[3], uint64_t seed, uint64_t index, int k)
{
    const double golden = M_PI * (3.0 - sqrt(5.0));
    uint64_t counter = index * 1024 + (uint64_t)k * 4;
    double turn = golden * k + 0.5 * (random_unit(seed, STREAM_CORNER, counter) - 0.5);
    double z = 1.0 - (2.0 * k + 1.0) / look->corners +
               0.6 / look->corners * (random_unit(seed, STREAM_CORNER, counter + 1) - 0.5);
    double ring = sqrt(fmax(0.0, 1.0 - z * z)),
           reach = 1.0 - look->rough * random_unit(seed, STREAM_CORNER, counter + 2);
    return vec3(reach * axis[0] * ring * same_cos(turn), reach * axis[1] * ring * same_sin(turn), reach * axis[2] * z);
}

void rock_shape_make(SceneRockShape shape, double size, double density, uint64_t seed, uint64_t index,
                     RockShapeParams *out)
{
    const Look *look = &looks[shape];
    double axis[3];
    for (int k = 0; k < 3; k++) {
        double share = random_unit(seed, STREAM_AXIS, index * 4 + (uint64_t)k);
        axis[k] = look->axis[k][0] + share * (look->axis[k][1] - look->axis[k][0]);
    }
    memset(out, 0, sizeof *out);
    out->part_count = 1;
    RockPart *part = &out->part[0];
    part->point_count = look->corners;
    for (int k = 0; k < look->corners; k++) {
        part->point[k] = corner_of(look, axis, seed, index, k);
    }
    ConvexHull hull;
    ConvexIntegrals sum = {0};
    const char *reason;
    bool built = convex_build(part->point, part->point_count, &hull, &reason);
    assert(built); // corners all around a point
    (void)built;
    convex_integrate(&hull, &sum);
    double volume = M_PI / 6.0 * size * size * size, scale = same_cbrt(volume / sum.volume);
    for (int k = 0; k < look->corners; k++) {
        Vec3 p = vec3_scale(part->point[k], scale);
        part->point[k] = vec3(rock_round(p.x), rock_round(p.y), rock_round(p.z));
    }
    out->mass = round(volume * density / SOIL_QUANTUM) * SOIL_QUANTUM;
}

/// The prism that a tool's piece is, as a part.
static void rock_part_of_piece(const ToolPiece *piece, RockPart *part)
{
    part->point_count = tool_piece_points(piece, part->point);
}

/// ---- slices --------------------------------------------------------------------------------------------------------

enum { SLICES = 5, MOST_CUTS = CONVEX_MAX_EDGES };

static double turn_of(const double a[2], const double b[2], const double c[2])
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static void sort_points(double (*points)[2], int count)
{
    for (int k = 1; k < count; k++) {
        double x = points[k][0], z = points[k][1];
        int at = k;
        for (; at > 0 && (points[at - 1][0] > x || (points[at - 1][0] == x && points[at - 1][1] > z)); at--) {
            points[at][0] = points[at - 1][0];
            points[at][1] = points[at - 1][1];
        }
        points[at][0] = x;
        points[at][1] = z;
    }
}

/// Convex outline, counter-clockwise (Andrew 1979, monotone chain). Returns the corners written; at most count + 1.
static int outline_of(double (*points)[2], int count, double (*outline)[2])
{
    int kept = 0;
    sort_points(points, count);
    for (int pass = 0; pass < 2; pass++) {
        int base = kept;
        for (int k = 0; k < count; k++) {
            const double *p = points[pass == 0 ? k : count - 1 - k];
            while (kept - base >= 2 && turn_of(outline[kept - 2], outline[kept - 1], p) <= 1e-9) {
                kept--;
            }
            outline[kept][0] = p[0];
            outline[kept][1] = p[1];
            kept++;
        }
        kept--; // the last one begins the other half
    }
    return kept;
}

/// Leaves out the corners that take least with them, down to `most`.
static int simplify(double (*outline)[2], int count, int most)
{
    while (count > most) {
        int least = 0;
        double smallest = HUGE_VAL;
        for (int k = 0; k < count; k++) {
            double area = turn_of(outline[(k + count - 1) % count], outline[k], outline[(k + 1) % count]);
            if (area < smallest) {
                smallest = area;
                least = k;
            }
        }
        count--;
        for (int k = least; k < count; k++) {
            outline[k][0] = outline[k + 1][0];
            outline[k][1] = outline[k + 1][1];
        }
    }
    return count;
}

/// Where the plane of this y cuts the hull's edges.
static int cut_hull(const ConvexHull *hull, double y, double (*cuts)[2])
{
    int count = 0;
    for (int e = 0; e < hull->edge_count; e++) {
        Vec3 a = hull->point[hull->edge_point[e][0]], b = hull->point[hull->edge_point[e][1]];
        if ((a.y < y) != (b.y < y)) {
            double t = (y - a.y) / (b.y - a.y);
            cuts[count][0] = a.x + t * (b.x - a.x);
            cuts[count][1] = a.z + t * (b.z - a.z);
            count++;
        }
    }
    return count;
}

void rock_shape_slice(const ConvexHull *hull, ToolShape *shape)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int k = 0; k < hull->point_count; k++) {
        low = fmin(low, hull->point[k].y);
        high = fmax(high, hull->point[k].y);
    }
    memset(shape, 0, sizeof *shape);
    for (int n = 0; n < SLICES; n++) {
        ToolPiece *piece = &shape->pieces[shape->piece_count];
        double cuts[MOST_CUTS][2], outline[MOST_CUTS + 2][2];
        piece->y_min = low + (high - low) * n / SLICES;
        piece->y_max = low + (high - low) * (n + 1) / SLICES;
        int count = cut_hull(hull, 0.5 * (piece->y_min + piece->y_max), cuts);
        count = count >= 3 ? simplify(outline, outline_of(cuts, count, outline), TOOL_MAX_CORNERS) : 0;
        if (count < 3) {
            continue;
        }
        piece->corner_count = count;
        memcpy(piece->corners, outline, (size_t)count * sizeof *outline);
        shape->piece_count++;
    }
    tool_shape_finish(shape);
}

/// ---- what moves among rocks ----------------------------------------------------------------------------------------

// m: the walls of a tray, and what keeps rocks from coming up through its floor.
#define TRAY_WALL 0.12

/// Room for the next part of a mover.
static RockPart *next_part(RockMoverParams *mover)
{
    assert(mover->part_count < ROCK_MAX_MOVER_PARTS);
    return &mover->part[mover->part_count++];
}

static void add_box(RockMoverParams *mover, Vec3 low, Vec3 high)
{
    RockPart *part = next_part(mover);
    part->point_count = 8;
    for (int k = 0; k < 8; k++) {
        part->point[k] = vec3(k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z);
    }
}

static void add_track(RockMoverParams *mover, const MachineTracks *tracks, double y)
{
    ToolPiece piece = machine_track_piece(tracks, y);
    rock_part_of_piece(&piece, next_part(mover));
}

/// True when all that a machine's bodies consist of has room in their movers.
static bool bodies_fit(const MachineParams *machine, Status *status)
{
    int parts[MACHINE_MAX_BODIES] = {0};
    parts[MACHINE_BASE] += 2; // the tracks
    parts[machine->cab_body] += 1;
    for (int k = 0; k < machine->tool_count; k++) {
        parts[machine->tool[k].body] += machine->tool[k].shape.piece_count;
    }
    for (int k = 0; k < machine->solid_count; k++) {
        parts[machine->solid[k].body]++;
    }
    for (int body = 0; body < machine->body_count; body++) {
        if (parts[body] > ROCK_MAX_MOVER_PARTS) {
            return status_fail(
                status, STATUS_BAD_FILE,
                "%s: solids: %s has %d pieces and solids, tracks and cab among them; among rocks %d are allowed",
                machine->name, machine->body[body].name, parts[body], ROCK_MAX_MOVER_PARTS);
        }
    }
    return true;
}

bool rock_mover_bodies(const MachineParams *machine, RockMoverParams movers[MACHINE_MAX_BODIES], Status *status)
{
    const MachineTracks *tracks = &machine->tracks;
    if (!bodies_fit(machine, status)) {
        return false;
    }
    add_track(&movers[MACHINE_BASE], tracks, 0.5 * tracks->gauge);
    add_track(&movers[MACHINE_BASE], tracks, -0.5 * tracks->gauge);
    for (int k = 0; k < machine->tool_count; k++) {
        const MachineToolParams *tool = &machine->tool[k];
        for (int piece = 0; piece < tool->shape.piece_count; piece++) {
            rock_part_of_piece(&tool->shape.pieces[piece], next_part(&movers[tool->body]));
        }
    }
    for (int k = 0; k < machine->solid_count; k++) {
        rock_part_of_piece(&machine->solid[k].piece, next_part(&movers[machine->solid[k].body]));
    }
    const MachineCab *cab = &machine->cab;
    Vec3 low = vec3(cab->corner[0], cab->corner[1], cab->corner[2]);
    add_box(&movers[machine->cab_body], low, vec3_add(low, vec3(cab->size[0], cab->size[1], cab->size[2])));
    return true;
}

void rock_mover_tray(const SoilTray *tray, RockMoverParams *mover)
{
    double l = 0.5 * tray->length, w = 0.5 * tray->width, t = TRAY_WALL, top = tray->wall;
    add_box(mover, vec3(-l - t, -w - t, -t), vec3(l + t, w + t, -0.02));
    add_box(mover, vec3(-l - t, w, -t), vec3(l + t, w + t, top));
    add_box(mover, vec3(-l - t, -w - t, -t), vec3(l + t, -w, top));
    add_box(mover, vec3(l, -w, -t), vec3(l + t, w, top));
    add_box(mover, vec3(-l - t, -w, -t), vec3(-l, w, tray->tail > 0.0 ? tray->tail : top));
}

int rock_chisel_piece(const ToolShape *shape)
{
    int nearest = 0;
    double least = HUGE_VAL;
    for (int k = 0; k < shape->piece_count; k++) {
        for (int c = 0; c < shape->pieces[k].corner_count; c++) {
            const double *corner = shape->pieces[k].corners[c];
            double apart = fabs(corner[0] - shape->edge[0]) + fabs(corner[1] - shape->edge[1]);
            nearest = apart < least ? k : nearest;
            least = fmin(least, apart);
        }
    }
    return nearest;
}
