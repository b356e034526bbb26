/// The ground below rocks that sleep. A rock asleep asks nothing, so the heights below it are noted when it falls
/// asleep, and whoever is found to have lost them wakes. Both numbers are chosen; see test_sim_rocks.
#include "machine/rocks/rocks_internal.h"

// m: ground that sank by more no longer bears what sleeps on it.
#define SUNK 0.01
// Of its box: how far from its middle the ground below a rock is looked at.
#define SPREAD 0.3

// Returns the mover that bears the rock, -1 = none.
static int measure_bed(const Rocks *rocks, int rock, RocksGround *ground, void *context, double bed[ROCK_BED])
{
    int mover = -1;
    static const double place[ROCK_BED][2] = {{0.0, 0.0}, {-1.0, -1.0}, {1.0, -1.0}, {-1.0, 1.0}, {1.0, 1.0}};
    const RockBox *box = &rocks->scratch.box[rock];
    Vec3 size = vec3_sub(box->high, box->low), middle = rocks_vec(rocks->state.position[rock]);
    for (int k = 0; k < ROCK_BED; k++) {
        Vec3 at = vec3(middle.x + SPREAD * size.x * place[k][0], middle.y + SPREAD * size.y * place[k][1], box->low.z);
        Vec3 normal;
        bed[k] = 0.0;
        if (ground != NULL) {
            int bears = ground(context, at, &bed[k], &normal);
            mover = bears > mover ? bears : mover;
        }
    }
    return mover;
}

void rocks_note_bed(Rocks *rocks, int rock, RocksGround *ground, void *context)
{
    measure_bed(rocks, rock, ground, context, rocks->state.bed[rock]);
}

static bool mover_moves(const Rocks *rocks, int mover)
{
    if (mover < 0 || mover >= rocks->scratch.mover_count) {
        return false;
    }
    const RockMover *of = &rocks->scratch.mover[mover];
    return vec3_length(of->motion.velocity) + vec3_length(of->motion.spin) > ROCK_MOVER_MOVES;
}

void rocks_wake_unbedded(Rocks *rocks, RocksGround *ground, void *context)
{
    if (ground == NULL) {
        return;
    }
    for (int i = 0; i < rocks->params.budget; i++) {
        if (rocks->state.shape[i][0] < 0 || !rocks->state.asleep[i][0]) {
            continue;
        }
        double bed[ROCK_BED];
        bool sunk = mover_moves(rocks, measure_bed(rocks, i, ground, context, bed));
        for (int k = 0; k < ROCK_BED; k++) {
            sunk = sunk || bed[k] < rocks->state.bed[i][k] - SUNK;
        }
        if (sunk) {
            rocks_wake_one(rocks, i);
        }
    }
}
