/// Turns of the blocks of pairs: each is visited once a sweep, after those that touch it and come before it, whatever
/// the number of members; and what may hold particles of two blocks touches.
// test: sanitized
#include "soil/pairs/pair_turns.h"
#include "soil/soil_parts.h"
#include "tests/support/soil_fixture.h"

enum { SIDE = 9, MOST_BLOCKS = SIDE * SIDE, SWEEPS = 50 };

/// One batch a block, in two of three squares, by colour.
static void lay_out(PairList *list)
{
    assert_true(pair_list_create(list, MOST_BLOCKS, MOST_BLOCKS, false));
    int32_t count = 0;
    for (int colour = 0; colour < NEIGHBOUR_COLOURS; colour++) {
        list->colour_first[colour] = count;
        for (int32_t y = -4; y < SIDE - 4; y++) {
            for (int32_t x = -4; x < SIDE - 4; x++) {
                if (((x & 1) | (y & 1) << 1) == colour && (7 * x + 11 * y + 200) % 3 != 0) {
                    list->block_x[count] = x;
                    list->block_y[count] = y;
                    list->used[count] = 1;
                    list->awake[count] = count % 4 == 0;
                    list->block_first[count] = count;
                    count++;
                }
            }
        }
    }
    list->colour_first[NEIGHBOUR_COLOURS] = count;
    list->colour_first[PAIR_COLOURS] = list->block_count = count + 1;
    list->block_first[count] = list->block_first[count + 1] = list->batches = count;
}

typedef struct Sweeping {
    PairList *list;
    atomic_int clock;
    atomic_int visits[MOST_BLOCKS];
    int begun[MOST_BLOCKS], done[MOST_BLOCKS];
} Sweeping;

static void sweep_once(void *context, int member, int members)
{
    Sweeping *sweeping = context;
    PairTurn turn = pair_turn_start(sweeping->list, sweeping->list->sweep, member, members);
    for (int32_t block = pair_turn_take(&turn); block >= 0; block = pair_turn_take(&turn)) {
        sweeping->begun[block] = atomic_fetch_add(&sweeping->clock, 1);
        atomic_fetch_add(&sweeping->visits[block], 1);
        sweeping->done[block] = atomic_fetch_add(&sweeping->clock, 1);
        pair_turn_finish(&turn, block);
    }
}

static void check_order(const Sweeping *sweeping)
{
    const PairList *list = sweeping->list;
    for (int32_t a = 0; a < list->block_count - 1; a++) {
        for (int32_t b = a + 1; b < list->block_count - 1; b++) {
            bool touch = abs(list->block_x[a] - list->block_x[b]) <= 1 && abs(list->block_y[a] - list->block_y[b]) <= 1;
            assert_true(!touch || sweeping->done[a] < sweeping->begun[b]);
        }
    }
}

TEST(blocks_that_touch_come_in_the_order_of_the_list)
{
    for (int members = 2; members <= 8; members++) {
        PairList list;
        lay_out(&list);
        pair_turns_join(&list);
        Team *team = team_create(members);
        assert_non_null(team);
        pair_list_weigh(&list, team);
        pair_turns_deal(&list, members);
        Sweeping sweeping = {.list = &list};
        for (int sweep = 1; sweep <= SWEEPS; sweep++) {
            pair_turns_begin(&list);
            team_run(team, true, sweep_once, &sweeping);
            check_order(&sweeping);
            for (int32_t block = 0; block < list.block_count - 1; block++) {
                assert_int_equal(atomic_load(&sweeping.visits[block]), sweep);
            }
        }
        team_destroy(team);
        pair_list_destroy(&list);
    }
}

/// Soil that is stirred and listed again and again.
TEST(a_particle_has_pairs_only_in_blocks_that_touch)
{
    SceneParams scene = sand_scene();
    scene.particles.persistent = true;
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    uint32_t seed = 5u;
    for (int k = 0; k < 800; k++) {
        double random[6];
        for (int c = 0; c < 6; c++) {
            seed = seed * 1664525u + 1013904223u;
            random[c] = (double)(seed >> 8) / 16777216.0 - 0.5;
        }
        soil_add_particle(soil, vec3(2.5 * random[0], 2.5 * random[1], 1.0 + random[2]),
                          vec3(6.0 * random[3], 6.0 * random[4], random[5]), 0.05, 0, 1.0);
    }
    for (int t = 0; t < 90; t++) {
        run_ticks(soil, NULL, 0, 1);
        const PairList *list = &soil->state.pairs;
        int32_t blocks = list->colour_first[NEIGHBOUR_COLOURS], low[800][2], high[800][2];
        for (int i = 0; i < 800; i++) {
            low[i][0] = low[i][1] = INT32_MAX;
            high[i][0] = high[i][1] = INT32_MIN;
        }
        for (int32_t block = 0; block < blocks; block++) {
            const int32_t square[2] = {list->block_x[block], list->block_y[block]};
            for (int32_t k = list->block_first[block] * BATCH; k < list->block_first[block + 1] * BATCH; k++) {
                const int32_t sides[2] = {list->i[k], list->j[k]};
                for (int s = 0; s < 4; s++) {
                    int32_t i = sides[s / 2];
                    if (i < soil->state.particles.count) {
                        low[i][s % 2] = square[s % 2] < low[i][s % 2] ? square[s % 2] : low[i][s % 2];
                        high[i][s % 2] = square[s % 2] > high[i][s % 2] ? square[s % 2] : high[i][s % 2];
                        assert_true(high[i][s % 2] - low[i][s % 2] <= 1);
                    }
                }
            }
        }
    }
    soil_destroy(soil);
}

TEST_GROUP(NULL, NULL)
