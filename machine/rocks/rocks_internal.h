/// Types and functions that the files of the rocks share. From bottom to top: rocks_contacts.c (contacts and impulses),
/// rocks_sleep.c (sleep and piles), rocks.c.
#ifndef SPADEWORK_MACHINE_ROCKS_INTERNAL_H
#define SPADEWORK_MACHINE_ROCKS_INTERNAL_H

#include "machine/rocks.h"
#include "machine/contact/convex_contact.h"

/// ---- piles ---------------------------------------------------------------------------------------------------------
///
/// Hsu and Keyser 2010, "Piles of Objects", ACM Trans. Graph. 29(6), sections 3.1 to 3.3. Two things differ: densities
/// are ratios of volumes instead of numbers of objects, which for equal objects is the same and allows unequal ones;
/// and a layer, whose density is counted within its radius, is as wide as the cone at its foot.

/// The cone cut into layers, bottom first.
typedef struct RockLayers {
    double radius, height; ///< m: of the cone
    double thickness; ///< m: of a layer
    int count;
    double layer_radius[ROCK_MAX_LAYERS]; ///< m
    double capacity[ROCK_MAX_LAYERS]; ///< m3
    double held[ROCK_MAX_LAYERS]; ///< m3: boxes of the rocks in it
    int asleep[ROCK_MAX_LAYERS]; ///< rocks in it that sleep
} RockLayers;

/// Volume of the smallest cone that has one layer of thickness `length`.
double rock_piles_least_volume(double length, double slope);
/// A cone of `volume` with tan(angle) = `slope`, in floor(height / length) layers (at least one); empty.
void rock_piles_cut(double volume, double slope, double length, RockLayers *layers);
/// The layer that holds a point `up` m above the base and `aside` m off the axis; -1 = outside.
int rock_piles_find(const RockLayers *layers, double up, double aside);
/// Sum of held over sum of capacity.
double rock_piles_occupation(const RockLayers *layers);
/// Sleep score of a rock in `layer`: density x closeness to the axis x slowness.
double rock_piles_score(const RockLayers *layers, int layer, double aside, double speed);
/// Every layer below holds a rock that sleeps.
bool rock_piles_stands(const RockLayers *layers, int layer);

/// ---- impulses ------------------------------------------------------------------------------------------------------
///
/// Sequential impulses (Catto 2005, "Iterative dynamics with temporal coherence", GDC) in small steps, each contact a
/// soft spring that is relaxed afterwards (Catto 2023, "Solver2D": soft step; Macklin et al. 2019, "Small steps in
/// physics simulation"): contacts are found once a tick, followed through its steps by the bodies' motion, and start
/// each step, and each tick, with the impulse of the last. A light rock then bears a heavy machine, which a solver that
/// starts anew in every step does not find in a few sweeps.

/// A body in a tick. What stands has no inverse mass and no velocity.
typedef struct RockBody {
    Vec3 velocity, spin; ///< m/s, rad/s
    double inverse_mass; ///< 1/kg
    Mat3 inertia_inverse; ///< 1/(kg m2), world axes
    Vec3 moved; ///< m, since the contacts were found
    Mat3 turned; ///< rotation since then
    bool loaded; ///< its velocity holds what the contacts' impulses of the last step have done to it already
    double borne; ///< N s: sum of the impulses of the step's contacts with ground that may yield
} RockBody;

/// A contact in a tick. Normal from b to a.
typedef struct RockConstraint {
    int a, b; ///< indices of bodies
    Vec3 normal, tangent[2];
    Vec3 arm_a, arm_b; ///< m: from the centres of mass, when the contact was found
    double gap; ///< m, then; negative: overlap
    double friction;
    Vec3 drift; ///< m/s: of b's surface over b
    double mass, tangent_mass[2]; ///< kg: that the contact moves along each direction
    double impulse, tangent_impulse[2]; ///< N s of the last step
    double approach; ///< m/s along the normal when the contact was found
    double most; ///< N s: largest impulse of the tick's steps
    bool stiff; ///< b stands or is driven
    bool parts; ///< b is a mover that is lifted out of a deep overlap, not the rock alone pushed away
    bool soft; ///< b is ground that yields where it bears no more
    double bears, holds; ///< N: of all of the rock's soft contacts together, along the normal and across it
    double damping; ///< N s/m: what sinking faster takes beyond that
    double sunk; ///< m: way that the ground has given in the tick
} RockConstraint;

/// m: a mover that is deeper in a rock squeezed below it is to part from it.
#define ROCK_PARTS_FROM 0.01

/// Fills directions and masses; impulse_world (N s) is what the contact begins with.
void rock_solver_prepare(const RockBody *bodies, RockConstraint *constraint, Vec3 impulse_world);
Vec3 rock_solver_impulse(const RockConstraint *constraint); ///< N s on a, world

/// Contacts that are swept more often: of light rocks that are squeezed between a heavy mover and what stands. One
/// sweep carries only the rock's share of the mover's mass.
typedef struct RockSqueeze {
    const int *list; ///< [count] indices of constraints, ascending
    int count, sweeps;
} RockSqueeze;

/// Brings the bodies' velocities, which hold what gravity and loads gave them, to what the contacts allow in a step of
/// h s: with the velocities after rock_solver_push overlaps close; they are for moving. Then rock_solver_relax takes
/// that back, but for movers that are to part (`parts`): these keep some speed.
void rock_solver_push(RockBody *bodies, RockConstraint *constraints, int count, const RockSqueeze *squeeze, double h);
void rock_solver_relax(RockBody *bodies, RockConstraint *constraints, int count, const RockSqueeze *squeeze, double h);
/// At the end of a tick: what was hit faster than a walk of 0.5 m/s bounces.
void rock_solver_bounce(RockBody *bodies, RockConstraint *constraints, int count, double restitution);

/// ---- state and scratch ---------------------------------------------------------------------------------------------

enum { ROCK_PAIRS = 48, ROCK_TOUCHES = 64 }; ///< room for near pairs and contacts, by rock of the budget

/// m: contacts found at two times whose places on the rock are nearer than this are the same.
#define ROCK_SAME_PLACE 0.08

#define ROCK_MOVER_MOVES 0.01 ///< m/s (and rad/s): a mover that is faster wakes what lies on it

/// What a rock touches, besides rocks (0 and up): what stands, or mover k, which is ROCK_STANDS - 1 - k.
enum { ROCK_STANDS = -1 };

/// Places under a rock at which the ground is looked at while it sleeps.
enum { ROCK_BED = 5 };

/// A kind of rock as built: parts about the centre of mass.
typedef struct RockKind {
    double mass, volume; ///< kg, m3
    double work_index; ///< J sqrt(m) / kg
    double box_volume; ///< m3: of its box, which is what it takes in a pile
    double length; ///< m: diagonal of its box
    Mat3 inertia, inertia_inverse; ///< kg m2, rock's axes, and its inverse
    int part_count;
    ConvexHull part[ROCK_MAX_PARTS];
} RockKind;

typedef struct RockBox {
    Vec3 low, high;
} RockBox;

// The one list of the state's fields, [budget][width] each: type, name, width.
//   anchor: m, where the rock was when a rock asleep began to lean on it (`carries`); drift, turning: m/s, rad/s:
//   velocity and spin, low-passed; awake_time: s since it woke; shape: -1 = no rock of this number; force, moment: N, N
//   m of its load; bed: m, heights of the ground below it when it fell asleep; damage: J of
//   the blows it has had.
#define ROCK_FIELDS(X)                                                                                                 \
    X(double, position, 3)                                                                                             \
    X(double, quaternion, 4)                                                                                           \
    X(double, velocity, 3)                                                                                             \
    X(double, spin, 3)                                                                                                 \
    X(double, anchor, 3)                                                                                               \
    X(double, drift, 3)                                                                                                \
    X(double, turning, 3)                                                                                              \
    X(double, awake_time, 1)                                                                                           \
    X(double, force, 3)                                                                                                \
    X(double, moment, 3)                                                                                               \
    X(double, bed, ROCK_BED)                                                                                           \
    X(double, damage, 1)                                                                                               \
    X(int32_t, shape, 1)                                                                                               \
    X(int32_t, asleep, 1)                                                                                              \
    X(int32_t, carries, 1)

// The same of piles, [ROCK_MAX_PILES][width]. volume: m3 of the cone; boundary: m, 0 = none; borne: density of each
// layer above which an avalanche starts; given: where it was wanted, so that it does not move.
#define ROCK_PILE_FIELDS(X)                                                                                            \
    X(double, middle, 3)                                                                                               \
    X(double, volume, 1)                                                                                               \
    X(double, boundary, 1)                                                                                             \
    X(double, borne, ROCK_MAX_LAYERS)                                                                                  \
    X(int32_t, used, 1)                                                                                                \
    X(int32_t, given, 1)

// The same of contacts that pressed in the last tick, [count][width]: what they begin the next with. b: as RockTouch;
// anchor: m, rock a's frame; impulse: N s on a, world; rest: m, overlap that is left alone.
#define ROCK_MEMORY_FIELDS(X)                                                                                          \
    X(int32_t, a, 1)                                                                                                   \
    X(int32_t, b, 1)                                                                                                   \
    X(double, anchor, 3)                                                                                               \
    X(double, impulse, 3)                                                                                              \
    X(double, rest, 1)

// The same of the cuts that rocks broke along, in their order, [count][width]. parent: the kind that was cut; normal,
// offset: unit and m, the plane in that kind's frame. Cut k made the kinds shape_count + 2 k and the one behind it.
#define ROCK_CUT_FIELDS(X)                                                                                             \
    X(int32_t, parent, 1)                                                                                              \
    X(double, normal, 3)                                                                                               \
    X(double, offset, 1)

typedef struct RockCuts {
    int32_t count;
#define X(type, name, width) type name[ROCK_MAX_CUTS][width];
    ROCK_CUT_FIELDS(X)
#undef X
} RockCuts;

typedef struct RockMemory {
    int32_t count, capacity;
#define X(type, name, width) type(*name)[width];
    ROCK_MEMORY_FIELDS(X)
#undef X
} RockMemory;

typedef struct RockState {
#define X(type, name, width) type(*name)[width];
    ROCK_FIELDS(X)
#undef X
} RockState;

typedef struct RockPileState {
#define X(type, name, width) type name[ROCK_MAX_PILES][width];
    ROCK_PILE_FIELDS(X)
#undef X
} RockPileState;

/// A contact of a tick: rock a against b (see ROCK_STANDS).
typedef struct RockTouch {
    int a, b;
    int part; ///< of a mover; -1: what lies on it
    Vec3 point, normal; ///< m; unit, from b to a
    double depth; ///< m; negative: a gap that may close within the tick
    double rest; ///< m: overlap that is left alone
    bool pressed; ///< in some step of the tick
    bool sinks; ///< the ground gives way at it
} RockTouch;

/// A part of a mover, where it is.
typedef struct RockMoverPart {
    ConvexHull hull;
    Vec3 point[CONVEX_MAX_POINTS];
    Vec3 normal[CONVEX_MAX_FACES];
    RockBox box;
} RockMoverPart;

/// The surface around a rock: z = height + slope_x (x - at.x) + slope_y (y - at.y).
typedef struct RockAround {
    Vec3 at; ///< m: middle of the rock's box
    double height, slope_x, slope_y; ///< m; m a metre
} RockAround;

/// What the ground does to a rock awake that touches it.
typedef struct RockFooting {
    bool looked, yields; ///< in this tick: `around` is valid, and is ground that yields
    RockAround around;
    bool known; ///< what follows is
    bool sank; ///< in the last tick
    double area, width; ///< m2, m: of its section with the surface around
    double bears, holds; ///< N: from below, from the side
} RockFooting;

/// Rebuilt each tick, or when a pose changes (`posed`).
typedef struct RockScratch {
    bool *posed; ///< [budget]: the geometry below is that of the state
    int part_stride, point_stride, face_stride; ///< of a rock's parts, of a part's points and faces
    Vec3 *point; ///< [budget][part_stride][point_stride]
    Vec3 *normal; ///< [budget][part_stride][face_stride]
    RockBox *part_box; ///< [budget][part_stride]
    RockBox *box; ///< [budget]
    int *order; ///< rocks by `sweep`
    double *sweep; ///< [budget] m: low x of the box less the margin
    int *next; ///< [order_count + 1]: place in the order of the next rock awake
    int order_count;
    int (*pair)[2]; ///< near pairs, the first one awake; by first, then second
    int pair_count;
    int (*unsorted)[2];
    int *first; ///< [budget + 1]
    RockTouch *touch;
    int touch_count, dropped;
    int *active; ///< rocks awake, ascending
    int active_count;
    uint8_t *support; ///< [budget]: RockSupport of the last tick
    RockFooting *footing; ///< [budget]: of rocks awake
    double *margin; ///< [budget] m: so far beyond its box a rock may come within the tick
    int *slot; ///< [budget]: index in `body`; rocks awake first, then the movers, last what stands
    RockBody *body; ///< [budget + ROCK_MAX_MOVERS + 1]
    Pose *start; ///< [budget + ROCK_MAX_MOVERS]: poses when the contacts were found, by body
    RockConstraint *constraint; ///< [touch_count]
    int *squeezed; ///< [squeezed_count] constraints of rocks between a mover that feels them and what stands
    int squeezed_count;
    bool squeezes[ROCK_MAX_MOVERS]; ///< it has contacts among these
    RockMover before[ROCK_MAX_MOVERS]; ///< as it was one step ago
    int *known; ///< scratch of the memory's order
    RockMover mover[ROCK_MAX_MOVERS]; ///< at the tick's start
    RockBox mover_box[ROCK_MAX_MOVERS];
    double mover_margin[ROCK_MAX_MOVERS]; ///< m
    int mover_count; ///< in this tick
    double pressing; ///< N
    int *mark; ///< [budget]: 0 between uses
    RockLayers layers[ROCK_MAX_PILES];
} RockScratch;

/// ROCK_ON_MOVER: it lies on one that feels it, or bears it.
enum RockSupport { ROCK_TOUCHED = 1, ROCK_ON_GROUND = 2, ROCK_ON_RESTLESS = 4, ROCK_ON_MOVER = 8 };

struct Rocks {
    RocksParams params;
    RockKind *kind; ///< [shape_count + 2 cut_capacity]
    int kind_count; ///< shape_count and two of each cut
    double length; ///< m: of the longest kind
    ConvexHull obstacle[ROCK_MAX_OBSTACLES];
    ConvexSolid obstacle_solid[ROCK_MAX_OBSTACLES];
    RockBox obstacle_box[ROCK_MAX_OBSTACLES];
    RockMoverPart *mover_part[ROCK_MAX_MOVERS]; ///< [part_count]
    RocksBearing *bearing; ///< NULL: ground is rigid
    RockState state;
    RockMemory memory;
    RockCuts cuts;
    RockPileState piles;
    int64_t avalanches, pile_wakes, wakes;
    RockScratch scratch;
};

/// ---- rocks_contacts.c ----------------------------------------------------------------------------------------------

/// Geometry, near pairs and contacts of all rocks awake.
void rocks_pose(Rocks *rocks, int rock);
RockBox rocks_box_of(const Vec3 *points, int count);
bool rocks_boxes_meet(const RockBox *a, const RockBox *b);
void rocks_list_active(Rocks *rocks);
void rocks_pose_all(Rocks *rocks);
/// Where the movers are, and how far all may come within dt s.
void rocks_place_movers(Rocks *rocks, const RockMover *movers, double dt);
void rocks_find_margins(Rocks *rocks, double dt);
void rocks_find_touches(Rocks *rocks, RocksGround *ground, void *context);

/// What the ground bears of rocks awake; lets a contact with it yield; z (m) of a rock's underside.
void rocks_forget_footings(Rocks *rocks);
void rocks_find_footings(Rocks *rocks, void *context);
void rocks_soften(Rocks *rocks, const RockTouch *touch, RockConstraint *constraint);
double rocks_underside(const Rocks *rocks, int rock, double x, double y);

/// m/s of a belt's surface at a place with this outward normal: it runs around y, forward on top.
Vec3 rocks_belt_drift(const RockMover *mover, int part, Vec3 out);

/// Lists the contacts of rocks between a mover and what stands; in each step, before it is solved,
/// finds anew those that have come too far.
void rocks_find_squeezed(Rocks *rocks);
void rocks_follow_squeezed(Rocks *rocks, const RockMover *movers);

/// ---- rocks_sleep.c -------------------------------------------------------------------------------------------------

/// Wakes rocks asleep whose boxes meet `box` and whose centres are not below `lowest` m.
void rocks_wake_in_box(Rocks *rocks, const RockBox *box, double lowest);
/// Wakes what is hit hard within dt s, and what a mover pushes. True when any was woken: contacts are out of date then.
bool rocks_wake_hit(Rocks *rocks, double dt);
/// After a tick of dt s: decides which rocks sleep and which wake because they lost their support; updates the piles.
void rocks_update_sleep(Rocks *rocks, double dt);

/// Wakes the rocks below which the ground has sunk, and notes the ground below those that fell asleep.
void rocks_wake_unbedded(Rocks *rocks, RocksGround *ground, void *context);
void rocks_note_bed(Rocks *rocks, int rock, RocksGround *ground, void *context);

static inline int rocks_mover_of(int b)
{
    return ROCK_STANDS - 1 - b;
}

static inline void rocks_put(double v[3], Vec3 value)
{
    v[0] = value.x;
    v[1] = value.y;
    v[2] = value.z;
}

static inline Vec3 rocks_vec(const double v[3])
{
    return vec3(v[0], v[1], v[2]);
}

#endif
