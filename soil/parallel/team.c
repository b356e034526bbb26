/// Threads that run one function together, and their scratch memory. The team's counter of runs starts the threads, its
/// barrier ends the run.
///
/// A waiting thread polls a counter that another thread changes. A wait inside a substep is over within microseconds,
/// so it begins with plain loads; after a while the thread sleeps on a condition variable. It does not call
/// sched_yield: a scheduler may count that as time used and make the thread wait as soon as another program runs (with
/// up to 200 yields, ticks took 60 to 90 ms beside 20 browser tabs; with sleeping, none did). Sleeping follows Dekker's
/// protocol: a sleeper counts itself and then polls once more; a thread that changes a counter does so and then checks
/// for sleepers, both in sequentially consistent order, so that one of the two sees the other.
// The affinity mask of a process is a GNU extension.
#define _GNU_SOURCE
#include "soil/parallel/team.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "data/core/float_mode.h"

/// Looks at a counter between two looks at the clock: a few microseconds, a multiple of what members usually wait.
/// Plain loads: a processor's pause instruction makes a virtual machine give the core away, for twenty times as long.
enum { LOOKS = 4000 };
/// ns of looking before a thread sleeps: as long as the machine's substep lasts between two of the soil's; of a team
/// with more members than processors none. Only how a member waits depends on the clock. Chosen; see `bench run tick`.
enum { LOOKING = 100000 };
/// Bytes of a thread's stack, whatever the process gives to its threads by default: a process may limit them to 64 kB,
/// and its libraries' thread-local variables lie there, too. The soil's work needs 8 kB, with a sanitizer a multiple.
enum { STACK = 1 << 20 };

struct Team {
    int size; ///< members, the caller included
    int running; ///< members of the run that goes on; 1 when only the caller works
    int looking; ///< ns, LOOKING or 0
    TeamWork *work;
    void *context;
    bool ending;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t threads[TEAM_MOST_MEMBERS]; ///< [size - 1]
    _Alignas(64) atomic_uint run; ///< counts runs of the whole team
    _Alignas(64) atomic_int arrived; ///< at the barrier
    _Alignas(64) atomic_uint phase; ///< of the barrier
    _Alignas(64) atomic_int sleepers;
};

/// What a thread of the team starts with.
typedef struct Member {
    Team *team;
    int number;
} Member;

static int64_t nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/// True once a counter is no longer `old`; false when that takes longer than a look is worth.
static bool is_changed_soon(const Team *team, const atomic_uint *counter, unsigned old)
{
    for (int64_t end = 0, now = 0; now <= end; now = nanoseconds()) {
        for (int look = 0; look < LOOKS; look++) {
            if (atomic_load_explicit(counter, memory_order_acquire) != old) {
                return true;
            }
        }
        end = end > 0 ? end : nanoseconds() + team->looking;
    }
    return false;
}

/// Returns once a counter is no longer `old`.
static void await_change(Team *team, atomic_uint *counter, unsigned old)
{
    if (is_changed_soon(team, counter, old)) {
        return;
    }
    pthread_mutex_lock(&team->lock);
    atomic_fetch_add(&team->sleepers, 1);
    while (atomic_load(counter) == old) {
        pthread_cond_wait(&team->changed, &team->lock);
    }
    atomic_fetch_sub(&team->sleepers, 1);
    pthread_mutex_unlock(&team->lock);
}

static void change(Team *team, atomic_uint *counter)
{
    atomic_fetch_add(counter, 1);
    if (atomic_load(&team->sleepers) > 0) {
        pthread_mutex_lock(&team->lock);
        pthread_cond_broadcast(&team->changed);
        pthread_mutex_unlock(&team->lock);
    }
}

void team_wait(Team *team)
{
    if (team->running == 1) {
        return;
    }
    unsigned phase = atomic_load_explicit(&team->phase, memory_order_relaxed);
    if (atomic_fetch_add_explicit(&team->arrived, 1, memory_order_acq_rel) == team->size - 1) {
        atomic_store_explicit(&team->arrived, 0, memory_order_relaxed);
        change(team, &team->phase);
    } else {
        await_change(team, &team->phase, phase);
    }
}

static void *serve(void *context)
{
    Member member = *(Member *)context;
    Team *team = member.team;
    free(context);
    float_mode_begin(); // for good: the thread has that of its creator
    for (unsigned run = 0;; run++) {
        await_change(team, &team->run, run);
        if (team->ending) {
            return NULL;
        }
        team->work(team->context, member.number, team->size);
        team_wait(team);
    }
}

static bool start_thread(Team *team, int number)
{
    Member *member = malloc(sizeof *member);
    if (member == NULL) {
        return false;
    }
    *member = (Member){team, number};
    pthread_attr_t attributes;
    bool good = pthread_attr_init(&attributes) == 0;
    if (good) {
        good = pthread_attr_setstacksize(&attributes, STACK) == 0 &&
               pthread_create(&team->threads[number - 1], &attributes, serve, member) == 0;
        pthread_attr_destroy(&attributes);
    }
    if (!good) {
        free(member);
    }
    return good;
}

Team *team_create(int members)
{
    assert(members >= 1 && members <= TEAM_MOST_MEMBERS);
    Team *team = aligned_alloc(_Alignof(Team), sizeof *team);
    if (team == NULL) {
        return NULL;
    }
    *team = (Team){.size = 1, .running = 1, .looking = members <= team_count_processors() ? LOOKING : 0};
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->changed, NULL);
    for (; team->size < members; team->size++) {
        if (!start_thread(team, team->size)) {
            team_destroy(team);
            return NULL;
        }
    }
    return team;
}

void team_destroy(Team *team)
{
    if (team == NULL) {
        return;
    }
    team->ending = true;
    change(team, &team->run);
    for (int k = 0; k < team->size - 1; k++) {
        pthread_join(team->threads[k], NULL);
    }
    pthread_cond_destroy(&team->changed);
    pthread_mutex_destroy(&team->lock);
    free(team);
}

int team_members(const Team *team)
{
    return team->size;
}

void team_run(Team *team, bool worth, TeamWork *work, void *context)
{
    if (!worth || team->size == 1) {
        work(context, 0, 1);
        return;
    }
    assert(team->running == 1); // not inside a run
    team->work = work;
    team->context = context;
    team->running = team->size;
    change(team, &team->run);
    work(context, 0, team->size);
    team_wait(team);
    team->running = 1;
}

int team_count_processors(void)
{
    cpu_set_t processors;
    int count = sched_getaffinity(0, sizeof processors, &processors) == 0 ? CPU_COUNT(&processors) : 1;
    return count > TEAM_MOST_MEMBERS ? TEAM_MOST_MEMBERS : count;
}

/// ---- scratch memory ------------------------------------------------------------------------------------------------
/// The stack of pieces. Misuse (too little room, too many pieces, a wrong order) is a fault of the program whatever
/// the input, and nothing right could follow: it ends there, in every build.

bool scratch_create(Scratch *scratch, size_t bytes)
{
    *scratch = (Scratch){.size = zeroed_room(bytes, 1)};
    scratch->memory = zeroed_alloc(scratch->size, 1);
    return scratch->memory != NULL;
}

void scratch_destroy(Scratch *scratch)
{
    zeroed_free(scratch->memory);
    *scratch = (Scratch){0};
}

void scratch_shrink(Scratch *scratch, size_t first)
{
    if (scratch->depth > 0) {
        abort();
    }
    zeroed_give_back(scratch->memory, first, scratch->size);
}

void *scratch_take(Scratch *scratch, const char *name, size_t count, size_t size)
{
    size_t bytes = zeroed_room(count, size);
    if (scratch->depth == SCRATCH_DEPTH || bytes > scratch->size - scratch->used) {
        abort();
    }
    scratch->name[scratch->depth] = name;
    scratch->first[scratch->depth++] = scratch->used;
    scratch->used += bytes;
    return scratch->memory + scratch->used - bytes;
}

void scratch_give_back(Scratch *scratch, const void *piece)
{
    if (scratch->depth == 0 || piece != scratch->memory + scratch->first[scratch->depth - 1]) {
        abort();
    }
    size_t first = scratch->first[--scratch->depth];
#ifndef NDEBUG
    size_t bytes = scratch->used - first, most = SCRATCH_OVERWRITTEN;
    memset(scratch->memory + first, 0xA5, bytes < most ? bytes : most);
#endif
    scratch->used = first;
}
