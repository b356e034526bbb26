/// Experiment `dozing`: what a bulldozer delivers over an edge in one push, on open ground, in a slot and on a grade.
///
/// The cycle is fixed: the edge goes down to a depth, cuts over a length, comes up to the height of the ground, carries
/// what is before it to the edge of a pit, and the machine backs up to where it began. First gear while it cuts, second
/// while it carries and backs up; while the tracks slip the blade goes up, as operators do. All soil that lies beyond
/// the pit's edge when the machine is back is delivered. Volumes are those of loose soil.
///
/// A slot is made by earlier passes (`earlier`), which cut the way between the cut and the pit, each as deep again, and
/// leave walls and, beside them, berms of what they lost. A grade is a bank that falls evenly along the lane.
#include <math.h>
#include <stdio.h>

#include "tests/validation/harness/experiments.h"
#include "tests/validation/rigs/machine/proving.h"
#include "trainer/sim/sim.h"

#define SITE        SPADEWORK_TEST_DIR "/validation/machine/dozing_site.yaml"
#define MACHINE     "dozer-20t"
#define EDGE        10.0 ///< m: x of the pit's edge
#define EDGE_HEIGHT 0.5 ///< m: z of the lane there
#define PIT_DEPTH   2.0 ///< m below the edge, with sides of 45 degrees
#define PIT_LENGTH  8.0 ///< m, of its floor
#define BEHIND      15.0 ///< m of lane behind the cut
#define LEVEL_END   30.0 ///< deg: of the bank's end, when its crest is the lane
#define ROOM        1.0 ///< m before the cut where the edge comes down
#define RAMP        0.12 ///< m a metre by which the edge goes down and up
#define SKIM        0.02 ///< m over the ground at which it carries
#define LIFTED      0.5 ///< m over the tracks' plane, on the way back
#define STANDING    0.05 ///< m/s
#define TOO_LONG    240.0 ///< s of a pass

// How the levers are moved.
#define BLADE_GAIN 10.0 ///< lever for a metre that the edge is off
#define BLADE_LEAD 0.2 ///< s that is looked ahead
#define RATE_TIME  0.1 ///< s over which the rate is a mean
#define STEER_GAIN 4.0 ///< share of the inner track's speed that is taken off for a radian
#define AIM_AHEAD  5.0 ///< m on which an offset from the lane is taken out
#define SLIP_HIGH  0.30 ///< the blade goes up
#define SLIP_LOW   0.12 ///< it goes down again
#define RAISE_RATE 0.15 ///< m/s
#define LOWER_RATE 0.10 ///< m/s
#define RAISE_MOST 0.5 ///< m

static const ExperimentOption options[] = {
    {"soil", 0, 0, 0, "", "the ground; one whose cuts stand at 45 degrees", "loam|topsoil|clay|wet-clay"},
    {"slot", 0, 0, 0, "", "on fresh ground, or through what earlier passes have cut", "open|slot"},
    {"earlier", 3, 1, 8, "", "passes that have cut the slot", NULL},
    {"lanes", 2, 1, 8, "", "whose mean is taken, at different places within a column (quick: 1)", NULL},
    {"push", 30, 15, 45, "m", "from where the cut begins to the edge of the pit", NULL},
    {"cut", 15, 3, 30, "m", "over which the edge is down; at most push less 5", NULL},
    {"depth", 0.12, 0.03, 0.3, "m", "of each cut", NULL},
    {"grade", 0, -30, 0, "%", "of the lane, downhill negative", NULL},
    {"radius", 0.075, 0.05, 0.1, "m", "of the particles (quick: 0.1)", NULL},
    {NULL, 0, 0, 0, NULL, NULL, NULL},
};

/// What all passes of a run share.
typedef struct Cycle {
    double push, cut, depth; ///< m
    double grade; ///< m a metre, downhill negative
    double work, carry, back; ///< levers, 0..1: first gear, second, second back
    double reach; ///< m that the edge is ahead of the machine's middle
    double band; ///< dead band of the levers
} Cycle;

/// The way of one pass.
typedef struct Way {
    double begin; ///< m: x where the edge goes down
    double cut_end; ///< m: x where it comes up
    double depth; ///< m below the lane as it was
    double slot_begin, slot_depth; ///< m: x where the slot goes down, its floor; 0: none
    double y; ///< m: of the lane
} Way;

typedef struct Driver {
    double off, rate; ///< m, m/s: that the edge is too low
    double raise; ///< m: for the slip
} Driver;

/// What a pass came to.
typedef struct Pass {
    double delivered; ///< m3
    double time; ///< s
    double before_blade; ///< m3: the most
    double cut_depth; ///< m: mean below the lane between the ramps
    double slipping; ///< s
} Pass;

static double lane_height(const Cycle *cycle, double x)
{
    return EDGE_HEIGHT + cycle->grade * (x - EDGE);
}

/// World height of the edge at x.
static double edge_line(const Cycle *cycle, const Way *way, double x)
{
    double down = fmax(-way->depth, -RAMP * fmax(0.0, x - way->begin) + (x < way->begin ? SKIM : 0.0));
    double floor = SKIM - fmin(way->slot_depth, RAMP * fmax(0.0, x - way->slot_begin));
    double up = fmin(floor, -way->depth + RAMP * (x - way->cut_end));
    return lane_height(cycle, x) + (x < way->cut_end ? down : up);
}

static void drive(const Way *way, const MachineReadout *machine, double lever, OperatorControls *controls)
{
    double side = lever < 0.0 ? -1.0 : 1.0, wanted = -side * atan((machine->base.y - way->y) / AIM_AHEAD);
    double steer = fmax(-1.0, fmin(STEER_GAIN * (wanted - machine->yaw), 1.0)) * side;
    // The inner track alone is slowed down: a faster outer one would shift up and lose force.
    controls->axis[CONTROL_LEFT_TRACK] = control_quantise(lever * (1.0 - fmax(steer, 0.0)));
    controls->axis[CONTROL_RIGHT_TRACK] = control_quantise(lever * (1.0 + fmin(steer, 0.0)));
}

/// Moves the blade's lever; `off`: m that the edge is too low.
static void move_blade(const Cycle *cycle, Driver *driver, double off, double dt, OperatorControls *controls)
{
    driver->rate += dt / (RATE_TIME + dt) * ((off - driver->off) / dt - driver->rate);
    driver->off = off;
    double share = fmax(-1.0, fmin(BLADE_GAIN * (off + BLADE_LEAD * driver->rate), 1.0));
    controls->axis[CONTROL_BLADE] = control_quantise(share + copysign(cycle->band, share));
}

/// Levers on the way to the pit.
static OperatorControls push_ahead(const Cycle *cycle, const Way *way, const MachineReadout *machine, Driver *driver,
                                   double dt)
{
    OperatorControls controls = control_neutral;
    double slip = fmax(machine->slip[0], machine->slip[1]), x = machine->tip.x;
    double rate = slip > SLIP_HIGH ? RAISE_RATE : slip < SLIP_LOW ? -LOWER_RATE : 0.0;
    driver->raise = fmax(0.0, fmin(driver->raise + rate * dt, RAISE_MOST));
    bool carries = x > way->cut_end;
    drive(way, machine, carries ? cycle->carry : cycle->work, &controls);
    move_blade(cycle, driver, edge_line(cycle, way, x) + driver->raise - machine->tip.z, dt, &controls);
    return controls;
}

/// m3 of soil that lies beyond the pit's edge.
static double beyond_edge(Session *session)
{
    SoilPlace place = {.x = EDGE + 10.0, .length = 20.0, .width = 22.0};
    SoilGainQuery query = {.places = &place, .count = 1, .inside = true, .grains = SOIL_GRAINS_LOOSE};
    return soil_get_gain(session_soil(session), &query).bank_volume * (1.0 + session_scene(session)->soils[0].swell);
}

static void watch(const Cycle *cycle, const Way *way, const Session *session, double way_done, Pass *pass)
{
    const SoilParams *soil = &session_scene(session)->soils[0];
    const SessionFrame *frame = session_frame(session);
    double x = frame->machine.tip.x, ramp = way->depth / RAMP;
    pass->before_blade = fmax(pass->before_blade, frame->payload * (1.0 + soil->swell) / soil->bank_density);
    pass->slipping += frame->machine.limit == MACHINE_LIMIT_SLIP ? session_dt(session) : 0.0;
    if (x > way->begin + ramp && x < way->cut_end) {
        double length = way->cut_end - way->begin - ramp;
        pass->cut_depth += (lane_height(cycle, x) - frame->machine.tip.z) * way_done / length;
    }
}

/// A pass along a way, back to where the edge is ROOM before x = `next`. False with run_fail.
static bool drive_pass(Run *run, Session *session, const Cycle *cycle, const Way *way, double next, Pass *pass)
{
    double dt = session_dt(session), before = beyond_edge(session), base = next - ROOM - cycle->reach;
    const MachineReadout *machine = &session_frame(session)->machine;
    Driver driver = {.off = edge_line(cycle, way, machine->tip.x) - machine->tip.z};
    bool returns = false, stops = false;
    *pass = (Pass){.time = 0.0};
    while (!(stops && fabs(machine->speed_over_ground) < STANDING)) {
        OperatorControls controls = control_neutral;
        double x = machine->tip.x;
        returns = returns || x > EDGE;
        stops = stops || (returns && machine->base.x < base);
        if (!returns) {
            controls = push_ahead(cycle, way, machine, &driver, dt);
        } else {
            move_blade(cycle, &driver, LIFTED - machine->tip_height, dt, &controls);
            drive(way, machine, stops ? 0.0 : -cycle->back, &controls);
        }
        session_tick(session, &controls);
        machine = &session_frame(session)->machine;
        if (!returns) {
            watch(cycle, way, session, machine->tip.x - x, pass);
        }
        pass->time += dt;
        if (pass->time > TOO_LONG) {
            return run_fail(run, "a pass is not done after %g s", TOO_LONG), false;
        }
    }
    pass->delivered = beyond_edge(session) - before;
    return true;
}

static Session *open_site(Run *run, const Cycle *cycle, double start, double y)
{
    enum { SETTINGS = 10, LENGTH = 320 };
    char text[SETTINGS][LENGTH];
    const char *set[SETTINGS];
    double behind = EDGE - cycle->push - BEHIND, beyond = EDGE + 2.0 * PIT_DEPTH + PIT_LENGTH;
    // The lane is the bank's crest, or its end when it falls: its crest is an edge then.
    bool level = cycle->grade == 0.0;
    double slope = level ? LEVEL_END : atan(-cycle->grade) / PROVING_DEGREE;
    const char *soil = option_word(run, "soil");
    snprintf(text[0], LENGTH, "ground.layers.0.soil=%s", soil);
    snprintf(text[1], LENGTH, "ground.earthworks.0.soil=%s", soil);
    snprintf(text[2], LENGTH, "ground.column_spacing=%.9g", 2.0 * option_number(run, "radius"));
    snprintf(text[3], LENGTH, "machine.x=%.9g", start);
    snprintf(text[4], LENGTH, "machine.y=%.9g", y);
    snprintf(text[5], LENGTH, "ground.earthworks.0.x=%.9g", level ? 0.5 * (behind + beyond) : behind);
    snprintf(text[6], LENGTH, "ground.earthworks.0.length=%.9g", level ? beyond - behind : 0.0);
    snprintf(text[7], LENGTH, "ground.earthworks.0.height=%.9g", level ? EDGE_HEIGHT : lane_height(cycle, behind));
    snprintf(text[8], LENGTH, "ground.earthworks.0.end_slope_deg=%.9g", slope);
    snprintf(text[9], LENGTH, "ground.earthworks.1.x=%.9g", EDGE + PIT_DEPTH + 0.5 * PIT_LENGTH);
    for (int k = 0; k < SETTINGS; k++) {
        set[k] = text[k];
    }
    Status status;
    SessionParams wanted = {.scene = SITE,
                            .set = set,
                            .set_count = SETTINGS,
                            .threads = run_threads(run),
                            .has_seed = true,
                            .seed = run_seed(run)};
    Session *session = session_create(&wanted, &status);
    if (session == NULL) {
        run_fail(run, "%s", status.text);
    }
    return session;
}

/// Drives the earlier passes, if any, and the one that is measured.
static bool drive_lane(Run *run, const Cycle *cycle, int earlier, double y, Pass *pass)
{
    double begin = EDGE - cycle->push, cut_end = begin + cycle->cut, first = earlier > 0 ? cut_end : begin;
    Session *session = open_site(run, cycle, first - ROOM - cycle->reach, y);
    bool good = session != NULL;
    for (int k = 1; k <= earlier && good; k++) {
        Way way = {.begin = cut_end, .cut_end = EDGE + 1.0, .depth = k * cycle->depth, .y = y};
        good = drive_pass(run, session, cycle, &way, k < earlier ? cut_end : begin, pass);
    }
    Way way = {.begin = begin, .cut_end = cut_end, .depth = cycle->depth, .y = y};
    way.slot_begin = cut_end;
    way.slot_depth = earlier * cycle->depth;
    good = good && drive_pass(run, session, cycle, &way, begin, pass);
    session_destroy(session);
    return good;
}

static bool drive_lanes(Run *run, const Cycle *cycle, int earlier, int lanes)
{
    Pass mean = {.time = 0.0};
    double least = HUGE_VAL, most = 0.0, column = 2.0 * option_number(run, "radius");
    for (int k = 0; k < lanes; k++) {
        Pass pass;
        if (!drive_lane(run, cycle, earlier, column * (run_random(run) - 0.5), &pass)) {
            return false;
        }
        mean.delivered += pass.delivered / lanes;
        mean.time += pass.time / lanes;
        mean.before_blade += pass.before_blade / lanes;
        mean.cut_depth += pass.cut_depth / lanes;
        mean.slipping += pass.slipping / lanes;
        least = fmin(least, pass.delivered);
        most = fmax(most, pass.delivered);
        run_progress(run, (k + 1.0) / lanes);
    }
    run_note(run, "delivered in a push", "m3", mean.delivered);
    run_note(run, "largest difference between lanes", "m3", most - least);
    run_note(run, "time of a cycle", "s", mean.time);
    run_note(run, "production", "m3/h", 3600.0 * mean.delivered / mean.time);
    run_note(run, "most before the blade", "m3", mean.before_blade);
    run_note(run, "mean depth of the cut", "m", mean.cut_depth);
    run_note(run, "the tracks slip for", "s", mean.slipping);
    return true;
}

static bool run_dozing(Run *run)
{
    MachineParams params;
    int earlier, lanes;
    option_quick(run, "lanes", 1.0);
    option_quick(run, "radius", 0.1);
    Cycle cycle = {.push = option_number(run, "push"),
                   .cut = option_number(run, "cut"),
                   .depth = option_number(run, "depth"),
                   .grade = 0.01 * option_number(run, "grade")};
    if (!option_whole(run, "earlier", &earlier) || !option_whole(run, "lanes", &lanes) ||
        !proving_load_machine(run, MACHINE, &params)) {
        return false;
    }
    if (cycle.cut > cycle.push - 5.0) {
        return run_fail(run, "cut: read %g, allowed at most %g, push less 5", cycle.cut, cycle.push - 5.0), false;
    }
    cycle.work = proving_gear_lever(&params, 1);
    cycle.carry = proving_gear_lever(&params, 2);
    cycle.back = proving_gear_lever(&params, -2);
    cycle.band = params.hydraulics.dead_band;
    cycle.reach = params.joint[DOZER_JOINT_LIFT].origin.x + params.joint[DOZER_JOINT_ANGLE].origin.x +
                  params.tool[0].shape.edge[0];
    return drive_lanes(run, &cycle, option_word(run, "slot")[0] == 's' ? earlier : 0, lanes);
}

const Experiment experiment_dozing = {
    .name = "dozing",
    .title = "what a bulldozer pushes over an edge, on open ground, in a slot, on a grade",
    .law = "nothing; `measured` compares it with a handbook's correction factors",
    .options = options,
    .run = run_dozing,
    .paper_only = true,
};
