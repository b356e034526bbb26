/// A machine beside the wall of a pit: its tracks weigh on the wall, which falls where they stand too near.
#include "tests/support/test.h"
#include "trainer/sim/coupling.h"
#include "trainer/sim/session.h"

#define SCENE        SPADEWORK_TEST_DIR "/support/crest.yaml"
#define WALL         1.0 ///< m: x of the pit's near wall
#define DEPTH        1.8 ///< m, of the pit
#define HALF_MACHINE 1.49 ///< m: half of its gauge and of a shoe
enum { TICKS = 360 };

static double weight_of(const Session *session)
{
    const MachineParams *machine = session_machine_params(session);
    double mass = 0.0;
    for (int k = 0; k < machine->body_count; k++) {
        mass += machine->body[k].mass;
    }
    return mass * STANDARD_GRAVITY;
}

/// How it stands in the end with neutral levers.
typedef struct Stand {
    double lean; ///< degrees
    double fell; ///< m3 of the wall
} Stand;

/// The excavator with its middle at x, m.
static Session *open_at(double x)
{
    Status status;
    char place[32];
    snprintf(place, sizeof place, "machine.x=%.3f", x);
    SessionParams params = {.scene = SCENE, .set = (const char *[]){place}, .set_count = 1, .threads = 1};
    Session *session = session_create(&params, &status);
    assert_good(session != NULL, status);
    return session;
}

/// The edge of its track is `off` m from the wall.
static Stand stand_beside_pit(double off)
{
    Session *session = open_at(WALL - off - HALF_MACHINE);
    for (int tick = 0; tick < TICKS; tick++) {
        session_tick(session, &control_neutral);
    }
    const double spacing = 0.1;
    Stand stand = {.lean = 0.0};
    for (double x = -1.0; x < WALL - 0.15; x += spacing) {
        for (double y = -6.0; y < 6.0; y += spacing) {
            stand.fell += fmax(0.0, -soil_get_height(session_soil(session), x, y) - 0.05) * spacing * spacing;
        }
    }
    Pose frame;
    machine_get_body_frame(session_machine(session), session_machine_state(session), MACHINE_BASE, &frame);
    stand.lean = acos(fmin(1.0, frame.rotation.m[2][2])) * 180.0 / M_PI;
    session_destroy(session);
    print_message("%.2f m from the wall: leans by %.1f degrees, %.2f m3 of it fell\n", off, stand.lean, stand.fell);
    return stand;
}

/// Pressure (Pa) of a track `width` m wide and `length` m long whose near edge is `off` m behind an upright face
/// `height` m high, at which a wedge as long as the track begins to slide: the least over all planes, with cohesion on
/// the plane and on the two triangles at the wedge's ends.
static double wedge_pressure(const SoilParams *soil, double height, double off, double width, double length)
{
    double least = HUGE_VAL;
    for (double angle = 0.002; angle < 1.569; angle += 0.002) {
        double crest = height / tan(angle), driving = sin(angle) - cos(angle) * tan(soil->friction_angle);
        double on = fmin(width, crest - off);
        if (driving > 0.0 && on > 0.0) {
            double holding = soil->cohesion * height * (1.0 / sin(angle) + crest / length);
            double weight = 0.5 * soil->bank_density * STANDARD_GRAVITY * height * crest;
            least = fmin(least, (holding / driving - weight) / on);
        }
    }
    return least;
}

/// The distance at which half of the machine's weight on the near track is too much, by that formula.
TEST(a_wall_falls_under_a_machine_that_stands_too_near)
{
    Session *session = open_at(-4.0);
    const SoilParams *loam = &session_scene(session)->soils[0];
    const MachineTracks *tracks = &session_machine_params(session)->tracks;
    double pressure = 0.5 * weight_of(session) / (tracks->contact_length * tracks->shoe_width), least = 0.0;
    while (wedge_pressure(loam, DEPTH, least, tracks->shoe_width, tracks->contact_length) < pressure) {
        least += 0.01;
    }
    session_destroy(session);
    print_message("%.0f kPa: the wall stands from %.2f m on\n", 1e-3 * pressure, least);
    assert_true(least > 0.8 && least < 1.5);
    Stand falls = stand_beside_pit(least - 0.15), deep = stand_beside_pit(0.4), stands = stand_beside_pit(least + 0.15);
    assert_true(falls.fell > 1.0 && falls.lean > 2.0);
    assert_true(deep.fell > 1.0 && deep.lean > falls.lean);
    assert_true(stands.fell == 0.0 && stands.lean < 0.5);
}

/// The patches of the tracks bear the machine's weight, and nothing else does.
TEST(what_stands_on_the_ground_is_the_machines_weight)
{
    Session *session = open_at(-4.0);
    for (int tick = 0; tick < 120; tick++) {
        session_tick(session, &control_neutral);
    }
    SoilFootprint footprints[MACHINE_MAX_PATCHES];
    coupling_standing(session_machine(session), session_machine_state(session), footprints);
    double sum = 0.0;
    for (int k = 0; k < MACHINE_MAX_PATCHES; k++) {
        sum += footprints[k].pressure * footprints[k].length * footprints[k].width;
    }
    assert_near(sum, weight_of(session), 0.01 * weight_of(session));
    session_destroy(session);
}

TEST_GROUP(NULL, NULL)
