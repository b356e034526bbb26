/// The synthesiser, by measuring what it plays: tones by Goertzel's method, loudness, steps between samples.
// test: long

#include "tests/support/test.h"
#include "trainer/app/sound.h"

#define PI 3.14159265358979

static Sound *make(int rate)
{
    Status status;
    Sound *sound = sound_create(rate, &status);
    assert_good(sound != NULL, status);
    return sound;
}

/// An engine at `rpm` with this share of its torque.
static SoundInput engine(double rpm, double load)
{
    SoundInput input = sound_input_default();
    input.volume = 1.0;
    input.engine_speed = rpm * PI / 30.0;
    input.engine_load = load;
    return input;
}

/// The next samples of the left ear, or of the right one.
static void fill_ear(Sound *sound, float *samples, int count, int ear)
{
    float both[1024][2];
    for (int done = 0; done < count;) {
        int piece = count - done < 1024 ? count - done : 1024;
        sound_fill(sound, both, piece);
        for (int i = 0; i < piece; i++) {
            samples[done + i] = both[i][ear];
        }
        done += piece;
    }
}

/// Plays `seconds` and keeps the left ear's; the caller frees.
static float *play(Sound *sound, const SoundInput *input, int rate, double seconds, int *count)
{
    *count = (int)(seconds * rate);
    float *samples = calloc((size_t)*count, sizeof *samples);
    assert_non_null(samples);
    sound_set(sound, input);
    fill_ear(sound, samples, *count, 0);
    return samples;
}

/// Lets it settle for half a second, then plays.
static float *play_settled(const SoundInput *input, int rate, double seconds, int *count)
{
    Sound *sound = make(rate);
    free(play(sound, input, rate, 0.5, count));
    float *samples = play(sound, input, rate, seconds, count);
    sound_destroy(sound);
    return samples;
}

static double loudness(const float *samples, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++) {
        sum += (double)samples[i] * (double)samples[i];
    }
    return sqrt(sum / count);
}

static double loudness_of(const SoundInput *input)
{
    int count;
    float *samples = play_settled(input, 48000, 1.0, &count);
    double level = loudness(samples, count);
    free(samples);
    return level;
}

/// Amplitude of one frequency under a Hann window: Goertzel, American Mathematical Monthly 65 (1958) 34-35.
static double amplitude(const float *samples, int count, int rate, double frequency)
{
    double turn = 2.0 * PI * frequency / rate, a = 0.0, b = 0.0;
    for (int i = 0; i < count; i++) {
        double window = 0.5 - 0.5 * cos(2.0 * PI * i / count);
        double next = window * (double)samples[i] + 2.0 * cos(turn) * a - b;
        b = a;
        a = next;
    }
    return 4.0 * sqrt(fmax(0.0, a * a + b * b - 2.0 * cos(turn) * a * b)) / count;
}

/// The strongest frequency between two, in steps of 0.25 Hz.
static double strongest(const float *samples, int count, int rate, double least, double most)
{
    double best = 0.0, at = 0.0;
    for (double f = least; f <= most; f += 0.25) {
        double now = amplitude(samples, count, rate, f);
        if (now > best) {
            best = now;
            at = f;
        }
    }
    return at;
}

static double largest(const float *samples, int count)
{
    double most = 0.0;
    for (int i = 0; i < count; i++) {
        assert_true(isfinite(samples[i]));
        most = fmax(most, fabs((double)samples[i]));
    }
    return most;
}

static double largest_step(const float *samples, int count)
{
    double most = 0.0;
    for (int i = 1; i < count; i++) {
        most = fmax(most, fabs((double)samples[i] - (double)samples[i - 1]));
    }
    return most;
}

/// Firing frequency of a four-stroke engine: revolutions a second x cylinders / 2.
TEST(the_engine_sounds_at_its_firing_frequency)
{
    static const struct {
        double rpm, load;
        int cylinders, rate;
    } cases[] = {{900, 0.1, 6, 48000},  {900, 1.0, 6, 48000},  {1350, 0.5, 6, 48000}, {1800, 0.1, 6, 48000},
                 {1800, 1.0, 6, 48000}, {1800, 1.2, 6, 48000}, {2200, 0.6, 4, 48000}, {1800, 0.5, 6, 22050},
                 {1800, 0.5, 6, 44100}, {1800, 0.5, 6, 96000}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        SoundInput input = engine(cases[k].rpm, cases[k].load);
        input.cylinders = cases[k].cylinders;
        int count;
        float *samples = play_settled(&input, cases[k].rate, 1.0, &count);
        double firing = cases[k].rpm / 60.0 * cases[k].cylinders / 2.0;
        double heard = strongest(samples, count, cases[k].rate, 20.0, 140.0);
        free(samples);
        if (fabs(heard - firing) > 1.0) {
            fail_msg("%g rpm, load %g: %g Hz is heard, %g Hz are fired", cases[k].rpm, cases[k].load, heard, firing);
        }
    }
}

TEST(load_makes_it_louder)
{
    double before = 0.0;
    for (double load = 0.0; load <= 1.21; load += 0.2) {
        SoundInput input = engine(1800, load);
        double now = loudness_of(&input);
        assert_true(now > 1.05 * before);
        before = now;
    }
    SoundInput idle = engine(900, 0.1), full = engine(1800, 1.0);
    assert_true(loudness_of(&full) > 2.0 * loudness_of(&idle)); // 6 dB
    assert_in_range((int)(1000.0 * loudness_of(&idle)), 20, 150);
    assert_in_range((int)(1000.0 * loudness_of(&full)), 100, 400);
}

/// Share of the energy above a frequency: Butterworth's high pass of the fourth order, as two of the second (direct
/// form I, bilinear transform).
static double share_above(const float *samples, int count, int rate, double frequency)
{
    static const double damping[2] = {0.92387953, 0.38268343};
    double *now = calloc((size_t)count, sizeof *now), all = 0.0, high = 0.0;
    assert_non_null(now);
    for (int i = 0; i < count; i++) {
        now[i] = (double)samples[i];
        all += now[i] * now[i];
    }
    double k = tan(PI * frequency / rate);
    for (int stage = 0; stage < 2; stage++) {
        double norm = 1.0 / (1.0 + 2.0 * damping[stage] * k + k * k), x1 = 0.0, x2 = 0.0, y1 = 0.0, y2 = 0.0;
        for (int i = 0; i < count; i++) {
            double x = now[i];
            double y =
                norm * (x - 2.0 * x1 + x2 - 2.0 * (k * k - 1.0) * y1 - (1.0 - 2.0 * damping[stage] * k + k * k) * y2);
            x2 = x1;
            x1 = x;
            y2 = y1;
            y1 = y;
            now[i] = y;
        }
    }
    for (int i = 0; i < count; i++) {
        high += now[i] * now[i];
    }
    free(now);
    return high / all;
}

/// A laptop's loudspeakers give little below 300 Hz: the engine's harmonics above it carry enough for the ear to hear
/// its pitch.
TEST(an_engine_is_heard_on_small_loudspeakers)
{
    static const double cases[][2] = {{900, 0.1}, {1350, 0.5}, {1800, 0.1}, {1800, 0.6}, {1800, 1.0}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        SoundInput input = engine(cases[k][0], cases[k][1]);
        int count;
        float *samples = play_settled(&input, 48000, 2.0, &count);
        double share = share_above(samples, count, 48000, 300.0), firing = cases[k][0] / 20.0, harmonics = 0.0;
        for (int order = 1; order * firing < 1500.0; order++) {
            double tone = amplitude(samples, count, 48000, order * firing);
            harmonics += order * firing > 300.0 ? tone * tone : 0.0;
        }
        print_message(
            "%4.0f rpm, load %.1f: %.2f of the energy above 300 Hz, RMS of its harmonics there %.3f, all %.3f\n",
            cases[k][0], cases[k][1], share, sqrt(0.5 * harmonics), loudness(samples, count));
        free(samples);
        assert_true(share > 0.2 && share < 0.5);
    }
}

/// Lugging is rougher: the beat of single cylinders, one turn of the cycle, grows against the firing itself.
TEST(a_lugging_engine_is_rough)
{
    double share[2];
    for (int k = 0; k < 2; k++) {
        SoundInput input = engine(1500, k == 0 ? 0.7 : 1.2);
        int count;
        float *samples = play_settled(&input, 48000, 2.0, &count);
        double rough = 0.0;
        for (int order = 1; order <= 5; order++) {
            rough += amplitude(samples, count, 48000, 12.5 * order);
        }
        share[k] = rough / amplitude(samples, count, 48000, 75.0);
        free(samples);
    }
    assert_true(share[1] > 2.0 * share[0]);
}

TEST(nothing_that_runs_is_silence)
{
    static const int rates[] = {22050, 48000, 96000};
    for (int k = 0; k < 3; k++) {
        Sound *sound = make(rates[k]);
        SoundInput input = sound_input_default();
        input.volume = 1.0;
        int count;
        float *samples = play(sound, &input, rates[k], 0.5, &count);
        assert_true(largest(samples, count) == 0.0);
        free(samples);
        input = engine(1800, 1.0); // and silence again after everything
        input.horn = input.travel_alarm = input.warning = true;
        input.pump_pressure = 3e7;
        input.pump_flow = input.relief_flow = input.belt_speed[0] = input.belt_speed[1] = 1.0;
        input.tool_force = input.falling = 1e5;
        input.tool_speed = input.slip_speed[0] = input.swing_speed = 1.0;
        free(play(sound, &input, rates[k], 1.0, &count));
        input = sound_input_default();
        input.volume = 1.0;
        free(play(sound, &input, rates[k], 2.0, &count));
        samples = play(sound, &input, rates[k], 0.5, &count);
        assert_true(largest(samples, count) == 0.0);
        free(samples);
        sound_destroy(sound);
    }
}

TEST(the_horn_has_its_two_tones)
{
    static const int rates[] = {22050, 32000, 44100, 48000, 96000};
    for (int k = 0; k < 5; k++) {
        SoundInput input = sound_input_default();
        input.volume = 1.0;
        input.horn = true;
        int count;
        float *samples = play_settled(&input, rates[k], 1.0, &count);
        double low = strongest(samples, count, rates[k], 300.0, 380.0);
        double high = strongest(samples, count, rates[k], 385.0, 470.0);
        assert_true(fabs(low - SOUND_HORN_LOW) <= 0.5 && fabs(high - SOUND_HORN_HIGH) <= 0.5);
        assert_true(amplitude(samples, count, rates[k], low) > 0.1);
        free(samples);
    }
}

/// How often a tone begins in two seconds.
static int beeps(const SoundInput *input, double tone)
{
    Sound *sound = make(48000);
    int count, edges = 0;
    bool before = false;
    for (int piece = 0; piece < 80; piece++) {
        float *samples = play(sound, input, 48000, 0.025, &count);
        bool now = amplitude(samples, count, 48000, tone) > 0.03;
        edges += now && !before;
        before = now;
        free(samples);
    }
    sound_destroy(sound);
    return edges;
}

TEST(alarms_beep)
{
    SoundInput input = sound_input_default();
    input.volume = 1.0;
    assert_int_equal(beeps(&input, SOUND_TRAVEL_TONE), 0);
    input.travel_alarm = true;
    assert_int_equal(beeps(&input, SOUND_TRAVEL_TONE), 2); // in two seconds
    input.travel_alarm = false;
    input.warning = true;
    assert_int_equal(beeps(&input, SOUND_WARNING_TONE), 8);
}

TEST(the_pump_whines_at_nine_times_the_revolutions)
{
    SoundInput quiet = engine(1800, 0.5), busy = quiet;
    quiet.pump_pressure = 1e6;
    busy.pump_pressure = 30e6;
    busy.pump_flow = 0.8;
    int count;
    float *a = play_settled(&quiet, 48000, 1.0, &count), *b = play_settled(&busy, 48000, 1.0, &count);
    double tone = 1800.0 / 60.0 * SOUND_PUMP_PISTONS;
    // The engine's third harmonic lies on the same 270 Hz; the whine's second, 540 Hz, and third, 810 Hz, stand out.
    assert_true(amplitude(b, count, 48000, 2.0 * tone) > 2.0 * amplitude(a, count, 48000, 2.0 * tone));
    assert_true(amplitude(b, count, 48000, 3.0 * tone) > 2.0 * amplitude(a, count, 48000, 3.0 * tone));
    free(a);
    free(b);
}

/// Energy between two frequencies, by a coarse scan.
static double energy(const float *samples, int count, double least, double most)
{
    double sum = 0.0;
    for (double f = least; f < most; f += 97.0) {
        double now = amplitude(samples, count, 48000, f);
        sum += now * now;
    }
    return sum;
}

TEST(relief_hisses)
{
    SoundInput input = engine(1800, 0.9), open = input;
    open.relief_flow = 1.0;
    int count;
    float *a = play_settled(&input, 48000, 0.5, &count), *b = play_settled(&open, 48000, 0.5, &count);
    assert_true(energy(b, count, 6000.0, 9000.0) > 10.0 * energy(a, count, 6000.0, 9000.0)); // 10 dB
    free(a);
    free(b);
}

TEST(tracks_clack_faster_and_squeal_when_they_slip)
{
    SoundInput input = sound_input_default();
    input.volume = 1.0;
    input.belt_speed[0] = input.belt_speed[1] = 0.3;
    double slow = loudness_of(&input);
    input.belt_speed[0] = input.belt_speed[1] = -1.5;
    double fast = loudness_of(&input);
    assert_true(slow > 0.003 && fast > 1.5 * slow && fast < 0.3);
    int count;
    float *straight = play_settled(&input, 48000, 1.0, &count);
    input.slip_speed[0] = input.slip_speed[1] = 0.8;
    float *slipping = play_settled(&input, 48000, 1.0, &count);
    assert_true(energy(slipping, count, 820.0, 980.0) > 4.0 * energy(straight, count, 820.0, 980.0));
    free(straight);
    free(slipping);
}

TEST(digging_grows_with_force_and_speed)
{
    SoundInput input = sound_input_default();
    input.volume = 1.0;
    input.tool_force = 60e3;
    assert_true(loudness_of(&input) == 0.0); // pressing is no scraping
    input.tool_speed = 0.3;
    double slow = loudness_of(&input);
    input.tool_speed = 1.0;
    double fast = loudness_of(&input);
    input.tool_force = 10e3;
    double light = loudness_of(&input);
    assert_true(slow > 0.005 && fast > 1.3 * slow && fast > 1.3 * light && light > 0.005 && fast < 0.4);
    input.tool_force = 0.0;
    assert_true(loudness_of(&input) == 0.0);
    input.falling = 20.0;
    double little = loudness_of(&input);
    input.falling = 500.0;
    assert_true(little > 0.002 && loudness_of(&input) > 2.0 * little);
}

TEST(it_is_as_loud_at_every_rate)
{
    static const int rates[] = {22050, 44100, 48000, 96000};
    SoundInput input = engine(1600, 0.6);
    input.tool_force = 50e3;
    input.tool_speed = input.belt_speed[0] = input.belt_speed[1] = 0.8;
    double level[4];
    for (int k = 0; k < 4; k++) {
        int count;
        float *samples = play_settled(&input, rates[k], 2.0, &count);
        level[k] = loudness(samples, count);
        free(samples);
        assert_true(fabs(level[k] / level[0] - 1.0) < 0.15);
    }
}

static const SoundInput *everything(int seed)
{
    static SoundInput input;
    srand((unsigned)seed);
    double *const numbers[] = {&input.engine_speed,  &input.engine_load,   &input.pump_pressure, &input.pump_flow,
                               &input.relief_flow,   &input.swing_speed,   &input.belt_speed[0], &input.belt_speed[1],
                               &input.slip_speed[0], &input.slip_speed[1], &input.tool_force,    &input.tool_speed,
                               &input.falling,       &input.rated_speed,   &input.shoe_pitch,    &input.volume};
    static const double garbage[] = {NAN, INFINITY, -INFINITY, -1.0, 1e300, -1e300, 0.0, 1e-310, 1.0, 200.0};
    input = sound_input_default();
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
        *numbers[k] = garbage[rand() % 10];
    }
    input.cylinders = rand() % 3 == 0 ? -5 : rand() % 3 == 0 ? 100000 : 6;
    input.horn = rand() % 2 == 0;
    input.travel_alarm = rand() % 2 == 0;
    input.warning = rand() % 2 == 0;
    return &input;
}

TEST(garbage_stays_bounded)
{
    static const int rates[] = {22050, 48000, 96000};
    for (int k = 0; k < 3; k++) {
        Sound *sound = make(rates[k]);
        for (int seed = 0; seed < 200; seed++) {
            int count;
            float *samples = play(sound, everything(seed), rates[k], 0.05, &count);
            assert_true(largest(samples, count) <= 1.0);
            free(samples);
        }
        SoundInput input = engine(1800, 1.0); // and it has taken no harm
        int count;
        free(play(sound, &input, rates[k], 1.0, &count));
        float *samples = play(sound, &input, rates[k], 1.0, &count);
        assert_true(fabs(strongest(samples, count, rates[k], 20.0, 140.0) - 90.0) <= 1.0);
        free(samples);
        sound_destroy(sound);
    }
}

static SoundInput all_out(void)
{
    SoundInput input = engine(2000, 1.5);
    input.pump_pressure = 1e8;
    input.pump_flow = input.relief_flow = 1.0;
    input.swing_speed = 4.0;
    input.belt_speed[0] = input.belt_speed[1] = input.slip_speed[0] = input.slip_speed[1] = 10.0;
    input.tool_force = 1e7;
    input.tool_speed = 20.0;
    input.falling = 1e5;
    input.horn = input.travel_alarm = input.warning = true;
    return input;
}

/// All at once is bent, not cut: hardly a sample lies at the rim, and none beyond.
TEST(all_at_once_is_not_clipped)
{
    SoundInput input = all_out();
    int count, at_rim = 0;
    float *samples = play_settled(&input, 48000, 3.0, &count);
    assert_true(largest(samples, count) <= 1.0);
    for (int i = 1; i < count; i++) {
        at_rim += fabsf(samples[i]) > 0.98F;
        assert_false(fabsf(samples[i]) > 0.9F && samples[i] == samples[i - 1]);
    }
    assert_true(at_rim < count / 1000);
    free(samples);
}

/// A jump of everything makes no greater step between samples than the louder of both states makes by itself.
static void expect_no_click(const SoundInput *from, const SoundInput *to, const char *what)
{
    for (int part = 0; part < 8; part++) { // at different places of the waves
        Sound *sound = make(48000);
        int count, ignored;
        free(play(sound, from, 48000, 0.7 + 0.0131 * part, &ignored));
        float *before = play(sound, from, 48000, 0.4, &count);
        double most = largest_step(before, count), last = (double)before[count - 1];
        float *jump = play(sound, to, 48000, 0.3, &count);
        double first = fabs((double)jump[0] - last), step = fmax(first, largest_step(jump, count));
        free(play(sound, to, 48000, 0.3, &ignored));
        float *after = play(sound, to, 48000, 1.1, &ignored); // the whole beat of an alarm
        most = fmax(most, largest_step(after, ignored));
        free(before);
        free(jump);
        free(after);
        sound_destroy(sound);
        if (step > 1.35 * most + 0.002) {
            fail_msg("%s: a step of %.4f, %.4f without the jump", what, step, most);
        }
    }
}

TEST(jumps_do_not_click)
{
    SoundInput nothing = sound_input_default(), idle = engine(900, 0.05), full = engine(1800, 1.1), all = all_out();
    nothing.volume = 1.0;
    SoundInput horn = idle, muted = full, beep = idle;
    horn.horn = true;
    muted.volume = 0.0;
    beep.travel_alarm = true;
    expect_no_click(&nothing, &idle, "start");
    expect_no_click(&idle, &full, "idle to full");
    expect_no_click(&full, &nothing, "full to nothing");
    expect_no_click(&idle, &horn, "horn on");
    expect_no_click(&horn, &idle, "horn off");
    expect_no_click(&idle, &beep, "alarm on");
    expect_no_click(&beep, &idle, "alarm off");
    expect_no_click(&full, &muted, "mute");
    expect_no_click(&muted, &full, "no longer mute");
    SoundInput turned = full;
    for (int k = 0; k < SOUND_PLACE_COUNT; k++) {
        turned.bearing[k] = -PI / 2.0;
    }
    expect_no_click(&full, &turned, "the head turned at once");
    expect_no_click(&nothing, &all, "everything on");
    expect_no_click(&all, &nothing, "everything off");
}

TEST(the_same_inputs_give_the_same_samples)
{
    SoundInput input = all_out();
    Sound *whole = make(48000), *pieces = make(48000);
    int count;
    float *a = play(whole, &input, 48000, 0.5, &count), *b = calloc((size_t)count, sizeof *b);
    assert_non_null(b);
    sound_set(pieces, &input);
    for (int done = 0, piece = 1; done < count; done += piece, piece = piece * 7 % 613 + 1) {
        fill_ear(pieces, b + done, piece < count - done ? piece : count - done, 0);
    }
    assert_memory_equal(a, b, (size_t)count * sizeof *a);
    free(a);
    free(b);
    sound_destroy(whole);
    sound_destroy(pieces);
}

/// Energy in each ear of one second, settled.
static void energy_of_ears(const SoundInput *input, double ear[2])
{
    Sound *sound = make(48000);
    int count = 48000;
    float *samples = calloc((size_t)count, sizeof *samples);
    assert_non_null(samples);
    for (int k = 0; k < 2; k++) {
        sound_destroy(sound);
        sound = make(48000);
        sound_set(sound, input);
        fill_ear(sound, samples, count / 2, k);
        fill_ear(sound, samples, count, k);
        double level = loudness(samples, count);
        ear[k] = level * level;
    }
    free(samples);
    sound_destroy(sound);
}

/// A source is louder in the ear it is nearer to, alike in both before and behind, and as strong wherever it is.
TEST(sounds_come_from_where_they_are)
{
    SoundInput input = sound_input_default();
    input.volume = 0.5;
    input.tool_force = 20e3;
    input.tool_speed = 0.3;
    double middle[2], left[2], right[2], behind[2];
    energy_of_ears(&input, middle);
    input.bearing[SOUND_AT_TOOL] = PI / 2.0;
    energy_of_ears(&input, left);
    input.bearing[SOUND_AT_TOOL] = -PI / 2.0;
    energy_of_ears(&input, right);
    input.bearing[SOUND_AT_TOOL] = PI;
    energy_of_ears(&input, behind);
    assert_true(middle[0] == middle[1] && fabs(behind[0] / behind[1] - 1.0) < 1e-3);
    // By the law of equal power: tan2 of 45 degrees x (1 - 0.8) from the one ear to the other, 16 dB.
    double far = pow(tan(0.25 * PI * 0.2), 2.0);
    assert_true(fabs(left[1] / left[0] / far - 1.0) < 0.05 && fabs(right[0] / right[1] / far - 1.0) < 0.05);
    assert_true(fabs((left[0] + left[1]) / (middle[0] + middle[1]) - 1.0) < 0.02);
    input.bearing[SOUND_AT_TOOL] = NAN;
    energy_of_ears(&input, behind);
    assert_true(behind[0] == middle[0] && behind[1] == middle[1]);
}

TEST(only_usual_rates)
{
    static const int bad[] = {0, -48000, 22049, 96001, INT32_MAX};
    for (int k = 0; k < 5; k++) {
        Status status;
        assert_null(sound_create(bad[k], &status));
        assert_int_equal(status.code, STATUS_LACKING);
        assert_non_null(strstr(status.text, "22050..96000"));
    }
}

TEST_GROUP(NULL, NULL)
