/// What of a session is heard, and that hearing it changes nothing.

#include "tests/support/test.h"
#include "trainer/pilot/autopilot.h"
#include "trainer/sim/state_io.h"
#include "trainer/app/sound.h"

static Session *make_of(const char *scene, const char *set)
{
    Status status;
    Session *session =
        session_create(&(SessionParams){.scene = scene, .set = &set, .set_count = set != NULL, .threads = 1}, &status);
    assert_good(session != NULL, status);
    return session;
}

static Session *make(void)
{
    return make_of("trench", NULL);
}

static SoundInput tick(Session *session, int count, ControlAxis axis, double value)
{
    OperatorControls controls = control_neutral;
    controls.axis[CONTROL_THROTTLE] = CONTROL_FULL;
    controls.axis[axis] = control_quantise(value);
    for (int k = 0; k < count; k++) {
        session_tick(session, &controls);
    }
    return sound_source_read(session);
}

TEST(levers_are_heard)
{
    Session *session = make();
    SoundInput rest = tick(session, 90, CONTROL_HORN, 0.0);
    const MachineEngine *engine = &session_machine_params(session)->engine;
    assert_true(rest.engine_speed > 0.9 * engine->rated_speed && rest.rated_speed == engine->rated_speed);
    assert_true(rest.engine_load < 0.3 && rest.relief_flow == 0.0 && rest.pump_flow < 0.1);
    assert_false(rest.horn || rest.travel_alarm || rest.warning);
    assert_true(tick(session, 1, CONTROL_HORN, 1.0).horn);
    assert_false(tick(session, 1, CONTROL_HORN, 0.3).horn);
    SoundInput boom = tick(session, 45, CONTROL_BOOM, 1.0);
    assert_true(boom.engine_load > rest.engine_load + 0.2 && boom.pump_pressure > 5e6 && boom.pump_flow > 0.2);
    SoundInput swing = tick(session, 90, CONTROL_SWING, -1.0);
    assert_true(fabs(swing.swing_speed) > 0.5);
    SoundInput travel = tick(session, 60, CONTROL_LEFT_TRACK, 1.0);
    assert_true(travel.travel_alarm && travel.belt_speed[0] > 0.5 && fabs(travel.belt_speed[1]) < 0.3);
    assert_false(tick(session, 90, CONTROL_HORN, 0.0).travel_alarm);
    session_destroy(session);
}

/// A bucket that is curled against its stop opens the relief valve.
TEST(a_stalled_function_is_heard)
{
    Session *session = make();
    SoundInput free = tick(session, 20, CONTROL_BUCKET, -1.0), stalled = tick(session, 400, CONTROL_BUCKET, -1.0);
    assert_true(free.relief_flow < 0.2);
    assert_true(stalled.relief_flow > 0.5);
    session_destroy(session);
}

/// Cutting and dumping under the scripted operator; the state is the same whether it is heard or not.
TEST(digging_is_heard_and_changes_nothing)
{
    Session *heard = make(), *unheard = make();
    Autopilot *first = autopilot_create(heard), *second = autopilot_create(unheard);
    Status status;
    Sound *sound = sound_create(48000, &status);
    assert_non_null(sound);
    int scraping = 0, falling = 0;
    for (int k = 0; k < 540; k++) {
        OperatorControls controls;
        autopilot_controls(first, heard, &controls);
        session_tick(heard, &controls);
        SoundInput input = sound_source_read(heard);
        float samples[800][2];
        sound_set(sound, &input);
        sound_fill(sound, samples, 800);
        scraping += input.tool_force > 20e3 && input.tool_speed > 0.1;
        falling += input.falling > 20.0;
        autopilot_controls(second, unheard, &controls);
        session_tick(unheard, &controls);
    }
    print_message("%d ticks of scraping, %d of falling soil\n", scraping, falling);
    assert_true(scraping > 30 && falling > 5);
    assert_true(state_hash(heard) == state_hash(unheard));
    sound_destroy(sound);
    autopilot_destroy(first);
    autopilot_destroy(second);
    session_destroy(heard);
    session_destroy(unheard);
}

/// Root mean square of two seconds in one ear, after half a second.
static double loudness_of(const SoundInput *input)
{
    Status status;
    Sound *sound = sound_create(48000, &status);
    assert_non_null(sound);
    enum { SECOND = 48000 };
    float(*samples)[2] = calloc(2 * SECOND, sizeof *samples);
    assert_non_null(samples);
    sound_set(sound, input);
    sound_fill(sound, samples, SECOND / 2);
    sound_fill(sound, samples, 2 * SECOND);
    double sum = 0.0;
    for (int k = 0; k < 2 * SECOND; k++) {
        sum += (double)samples[k][0] * (double)samples[k][0];
    }
    free(samples);
    sound_destroy(sound);
    return sqrt(sum / (2 * SECOND));
}

/// In the cab the tracks are to the left and right of the driver, the excavator's engine behind and the bulldozer's
/// ahead; a head that is turned to the left hears what is ahead on its right.
TEST(sounds_come_from_their_places)
{
    Session *digger = make_of("trench", NULL), *dozer = make_of("slot-dozing", NULL);
    SoundInput input = tick(digger, 2, CONTROL_HORN, 0.0);
    for (int k = 0; k < SOUND_PLACE_COUNT; k++) {
        assert_true(input.bearing[k] == 0.0);
    }
    sound_source_hear(digger, 0.0, &input);
    assert_true(sin(input.bearing[SOUND_AT_LEFT_TRACK]) > 0.1 && sin(input.bearing[SOUND_AT_RIGHT_TRACK]) < -0.5);
    assert_true(cos(input.bearing[SOUND_AT_ENGINE]) < -0.5 && cos(input.bearing[SOUND_AT_TOOL]) > 0.9);
    assert_true(sin(input.bearing[SOUND_AT_PUMPS]) < sin(input.bearing[SOUND_AT_ENGINE]));
    SoundInput turned = input;
    sound_source_hear(digger, 1.0, &turned);
    assert_true(fabs(turned.bearing[SOUND_AT_TOOL] - (input.bearing[SOUND_AT_TOOL] - 1.0)) < 1e-12);
    assert_true(turned.bearing[SOUND_AT_SIGNALS] == 0.0);
    input = tick(dozer, 2, CONTROL_HORN, 0.0);
    sound_source_hear(dozer, 0.0, &input);
    assert_true(cos(input.bearing[SOUND_AT_ENGINE]) > 0.9 && cos(input.bearing[SOUND_AT_TOOL]) > 0.9);
    session_destroy(digger);
    session_destroy(dozer);
}

/// Machines with full throttle are as loud within 3 dB, at rest and with all of the engine's torque.
TEST(machines_are_as_loud_as_each_other)
{
    static const char *const scenes[][2] = {
        {"trench", NULL}, {"slot-dozing", NULL}, {"trench", "machine.file=excavator-8t"}};
    double least[2] = {1e9, 1e9}, most[2] = {0.0, 0.0};
    for (int k = 0; k < 3; k++) {
        Session *session = make_of(scenes[k][0], scenes[k][1]);
        SoundInput rest = tick(session, 120, CONTROL_HORN, 0.0);
        SoundInput work = rest;
        work.engine_load = 1.0;
        double level[2] = {loudness_of(&rest), loudness_of(&work)};
        for (int i = 0; i < 2; i++) {
            least[i] = fmin(least[i], level[i]);
            most[i] = fmax(most[i], level[i]);
        }
        session_destroy(session);
    }
    assert_true(most[0] < 1.41 * least[0] && most[1] < 1.41 * least[1]);
}

TEST_GROUP(NULL, NULL)
