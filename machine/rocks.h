/// Rocks: rigid bodies of convex parts on ground and among obstacles, which are put to sleep while they lie still.
///
/// The stacking structure of Hsu and Keyser 2010 ("Piles of Objects", ACM Trans. Graph. 29(6)) makes this fast: a pile
/// is a cone of layers whose density says which rocks may sleep and when a part of it has to slide. Rocks asleep stand
/// still like ground and cost next to nothing. A rock that comes to rest outside a pile sleeps, too.
///
/// Bodies that move by themselves (a bucket, tracks, a truck's bed) are movers: they push rocks with their own mass,
/// and receive the forces of the rocks.
///
/// Frames  world: x east, y north, z up; SI units throughout.
/// Owner   a Rocks owns its state and all its memory, for the whole budget; nothing allocates after rocks_create.
///         What is returned by pointer belongs to it and is valid as long as it lives.
/// Thread  one thread at a time for one Rocks; two of them share nothing.
/// Errors  rocks_create and the functions with a `status` fail with a text; the rest asserts its arguments. Steps are
///         deterministic: equal states and inputs give equal bits.
#ifndef SPADEWORK_MACHINE_ROCKS_H
#define SPADEWORK_MACHINE_ROCKS_H

#include "data/core/convex.h"
#include "data/core/vec.h"
#include "data/core/state_visitor.h"
#include "data/core/status.h"

enum {
    ROCK_MAX_BUDGET = 4096,
    ROCK_MAX_SHAPES = 64,
    ROCK_MAX_CUTS = 128,
    ROCK_MAX_KINDS = ROCK_MAX_SHAPES + 2 * ROCK_MAX_CUTS,
    ROCK_MAX_PARTS = 8,
    ROCK_MAX_OBSTACLES = 16,
    ROCK_MAX_PILES = 16,
    ROCK_MAX_LAYERS = 64,
    ROCK_MAX_MOVERS = 16,
    ROCK_MAX_MOVER_PARTS = 32,
};

#define ROCK_LEAST_HALF 0.2 ///< m, diameter of a sphere of equal volume: no rock breaks into less

typedef struct RockPart {
    int point_count; ///< 4..CONVEX_MAX_POINTS
    Vec3 point[CONVEX_MAX_POINTS]; ///< m; the part is their convex hull
} RockPart;

/// A kind of rock: parts that do not overlap, in any frame; the rock's own frame has its origin at the centre of mass.
typedef struct RockShapeParams {
    double mass; ///< kg, > 0, spread evenly over the parts
    /// J sqrt(m) / kg, 0..1e4: Bond's work index, 36 times that in kWh/t; 0: it never breaks, nor does one of several
    /// parts
    double work_index;
    int part_count; ///< 1..ROCK_MAX_PARTS
    RockPart part[ROCK_MAX_PARTS];
} RockShapeParams;

/// A body that moves by itself, as parts in its own frame; they may overlap.
typedef struct RockMoverParams {
    double friction; ///< Coulomb's, of stone on it, 0..2
    bool grips; ///< it may hold a rock against another mover, as a jaw does
    int part_count; ///< 0..ROCK_MAX_MOVER_PARTS
    RockPart part[ROCK_MAX_MOVER_PARTS];
} RockMoverParams;

/// When rocks sleep and wake.
typedef struct RockSleepParams {
    bool rest; ///< a rock sleeps when it has come to rest on ground or on rocks that sleep
    bool piles; ///< the stacking structure
    double rest_speed; ///< m/s, 1e-3..1, default 0.1: a slower drift (of the centre, and turning x half its length) is
        ///< rest
    double rest_time; ///< s, 0..10, default 0.1: over which velocity and spin are averaged
    double wake_speed; ///< m/s, > 0, default 0.5: a hit that would give a rock asleep this speed wakes it
    double pile_wake_speed; ///< m/s, > 0, default 10: ... wakes the whole pile (section 3.4)
    double wake_time; ///< s, 0..10, default 0.1: a rock that was woken does not sleep before ("several timesteps")
    double threshold; ///< tau of section 3.3, 0..1, default 0.5
    double avalanche_density; ///< 0.1..2, default 0.8 (section 3.4)
    double repose_slope; ///< tan of the angle of repose, 0.05..5, default 1: how steep the cones are
} RockSleepParams;

typedef struct RocksParams {
    int budget; ///< rocks at a time, 1..ROCK_MAX_BUDGET
    double friction; ///< Coulomb's, 0..2, default 0.6
    double restitution; ///< 0..1, default 0.1
    int shape_count; ///< 1..ROCK_MAX_SHAPES
    RockShapeParams shape[ROCK_MAX_SHAPES];
    int cut_capacity; ///< 0..ROCK_MAX_CUTS: so often rocks may break; each time there is one more of the budget
    double mass_quantum; ///< kg, > 0 where rocks may break: masses of halves are whole numbers of it
    int obstacle_count; ///< 0..ROCK_MAX_OBSTACLES
    RockPart obstacle[ROCK_MAX_OBSTACLES]; ///< world: what stands for good, such as walls
    int mover_count; ///< 0..ROCK_MAX_MOVERS
    RockMoverParams mover[ROCK_MAX_MOVERS];
    RockSleepParams sleep;
} RocksParams;

/// What the rocks lie on: height and unit normal of the surface that bears what is `at`. Returns the mover it belongs
/// to, -1 when it stands. NULL in place of a function: the plane z = 0.
typedef int RocksGround(void *context, Vec3 at, double *height, Vec3 *normal);

/// What ground bears: Pa under a face of `width` m (the shorter side, or the diameter) whose middle is `depth` m below
/// the surface around. `down`: cosine between where the face presses and straight down, 1 (a footing) or 0 (a wall).
typedef double RocksBearing(void *context, Vec3 at, double width, double depth, double down);

/// A rock that has sunk into the ground.
typedef struct RockPress {
    int rock;
    Vec3 low, high; ///< m, world: its box
    double width; ///< m: of what of it is below the surface around
    double pressure; ///< Pa: mean, at which the ground yields
} RockPress;
/// Makes room in the ground for a rock: lowers it to rocks_get_underside.
typedef void RocksPress(void *context, const RockPress *press);

/// A mover as the caller knows it at the start of a step. It goes on with its velocity, whatever the rocks do to it:
/// that is for the caller to work out.
typedef struct RockMover {
    RigidMotion motion; ///< its parts lie in `motion.frame`
    uint32_t absent; ///< bit k: its part k is not there in this tick
    double belt[2]; ///< m/s of a belt that runs forward around its first and second part, about the frame's y axis
} RockMover;

typedef struct Rocks Rocks;

/// Fills in the defaults stated above; no shapes, no budget.
void rocks_default(RocksParams *params);
/// Checks all of the params. False with the key, what was read and what is allowed.
bool rocks_check(const RocksParams *params, Status *status);
/// Builds an empty heap. `params` is copied. Returns NULL with `status` when rocks_check refuses them or memory is
/// short. The caller destroys it.
Rocks *rocks_create(const RocksParams *params, Status *status);
/// NULL is allowed.
void rocks_destroy(Rocks *rocks);

/// Adds a rock, awake.
/// shape           0 .. shape_count - 1
/// position, turn  m, world: of the centre of mass; unit quaternion
/// velocity, spin  m/s, rad/s, world axes
/// Returns its number (0..budget-1, valid until it is removed), or -1 with `status` when the budget is used up, the
/// shape unknown or a number not finite.
int rocks_add(Rocks *rocks, int shape, Vec3 position, Quat turn, Vec3 velocity, Vec3 spin, Status *status);
/// Takes a rock away and wakes those that touch it.
void rocks_remove(Rocks *rocks, int rock);
/// Wakes the rocks whose boxes reach into the ball (`middle`, `radius`; m, world): call it after changing
/// ground or taking a support away.
void rocks_wake(Rocks *rocks, Vec3 middle, double radius);

/// Founds a stacking structure where a pile is wanted; without any, the first rocks that land found one.
/// middle    m, world: of the base
/// boundary  m: no layer gets wider (section 3.5); 0 = free
/// False with `status` when there are ROCK_MAX_PILES already or a number is out of range.
bool rocks_add_pile(Rocks *rocks, Vec3 middle, double boundary, Status *status);

/// A tick of `dt` s (1/480 to 1/30) is rocks_begin, rocks_substep in equal steps of `h` s (1/240 at most), rocks_end.
/// rocks_begin finds what touches what and what may meet within the tick, as the movers go; rocks_substep moves the
/// rocks; rocks_end decides which rocks sleep.
/// ground    what they lie on, or NULL: the plane z = 0; `context` is handed to it
/// movers    [mover_count], or NULL: there are none
/// wrenches  [mover_count], or NULL; out: what the rocks did to each mover in the step, about its centre of mass,
///           world axes
void rocks_begin(Rocks *rocks, RocksGround *ground, void *context, const RockMover *movers, double dt);
void rocks_substep(Rocks *rocks, const RockMover *movers, double h, Wrench *wrenches);
void rocks_end(Rocks *rocks, RocksGround *ground, void *context, double dt);
/// From the next tick on rocks sink into ground that bears no more than `bearing` says, asked with the context of
/// rocks_begin; NULL, as at first: ground is rigid. No part of the state.
void rocks_set_bearing(Rocks *rocks, RocksBearing *bearing);
/// Calls `press` for each rock that sank in the last tick, by number; `context` is handed to it.
void rocks_press(Rocks *rocks, RocksPress *press, void *context);
/// Height (m, world) of a rock's underside at (x, y), m; HUGE_VAL beside it. The rock is there.
double rocks_get_underside(const Rocks *rocks, int rock, double x, double y);
/// Makes a whole tick of `dt` s without movers, in steps of at most 1/480 s.
void rocks_step(Rocks *rocks, RocksGround *ground, void *context, double dt);

/// What it takes to break a rock in two, J, by Bond's law; infinite for one that does not break: too small, without a
/// work index, or broken often enough.
double rocks_get_strength(const Rocks *rocks, int rock);
/// A blow with `energy` J, which adds up over the blows on a rock. True when it has had enough to break.
bool rocks_strike(Rocks *rocks, int rock, double energy);
/// Breaks a rock in two, between two ticks, along a plane that holds `axis` and passes near its middle. Mass stays to
/// the quantum, momentum too; what it touches wakes.
/// point  m, world: where it was struck
/// axis   unit, world: of the chisel
/// twist  rad: turns the plane about the axis, from the one square to the rock's longest extent
/// Returns the number of the new rock (the other half keeps the old one's), or -1 when it stays whole.
int rocks_break(Rocks *rocks, int rock, Vec3 point, Vec3 axis, double twist);
/// The rock on which a part of a mover pressed most in the last substep, and where (m, world); -1: on none.
int rocks_find_pressed(const Rocks *rocks, int mover, int part, Vec3 *point);
/// Adds an impulse (N s) at a point (m, world) to a rock that is awake, between two substeps.
void rocks_push(Rocks *rocks, int rock, Vec3 point, Vec3 impulse);

/// Sets the force (N) and moment (N m, about the centre of mass, world axes) that act on a rock until they are set
/// again: the soil's. Part of the state. A rock asleep wakes when they would move it.
void rocks_set_load(Rocks *rocks, int rock, Vec3 force, Vec3 moment);

/// A rock as it is now.
typedef struct RockView {
    int shape; ///< index into RocksParams.shape; halves of broken rocks have shapes behind those
    bool asleep;
    double mass; ///< kg
    RigidMotion motion; ///< the frame's origin is the centre of mass
} RockView;
/// Reads a rock. False when there is none of that number; `view` is then as it was.
bool rocks_get(const Rocks *rocks, int rock, RockView *view);

/// A layer of a pile as it is now.
typedef struct RockLayerView {
    double radius; ///< m
    double density; ///< ratio of the rocks' volume (boxes) to that of the layer
} RockLayerView;
/// A pile as it is now.
typedef struct RockPileView {
    Vec3 middle; ///< m: of the base
    double radius, height; ///< m: of the cone
    int layer_count;
    RockLayerView layer[ROCK_MAX_LAYERS]; ///< bottom first; those of the last step
} RockPileView;
/// Reads a pile. False when there is none of that number, 0..ROCK_MAX_PILES-1.
bool rocks_get_pile(const Rocks *rocks, int pile, RockPileView *view);

/// Figures about all rocks.
typedef struct RocksCounters {
    int rocks, awake, contacts; ///< now; contacts of the last step
    double pressing; ///< N: greatest normal force of a contact in the last step
    double deepest; ///< m: how far a rock was inside another one, a mover or an obstacle when the last step began
    int64_t avalanches; ///< since creation, as the two below; part of the state
    int64_t pile_wakes, wakes; ///< piles and rocks woken by a hit
    int dropped_contacts; ///< of the last step: there was no room for them; 0 unless rocks of very unlike sizes overlap
} RocksCounters;
RocksCounters rocks_get_counters(const Rocks *rocks);

/// A shape's part, m, in the rock's frame (origin: centre of mass). Belongs to `rocks`.
const ConvexHull *rocks_get_part(const Rocks *rocks, int shape, int part);
int rocks_get_shape_count(const Rocks *rocks); ///< with those of halves
int rocks_get_part_count(const Rocks *rocks, int shape);
double rocks_get_volume(const Rocks *rocks, int shape); ///< m3, of the parts
double rocks_get_mass(const Rocks *rocks); ///< kg of all rocks

/// Visits every field of the state once (hash, save, restore, difference). A restored state that does not hold together
/// fails the visitor and leaves no rock.
void rocks_visit(Rocks *rocks, StateVisitor *visitor);
/// True when all numbers of the state are finite.
bool rocks_is_finite(const Rocks *rocks);

#endif
