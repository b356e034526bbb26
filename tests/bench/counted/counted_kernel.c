/// Contact kernels that count what they do.
#include "tests/bench/counted/counted_kernel.h"

#include "soil/soil_parts.h"
#include "tests/bench/counted/counted_team.h"

enum { LANES = 8 };

static const PairKernel *kernel; ///< that does the work
static PairKernel counted;

/// Adds the instructions of units to the clock.
static void add_units(const CountedUnits *units)
{
    uint64_t instructions = 0;
#define X(name, each) instructions += (uint64_t)(each)*units->name;
    COUNTED_UNITS(X)
#undef X
    counted_add(instructions);
}

/// Groups of the batches [first, end) that are awake, or those of the others.
static uint64_t count_groups(const PairList *list, int32_t first, int32_t end, bool awake)
{
    uint64_t sum = 0;
    for (int32_t batch = first; batch < end; batch++) {
        sum += (list->awake[batch] != 0) == awake ? (uint64_t)((list->used[batch] + LANES - 1) / LANES) : 0;
    }
    return sum;
}

static void begin_pairs(const PairList *list, Row *rows, int32_t first, int32_t end)
{
    kernel->begin(list, rows, first, end);
    add_units(&(CountedUnits){.begun = count_groups(list, first, end, true)});
}

static void begin_ground(const PairList *list, Row *rows, int32_t first, int32_t end)
{
    kernel->begin_ground(list, rows, first, end);
    add_units(&(CountedUnits){.ground_begun = count_groups(list, first, end, true)});
}

static bool renew(const PairList *list, Row *rows, const PairStep *step, const PairVisits *visits, int32_t first,
                  int32_t end)
{
    uint64_t tested = count_groups(list, first, end, false);
    bool restless = kernel->renew(list, rows, step, visits, first, end);
    add_units(&(CountedUnits){.tested = tested, .renewed = count_groups(list, first, end, true)});
    return restless;
}

static void renew_ground(const PairList *list, Row *rows, const PairStep *step, int32_t first, int32_t end)
{
    kernel->renew_ground(list, rows, step, first, end);
    add_units(&(CountedUnits){.ground_renewed = count_groups(list, first, end, true)});
}

static void solve(const PairList *list, Row *rows, const PairStep *step, const PairVisits *visits, int32_t first,
                  int32_t end)
{
    kernel->solve(list, rows, step, visits, first, end);
    add_units(&(CountedUnits){.solved = count_groups(list, first, end, true)});
}

static void advance(Row *rows, double h, double gravity, int32_t first, int32_t end)
{
    kernel->advance(rows, h, gravity, first, end);
    add_units(&(CountedUnits){.advanced = (uint64_t)(end - first)});
}

static int32_t search(const SearchPlaces *place, SearchAround *around, int32_t i, int32_t *list, int32_t room)
{
    add_units(&(CountedUnits){.cells = (uint64_t)around->cells});
    return kernel->search(place, around, i, list, room);
}

static int32_t find_changed(const MotionCheck *check, int32_t first, int32_t end, int32_t *changed)
{
    add_units(&(CountedUnits){.compared = (uint64_t)(end - first)});
    return kernel->find_changed(check, first, end, changed);
}

bool counted_kernel_use(Soil *soil)
{
    const PairKernel *chosen = pair_kernel_choose(LANES);
    if (chosen == NULL) {
        return false;
    }
    kernel = chosen;
    counted = (PairKernel){.lanes = LANES,
                           .begin = begin_pairs,
                           .begin_ground = begin_ground,
                           .renew = renew,
                           .renew_ground = renew_ground,
                           .solve = solve,
                           .advance = advance,
                           .search = search,
                           .find_changed = find_changed};
    soil->model.kernel = &counted;
    return true;
}
