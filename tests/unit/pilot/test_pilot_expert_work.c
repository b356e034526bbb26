/// What the expert's actions do to real ground: a field planed and dug with a bucket, pressed ground, a blade's push, a
/// pad. What is printed is what is measured.
// test: long, first
#include "data/schema/machine_params.h"
#include "tests/support/expert_run.h"

/// Mean, root mean square and most of what the ground is off a plane in a rectangle.
typedef struct Survey {
    double mean, rms, most; // m
    double within; // share that is off by at most 3 cm
} Survey;

static Survey survey(Session *session, const ExpertField *field, double inside, double z)
{
    Survey result = {0};
    int count = 0;
    double c = cos(field->heading), s = sin(field->heading);
    for (double along = inside; along <= field->length - inside; along += 0.1) {
        for (double aside = -0.5 * field->width + inside; aside <= 0.5 * field->width - inside; aside += 0.1) {
            double x = field->x + along * c - aside * s, y = field->y + along * s + aside * c;
            double off = soil_get_height(session_soil(session), x, y) - z;
            result.mean += off;
            result.rms += off * off;
            result.within += fabs(off) <= 0.03 ? 1.0 : 0.0;
            result.most = fmax(result.most, fabs(off));
            count++;
        }
    }
    result.mean /= count;
    result.within /= count;
    result.rms = sqrt(result.rms / count);
    return result;
}

static void grade(const char *machine, double x, double length, double width)
{
    Run run = run_begin("free", machine, MACHINE_EXCAVATOR);
    ExpertGrade grade = {.field = {x, 0.0, 0.0, length, width},
                         .z = -0.08,
                         .far_z = EXPERT_NOT_GIVEN,
                         .angle = -1.66,
                         .speed = 0.6,
                         .tolerance = 0.02,
                         .dump_x = EXPERT_NOT_GIVEN,
                         .passes = 3,
                         .limit = 600.0};
    bool in_time = run_act(&run, (ExpertAction){.kind = EXPERT_GRADE, .with.grade = grade});
    Survey found = survey(run.session, &grade.field, 0.3, grade.z);
    print_message("%s: planed in %.0f s: %.3f m off on the mean, %.3f RMS, %.3f at most, %.2f of it within 3 cm\n",
                  machine, run.time, found.mean, found.rms, found.most, found.within);
    assert_true(in_time);
    assert_true(fabs(found.mean) < 0.03);
    assert_true(found.rms < 0.05);
    run_end(&run);
}

TEST(a_field_is_planed)
{
    grade("machine.file=excavator-22t", 5.2, 2.6, 2.4);
    grade("machine.file=excavator-8t", 3.4, 1.6, 1.6);
}

/// Soil that is planed off a hand deep lies on the heap, and little of it before the field.
TEST(a_field_is_planed_and_its_soil_carried_away)
{
    Run run = run_begin("free", "machine.attachment=grading-bucket-1800", MACHINE_EXCAVATOR);
    ExpertGrade grade = {.field = {5.4, 0.0, 0.0, 2.4, 1.8},
                         .z = -0.15,
                         .far_z = EXPERT_NOT_GIVEN,
                         .angle = -1.66,
                         .speed = 0.8,
                         .tolerance = 0.02,
                         .layer = 0.2,
                         .dump_x = 0.0,
                         .dump_y = -6.5,
                         .dump_radius = 1.5,
                         .passes = 4,
                         .limit = 300.0};
    bool in_time = run_act(&run, (ExpertAction){.kind = EXPERT_GRADE, .with.grade = grade});
    for (int tick = 0; tick < 180; tick++) { // the last load comes to rest
        session_tick(run.session, &control_neutral);
    }
    Survey found = survey(run.session, &grade.field, 0.3, grade.z);
    double heap = soil_get_height(session_soil(run.session), 0.0, -6.5);
    print_message("planed and heaped in %.0f s: %.3f m off on the mean, %.3f RMS, %.2f of it within 3 cm; the heap "
                  "is %.2f m high\n",
                  run.time, found.mean, found.rms, found.within, heap);
    assert_true(in_time);
    assert_true(fabs(found.mean) < 0.03);
    assert_true(found.rms < 0.05);
    assert_true(heap > 0.15);
    run_end(&run);
}

TEST(a_pit_is_dug_and_heaped_beside)
{
    Run run = run_begin("free", "machine.file=excavator-22t", MACHINE_EXCAVATOR);
    ExpertDig dig = {.field = {4.8, 0.0, 0.0, 3.0, 1.6},
                     .floor = -0.6,
                     .dump_x = 0.0,
                     .dump_y = -6.5,
                     .dump_radius = 1.5,
                     .cycles = 4,
                     .limit = 300.0};
    bool in_time = run_act(&run, (ExpertAction){.kind = EXPERT_DIG, .with.dig = dig});
    double heap = soil_get_height(session_soil(run.session), 0.0, -6.5);
    Survey found = survey(run.session, &dig.field, 0.3, 0.0);
    print_message("4 loads in %.0f s: %.2f m deep on the mean, the heap is %.2f m high\n", run.time, -found.mean, heap);
    assert_true(in_time);
    assert_true(found.mean < -0.25);
    assert_true(heap > 0.2);
    run_end(&run);
}

TEST(pressing_ends_by_its_force)
{
    Run run = run_begin("free", "machine.file=excavator-22t", MACHINE_EXCAVATOR);
    ExpertPress press = {.x = 6.0, .y = 0.0, .angle = -1.92, .depth = 0.5, .force = 30e3, .over = 0.4, .limit = 20.0};
    run_start(&run, (ExpertAction){.kind = EXPERT_PRESS, .with.press = press});
    double most = 0.0, deepest = 1.0;
    while (!expert_is_done(run.expert)) {
        run_tick(&run);
        most = fmax(most, session_frame(run.session)->tool_wrench.force.z);
        deepest = fmin(deepest, run_readout(&run)->tip.z);
    }
    print_message("pressed with %.0f kN, down to %.2f m, up to %.2f m\n", most / 1e3, deepest,
                  run_readout(&run)->tip.z);
    assert_int_equal(expert_late(run.expert), 0);
    assert_true(most >= 30e3 && most < 90e3);
    assert_true(deepest < 0.05);
    assert_true(run_readout(&run)->tip.z > 0.2);
    run_end(&run);
}

TEST(a_hammer_splits_a_boulder)
{
    Run run = run_begin("break-boulders", "machine.file=excavator-22t", MACHINE_EXCAVATOR);
    int before = session_rocks_count(session_rocks(run.session));
    ExpertPress hammer = {.x = 6.45,
                          .y = 0.0,
                          .angle = -1.5708,
                          .depth = 0.3,
                          .force = 20e3,
                          .over = 1.5,
                          .seconds = 15.0,
                          .limit = 60.0};
    bool in_time = run_act(&run, (ExpertAction){.kind = EXPERT_HAMMER, .with.hammer = hammer});
    print_message("hammered for %.0f s: %d rocks, before %d\n", run.time,
                  session_rocks_count(session_rocks(run.session)), before);
    assert_true(in_time);
    assert_true(session_rocks_count(session_rocks(run.session)) > before);
    run_end(&run);
}

/// The only rock that is too large lies 13 m away: nobody drives there, and nothing is struck.
TEST(a_rock_out_of_reach_is_left)
{
    Run run = run_begin("break-rocks", "rocks.2.x=13", MACHINE_EXCAVATOR);
    int before = session_rocks_count(session_rocks(run.session));
    ExpertBreak all = {.size = 1.05, .angle = -1.5708, .force = 20e3, .seconds = 20.0, .limit = 60.0};
    bool in_time = run_act(&run, (ExpertAction){.kind = EXPERT_BREAK, .with.breaking = all});
    print_message("left alone after %.1f s\n", run.time);
    assert_true(in_time);
    assert_true(run.time < 1.0);
    assert_int_equal(session_rocks_count(session_rocks(run.session)), before);
    run_end(&run);
}

TEST(a_blade_pushes_along_its_line)
{
    Run run = run_begin("dozing", "machine.file=dozer-20t", MACHINE_DOZER);
    ExpertPush push = {.x = 4.0,
                       .y = 0.0,
                       .z = EXPERT_NOT_GIVEN,
                       .end_z = EXPERT_NOT_GIVEN,
                       .depth = 0.08,
                       .end_depth = EXPERT_NOT_GIVEN,
                       .speed = 0.36,
                       .limit = 60.0};
    bool in_time = run_act(&run, (ExpertAction){.kind = EXPERT_PUSH, .with.push = push});
    double cut = 0.0;
    for (int k = 0; k < 20; k++) {
        cut += soil_get_height(session_soil(run.session), -4.0 + 0.25 * k, 0.0) / 20.0;
    }
    print_message("pushed in %.0f s; the cut is %.3f m deep on the mean, 0.08 were asked\n", run.time, -cut);
    assert_true(in_time);
    assert_true(cut < -0.04 && cut > -0.14);
    run_end(&run);
}

TEST(a_pad_is_levelled)
{
    Run run = run_begin("dozing", "machine.file=dozer-20t", MACHINE_DOZER);
    ExpertLevel level = {.field = {-5.0, 0.0, 0.0, 8.0, 5.0},
                         .z = -0.1,
                         .end_z = EXPERT_NOT_GIVEN,
                         .layer = 0.15,
                         .beyond = 3.0,
                         .tolerance = 0.01,
                         .speed = 0.25,
                         .passes = 4,
                         .limit = 900.0};
    bool in_time = run_act(&run, (ExpertAction){.kind = EXPERT_LEVEL, .with.level = level});
    Survey found = survey(run.session, &level.field, 0.4, level.z);
    print_message("a pad in %.0f s: %.3f m off on the mean, %.3f RMS, %.3f at most, %.2f of it within 3 cm\n", run.time,
                  found.mean, found.rms, found.most, found.within);
    assert_true(in_time);
    assert_true(found.rms < 0.03);
    assert_true(found.within > 0.9);
    run_end(&run);
}

/// Height of undisturbed ground in a lane of the ripper, m: of the lowest of three columns across it, for of a column
/// that the shank's side crosses only a part is cut.
static double lowest_firm(Session *session, double x, double y)
{
    const Soil *soil = session_soil(session);
    double middle = soil_get_firm_height(soil, x, y), beside = soil_get_firm_height(soil, x, y + 0.1);
    return fmin(middle, fmin(beside, soil_get_firm_height(soil, x, y - 0.1)));
}

/// Topsoil of 0.25 m over clay: two lanes of the ripper, 0.3 m deep. Between the columns that the shank passes intact
/// ground stands. It is not dragged backwards: where it stops in the ground, the machine springs back by centimetres.
TEST(hard_ground_is_ripped)
{
    Run run = run_begin("dozing", "machine.file=dozer-20t", MACHINE_DOZER);
    ExpertRip rip = {.field = {-6.0, 0.0, 0.0, 4.0, 1.2}, .depth = 0.3, .spacing = 0.6, .speed = 0.3, .limit = 120.0};
    run_start(&run, (ExpertAction){.kind = EXPERT_RIP, .with.rip = rip});
    const MachineParams *machine = session_machine_params(run.session);
    double deepest = 0.0, dragged = 0.0, aside = 0.0;
    while (!expert_is_done(run.expert)) {
        run_tick(&run);
        const MachineReadout *seen = &session_frame(run.session)->machine;
        double point = dozer_ripper_height(machine, seen->angle[DOZER_JOINT_RIPPER]);
        deepest = fmin(deepest, point);
        aside = point < -0.2 ? fmax(aside, fabs(fabs(seen->base.y) - 0.3)) : aside;
        dragged += point < -0.1 ? fmax(0.0, -seen->speed_over_ground) * session_dt(run.session) : 0.0;
    }
    assert_int_equal(expert_late(run.expert), 0);
    assert_true(dragged < 0.05);
    double lane = 0.0, between = 0.0;
    for (int k = 0; k < 10; k++) {
        double x = -5.0 + 0.2 * k;
        lane -= 0.05 * (lowest_firm(run.session, x, -0.3) + lowest_firm(run.session, x, 0.3));
        between -= 0.1 * soil_get_firm_height(session_soil(run.session), x, 0.9);
    }
    print_message("ripped in %.0f s: %.3f m deep in the lanes, 0.3 were asked, the point at most %.3f; beside them "
                  "%.3f; %.3f m off the lanes at most\n",
                  session_frame(run.session)->time, lane, -deepest, between, aside);
    assert_near(lane, 0.3, 0.06);
    assert_true(between < 0.05);
    run_end(&run);
}

/// A bulldozer that backs over ridges with its blade in float smooths them: the blade rests on the ground with its
/// weight and takes their tops into the hollows.
TEST(a_floating_blade_smooths_ridges)
{
    Run run = run_begin(SPADEWORK_TEST_DIR "/support/ridges.yaml", "machine.file=dozer-20t", MACHINE_DOZER);
    const ExpertField field = {-4.0, 0.0, 0.0, 8.0, 2.8};
    Survey before = survey(run.session, &field, 0.0, 0.0);
    ExpertTravel back = {.x = -8.0, .reverse = true, .floats = true, .speed = 0.25, .tolerance = 0.5, .limit = 60.0};
    bool in_time = run_act(&run, (ExpertAction){.kind = EXPERT_TRAVEL, .with.travel = back});
    Survey after = survey(run.session, &field, 0.0, 0.0);
    print_message("ridges: %.3f m RMS and %.3f at most; after %.0f s of backing in float %.3f and %.3f\n", before.rms,
                  before.most, run.time, after.rms, after.most);
    assert_true(in_time);
    assert_true(after.rms < 0.8 * before.rms && after.most < 0.75 * before.most);
    run_end(&run);
}

TEST_GROUP(NULL, NULL)
