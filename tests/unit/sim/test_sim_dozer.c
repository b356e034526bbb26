/// A dozer in a session: it cuts, carries and spreads by itself, loses nothing, and goes on bit for bit from a saved
/// state.
// test: long

#include "tests/support/test.h"
#include "trainer/pilot/autopilot.h"
#include "trainer/pilot/autopilot_internal.h"
#include "trainer/pilot/operator.h"
#include "trainer/sim/coupling.h"
#include "trainer/sim/session.h"
#include "trainer/sim/state_io.h"

static Session *open_yard(const char *const *set, int set_count, int threads)
{
    Status status;
    SessionParams params = {.scene = "dozing", .set = set, .set_count = set_count, .threads = threads};
    Session *session = session_create(&params, &status);
    assert_good(session != NULL, status);
    return session;
}

static void drive(Session *session, Autopilot *pilot, int ticks)
{
    for (int tick = 0; tick < ticks; tick++) {
        OperatorControls controls;
        autopilot_controls(pilot, session, &controls);
        session_tick(session, &controls);
    }
}

TEST(it_fills_its_blade_spreads_and_comes_back)
{
    Session *session = open_yard(NULL, 0, 1);
    Autopilot *pilot = autopilot_create(session);
    int64_t total = session_frame(session)->ledger.total;
    double most = 0.0, deepest = 0.0;
    bool seen_back = false;
    int tick = 0;
    for (; tick < 60 * 60 && (autopilot_cycles(pilot) < 1 || strcmp(autopilot_phase(pilot), "cut") != 0); tick++) {
        drive(session, pilot, 1);
        const SessionFrame *frame = session_frame(session);
        most = fmax(most, frame->payload);
        deepest = fmin(deepest, frame->machine.tip.z);
        seen_back = seen_back || strcmp(autopilot_phase(pilot), "back") == 0;
        assert_true(frame->ledger.total == total);
    }
    print_message("one pass: %.0f s, %.0f kg at most, edge down to %.2f m\n", tick / 60.0, most, deepest);
    assert_int_equal(autopilot_cycles(pilot), 1);
    assert_true(seen_back);
    assert_true(most > 1500.0);
    assert_true(deepest > -0.6 && deepest < -0.05);
    const SessionFrame *frame = session_frame(session);
    assert_true(fabs(frame->machine.base.x + 10.0) < 1.5 && fabs(frame->machine.base.y) < 1.5);
    // Soil lies where it was spread, and is missing where it was cut.
    Soil *soil = session_soil(session);
    double spread = 0.0, cut = 0.0;
    for (int k = 0; k < 20; k++) {
        cut += soil_get_height(soil, -5.0 + 0.2 * k, 0.0) / 20.0;
        spread += soil_get_height(soil, 4.0 + 0.45 * k, 0.0) / 20.0;
    }
    assert_true(cut < -0.03 && spread > 0.03);
    assert_true(session_is_finite(session));
    autopilot_destroy(pilot);
    session_destroy(session);
}

TEST(a_restored_session_goes_on_bit_for_bit)
{
    enum { BEFORE = 200, AFTER = 40 };
    Session *session = open_yard(NULL, 0, 1), *other = open_yard(NULL, 0, 2);
    Autopilot *pilot = autopilot_create(session);
    drive(session, pilot, BEFORE);
    StateBuffer buffer = {0};
    Status status;
    char field[96] = "";
    assert_true(state_save(session, &buffer, &status));
    OperatorControls controls = control_neutral;
    controls.axis[CONTROL_RIPPER] = CONTROL_FULL;
    controls.axis[CONTROL_BLADE] = -CONTROL_FULL / 3;
    controls.axis[CONTROL_LEFT_TRACK] = CONTROL_FULL;
    controls.axis[CONTROL_RIGHT_TRACK] = CONTROL_FULL / 2;
    session_tick(other, &controls); // what was there before must not matter
    assert_true(state_restore(other, buffer.data, buffer.size, &status));
    assert_false(state_first_difference(other, buffer.data, buffer.size, field, (int)sizeof field));
    for (int tick = 0; tick < AFTER; tick++) {
        assert_true(state_hash(session) == state_hash(other));
        session_tick(session, &controls);
        session_tick(other, &controls);
    }
    assert_true(state_hash(session) == state_hash(other));
    assert_true(session_machine_state(session)->gear != 0);
    assert_true(soil_get_particles(session_soil(session)).count > 100);
    state_buffer_free(&buffer);
    autopilot_destroy(pilot);
    session_destroy(session);
    session_destroy(other);
}

// The ripper is a tool of its own: it breaks ground with the blade in the air, and the soil holds it back.
TEST(the_ripper_breaks_ground)
{
    Session *session = open_yard(NULL, 0, 1);
    OperatorControls controls = control_neutral;
    controls.axis[CONTROL_RIPPER] = CONTROL_FULL;
    int spawned = 0;
    for (int tick = 0; tick < 6 * 60; tick++) {
        int16_t lever = control_quantise(tick < 150 ? 0.0 : 0.25);
        controls.axis[CONTROL_LEFT_TRACK] = controls.axis[CONTROL_RIGHT_TRACK] = lever;
        session_tick(session, &controls);
        spawned += soil_get_counters(session_soil(session)).spawned;
    }
    assert_true(spawned > 100);
    assert_true(session_frame(session)->payload < 1.0);
    double beside = soil_get_height(session_soil(session), -10.5, 1.2);
    assert_true(fabs(beside) < 0.05);
    session_destroy(session);
}

TEST(a_blade_does_not_start_in_a_mound)
{
    static const char *const set[] = {"machine.file=dozer-20t", "ground.mounds.0.x=4.3", "ground.mounds.0.y=0"};
    Status status;
    SessionParams params = {.scene = "free", .set = set, .set_count = 3, .threads = 1};
    assert_null(session_create(&params, &status));
    assert_int_equal(status.code, STATUS_BAD_USAGE);
    if (strstr(status.text, "free.yaml:7:10: machine: its blade starts inside the ground") == NULL) {
        fail_msg("%s", status.text);
    }
}

/// A track stands on what its shoes cover: a clod below one of them lifts it by its share of that, and tilts it little.
/// Judged by the point below a patch's middle, patches a shoe apart fall into every hollow together, and a dozer that
/// cuts waves as long as that goes up and down on them, which cuts the next ones deeper.
TEST(tracks_bridge_what_is_smaller_than_their_shoes)
{
    static const char *const set[] = {"machine.file=dozer-20t", "machine.x=-16",
                                      "ground.roughness=0",     "ground.mounds.0.x=5",
                                      "ground.mounds.0.y=0.94", "ground.mounds.0.height=0.12"};
    Status status;
    SessionParams params = {.scene = "free", .set = set, .set_count = 6, .threads = 1};
    Session *session = session_create(&params, &status);
    assert_good(session != NULL, status);
    const MachineTracks *tracks = &session_machine_params(session)->tracks;
    Vec3 positions[MACHINE_MAX_PATCHES];
    MachineGround ground[MACHINE_MAX_PATCHES];
    int count = 2 * tracks->patches;
    for (int k = 0; k < count; k++) {
        int along = k % tracks->patches - tracks->patches / 2;
        double x = 5.0 + along * tracks->contact_length / (tracks->patches - 1);
        positions[k] = vec3(x, k < tracks->patches ? 0.5 * tracks->gauge : -0.5 * tracks->gauge, 0.0);
    }
    coupling_ground(session_soil(session), session_scene(session)->soils, tracks, positions, count, ground);
    int middle = tracks->patches / 2;
    double clod = soil_get_height(session_soil(session), positions[middle].x, positions[middle].y);
    double shoe = tracks->shoe_width * tracks->contact_length / tracks->patches;
    SoilGridView grid = soil_get_grid(session_soil(session));
    double volume = 0.0;
    for (int k = 0; k < grid.rows * grid.columns; k++) {
        double x = grid.origin_x + k % grid.columns * grid.spacing, y = grid.origin_y + k / grid.columns * grid.spacing;
        bool near = hypot(x - positions[middle].x, y - positions[middle].y) < 0.5;
        volume += near ? (double)grid.height[k] * grid.spacing * grid.spacing : 0.0;
    }
    print_message("a clod %.3f m high lifts the patch above it by %.3f m, spread over its shoe %.3f m\n", clod,
                  ground[middle].height, volume / shoe);
    assert_true(clod > 0.08);
    assert_near(ground[middle].height, volume / shoe, 0.3 * volume / shoe);
    for (int k = 0; k < count; k++) {
        assert_true(k == middle || fabs(ground[k].height) < 0.01);
        assert_true(ground[k].normal.z > 0.98);
    }
    session_destroy(session);
}

// The lanes share the trench's width; the cut has its ramps outside, and ends before the dump circle.
TEST(the_operator_plans_a_trench)
{
    static SceneParams scene;
    static MachineParams machine;
    static DozerPilot pilot;
    static const struct {
        const char *width;
        int lanes;
    } cases[] = {{"exercise.trench.width=3.4", 1}, {"exercise.trench.width=6", 2}, {"exercise.trench.width=9.5", 3}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        Status status;
        assert_true(data_load_scene("slot-dozing", &cases[k].width, 1, &scene, &machine, NULL, &status));
        dozer_pilot_start(&pilot, &scene, &machine);
        assert_int_equal(pilot.lanes, cases[k].lanes);
        double reach = 0.5 * (pilot.lanes - 1) * pilot.lane_spacing + 0.5 * machine.tool[0].shape.edge_width;
        assert_true(cases[k].lanes == 1 || fabs(reach - 0.5 * scene.exercise.trench.width) < 1e-9);
        assert_true(pilot.cut_from < 0.0 && pilot.cut_from + pilot.cut_length > scene.exercise.trench.length);
        assert_true(pilot.dump_from > pilot.cut_from + pilot.cut_length);
        assert_true(pilot.dump_to > pilot.dump_from + pilot.spread_length - 1e-9);
    }
}

TEST(maps_fit_their_machines)
{
    static const struct {
        const char *machine, *wanted, *pattern;
    } cases[] = {{"excavator-22t", NULL, "iso"},  {"dozer-20t", NULL, "dozer"},      {"dozer-20t", "bhl", "dozer"},
                 {"excavator-22t", "bhl", "bhl"}, {"excavator-22t", "dozer", "iso"}, {"dozer-20t", "dozer", "dozer"}};
    static MachineParams machine;
    static ControlsParams map;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        Status status;
        assert_true(data_load_machine(cases[k].machine, &machine, NULL, &status));
        assert_true(control_map_load(cases[k].wanted, &machine, &map, &status));
        assert_string_equal(map.pattern, cases[k].pattern);
    }
    Status status;
    assert_false(control_map_load("no-such-map", &machine, &map, &status));
}

TEST_GROUP(NULL, NULL)
