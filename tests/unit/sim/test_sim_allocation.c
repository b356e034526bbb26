/// What memory a tick takes. Every allocation of the process goes through the counters below, on every thread and
/// inside ODE and the C library too, and counts while a session ticks.
///
/// A tick takes a tile of columns for ground that nothing has touched before, once for each tile of the site; nothing
/// else, when it is warm: when its like has been made before. What does grow, with the most particles, contacts and
/// joints so far and by half each time, are the neighbour search, the contact lists and ODE's step. The same ticks made
/// twice, from a state that was restored, are warm the second time; the ground is laid out anew, so that its tiles are
/// taken again.
// test: long, alone
#define _GNU_SOURCE // syscall
#include <errno.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "soil/ground/ground.h"
#include "tests/support/recording_fixture.h"

static atomic_bool counting; ///< a tick is under way
static atomic_int counted, tiles; ///< allocations in it; those of a ground tile's size

#ifndef SANITIZED
static void note(size_t size)
{
    if (atomic_load(&counting)) {
        atomic_fetch_add(size == sizeof(GroundTile) ? &tiles : &counted, 1);
    }
}

/// The allocators of glibc under names that a program may call when it replaces the usual ones.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size)
{
    note(size);
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    note(count * size);
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    note(size);
    return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    note(size);
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    note(size);
    *memory = __libc_memalign(alignment, size);
    return *memory != NULL ? 0 : ENOMEM;
}

/// Large arrays of the soil come from the system (data/core/zeroed_memory.h).
void *mmap(void *at, size_t size, int protection, int flags, int file, off_t offset)
{
    note(size);
    return (void *)syscall(SYS_mmap, at, size, protection, flags, file, offset);
}
#endif

enum { BEFORE = 60, TICKS = 600 };

/// What ticks took.
typedef struct Taken {
    int ticks; ///< that took memory for something else than tiles
    int allocations; ///< the same, counted
    int tiles;
} Taken;

static void tick(Session *session, const OperatorControls *controls, Taken *taken)
{
    atomic_store(&counted, 0);
    atomic_store(&tiles, 0);
    atomic_store(&counting, true);
    session_tick(session, controls);
    atomic_store(&counting, false);
    int count = atomic_load(&counted);
    taken->ticks += count > 0;
    taken->allocations += count;
    taken->tiles += atomic_load(&tiles);
}

/// Drives TICKS ticks for the first time, and the same again.
static int dig(const char *scene, OperatorControls controls[TICKS], Taken *cold, Taken *warm)
{
    Status status = {0};
    Session *session = session_create(&(SessionParams){.scene = scene, .threads = 2}, &status);
    assert_good(session != NULL, status);
    Autopilot *pilot = autopilot_create(session);
    StateBuffer state = {0};
    Taken before = {0};
    int particles = 0;
    for (int k = -BEFORE; k < TICKS; k++) {
        OperatorControls levers;
        if (k == 0) {
            assert_good(state_save(session, &state, &status), status);
        }
        autopilot_controls(pilot, session, &levers);
        tick(session, &levers, k < 0 ? &before : cold);
        if (k >= 0) {
            controls[k] = levers;
        }
        int count = session_frame(session)->counters.particles;
        particles = count > particles ? count : particles;
    }
    assert_good(state_restore(session, state.data, state.size, &status), status);
    for (int k = 0; k < TICKS; k++) {
        tick(session, &controls[k], warm);
    }
    state_buffer_free(&state);
    autopilot_destroy(pilot);
    session_destroy(session);
    return particles;
}

TEST(the_counters_see_an_allocation)
{
#ifdef SANITIZED
    skip();
#endif
    atomic_store(&counted, 0);
    atomic_store(&tiles, 0);
    atomic_store(&counting, true);
    void *volatile text = strdup("seen"), *volatile more = realloc(NULL, 8),
                   *volatile tile = calloc(1, sizeof(GroundTile));
    atomic_store(&counting, false);
    free(text);
    free(more);
    free(tile);
    assert_int_equal(atomic_load(&counted), 2);
    assert_int_equal(atomic_load(&tiles), 1);
}

/// Ten seconds of digging, dozing, loading a truck and rocks.
TEST(a_warm_tick_takes_tiles_alone)
{
#ifdef SANITIZED
    skip();
#endif
    static const char *const scenes[] = {"trench", "truck-loading", "slot-dozing", "boulders", "haul"};
    OperatorControls *controls = calloc(TICKS, sizeof *controls);
    assert_non_null(controls);
    for (size_t k = 0; k < sizeof scenes / sizeof scenes[0]; k++) {
        Taken cold = {0}, warm = {0};
        int particles = dig(scenes[k], controls, &cold, &warm);
        printf("%s: %d tiles; %d of %d new ticks took other memory, %d times; %d particles at most\n", scenes[k],
               cold.tiles, cold.ticks, TICKS, cold.allocations, particles);
        assert_true(particles > 100); // something was dug
        assert_int_equal(warm.allocations, 0);
        assert_true(warm.tiles <= cold.tiles);
        // Growth by half reaches any size in few steps: 1.5^20 is above 3000.
        assert_true(cold.ticks <= 20);
    }
    free(controls);
}

TEST_GROUP(NULL, NULL)
