/// Rocks of a session: where they start, their contact with ground, machine and trays (machine/rocks.h), and with
/// moving soil, which meets the few rocks near it as tools; its wrenches move them in the next substep.
#include "trainer/sim/session_rocks.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/elementary.h"
#include "data/core/random.h"
#include "data/core/tool_geometry.h"
#include "data/core/zeroed_memory.h"
#include "data/schema/scene_site.h"

/// ---- shapes of boulders --------------------------------------------------------------------------------------------
///
/// Points spread over an ellipsoid by the golden angle and drawn in at random, their convex hull, and slices of it as
/// prisms (Andrew 1979, Another efficient algorithm for convex hulls in two dimensions).

/// The last part of rock_mover_tray: what closes it at its tail.
enum { ROCK_TRAY_TAIL = 4 };

/// Shape of a kind of boulder: corners on an ellipsoid, each drawn in by up to `rough` of its distance.
typedef struct BoulderForm {
    int corners;
    double axis[3][2]; ///< least and greatest half axes, of the longest
    double rough;
} BoulderForm;

// Sneed and Folk 1958: axis ratios of compact, and of platy pebbles.
static const BoulderForm forms[] = {
    [SCENE_ROCK_ANGULAR] = {13, {{1.0, 1.0}, {0.7, 0.95}, {0.55, 0.85}}, 0.25},
    [SCENE_ROCK_ROUNDED] = {22, {{1.0, 1.0}, {0.85, 0.97}, {0.75, 0.92}}, 0.06},
    [SCENE_ROCK_SLAB] = {14, {{1.0, 1.0}, {0.65, 0.9}, {0.28, 0.4}}, 0.15},
};

enum { STREAM_CORNER = 201, STREAM_AXIS = 202 };

/// Rounds to millionths: what sines and roots of another computer's library give differently in the last bit is equal
/// then.
static double rock_round(double value)
{
    return round(value * 1e6) * 1e-6;
}

/// Spread evenly over the sphere by the golden angle, each then moved at random.
static Vec3 corner_of(const BoulderForm *form, const double axis[3], uint64_t seed, uint64_t index, int k)
{
    const double golden = M_PI * (3.0 - sqrt(5.0));
    uint64_t counter = index * 1024 + (uint64_t)k * 4;
    double turn = golden * k + 0.5 * (random_unit(seed, STREAM_CORNER, counter) - 0.5);
    double z = 1.0 - (2.0 * k + 1.0) / form->corners +
               0.6 / form->corners * (random_unit(seed, STREAM_CORNER, counter + 1) - 0.5);
    double ring = sqrt(fmax(0.0, 1.0 - z * z)),
           reach = 1.0 - form->rough * random_unit(seed, STREAM_CORNER, counter + 2);
    return vec3(reach * axis[0] * ring * same_cos(turn), reach * axis[1] * ring * same_sin(turn), reach * axis[2] * z);
}

void rock_shape_make(SceneRockShape shape, double size, double density, uint64_t seed, uint64_t index,
                     RockShapeParams *out)
{
    const BoulderForm *form = &forms[shape];
    double axis[3];
    for (int k = 0; k < 3; k++) {
        double share = random_unit(seed, STREAM_AXIS, index * 4 + (uint64_t)k);
        axis[k] = form->axis[k][0] + share * (form->axis[k][1] - form->axis[k][0]);
    }
    memset(out, 0, sizeof *out);
    out->part_count = 1;
    RockPart *part = &out->part[0];
    part->point_count = form->corners;
    for (int k = 0; k < form->corners; k++) {
        part->point[k] = corner_of(form, axis, seed, index, k);
    }
    ConvexHull hull;
    ConvexIntegrals sum = {0};
    const char *reason;
    bool built = convex_build(part->point, part->point_count, &hull, &reason);
    assert(built); // corners all around a point
    (void)built;
    convex_integrate(&hull, &sum);
    double volume = M_PI / 6.0 * size * size * size, scale = same_cbrt(volume / sum.volume);
    for (int k = 0; k < form->corners; k++) {
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

static double cross_of(const double a[2], const double b[2], const double c[2])
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
            while (kept - base >= 2 && cross_of(outline[kept - 2], outline[kept - 1], p) <= 1e-9) {
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
            double area = cross_of(outline[(k + count - 1) % count], outline[k], outline[(k + 1) % count]);
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

/// Adds the parts of a tray's floor and walls.
static void rock_mover_tray(const SoilTray *tray, RockMoverParams *mover)
{
    double l = 0.5 * tray->length, w = 0.5 * tray->width, t = TRAY_WALL, top = tray->wall;
    add_box(mover, vec3(-l - t, -w - t, -t), vec3(l + t, w + t, -0.02));
    add_box(mover, vec3(-l - t, w, -t), vec3(l + t, w + t, top));
    add_box(mover, vec3(-l - t, -w - t, -t), vec3(l + t, -w, top));
    add_box(mover, vec3(l, -w, -t), vec3(l + t, w, top));
    add_box(mover, vec3(-l - t, -w, -t), vec3(-l, w, tray->tail > 0.0 ? tray->tail : top));
}

/// Number of the piece of a tool that ends in its tip.
static int rock_chisel_piece(const ToolShape *shape)
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

/// ---- moving soil ---------------------------------------------------------------------------------------------------
///
/// Counts particles into coarse cells once a tick, so that asking whether a rock has grains near it costs a few cells.

#define CELL   0.5 ///< m
#define MARGIN 0.2 ///< m

typedef struct Cell {
    float low, high; ///< m: heights of its particles; low > high: none
} Cell;

/// Cells of 0.5 m over a site. Scratch: marked anew each tick.
typedef struct RockNear {
    int rows, columns;
    double x, y; ///< m: corner of the first cell
    Cell *cell; ///< [rows][columns]
} RockNear;

/// `size_x`, `size_y`: m of the site. NULL when memory lacks.
static RockNear *rock_near_create(double size_x, double size_y)
{
    RockNear *near = calloc(1, sizeof *near);
    if (near == NULL) {
        return NULL;
    }
    near->rows = (int)(size_y / CELL) + 2;
    near->columns = (int)(size_x / CELL) + 2;
    near->x = -0.5 * size_x - 0.5 * CELL;
    near->y = -0.5 * size_y - 0.5 * CELL;
    near->cell = zeroed_alloc((size_t)near->rows * (size_t)near->columns, sizeof *near->cell);
    if (near->cell == NULL) {
        free(near);
        return NULL;
    }
    return near;
}

static void rock_near_destroy(RockNear *near)
{
    if (near != NULL) {
        zeroed_free(near->cell);
        free(near);
    }
}

/// What lies beyond the site counts to its edge.
static int index_of(double at, int count)
{
    double cell = floor(at / CELL);
    return cell < 0.0 ? 0 : cell >= count ? count - 1 : (int)cell;
}

static void rock_near_mark(RockNear *near, const SoilParticleView *particles)
{
    for (int k = 0; k < near->rows * near->columns; k++) {
        near->cell[k] = (Cell){HUGE_VALF, -HUGE_VALF};
    }
    for (int i = 0; i < particles->count; i++) {
        int row = index_of(particles->y[i] - near->y, near->rows);
        int column = index_of(particles->x[i] - near->x, near->columns);
        Cell *cell = &near->cell[row * near->columns + column];
        float z = (float)particles->z[i];
        cell->low = z < cell->low ? z : cell->low;
        cell->high = z > cell->high ? z : cell->high;
    }
}

/// True when a cell that a ball reaches into holds particles at its height, give or take 0.2 m.
static bool rock_near_soil(const RockNear *near, Vec3 middle, double radius)
{
    double reach = radius + MARGIN;
    int row_end = index_of(middle.y + reach - near->y, near->rows);
    int column_end = index_of(middle.x + reach - near->x, near->columns);
    for (int row = index_of(middle.y - reach - near->y, near->rows); row <= row_end; row++) {
        for (int column = index_of(middle.x - reach - near->x, near->columns); column <= column_end; column++) {
            const Cell *cell = &near->cell[row * near->columns + column];
            if ((double)cell->low < middle.z + reach && (double)cell->high > middle.z - reach) {
                return true;
            }
        }
    }
    return false;
}

/// ---- layout --------------------------------------------------------------------------------------------------------
///
/// Draws sizes, shapes and places of a scene's rocks from counter-based random numbers of the scene's seed: flat slabs
/// flat, others turned at random (Shoemake 1992, Uniform random rotations), clear of one another.

typedef struct RockLayout {
    const SceneParams *scene;
    uint64_t seed;
    const Soil *soil;
    const double *radius; ///< m, [shapes]: of a ball around the centre of mass that holds the shape
} RockLayout;

enum { STREAM_PLACE = 211, STREAM_TURN = 212 };

// m: rocks are dropped so far above one another.
#define DROP_GAP 0.03

/// Shapes of a group: as many as its share of what there may be.
static int shapes_of(const SceneParams *scene, int group)
{
    int most = ROCK_MAX_SHAPES / scene->rocks_count, count = scene->rocks[group].count;
    return count < most ? count : most;
}

/// Adds the shapes and the budget of the scene's rocks: each group has its share of the shapes there may be.
static void rock_layout_shapes(const SceneParams *scene, uint64_t seed, RocksParams *params)
{
    for (int g = 0; g < scene->rocks_count; g++) {
        const SceneRocks *group = &scene->rocks[g];
        int shapes = shapes_of(scene, g);
        double largest = fmax(group->largest, group->size);
        for (int k = 0; k < shapes; k++) {
            double share = shapes > 1 ? (double)k / (shapes - 1) : 0.0;
            double size = group->size + share * (largest - group->size);
            rock_shape_make(group->shape, size, group->density, seed, (uint64_t)params->shape_count,
                            &params->shape[params->shape_count]);
            params->shape[params->shape_count].work_index = group->work_index;
            params->shape_count++;
        }
        params->budget += group->count;
    }
}

/// A unit quaternion of rounded numbers.
static Quat rounded_turn(double w, double x, double y, double z)
{
    double q[4] = {rock_round(w), rock_round(x), rock_round(y), rock_round(z)};
    double scale = 1.0 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    return (Quat){scale * q[0], scale * q[1], scale * q[2], scale * q[3]};
}

/// A turn drawn evenly from all of them (Shoemake 1992).
static Quat random_turn(uint64_t seed, int rock)
{
    double u[3];
    for (int k = 0; k < 3; k++) {
        u[k] = random_unit(seed, STREAM_TURN, (uint64_t)rock * 4 + (uint64_t)k);
    }
    double a = sqrt(1.0 - u[0]), b = sqrt(u[0]);
    return rounded_turn(b * same_cos(2.0 * M_PI * u[2]), a * same_sin(2.0 * M_PI * u[1]),
                        a * same_cos(2.0 * M_PI * u[1]), b * same_sin(2.0 * M_PI * u[2]));
}

/// Flat slabs lie flat.
static Quat turn_of(const SceneRocks *group, uint64_t seed, int rock)
{
    double half = M_PI * random_unit(seed, STREAM_TURN, (uint64_t)rock * 4);
    bool flat = group->shape == SCENE_ROCK_SLAB && group->count == 1;
    return flat ? rounded_turn(same_cos(half), 0.0, 0.0, same_sin(half)) : random_turn(seed, rock);
}

/// m from the centre of mass down to the lowest corner.
static double depth_below(const Rocks *rocks, int shape, Quat turn)
{
    Mat3 rotation = mat3_from_quat(turn);
    const ConvexHull *hull = rocks_get_part(rocks, shape, 0);
    double lowest = 0.0;
    for (int k = 0; k < hull->point_count; k++) {
        lowest = fmin(lowest, mat3_mul(&rotation, hull->point[k]).z);
    }
    return -lowest;
}

/// The least height at which a ball is clear of those of the rocks that are there.
static double clear_height(const RockLayout *layout, const Rocks *rocks, int count, Vec3 at, double radius)
{
    RockView view;
    bool moved = true;
    while (moved) {
        moved = false;
        for (int i = 0; i < count; i++) {
            if (!rocks_get(rocks, i, &view)) {
                continue;
            }
            Vec3 to = vec3_sub(at, view.motion.frame.position);
            double apart = radius + layout->radius[view.shape] + DROP_GAP,
                   square = apart * apart - to.x * to.x - to.y * to.y;
            if (square > 0.0 && to.z * to.z < square * (1.0 - 1e-9)) {
                at.z = view.motion.frame.position.z + sqrt(square);
                moved = true;
            }
        }
    }
    return at.z;
}

static bool add_rock(const RockLayout *layout, Rocks *rocks, const SceneRocks *group, int shape, int rock,
                     Status *status)
{
    uint64_t seed = layout->seed;
    double share = random_unit(seed, STREAM_PLACE, 2 * (uint64_t)rock);
    double angle = 2.0 * M_PI * random_unit(seed, STREAM_PLACE, 2 * (uint64_t)rock + 1);
    double out = group->count > 1 ? group->spread * sqrt(share) : 0.0;
    Vec3 at = vec3(rock_round(group->x + out * same_cos(angle)), rock_round(group->y + out * same_sin(angle)), 0.0);
    Quat turn = turn_of(group, seed, rock);
    at.z = soil_get_height(layout->soil, at.x, at.y) + group->z + depth_below(rocks, shape, turn);
    at.z = clear_height(layout, rocks, rock, at, layout->radius[shape]);
    const Vec3 rest = {0.0, 0.0, 0.0};
    return rocks_add(rocks, shape, at, turn, rest, rest, status) == rock;
}

/// Adds the rocks that fall at the start, or those that do not: above the ground, clear of one another. `count`: rocks
/// there are, before and after. False with `status`.
static bool rock_layout_add(const RockLayout *layout, Rocks *rocks, bool fall, int *count, Status *status)
{
    int first_shape = 0;
    for (int g = 0; g < layout->scene->rocks_count; g++) {
        const SceneRocks *group = &layout->scene->rocks[g];
        int shapes = shapes_of(layout->scene, g);
        for (int k = 0; k < group->count && (group->z > 0.0) == fall; k++) {
            if (!add_rock(layout, rocks, group, first_shape + k % shapes, *count, status)) {
                return false;
            }
            ++*count;
        }
        first_shape += shapes;
    }
    return true;
}

/// Movers: the machine's bodies by their number, then trays, then loads.
enum { MOVER_TRAYS = MACHINE_MAX_BODIES, MOST_TRAYS = 3, MOVER_LOADS = MOVER_TRAYS + MOST_TRAYS };
_Static_assert((int)MOVER_LOADS + (int)SCENE_MAX_LOADS <= (int)ROCK_MAX_MOVERS, "rocks have room for all loads");

// Stone on stone, and on soil: angles of friction of rockfill lie at 35 to 45 degrees (Leps 1970); on steel as rock in
// chutes.
#define STONE_FRICTION 0.7
#define STEEL_FRICTION 0.45
// Times soils' friction on steel: theirs on rough stone (Potyondy 1961: on rough concrete 0.9 of their own angle, on
// steel 0.65).
#define STONE_OVER_STEEL 1.4
// Of the shoes' grousers, which hook behind a stone's edges.
#define GROUSER_FRICTION 0.9
// Of the fall's speed: boulders on soil hardly bounce.
#define RESTITUTION 0.05
// s: heaps settle at most so long before the start.
#define SETTLE_TIME 12.0
// rad: the plane that a rock breaks along is turned by at most so much from the shortest one. Chosen.
#define CRACK_TWIST 0.25
enum { STREAM_CRACK = 221 };
// m: a rock counts as carried when its middle is in the tool, or so near.
#define CARRIED 0.1
// m: what is heaped so high over a tray's walls is in it.
#define TRAY_HEAP 0.5

/// A blow that breaks a rock at the end of the tick.
typedef struct RockBlow {
    int rock; ///< -1: none
    Vec3 point, axis; ///< m; unit: world
} RockBlow;

/// In place of the rock that a soil's tool stands for: none, or none for a whole tick more, so that contacts forget.
enum { SLOT_FREE = -1, SLOT_RESTS = -2 };

struct SessionRocks {
    Rocks *rocks;
    int count, tray_count, load_count;
    int tool_body; ///< the machine's first tool
    ToolShape *shape; ///< [shapes and those of halves]: of each kind, for the soil
    int shape_count, scene_shapes; ///< of `shape` and `radius` that are made; without those of halves
    int budget; ///< numbers of rocks
    uint64_t seed;
    RockBlow blow; ///< the last one of this tick that was enough
    ToolShape nothing; ///< of a tool that stands for no rock
    RockNear *near;
    double radius[ROCK_MAX_KINDS]; ///< m: of a ball around the centre of mass that holds the shape
    /// State.
    int32_t slot[ROCK_TOOLS]; ///< rock that soil sees as this tool; -1 = none
    Wrench wrench[ROCK_MAX_MOVERS]; ///< of the last substep, for the machine's next one
};

/// ---- movers and ground ---------------------------------------------------------------------------------------------

static bool make_movers(SessionRocks *self, const RockPlace *place, RocksParams *params, Status *status)
{
    const MachineParams *machine = machine_params(place->machine);
    self->tool_body = machine->tool[0].body;
    if (!rock_mover_bodies(machine, params->mover, status)) {
        return false;
    }
    SoilTrayMotion motion;
    for (const SoilTray *tray;
         self->tray_count < MOST_TRAYS && (tray = soil_get_tray(place->soil, self->tray_count, &motion)) != NULL;) {
        rock_mover_tray(tray, &params->mover[MOVER_TRAYS + self->tray_count++]);
    }
    params->mover_count = MOVER_TRAYS + self->tray_count;
    for (int k = 0; k < machine->jaw_count; k++) {
        params->mover[machine->body_count - 1 - k].grips = true;
    }
    for (int k = 0; k < params->mover_count; k++) {
        params->mover[k].friction = k == MACHINE_BASE ? GROUSER_FRICTION : STEEL_FRICTION;
    }
    self->load_count = place->loads.count;
    for (int k = 0; k < self->load_count; k++) {
        const SolidThing *shape = place->loads.shape[k];
        RockMoverParams *mover = &params->mover[MOVER_LOADS + k];
        mover->friction = shape->friction;
        mover->part_count = 1;
        mover->part[0].point_count = shape->hull.point_count;
        memcpy(mover->part[0].point, shape->hull.point, sizeof shape->hull.point);
        params->mover_count = MOVER_LOADS + k + 1;
    }
    return true;
}

static void make_obstacles(const SceneParams *scene, RocksParams *params)
{
    for (int k = 0; k < scene->fixtures_count; k++) {
        params->obstacle[k].point_count = scene_fixture_points(&scene->fixtures[k], params->obstacle[k].point);
    }
    params->obstacle_count = scene->fixtures_count;
}

static RockMover body_mover(const RockPlace *place, int body)
{
    RockMover mover = {.absent = 0};
    machine_get_body(place->machine, place->state, body, &mover.motion);
    return mover;
}

/// All loads stand, or move by themselves.
static void find_loads(const SessionRocks *self, const RockPlace *place, RockMover movers[ROCK_MAX_MOVERS])
{
    for (int k = MOVER_TRAYS + self->tray_count; k < MOVER_LOADS; k++) {
        movers[k] = (RockMover){.absent = 0};
    }
    for (int k = 0; k < self->load_count; k++) {
        movers[MOVER_LOADS + k] = (RockMover){.motion = place->loads.motion[k]};
    }
}

static void find_movers(const SessionRocks *self, const RockPlace *place, RockMover movers[ROCK_MAX_MOVERS])
{
    int bodies = machine_params(place->machine)->body_count;
    for (int body = 0; body < MACHINE_MAX_BODIES; body++) {
        movers[body] = body < bodies ? body_mover(place, body) : (RockMover){.absent = 0};
    }
    for (int side = 0; side < 2; side++) {
        movers[MACHINE_BASE].belt[side] = place->state->track_speed[side];
    }
    for (int k = 0; k < self->tray_count; k++) {
        SoilTrayMotion motion;
        soil_get_tray(place->soil, k, &motion);
        movers[MOVER_TRAYS + k] = (RockMover){.motion.frame = motion.frame,
                                              .motion.center = motion.frame.position,
                                              .motion.velocity = motion.velocity,
                                              .motion.spin = motion.spin,
                                              .absent = motion.tail_open ? 1U << ROCK_TRAY_TAIL : 0U};
    }
    find_loads(self, place, movers);
}

static int find_ground(void *context, Vec3 at, double *height, Vec3 *normal)
{
    SoilBase base = soil_get_base(context, at);
    *height = base.height;
    *normal = base.normal;
    return base.tray >= 0 && base.tray < MOST_TRAYS ? MOVER_TRAYS + base.tray : -1;
}

/// What the ground bears of a rock, at its lowest point.
static double ground_bearing(void *context, Vec3 at, double width, double depth, double down)
{
    return soil_get_bearing(context, at.x, at.y, width, depth, down);
}

/// Where a rock presses.
typedef struct Pressing {
    const Rocks *rocks;
    Soil *soil;
} Pressing;

/// Lowers the columns under a rock to its underside; what stood there is heaved beside it, each column's on its side.
static void make_room(void *context, const RockPress *press)
{
    const Pressing *self = context;
    SoilGridView grid = soil_get_grid(self->soil);
    double x = 0.5 * (press->low.x + press->high.x), y = 0.5 * (press->low.y + press->high.y);
    double reach = 0.5 * press->width + 1.5 * grid.spacing;
    int first_row = (int)floor((press->low.y - grid.origin_y) / grid.spacing),
        first_column = (int)floor((press->low.x - grid.origin_x) / grid.spacing);
    for (int row = first_row < 0 ? 0 : first_row; row < grid.rows; row++) {
        double column_y = grid.origin_y + row * grid.spacing;
        if (column_y > press->high.y) {
            break;
        }
        for (int column = first_column < 0 ? 0 : first_column; column < grid.columns; column++) {
            double column_x = grid.origin_x + column * grid.spacing;
            if (column_x > press->high.x) {
                break;
            }
            double height = rocks_get_underside(self->rocks, press->rock, column_x, column_y);
            Vec3 out = vec3_unit(vec3(column_x - x, column_y - y, 0.0), vec3(1.0, 0.0, 0.0));
            soil_indent(self->soil, row, column, height, press->pressure, press->width, x + reach * out.x,
                        y + reach * out.y);
        }
    }
}

void session_rocks_press(SessionRocks *self, const RockPlace *place)
{
    if (self != NULL) {
        Pressing pressing = {self->rocks, place->soil};
        rocks_press(self->rocks, make_room, &pressing);
    }
}

/// ---- creation ------------------------------------------------------------------------------------------------------

/// Until all sleep, the machine standing.
static void settle_rocks(SessionRocks *self, const SceneParams *scene, const RockPlace *place)
{
    double dt = 1.0 / scene->rates.tick_rate, h = dt / scene->rates.substeps;
    RockMover movers[ROCK_MAX_MOVERS];
    find_movers(self, place, movers);
    for (int k = 0; k < ROCK_MAX_MOVERS; k++) {
        const Vec3 still = {0.0, 0.0, 0.0};
        movers[k] = (RockMover){.motion.frame = movers[k].motion.frame,
                                .motion.center = movers[k].motion.center,
                                .motion.velocity = still,
                                .motion.spin = still};
    }
    int ticks = (int)(SETTLE_TIME / dt);
    for (int tick = 0; tick < ticks && (tick == 0 || rocks_get_counters(self->rocks).awake > 0); tick++) {
        rocks_begin(self->rocks, find_ground, place->soil, movers, dt);
        for (int k = 0; k < scene->rates.substeps; k++) {
            rocks_substep(self->rocks, movers, h, NULL);
        }
        rocks_end(self->rocks, find_ground, place->soil, dt);
        session_rocks_press(self, place);
    }
}

/// Slices the kinds that have come since.
static void slice_kinds(SessionRocks *self)
{
    for (int s = self->shape_count; s < rocks_get_shape_count(self->rocks); s++) {
        const ConvexHull *hull = rocks_get_part(self->rocks, s, 0);
        rock_shape_slice(hull, &self->shape[s]);
        self->radius[s] = 0.0;
        for (int k = 0; k < hull->point_count; k++) {
            self->radius[s] = fmax(self->radius[s], vec3_length(hull->point[k]));
        }
    }
    self->shape_count = rocks_get_shape_count(self->rocks);
}

static bool make_soil_shapes(SessionRocks *self, int shapes, int cuts, Status *status)
{
    self->shape = zeroed_alloc((size_t)shapes + 2 * (size_t)cuts, sizeof *self->shape);
    if (self->shape == NULL) {
        return status_fail(status, STATUS_LACKING, "out of memory for the shapes of rocks");
    }
    slice_kinds(self);
    const ToolPiece grain = {
        .corner_count = 3, .corners = {{0.0, 0.0}, {1e-3, 0.0}, {0.0, 1e-3}}, .y_min = 0.0, .y_max = 1e-3};
    self->nothing = (ToolShape){.piece_count = 1, .pieces = {grain}};
    return true;
}

/// No rock starts in a load: it would be thrown out.
static bool check_beside_loads(const SessionRocks *self, const SceneParams *scene, const RockPlace *place,
                               Status *status)
{
    for (int i = 0; i < self->count; i++) {
        RockView view;
        if (!rocks_get(self->rocks, i, &view)) {
            continue;
        }
        SolidThing rock = {.hull = *rocks_get_part(self->rocks, view.shape, 0)}, load;
        solid_thing_place(&rock, &view.motion.frame, &rock);
        for (int k = 0; k < self->load_count; k++) {
            Pose frame = place->loads.motion[k].frame;
            solid_thing_place(place->loads.shape[k], &frame, &load);
            if (solid_things_overlap(&rock, &load)) {
                Vec3 at = view.motion.frame.position;
                return status_fail(status, STATUS_BAD_FILE,
                                   "rocks: one starts at %.4g, %.4g in exercise.loads.%d (%s), allowed beside it", at.x,
                                   at.y, k, scene->exercise.loads[k].name);
            }
        }
    }
    return true;
}

static bool build_rocks(SessionRocks *self, const SceneParams *scene, uint64_t seed, const RockPlace *place,
                        RocksParams *params, Status *status)
{
    rocks_default(params);
    params->friction = STONE_FRICTION;
    params->restitution = RESTITUTION;
    rock_layout_shapes(scene, seed, params);
    if (machine_params(place->machine)->hammer.blow_energy > 0.0) {
        params->cut_capacity = ROCK_MAX_CUTS;
        params->budget += ROCK_MAX_CUTS;
        params->mass_quantum = SOIL_QUANTUM;
    }
    self->seed = seed;
    self->budget = params->budget;
    self->scene_shapes = params->shape_count;
    self->blow.rock = -1;
    if (!make_movers(self, place, params, status)) {
        return false;
    }
    make_obstacles(scene, params);
    self->rocks = rocks_create(params, status);
    if (self->rocks == NULL || !make_soil_shapes(self, params->shape_count, params->cut_capacity, status)) {
        return false;
    }
    rocks_set_bearing(self->rocks, ground_bearing);
    self->near = rock_near_create(scene->ground.size_x, scene->ground.size_y);
    if (self->near == NULL) {
        return status_fail(status, STATUS_LACKING, "out of memory for the rocks of the scene");
    }
    for (int k = 0; k < ROCK_TOOLS; k++) {
        self->slot[k] = -1;
    }
    const RockLayout layout = {scene, seed, place->soil, self->radius};
    if (!rock_layout_add(&layout, self->rocks, false, &self->count, status) ||
        !check_beside_loads(self, scene, place, status)) {
        return false;
    }
    settle_rocks(self, scene, place);
    return rock_layout_add(&layout, self->rocks, true, &self->count, status);
}

bool session_rocks_create(const SceneParams *scene, uint64_t seed, const RockPlace *place, SessionRocks **rocks,
                          Status *status)
{
    *rocks = NULL;
    if (scene->rocks_count == 0) {
        return true;
    }
    RocksParams *params = zeroed_alloc(1, sizeof *params);
    SessionRocks *self = calloc(1, sizeof *self);
    bool good = params != NULL && self != NULL;
    if (!good) {
        status_fail(status, STATUS_LACKING, "out of memory for the rocks of the scene");
    }
    good = good && build_rocks(self, scene, seed, place, params, status);
    zeroed_free(params);
    if (!good) {
        session_rocks_destroy(self);
        return false;
    }
    *rocks = self;
    return true;
}

void session_rocks_destroy(SessionRocks *self)
{
    if (self != NULL) {
        rocks_destroy(self->rocks);
        rock_near_destroy(self->near);
        zeroed_free(self->shape);
        free(self);
    }
}

/// ---- tick ----------------------------------------------------------------------------------------------------------

static bool is_near_soil(const SessionRocks *self, int rock)
{
    RockView view;
    return rocks_get(self->rocks, rock, &view) &&
           rock_near_soil(self->near, view.motion.frame.position, self->radius[view.shape]);
}

static bool has_slot(const SessionRocks *self, int rock)
{
    for (int k = 0; k < ROCK_TOOLS; k++) {
        if (self->slot[k] == rock) {
            return true;
        }
    }
    return false;
}

/// The next rock near soil that no tool stands for yet: those awake first, by number. -1 = none.
static int next_rock(const SessionRocks *self)
{
    for (int asleep = 0; asleep < 2; asleep++) {
        for (int i = 0; i < self->count; i++) {
            RockView view;
            if (rocks_get(self->rocks, i, &view) && view.asleep == (asleep == 1) && !has_slot(self, i) &&
                is_near_soil(self, i)) {
                return i;
            }
        }
    }
    return -1;
}

/// Rocks keep their tool while soil is near. A tool that lost its rock stands for none for a tick: what contacts
/// remember of it is then gone.
static void choose_slots(SessionRocks *self, const Soil *soil)
{
    const Vec3 none = {0.0, 0.0, 0.0};
    SoilParticleView particles = soil_get_particles(soil);
    rock_near_mark(self->near, &particles);
    for (int k = 0; k < ROCK_TOOLS; k++) {
        if (self->slot[k] == SLOT_RESTS) {
            self->slot[k] = SLOT_FREE;
        } else if (self->slot[k] < 0) {
            self->slot[k] = particles.count > 0 ? next_rock(self) : -1;
        } else if (!is_near_soil(self, self->slot[k])) {
            rocks_set_load(self->rocks, self->slot[k], none, none);
            self->slot[k] = -1;
        }
    }
}

void session_rocks_begin(SessionRocks *self, const RockPlace *place, double dt)
{
    if (self == NULL) {
        return;
    }
    RockMover movers[ROCK_MAX_MOVERS];
    find_movers(self, place, movers);
    choose_slots(self, place->soil);
    rocks_begin(self->rocks, find_ground, place->soil, movers, dt);
}

int session_rocks_tools(const SessionRocks *self, SoilTool *tools)
{
    if (self == NULL) {
        return 0;
    }
    for (int k = 0; k < ROCK_TOOLS; k++) {
        RockView view;
        if (self->slot[k] < 0 || !rocks_get(self->rocks, self->slot[k], &view)) {
            tools[k] = (SoilTool){.shape = &self->nothing, .steel_friction = 1.0};
            tools[k].motion.frame = (Pose){vec3(0.0, 0.0, -1e3 - k), mat3_identity()};
            tools[k].motion.center = tools[k].motion.frame.position;
            continue;
        }
        tools[k] =
            (SoilTool){.shape = &self->shape[view.shape], .motion = view.motion, .steel_friction = STONE_OVER_STEEL};
        if (view.asleep) {
            tools[k].motion.inverse_mass = 0.0;
            tools[k].motion.inertia_inverse = (Mat3){0};
        }
    }
    return ROCK_TOOLS;
}

void session_rocks_substep(SessionRocks *self, const RockPlace *place, double h)
{
    if (self != NULL) {
        RockMover movers[ROCK_MAX_MOVERS];
        find_movers(self, place, movers);
        rocks_substep(self->rocks, movers, h, self->wrench);
    }
}

void session_rocks_set_wrenches(SessionRocks *self, const Wrench *wrenches)
{
    for (int k = 0; self != NULL && k < ROCK_TOOLS; k++) {
        if (self->slot[k] >= 0) {
            rocks_set_load(self->rocks, self->slot[k], wrenches[k].force, wrenches[k].moment);
        }
    }
}

/// ---- the hammer ----------------------------------------------------------------------------------------------------

void session_rocks_hammer(SessionRocks *self, const RockPlace *place, int blows, double h)
{
    const MachineParams *machine = machine_params(place->machine);
    Vec3 point;
    if (self == NULL || place->state->hammer_rate <= 0.0) {
        return;
    }
    int rock = rocks_find_pressed(self->rocks, self->tool_body, rock_chisel_piece(&machine->tool[0].shape), &point);
    if (rock < 0) {
        return;
    }
    MachineChisel chisel;
    machine_get_chisel(place->machine, place->state, &chisel);
    rocks_push(self->rocks, rock, point, vec3_scale(chisel.axis, chisel.thrust * h));
    for (int k = 0; k < blows; k++) {
        if (rocks_strike(self->rocks, rock, machine->hammer.blow_energy)) {
            self->blow = (RockBlow){rock, point, chisel.axis};
        }
    }
}

/// Breaks the rock that has had its last blow; soil sees the halves as tools of their own.
static void break_rock(SessionRocks *self)
{
    int rock = self->blow.rock;
    self->blow.rock = -1;
    if (rock < 0) {
        return;
    }
    int kinds = rocks_get_shape_count(self->rocks);
    double twist = CRACK_TWIST * (2.0 * random_unit(self->seed, STREAM_CRACK, (uint64_t)kinds) - 1.0);
    int other = rocks_break(self->rocks, rock, self->blow.point, self->blow.axis, twist);
    if (other < 0) {
        return;
    }
    slice_kinds(self);
    self->count = other >= self->count ? other + 1 : self->count;
    for (int k = 0; k < ROCK_TOOLS; k++) {
        self->slot[k] = self->slot[k] == rock ? SLOT_RESTS : self->slot[k];
    }
}

void session_rocks_end(SessionRocks *self, const RockPlace *place, double dt)
{
    if (self != NULL) {
        rocks_end(self->rocks, find_ground, place->soil, dt);
        break_rock(self);
    }
}

/// ---- what others read ----------------------------------------------------------------------------------------------

void session_rocks_add_loads(const SessionRocks *self, Wrench loads[MACHINE_MAX_BODIES])
{
    for (int body = 0; self != NULL && body < MACHINE_MAX_BODIES; body++) {
        wrench_add(&loads[body], &self->wrench[body], 1.0);
    }
}

void session_rocks_on_loads(const SessionRocks *self, Wrench pushes[SCENE_MAX_LOADS])
{
    for (int k = 0; k < SCENE_MAX_LOADS; k++) {
        pushes[k] = self != NULL && k < self->load_count ? self->wrench[MOVER_LOADS + k] : (Wrench){.force = {0}};
    }
}

Wrench session_rocks_on_tool(const SessionRocks *self)
{
    return self != NULL ? self->wrench[self->tool_body] : (Wrench){.force = {0}};
}

Wrench session_rocks_on_body(const SessionRocks *self, int body)
{
    return self != NULL ? self->wrench[body] : (Wrench){.force = {0}};
}

static bool is_carried(const RockPlace *place, Vec3 at)
{
    RigidMotion tool;
    machine_get_tool(place->machine, place->state, &tool);
    return tool_contains(&machine_params(place->machine)->tool[0].shape, pose_apply_inverse(&tool.frame, at), CARRIED);
}

double session_rocks_payload(const SessionRocks *self, const RockPlace *place)
{
    double payload = 0.0;
    for (int i = 0; self != NULL && i < self->count; i++) {
        RockView view;
        if (rocks_get(self->rocks, i, &view) && !view.asleep && is_carried(place, view.motion.frame.position)) {
            payload += view.mass;
        }
    }
    return payload;
}

double session_rocks_tray_load(const SessionRocks *self, const RockPlace *place, int tray, Vec3 *moment)
{
    SoilTrayMotion motion;
    const SoilTray *params = soil_get_tray(place->soil, tray, &motion);
    double mass = 0.0;
    *moment = vec3(0.0, 0.0, 0.0);
    for (int i = 0; self != NULL && params != NULL && i < self->count; i++) {
        RockView view;
        if (!rocks_get(self->rocks, i, &view)) {
            continue;
        }
        Vec3 at = pose_apply_inverse(&motion.frame, view.motion.frame.position);
        bool over = fabs(at.x) < 0.5 * params->length && fabs(at.y) < 0.5 * params->width;
        if (over && at.z > 0.0 && at.z < params->wall + TRAY_HEAP && !is_carried(place, view.motion.frame.position)) {
            mass += view.mass;
            *moment = vec3_madd(*moment, view.mass, at);
        }
    }
    return mass;
}

int64_t session_rocks_mass(const SessionRocks *self)
{
    int64_t quanta = 0;
    for (int i = 0; self != NULL && i < self->count; i++) {
        RockView view;
        quanta += rocks_get(self->rocks, i, &view) ? (int64_t)llround(view.mass / SOIL_QUANTUM) : 0;
    }
    return quanta;
}

const Rocks *session_rocks_get(const SessionRocks *self)
{
    return self != NULL ? self->rocks : NULL;
}

double session_rocks_size(const SessionRocks *self, int rock)
{
    RockView view;
    bool there = self != NULL && rocks_get(self->rocks, rock, &view);
    return there ? same_cbrt(6.0 / M_PI * rocks_get_volume(self->rocks, view.shape)) : 0.0;
}

int session_rocks_count(const SessionRocks *self)
{
    return self != NULL ? self->count : 0;
}

/// ---- state ---------------------------------------------------------------------------------------------------------

static bool state_is_sound(const SessionRocks *self)
{
    for (int k = 0; k < ROCK_TOOLS; k++) {
        if (self->slot[k] < SLOT_RESTS || self->slot[k] >= self->count) {
            return false;
        }
    }
    for (int n = 0; n < ROCK_MAX_MOVERS; n++) {
        Vec3 sum = vec3_add(self->wrench[n].force, self->wrench[n].moment);
        if (!isfinite(sum.x) || !isfinite(sum.y) || !isfinite(sum.z)) {
            return false;
        }
    }
    return true;
}

/// After rocks were restored: how many numbers there are, and the shapes of halves.
static void count_rocks(SessionRocks *self)
{
    RockView view;
    self->count = 0;
    for (int i = 0; i < self->budget; i++) {
        self->count = rocks_get(self->rocks, i, &view) ? i + 1 : self->count;
    }
    self->shape_count = self->scene_shapes;
    slice_kinds(self);
}

void session_rocks_visit(SessionRocks *self, StateVisitor *visitor)
{
    if (self == NULL) {
        return;
    }
    rocks_visit(self->rocks, visitor);
    if (visitor->restoring) {
        count_rocks(self);
    }
    STATE_VISIT(visitor, "session.rock_slots", self->slot);
    for (int n = 0; n < MOVER_LOADS + self->load_count; n++) {
        STATE_VISIT(visitor, "session.rock_force", self->wrench[n].force);
        STATE_VISIT(visitor, "session.rock_moment", self->wrench[n].moment);
    }
    if (visitor->restoring && (visitor->failed || !state_is_sound(self))) {
        visitor->failed = true;
        for (int k = 0; k < ROCK_TOOLS; k++) {
            self->slot[k] = -1;
        }
    }
}

bool session_rocks_are_finite(const SessionRocks *self)
{
    return self == NULL || (rocks_is_finite(self->rocks) && state_is_sound(self));
}
