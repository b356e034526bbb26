/// The expert's actions on real ground: the edge to points and along lines, the tracks to places, the blade to heights.
/// What is printed is what is measured; bounds are what an exercise asks for.
#include "data/core/random.h"
#include "data/schema/machine_params.h"
#include "tests/support/expert_run.h"

static double between(uint64_t stream, uint64_t index, double low, double high)
{
    return low + (high - low) * random_unit(18, stream, index);
}

/// The edge goes to random points around the machine, one after the other.
static void reach_points(const char *machine, double near, double far)
{
    Run run = run_begin("free", machine, MACHINE_EXCAVATOR);
    double worst = 0.0, longest = 0.0;
    for (uint64_t k = 0; k < 6; k++) {
        double direction = between(k, 0, -3.1, 3.1), distance = between(k, 1, near, far);
        Vec3 base = run_readout(&run)->base;
        ExpertTip tip = {.to = {base.x + distance * cos(direction), base.y + distance * sin(direction),
                                between(k, 2, 0.3, 2.5), EXPERT_NOT_GIVEN},
                         .angle = EXPERT_NOT_GIVEN,
                         .over = 0.5,
                         .speed = 2.5,
                         .tolerance = 0.05,
                         .hold = 0.5,
                         .limit = 30.0};
        bool in_time = run_act(&run, (ExpertAction){.kind = EXPERT_TIP, .with.tip = tip});
        Vec3 off = vec3_sub(run_readout(&run)->tip, vec3(tip.to.x, tip.to.y, tip.to.z));
        print_message("%s: point %d at %.1f m, %4.0f deg, %.1f m high: %.1f s, %.3f m off\n", machine, (int)k, distance,
                      direction * 57.3, tip.to.z, run.time, vec3_length(off));
        worst = fmax(worst, vec3_length(off));
        longest = fmax(longest, run.time);
        assert_true(in_time);
    }
    assert_true(worst < 0.05);
    assert_true(longest < 20.0);
    run_end(&run);
}

TEST(tip_reaches_points_of_a_large_excavator)
{
    reach_points("machine.file=excavator-22t", 4.5, 8.5);
}

TEST(tip_reaches_points_of_a_small_excavator)
{
    reach_points("machine.file=excavator-8t", 3.0, 5.8);
}

/// The edge is drawn over the ground at a height; what it is off the line's height, once it is on it.
static void draw_line(const char *machine, double from, double to, double height, double allowed)
{
    Run run = run_begin("free", machine, MACHINE_EXCAVATOR);
    Vec3 base = run_readout(&run)->base;
    ExpertLine line = {.from = {base.x + from, base.y, base.z + height, EXPERT_NOT_GIVEN},
                       .to = {base.x + to, base.y, base.z + height, EXPERT_NOT_GIVEN},
                       .angle = -1.6,
                       .end_angle = EXPERT_NOT_GIVEN,
                       .approach = 0.4,
                       .speed = 0.5,
                       .tolerance = 0.04,
                       .limit = 60.0};
    run_start(&run, (ExpertAction){.kind = EXPERT_LINE, .with.line = line});
    double worst = 0.0, sum = 0.0;
    int count = 0;
    bool drawn = false;
    while (!expert_is_done(run.expert)) {
        run_tick(&run);
        double out = run_readout(&run)->tip.x - base.x, off = fabs(run_readout(&run)->tip.z - line.to.z);
        drawn = drawn || (off < 0.03 && out > from - 0.2);
        if (drawn && out < from - 0.2 && out > to + 0.05) {
            worst = fmax(worst, off);
            sum += off;
            count++;
        }
    }
    assert_true(count > 60);
    print_message("%s: line %.2f m deep from %.1f to %.1f m: %.1f s, %.3f m off at most, %.3f m mean\n", machine,
                  -height, from, to, session_frame(run.session)->time, worst, sum / fmax(count, 1));
    assert_int_equal(expert_late(run.expert), 0);
    assert_true(worst < allowed);
    run_end(&run);
}

TEST(line_in_the_air_is_straight)
{
    draw_line("machine.file=excavator-22t", 8.0, 5.0, 0.5, 0.03);
    draw_line("machine.file=excavator-8t", 5.4, 3.2, 0.5, 0.03);
}

TEST(line_through_soil_is_straight)
{
    draw_line("machine.file=excavator-22t", 8.0, 5.0, -0.08, 0.06);
    draw_line("machine.file=excavator-8t", 5.4, 3.2, -0.05, 0.06);
}

/// The machine drives to a place beside and behind it, and turns to a heading.
static void drive(const char *scene, const char *machine, MachineType type)
{
    Run run = run_begin(scene, machine, type);
    Vec3 base = run_readout(&run)->base;
    if (type == MACHINE_DOZER) {
        assert_true(run_act(
            &run, (ExpertAction){.kind = EXPERT_BLADE,
                                 .with.blade = {0.5, EXPERT_NOT_GIVEN, EXPERT_NOT_GIVEN, EXPERT_NOT_GIVEN, 6.0}}));
        assert_true(fabs(run_readout(&run)->tip_height - 0.5) < 0.05);
    } else {
        ExpertTip up = {.to = {base.x + 3.2, base.y, 2.0, EXPERT_NOT_GIVEN},
                        .angle = EXPERT_NOT_GIVEN,
                        .over = EXPERT_NOT_GIVEN,
                        .speed = 1.5,
                        .tolerance = 0.1,
                        .limit = 20.0};
        run_act(&run, (ExpertAction){.kind = EXPERT_TIP, .with.tip = up});
    }
    static const struct {
        double x, y;
        bool reverse;
    } places[] = {{4.0, 2.5, false}, {-1.0, 2.0, true}};
    for (int k = 0; k < 2; k++) {
        ExpertTravel travel = {base.x + places[k].x, base.y + places[k].y, places[k].reverse, false, 0.7, 0.3, 60.0};
        bool in_time = run_act(&run, (ExpertAction){.kind = EXPERT_TRAVEL, .with.travel = travel});
        double off = hypot(run_readout(&run)->base.x - travel.x, run_readout(&run)->base.y - travel.y);
        print_message("%s: travel %d: %.1f s, %.2f m off\n", machine, k, run.time, off);
        assert_true(in_time && off < 0.3);
    }
    ExpertTurn turn = {-1.2, 1.0, 0.035, 40.0};
    bool in_time = run_act(&run, (ExpertAction){.kind = EXPERT_TURN, .with.turn = turn});
    double off = remainder(run_readout(&run)->yaw - turn.heading, 2.0 * M_PI);
    print_message("%s: turn: %.1f s, %.3f rad off\n", machine, run.time, off);
    assert_true(in_time && fabs(off) < 0.035);
    run_end(&run);
}

TEST(tracks_arrive)
{
    drive("free", "machine.file=excavator-22t", MACHINE_EXCAVATOR);
    drive("free", "machine.file=excavator-8t", MACHINE_EXCAVATOR);
    drive("dozing", "machine.file=dozer-20t", MACHINE_DOZER);
}

TEST_GROUP(NULL, NULL)
