/// Experiment `dozer`: the shipped bulldozer against its specification, and its blade in soil.
///
/// - Speeds: levers ask for each gear's own speed on firm level ground (`traction --set machine=dozer-20t` measures the
/// pull).
/// - Work ranges: each lever is held to its end both ways; heights are of the edge over the plane the tracks stand on.
/// - Blade volume: SAE J1265 rates a straight blade at V = 0.8 W H^2. A blade on a prescribed way cuts a slot until its
/// heap is full;
///   what it carries is the mass of the soil that moves with it, over the soil's loose density.
/// - Deep in clay: the real machine with its blade lowered drives on until it stops. The draft D grows until the tracks
/// slip, at what the soil bears under them (Bekker 1956), less their own resistance. Along and square to the slope that
/// it has dug itself into, a the nose's inclination and W the weight with what presses on the blade:
///     D cos(a) = A c + N (tan(phi) - f) + W sin(a),   N = W cos(a) + D sin(a).
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/schema/machine_params.h"
#include "tests/validation/harness/experiments.h"
#include "tests/validation/rigs/machine/proving.h"
#include "tests/validation/rigs/soil/site.h"
#include "trainer/sim/sim.h"

#define MACHINE    "dozer-20t"
#define GEAR_TIME  9.0 ///< s until a speed is steady, with two shifts
#define RANGE_TIME 10.0 ///< s in which every cylinder reaches its end

static const ExperimentOption options[] = {
    {"part", 0, 0, 0, "", "what is measured", "all|machine|volume|clay"},
    {"soil", 0, 0, 0, "", "of the blade's volume", "loam|sand|gravel|topsoil|clay|wet-clay|hard-clay|" OTHER_SOIL},
    {"depth", 0.15, 0.05, 0.3, "m", "of the slot, for the blade's volume", NULL},
    {"length", 12.0, 4.0, 14.0, "m", "of the slot", NULL},
    {"radius", 0.05, 0.05, 0.1, "m", "of the particles", NULL},
    {"lower", 0.8, 0.3, 2.0, "s", "that the blade is lowered before it drives into the clay", NULL},
    {NULL, 0, 0, 0, NULL, NULL, NULL},
};

/// ---- machine alone -------------------------------------------------------------------------------------------------

static bool measure_gear(Run *run, const MachineParams *params, int gear)
{
    const MachinePowertrain *train = &params->powertrain;
    const double *speeds = gear < 0 ? train->reverse : train->forward;
    int number = gear < 0 ? -gear : gear;
    Proving proving;
    if (!proving_create(run, params, &proving)) {
        return false;
    }
    double lever = copysign(proving_gear_lever(params, gear), gear);
    proving_lever(&proving, CONTROL_LEFT_TRACK, lever);
    proving_lever(&proving, CONTROL_RIGHT_TRACK, lever);
    proving_run(&proving, GEAR_TIME);
    MachineReadout readout = proving_readout(&proving);
    proving_destroy(&proving);
    char text[64];
    snprintf(text, sizeof text, "speed, %s %d", gear < 0 ? "reverse" : "forward", number);
    run_result(run, text, "km/h", 3.6 * fabs(readout.speed_over_ground), 3.6 * speeds[number - 1],
               0.03 * 3.6 * speeds[number - 1]);
    if (readout.gear != gear) {
        run_fail(run, "%s: gear %d is in", text, readout.gear);
        return false;
    }
    return true;
}

/// Holds a lever for RANGE_TIME; returns the time until the joint stands still.
static double hold_lever(Proving *proving, ControlAxis axis, int joint, double value)
{
    const double still = 0.005; // rad/s
    double last = 0.0;
    proving_lever(proving, axis, value);
    for (int k = 0; k < (int)(RANGE_TIME / PROVING_STEP); k++) {
        proving_step(proving);
        last = fabs(proving_readout(proving).speed[joint]) > still ? (k + 1) * PROVING_STEP : last;
    }
    proving_lever(proving, axis, 0.0);
    return last;
}

static double corner_height(const Proving *proving, double side)
{
    const ToolShape *tool = &proving->params.tool[0].shape;
    Vec3 corner = vec3(tool->edge[0], 0.5 * side * tool->edge_width, tool->edge[1]);
    return proving_point(proving, DOZER_BLADE, corner).z;
}

static double ripper_depth(const Proving *proving)
{
    const double *tip = proving->params.tool[DOZER_TOOL_RIPPER].shape.edge;
    Pose base;
    machine_get_body_frame(proving->machine, &proving->state, DOZER_CHASSIS, &base);
    Vec3 point = proving_point(proving, DOZER_RIPPER, vec3(tip[0], 0.0, tip[1]));
    return -pose_apply_inverse(&base, point).z;
}

/// Angles the blade as far as it goes to a side (-1 left, 1 right); returns its angle, deg.
static double angle_blade(Proving *proving, int side)
{
    hold_lever(proving, CONTROL_BLADE_ANGLE, DOZER_JOINT_ANGLE, side);
    return proving_readout(proving).angle[DOZER_JOINT_ANGLE] / PROVING_DEGREE;
}

/// Lowers the blade until its edge is at the ground, where its range of angles is published for: raised all the way it
/// meets the hood.
static void lower_to_ground(Proving *proving)
{
    proving_lever(proving, CONTROL_BLADE_ANGLE, 0.0);
    proving_lever(proving, CONTROL_BLADE, -1.0);
    for (int k = 0; k < (int)(RANGE_TIME / PROVING_STEP) && proving_readout(proving).tip_height > 0.0; k++) {
        proving_step(proving);
    }
    proving_lever(proving, CONTROL_BLADE, 0.0);
}

static bool measure_ranges(Run *run, const MachineParams *params)
{
    Proving proving;
    if (!proving_create(run, params, &proving)) {
        return false;
    }
    for (int side = -1; side <= 1; side += 2) {
        hold_lever(&proving, CONTROL_BLADE_TILT, DOZER_JOINT_TILT, side);
        double fall = side * (corner_height(&proving, 1.0) - corner_height(&proving, -1.0));
        run_result(run, side < 0 ? "tilt to the left" : "tilt to the right", "m", fall, 0.74, 0.02 * 0.74);
    }
    proving_destroy(&proving);
    if (!proving_create(run, params, &proving)) {
        return false;
    }
    hold_lever(&proving, CONTROL_BLADE, DOZER_JOINT_LIFT, -1.0);
    run_result(run, "dig: edge below the ground", "m", -proving_readout(&proving).tip_height, 0.47, 0.02 * 0.47);
    double up = hold_lever(&proving, CONTROL_BLADE, DOZER_JOINT_LIFT, 1.0);
    run_result(run, "lift: edge above the ground", "m", proving_readout(&proving).tip_height, 1.1, 0.02 * 1.1);
    double down = hold_lever(&proving, CONTROL_BLADE, DOZER_JOINT_LIFT, -1.0);
    hold_lever(&proving, CONTROL_BLADE, DOZER_JOINT_LIFT, 1.0);
    run_note(run, "angle to the left, blade raised all the way", "deg", -angle_blade(&proving, -1));
    run_note(run, "angle to the right, blade raised all the way", "deg", angle_blade(&proving, 1));
    lower_to_ground(&proving);
    run_result(run, "angle to the left", "deg", -angle_blade(&proving, -1), 25.0, 0.5);
    run_result(run, "angle to the right", "deg", angle_blade(&proving, 1), 25.0, 0.5);
    hold_lever(&proving, CONTROL_RIPPER, DOZER_JOINT_RIPPER, 1.0);
    run_note(run, "ripper's point below the ground", "m", ripper_depth(&proving));
    run_note(run, "time of lifting, from the lowest to the highest", "s", up);
    run_note(run, "time of lowering", "s", down);
    proving_destroy(&proving);
    return true;
}

static bool measure_machine(Run *run, const MachineParams *params)
{
    run_result(run, "mass", "kg", proving_mass(params), 20500.0, 1.0);
    for (int gear = 1; gear <= MACHINE_GEARS; gear++) {
        if (!measure_gear(run, params, gear) || !measure_gear(run, params, -gear)) {
            return false;
        }
    }
    return measure_ranges(run, params);
}

/// ---- volume --------------------------------------------------------------------------------------------------------

static double blade_height(const ToolShape *tool)
{
    double top = tool->edge[1];
    for (int i = 0; i < tool->piece_count; i++) {
        for (int k = 0; k < tool->pieces[i].corner_count; k++) {
            top = fmax(top, tool->pieces[i].corners[k][1]);
        }
    }
    return top - tool->edge[1];
}

static bool measure_volume(Run *run, const MachineParams *params)
{
    const ToolShape *tool = &params->tool[0].shape;
    double height = blade_height(tool), width = tool->edge_width, rated = 0.8 * width * height * height;
    double depth = option_number(run, "depth"), length = option_number(run, "length");
    SoilParams soil;
    if (!run_load_soil(run, option_word(run, "soil"), &soil)) {
        return false;
    }
    run_result(run, "blade's width", "m", width, 3.26, 0.01);
    run_result(run, "blade's height", "m", height, 1.41, 0.01);
    SiteForm form = {.size_x = length + 9.0, .size_y = 12.0, .depth = 1.0, .budget = 40000};
    form.radius = option_number(run, "radius");
    SceneParams scene = site_scene(run, &soil, &form);
    Soil *ground = run_create_soil(run, &scene);
    if (ground == NULL) {
        return false;
    }
    SoilTool blade = {.shape = tool, .cuts = true, .steel_friction = 1.0};
    SiteWay way = {.even = true};
    double start = -0.5 * length - 1.5;
    site_go_edge(&way, 0.0, tool, vec3(start - 0.6, 0.0, 0.1), 0.0, 0.0);
    site_go_edge(&way, 1.0, tool, vec3(start, 0.0, -depth), 0.0, 0.0);
    site_go_edge(&way, length, tool, vec3(start + length, 0.0, -depth), 0.0, 0.0);
    int plot = run_plot(run, "A blade is filled", "way, m", "m3, loose");
    double most = 0.0, loose = soil.bank_density / (1.0 + soil.swell);
    int ticks = (int)(60.0 * site_way_end(&way)), peak = 0;
    for (int tick = 0; tick < ticks; tick++) {
        site_tick(ground, &scene, &blade, &way, 1, tick / 60.0, NULL);
        double volume = soil_get_payload(ground, &blade, NULL) / loose;
        int particles = soil_get_counters(ground).particles;
        most = fmax(most, volume);
        peak = particles > peak ? particles : peak;
        run_point(run, plot, "before the blade", tick / 60.0 - 1.0, volume);
        run_progress(run, (double)tick / ticks);
    }
    run_point(run, plot, "law 0.8 W H^2", 0.0, rated);
    run_point(run, plot, "law 0.8 W H^2", length, rated);
    run_result(run, "volume before the blade against 0.8 W H^2", "m3", most, rated, 0.15 * rated);
    run_result(run, "volume before the blade against 5.6 m3", "m3", most, 5.6, 0.15 * 5.6);
    run_note(run, "most particles at once", "", peak);
    soil_destroy(ground);
    return true;
}

/// ---- deep in clay --------------------------------------------------------------------------------------------------

enum { MEAN_TICKS = 60 };

/// What is watched while it drives on.
typedef struct Push {
    double draft[MEAN_TICKS], down[MEAN_TICKS]; ///< N, of the last second
    int ticks;
    double most_draft, down_then; ///< N: largest mean over a second, and what pressed on the blade in it
    double nose_down_then; ///< rad: at its end
    double first_draft; ///< N: mean over the first second of driving
    double slip_time; ///< s until the tracks slip for half a second; below 0: never
    double slipping; ///< s that they have slipped without a pause
    double entry_height, lowest; ///< m: of the edge when it starts to drive, and least
} Push;

/// `clock`: s since it began to drive.
static void watch_push(Push *push, const SessionFrame *frame, double clock, double dt)
{
    int slot = push->ticks++ % MEAN_TICKS;
    push->draft[slot] = -frame->tool_wrench.force.x;
    push->down[slot] = -frame->tool_wrench.force.z;
    double draft = 0.0, down = 0.0;
    for (int k = 0; k < MEAN_TICKS; k++) {
        draft += push->draft[k] / MEAN_TICKS;
        down += push->down[k] / MEAN_TICKS;
    }
    if (push->ticks == MEAN_TICKS) {
        push->first_draft = draft;
    }
    if (draft > push->most_draft) {
        push->most_draft = draft;
        push->down_then = down;
        push->nose_down_then = -frame->machine.pitch;
    }
    push->slipping = frame->machine.limit == MACHINE_LIMIT_SLIP ? push->slipping + dt : 0.0;
    if (push->slip_time < 0.0 && push->slipping > 0.5) {
        push->slip_time = clock;
    }
    push->lowest = fmin(push->lowest, frame->machine.tip.z);
}

static void report_push(Run *run, const MachineParams *params, const SoilParams *soil, const Push *push)
{
    const MachineTracks *tracks = &params->tracks;
    double area = 2.0 * tracks->contact_length * tracks->shoe_width;
    double load = proving_mass(params) * STANDARD_GRAVITY + push->down_then;
    double c = cos(push->nose_down_then), s = sin(push->nose_down_then);
    double friction = tracks->friction * tan(soil->friction_angle) - tracks->rolling_resistance;
    double grip = (tracks->friction * area * soil->cohesion + load * (friction * c + s)) / (c - friction * s);
    run_result_least(run, "time until the tracks slip for good", "s", push->slip_time, 0.5); // never: below 0
    run_result_least(run, "draft then over draft in the first second", "", push->most_draft / push->first_draft, 2.0);
    run_note(run, "largest draft, mean over a second", "kN", 1e-3 * push->most_draft);
    run_result_between(run, "largest draft / what the tracks can give by statics", "", push->most_draft / grip, 0.7,
                       1.05);
    run_note(run, "soil presses down on the blade then", "kN", 1e-3 * push->down_then);
    run_note(run, "nose down then", "deg", push->nose_down_then / PROVING_DEGREE);
    run_note(run, "edge below the surface when it starts", "m", -push->entry_height);
    run_result_least(run, "edge is drawn down by", "m", push->entry_height - push->lowest, 0.05);
}

static bool measure_clay(Run *run, const MachineParams *params)
{
    static const char *const set[] = {"ground.layers.0.soil=clay", "ground.roughness=0", "ground.layers.0.thickness=1"};
    SessionParams wanted = {.scene = "dozing", .set = set, .set_count = 3, .threads = run_threads(run)};
    Status status;
    Session *session = session_create(&wanted, &status);
    if (session == NULL) {
        run_fail(run, "%s", status.text);
        return false;
    }
    const double seconds = run_quick(run) ? 8.0 : 11.0, lower = option_number(run, "lower"), dt = session_dt(session);
    int plot = run_plot(run, "Blade set deep in clay", "time, s", "kN; edge's depth, cm");
    Push push = {.slip_time = -1.0};
    for (double clock = -lower; clock < seconds; clock += dt) {
        OperatorControls controls = control_neutral;
        controls.axis[CONTROL_BLADE] = control_quantise(clock < 0.0 ? -1.0 : 0.0);
        int16_t lever = control_quantise(clock < 0.0 ? 0.0 : 0.33);
        controls.axis[CONTROL_LEFT_TRACK] = controls.axis[CONTROL_RIGHT_TRACK] = lever;
        session_tick(session, &controls);
        const SessionFrame *frame = session_frame(session);
        if (clock < 0.0) {
            push.entry_height = frame->machine.tip.z;
            continue;
        }
        watch_push(&push, frame, clock, dt);
        run_point(run, plot, "draft", clock, -1e-3 * frame->tool_wrench.force.x);
        run_point(run, plot, "depth", clock, -100.0 * frame->machine.tip.z);
        run_progress(run, clock / seconds);
    }
    report_push(run, params, &session_scene(session)->soils[0], &push);
    session_destroy(session);
    return true;
}

static bool run_dozer(Run *run)
{
    const char *part = option_word(run, "part");
    bool all = strcmp(part, "all") == 0;
    MachineParams params;
    option_quick(run, "radius", 0.08);
    return proving_load_machine(run, MACHINE, &params) &&
           (!(all || strcmp(part, "machine") == 0) || measure_machine(run, &params)) &&
           (!(all || strcmp(part, "volume") == 0) || measure_volume(run, &params)) &&
           (!(all || strcmp(part, "clay") == 0) || measure_clay(run, &params));
}

const Experiment experiment_dozer = {
    .name = "dozer",
    .title = "the bulldozer: speeds, work ranges, blade volume, draft in clay",
    .law = "published specification; SAE J1265: V = 0.8 W H^2; Bekker 1956: thrust = A c + W tan(phi)",
    .options = options,
    .run = run_dozer,
    .paper_only = true,
};
