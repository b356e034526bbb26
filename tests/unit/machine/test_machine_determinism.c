/// A step is a pure function of the state: copies, fresh machines and saved states continue bit for bit.
#include "data/schema/machine_params.h"
#include "tests/support/machine_fixture.h"

#include <ode/ode.h>
#include <unistd.h>

#include "tests/support/state_tape.h"

// Levers that use everything, so that a lost field of the state would show.
static void drive(Site *site, int step)
{
    site_lever(site, CONTROL_SWING, step < 150 ? 0.7 : -0.4);
    site_lever(site, CONTROL_BOOM, step < 100 ? -1.0 : 0.6);
    site_lever(site, CONTROL_STICK, 0.8);
    site_lever(site, CONTROL_BUCKET, step < 200 ? 0.5 : -1.0);
    site_lever(site, CONTROL_LEFT_TRACK, 0.9);
    site_lever(site, CONTROL_RIGHT_TRACK, step < 180 ? -0.3 : 1.0);
    site_lever(site, CONTROL_THROTTLE, -0.1);
    site->tool.force = vec3(-2000.0, 300.0 * (step % 7), 9000.0);
    site->tool.moment = vec3(10.0, 500.0, -20.0 * (step % 5));
    site_step(site);
}

static void run_steps(Site *site, int from, int to)
{
    for (int step = from; step < to; step++) {
        drive(site, step);
    }
}

TEST(a_copied_state_continues_bit_for_bit)
{
    Site site = site_create();
    site.slope = 0.1;
    run_steps(&site, 0, 100);
    MachineState kept = site.state;
    run_steps(&site, 100, 300);
    MachineState end = site.state;
    assert_memory_not_equal(&kept, &end, sizeof end);

    Site fresh = site_create();
    fresh.slope = 0.1;
    fresh.state = kept;
    run_steps(&fresh, 100, 300);
    assert_memory_equal(&fresh.state, &end, sizeof end);

    site.state = kept; // back in time on the machine that has already been further
    run_steps(&site, 100, 300);
    assert_memory_equal(&site.state, &end, sizeof end);
    site_destroy(&fresh);
    site_destroy(&site);
}

TEST(two_machines_in_turn_equal_each_alone)
{
    Site alone = site_create(), a = site_create(), b = site_create();
    run_steps(&alone, 0, 200);
    for (int step = 0; step < 200; step++) {
        drive(&a, step);
        drive(&b, 200 - step);
    }
    assert_memory_equal(&a.state, &alone.state, sizeof a.state);
    assert_memory_not_equal(&b.state, &alone.state, sizeof a.state);
    site_destroy(&b);
    run_steps(&a, 200, 220); // the other machine's end does not take the engine away
    run_steps(&alone, 200, 220);
    assert_memory_equal(&a.state, &alone.state, sizeof a.state);
    site_destroy(&a);
    site_destroy(&alone);
}

TEST(a_visited_state_continues_bit_for_bit)
{
    Site site = site_create();
    run_steps(&site, 0, 120);
    Tape tape = {.visitor = {.field = write_tape}};
    machine_state_visit(machine_params(site.machine), &site.state, &tape.visitor);
    run_steps(&site, 120, 260);

    Site restored = site_create();
    memset(&restored.state, 0, sizeof restored.state);
    tape.visitor = (StateVisitor){.field = read_tape, .restoring = true};
    tape.at = 0;
    machine_state_visit(machine_params(restored.machine), &restored.state, &tape.visitor);
    assert_false(tape.visitor.failed);
    run_steps(&restored, 120, 260);

    Tape first = {.visitor = {.field = write_tape}}, second = first;
    machine_state_visit(machine_params(site.machine), &site.state, &first.visitor);
    machine_state_visit(machine_params(restored.machine), &restored.state, &second.visitor);
    assert_int_equal(first.at, second.at);
    assert_memory_equal(first.bytes, second.bytes, first.at);
    site_destroy(&restored);
    site_destroy(&site);
}

static void assert_refused(int limits, int relief)
{
    Site site = site_create();
    site.state.limits = limits;
    site.state.relief = relief;
    Tape tape = {.visitor = {.field = write_tape}};
    machine_state_visit(machine_params(site.machine), &site.state, &tape.visitor);
    tape.visitor = (StateVisitor){.field = read_tape, .restoring = true};
    tape.at = 0;
    machine_state_visit(machine_params(site.machine), &site.state, &tape.visitor);
    assert_true(tape.visitor.failed);
    assert_int_equal(site.state.limits, 0);
    assert_int_equal(site.state.relief, 0);
    site_destroy(&site);
}

TEST(a_bad_limit_in_a_saved_state_is_refused)
{
    assert_refused(MACHINE_LIMIT_BITS + 1, 0);
    assert_refused(-1, 0);
    assert_refused(0, MACHINE_RELIEF_BITS + 1);
    assert_refused(0, -1);
}

TEST(a_number_that_is_not_finite_is_found_in_every_field)
{
    Site site = site_create();
    run_steps(&site, 0, 2);
    assert_true(machine_state_is_finite(&site.state));
    double *numbers[] = {&site.state.body[EXCAVATOR_BUCKET].spin[2], &site.state.body[0].quaternion[0],
                         &site.state.track_shear[3][1], &site.state.patch_load[15], &site.state.fuel};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        double kept = *numbers[i];
        *numbers[i] = i % 2 ? (double)NAN : (double)INFINITY;
        assert_false(machine_state_is_finite(&site.state));
        *numbers[i] = kept;
    }
    site_destroy(&site);
}

// ODE's allocation handler carries no context: what it counts is this file's.
static int allocations;
static dAllocFunction *plain_alloc;

static void *counting_alloc(dsizeint size)
{
    allocations++;
    return plain_alloc ? plain_alloc(size) : malloc((size_t)size);
}

TEST(a_step_allocates_nothing)
{
    plain_alloc = dGetAllocHandler();
    dSetAllocHandler(counting_alloc);
    allocations = 0;
    Site site = site_create();
    run_steps(&site, 0, 3);
    assert_int_not_equal(allocations, 0); // the counter does count
    allocations = 0;
    run_steps(&site, 3, 200);
    assert_int_equal(allocations, 0);
    site_destroy(&site);
    dSetAllocHandler(plain_alloc);
}

/// What ODE's solver has to say of a step is nothing for who drives.
TEST(the_terminal_stays_clean)
{
    Site site = site_create();
    FILE *file = tmpfile();
    assert_non_null(file);
    fflush(stderr);
    int terminal = dup(STDERR_FILENO);
    assert_true(terminal >= 0 && dup2(fileno(file), STDERR_FILENO) >= 0);
    dMessage(d_ERR_LCP, "LCP internal error, s <= 0 (s=%.4e)", 0.0);
    fflush(stderr);
    assert_true(dup2(terminal, STDERR_FILENO) >= 0);
    close(terminal);
    assert_int_equal(lseek(fileno(file), 0, SEEK_END), 0);
    fclose(file);
    site_destroy(&site);
}

TEST_GROUP(NULL, NULL)
