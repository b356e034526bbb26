/// What the files of the rocks share: state, shapes and scratch.
#ifndef SPADEWORK_MACHINE_ROCKS_INTERNAL_H
#define SPADEWORK_MACHINE_ROCKS_INTERNAL_H

#include "machine/rock_contact.h"
#include "machine/rock_piles.h"
#include "machine/rock_world.h"

enum { ROCK_PAIRS = 48, ROCK_TOUCHES = 64 }; ///< room for near pairs and contacts, by rock of the budget

/// A kind of rock as built: parts about the centre of mass.
typedef struct RockKind {
    double mass, volume; ///< kg, m3
    double box_volume; ///< m3: of its box, which is what it takes in a pile
    double length; ///< m: diagonal of its box
    double inertia[3][3]; ///< kg m2
    int part_count;
    RockHull part[ROCK_MAX_PARTS];
} RockKind;

typedef struct RockBox {
    Vec3 low, high;
} RockBox;

// The one list of the state's fields, [budget][width] each: type, name, width.
//   anchor: m, where the rock was when a rock asleep began to lean on it (`carries`); drift, turning: m/s, rad/s: velocity and spin, low-passed;
//   awake_time: s since it woke; shape: -1 = no rock of this number.
#define ROCK_FIELDS(X)                                                                                                 \
    X(double, position, 3)                                                                                             \
    X(double, quaternion, 4)                                                                                           \
    X(double, velocity, 3)                                                                                             \
    X(double, spin, 3)                                                                                                 \
    X(double, anchor, 3)                                                                                               \
    X(double, drift, 3)                                                                                                \
    X(double, turning, 3)                                                                                              \
    X(double, awake_time, 1)                                                                                           \
    X(int32_t, shape, 1)                                                                                               \
    X(int32_t, asleep, 1)                                                                                              \
    X(int32_t, carries, 1)

// The same of piles, [ROCK_MAX_PILES][width]. volume: m3 of the cone; boundary: m, 0 = none; borne: density of each layer
// above which an avalanche starts; given: where it was wanted, so that it does not move.
#define ROCK_PILE_FIELDS(X)                                                                                            \
    X(double, middle, 3)                                                                                               \
    X(double, volume, 1)                                                                                               \
    X(double, boundary, 1)                                                                                             \
    X(double, borne, ROCK_MAX_LAYERS)                                                                                  \
    X(int32_t, used, 1)                                                                                                \
    X(int32_t, given, 1)

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

/// Rebuilt each step, or when a pose changes (`posed`).
typedef struct RockScratch {
    bool *posed; ///< [budget]: the geometry below is that of the state
    int part_stride, point_stride, face_stride; ///< of a rock's parts, of a part's points and faces
    Vec3 *point; ///< [budget][part_stride][point_stride]
    Vec3 *normal; ///< [budget][part_stride][face_stride]
    RockBox *part_box; ///< [budget][part_stride]
    RockBox *box; ///< [budget]
    int *order; ///< rocks by the low x of their boxes
    int order_count;
    int (*pair)[2]; ///< near pairs, the first one awake; by first, then second
    int pair_count;
    int (*unsorted)[2];
    int *first; ///< [budget + 1]
    RockTouch *touch;
    int touch_count, dropped;
    int *active; ///< rocks awake, ascending
    int active_count;
    uint8_t *support; ///< [budget]: RockSupport of the last step
    int *mark; ///< [budget]: 0 between uses
    RockLayers layers[ROCK_MAX_PILES];
} RockScratch;

enum RockSupport { ROCK_TOUCHED = 1, ROCK_ON_GROUND = 2, ROCK_ON_RESTLESS = 4 };

struct Rocks {
    RocksParams params;
    RockKind kind[ROCK_MAX_SHAPES];
    double length; ///< m: of the longest kind
    RockHull obstacle[ROCK_MAX_OBSTACLES];
    RockSolid obstacle_solid[ROCK_MAX_OBSTACLES];
    RockBox obstacle_box[ROCK_MAX_OBSTACLES];
    RockWorld *world;
    RockState state;
    RockPileState piles;
    int64_t avalanches, pile_wakes, wakes;
    RockScratch scratch;
};

/// rocks_check.c: a shape's parts about its centre of mass.
bool rocks_build_kind(const RockShapeParams *params, int index, RockKind *kind, Status *status);

/// rocks_contacts.c: geometry, near pairs and contacts of all rocks awake.
void rocks_pose(Rocks *rocks, int rock);
RockBox rocks_box_of(const Vec3 *points, int count);
bool rocks_boxes_meet(const RockBox *a, const RockBox *b);
void rocks_list_active(Rocks *rocks);
void rocks_find_touches(Rocks *rocks, RocksGround *ground, void *context);

/// rocks_sleep.c
void rocks_wake_one(Rocks *rocks, int rock);
/// Wakes rocks asleep whose boxes meet `box` and whose centres are not below `lowest` m.
void rocks_wake_in_box(Rocks *rocks, const RockBox *box, double lowest);
/// Wakes what is hit hard. True when any was woken: contacts are out of date then.
bool rocks_wake_hit(Rocks *rocks);
/// After a step of dt: who may sleep, who loses what it leans on, and the piles.
void rocks_update_sleep(Rocks *rocks, double dt);

static inline Vec3 rocks_vec(const double v[3])
{
    return vec3(v[0], v[1], v[2]);
}

#endif
