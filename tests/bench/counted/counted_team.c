/// Coroutines in place of the team's threads (soil/parallel/team.h), and the clock of instructions.
#include "tests/bench/counted/counted_team.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "soil/parallel/team.h"

enum { STACK = 1 << 18, MOST_PATH = 4096, MOST_NAME = 64, MOST_STAGES = 512, MOST_PARTS = 64 };

/// ---- clock ---------------------------------------------------------------------------------------------------------

/// A function of the program.
typedef struct Function {
    uintptr_t address;
    char name[MOST_NAME];
} Function;

/// What the file beside the program says of it.
static struct Blocks {
    uintptr_t first; ///< address of the text
    size_t count; ///< bytes of it
    uint32_t *sizes; ///< [count] hundredths of an instruction of the block whose call returns there; else 0
    Function *functions;
    size_t function_count;
} blocks;

/// Of the member that runs, or of the thread outside a run. Hundredths of an instruction.
static struct Clock {
    uint64_t now;
    uint64_t limit; ///< another member's turn comes
} clock_of_member = {0, UINT64_MAX};

static void give_way(void);

// The compiler calls it by this name.
void __sanitizer_cov_trace_pc(void); // NOLINT(bugprone-reserved-identifier)
void __sanitizer_cov_trace_pc(void) // NOLINT(bugprone-reserved-identifier)
{
    uintptr_t at = (uintptr_t)__builtin_return_address(0) - blocks.first;
    clock_of_member.now += at < blocks.count ? blocks.sizes[at] : 0;
    if (clock_of_member.now > clock_of_member.limit) {
        give_way();
    }
}

uint64_t counted_clock(void)
{
    return clock_of_member.now / 100;
}

void counted_add(uint64_t instructions)
{
    clock_of_member.now += 100 * instructions; // the next block that is counted gives way
}

static bool add_function(uintptr_t address, const char *name)
{
    if ((blocks.function_count & (blocks.function_count + 1)) == 0) { // full: it grows by doubling
        size_t capacity = 2 * (blocks.function_count + 1);
        Function *grown = realloc(blocks.functions, capacity * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        blocks.functions = grown;
    }
    Function *function = &blocks.functions[blocks.function_count++];
    function->address = address;
    snprintf(function->name, sizeof function->name, "%s", name);
    return true;
}

/// Reads lines `ADDRESS SIZE` of blocks and `ADDRESS NAME` of functions behind `FIRST END` of the text; numbers are
/// hexadecimal.
static bool read_blocks(FILE *file)
{
    unsigned long first, end, at;
    char line[256], kind[2], text[MOST_NAME];
    if (fgets(line, sizeof line, file) == NULL || sscanf(line, "text %lx %lx", &first, &end) != 2 || end <= first ||
        end - first > 1u << 28) {
        return false;
    }
    blocks.first = first;
    blocks.sizes = calloc(end - first, sizeof *blocks.sizes);
    bool good = blocks.sizes != NULL;
    while (good && fgets(line, sizeof line, file) != NULL) {
        good = sscanf(line, "%1s %lx %63s", kind, &at, text) == 3 && at >= first && at < end &&
               (kind[0] == 'b' || kind[0] == 'f');
        if (good && kind[0] == 'b') {
            blocks.sizes[at - first] = (uint32_t)strtoul(text, NULL, 16) * COUNTED_HUNDREDTHS;
        } else if (good) {
            good = add_function(at, text);
        }
    }
    blocks.count = good ? end - first : 0;
    return good;
}

bool counted_load(Status *status)
{
    char path[MOST_PATH];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - sizeof ".blocks");
    if (length <= 0) {
        return status_fail(status, STATUS_LACKING, "/proc/self/exe: %s", strerror(errno));
    }
    memcpy(path + length, ".blocks", sizeof ".blocks");
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return status_fail(status, STATUS_LACKING, "%.200s: %s; the build makes it", path, strerror(errno));
    }
    bool good = read_blocks(file);
    fclose(file);
    return good ||
           status_fail(status, STATUS_BAD_FILE,
                       "%.200s: a line is not what block_sizes.awk writes, or memory is short; build it again", path);
}

/// ---- members -------------------------------------------------------------------------------------------------------

typedef enum MemberState { MEMBER_RUNS, MEMBER_WAITS, MEMBER_ENDED } MemberState;

typedef struct Member {
    ucontext_t context;
    uint64_t clock;
    MemberState state;
    char *stack;
} Member;

struct Team {
    char nothing; ///< all teams are alike, and one runs at a time
};

static struct Run {
    int size; ///< members of all teams
    int members; ///< of this run; 1 outside
    int current;
    Member member[TEAM_MOST_MEMBERS];
    ucontext_t scheduler;
    TeamWork *work;
    void *context;
    uint64_t part_start; ///< of the part between two waits
    int parts; ///< those that are through
    struct {
        uint64_t length, work;
    } part[MOST_PARTS];
    uint64_t length; ///< of all runs
} run = {.size = 1, .members = 1};

static struct Stages {
    CountedStage stage[MOST_STAGES];
    TeamWork *work[MOST_STAGES]; ///< the function of each
    int count;
} stages;

uint64_t counted_alone(void)
{
    return (clock_of_member.now - run.length) / 100;
}

const CountedStage *counted_stages(int *count)
{
    *count = stages.count;
    return stages.stage;
}

static const char *name_of(TeamWork *work)
{
    for (size_t k = 0; k < blocks.function_count; k++) {
        if (blocks.functions[k].address == (uintptr_t)work) {
            return blocks.functions[k].name;
        }
    }
    return "?";
}

/// The stage of a part of the run that ends; NULL when there are too many.
static CountedStage *stage_of(int part)
{
    for (int k = 0; k < stages.count; k++) {
        if (stages.work[k] == run.work && stages.stage[k].part == part && stages.stage[k].parts == run.parts) {
            return &stages.stage[k];
        }
    }
    if (stages.count == MOST_STAGES) {
        return NULL;
    }
    stages.work[stages.count] = run.work;
    stages.stage[stages.count] = (CountedStage){.function = name_of(run.work), .part = part, .parts = run.parts};
    return &stages.stage[stages.count++];
}

/// Notes a part of the run that ends at `last` on the clock.
static void note_part(uint64_t last)
{
    if (run.parts < MOST_PARTS) {
        run.part[run.parts].length = last - run.part_start;
        run.part[run.parts].work = 0;
        for (int k = 0; k < run.members; k++) {
            run.part[run.parts].work += run.member[k].clock - run.part_start;
        }
        run.parts++;
    }
    run.part_start = last;
}

static void note_stages(void)
{
    for (int part = 0; part < run.parts; part++) {
        CountedStage *stage = stage_of(part);
        if (stage != NULL) {
            stage->runs++;
            stage->length += run.part[part].length / 100;
            stage->work += run.part[part].work / 100;
        }
    }
}

static void give_way(void)
{
    Member *member = &run.member[run.current];
    member->clock = clock_of_member.now;
    swapcontext(&member->context, &run.scheduler);
}

static void run_member(void)
{
    run.work(run.context, run.current, run.members);
    run.member[run.current].state = MEMBER_ENDED;
    give_way();
}

static uint64_t last_clock(void)
{
    uint64_t last = 0;
    for (int k = 0; k < run.members; k++) {
        last = run.member[k].clock > last ? run.member[k].clock : last;
    }
    return last;
}

/// Ends a barrier when all have come to it.
static void end_wait(void)
{
    for (int k = 0; k < run.members; k++) {
        if (run.member[k].state != MEMBER_WAITS) {
            return;
        }
    }
    uint64_t last = last_clock();
    note_part(last);
    for (int k = 0; k < run.members; k++) {
        run.member[k].state = MEMBER_RUNS;
        run.member[k].clock = last;
    }
}

/// The member whose clock is least of those that run, or -1; `next`: the least of the others'.
static int choose(uint64_t *next)
{
    int least = -1;
    *next = UINT64_MAX / 2;
    for (int k = 0; k < run.members; k++) {
        if (run.member[k].state != MEMBER_RUNS) {
            continue;
        }
        if (least < 0 || run.member[k].clock < run.member[least].clock) {
            *next = least < 0 ? *next : run.member[least].clock;
            least = k;
        } else if (run.member[k].clock < *next) {
            *next = run.member[k].clock;
        }
    }
    return least;
}

static bool start_member(int number, uint64_t now)
{
    Member *member = &run.member[number];
    member->stack = member->stack != NULL ? member->stack : malloc(STACK);
    if (member->stack == NULL || getcontext(&member->context) != 0) {
        return false;
    }
    member->context.uc_stack.ss_sp = member->stack;
    member->context.uc_stack.ss_size = STACK;
    member->context.uc_link = NULL;
    member->clock = now;
    member->state = MEMBER_RUNS;
    makecontext(&member->context, run_member, 0);
    return true;
}

void counted_set_members(int members)
{
    assert(members >= 1 && members <= TEAM_MOST_MEMBERS && run.members == 1);
    run.size = members;
    stages.count = 0;
}

/// ---- in place of team.c (the linker's --wrap) ----------------------------------------------------------------------
// The linker gives them their names.
// NOLINTBEGIN(bugprone-reserved-identifier)
Team *__wrap_team_create(int members);
void __wrap_team_destroy(Team *team);
int __wrap_team_members(const Team *team);
void __wrap_team_run(Team *team, bool worth, TeamWork *work, void *context);
void __wrap_team_wait(Team *team);
int __wrap_sched_yield(void);
int __wrap_nanosleep(const struct timespec *time, struct timespec *left);

Team *__wrap_team_create(int members)
{
    (void)members;
    return malloc(sizeof(Team));
}

void __wrap_team_destroy(Team *team)
{
    free(team);
}

int __wrap_team_members(const Team *team)
{
    (void)team;
    return run.size;
}

void __wrap_team_wait(Team *team)
{
    (void)team;
    if (run.members > 1) {
        run.member[run.current].state = MEMBER_WAITS;
        give_way();
    }
}

static void run_members(void)
{
    uint64_t next;
    for (run.current = choose(&next); run.current >= 0; run.current = choose(&next)) {
        Member *member = &run.member[run.current];
        clock_of_member = (struct Clock){member->clock, next + 100 * (uint64_t)CLOCK_STEP};
        swapcontext(&run.scheduler, &member->context);
        end_wait();
    }
}

void __wrap_team_run(Team *team, bool worth, TeamWork *work, void *context)
{
    (void)team;
    uint64_t start = clock_of_member.now;
    if (!worth || run.size == 1) {
        work(context, 0, 1);
        run.length += clock_of_member.now - start;
        return;
    }
    assert(run.members == 1); // not inside a run
    run.members = run.size;
    run.work = work;
    run.context = context;
    run.part_start = start;
    run.parts = 0;
    for (int k = 0; k < run.members; k++) {
        if (!start_member(k, start)) {
            abort(); // out of memory
        }
    }
    run_members();
    uint64_t last = last_clock();
    note_part(last);
    note_stages();
    clock_of_member = (struct Clock){last, UINT64_MAX};
    run.members = 1;
    run.length += last - start;
}

/// A member that waits for a block looks on: giving the processor away costs nothing and brings nothing here.
int __wrap_sched_yield(void)
{
    return 0;
}

int __wrap_nanosleep(const struct timespec *time, struct timespec *left)
{
    (void)time;
    (void)left;
    return 0;
}
// NOLINTEND(bugprone-reserved-identifier)
