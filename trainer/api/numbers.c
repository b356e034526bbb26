/// The numbers of spadework_observe and spadework_exercise: one list for names, units, limits and values.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "data/schema/schema.h"
#include "machine/cylinder.h"
#include "trainer/api/api_internal.h"

#define FAR_AWAY   1000.0 ///< m: no machine gets there
#define MOST_FORCE 1e7 ///< N, N m
#define MOST_TIME  36000.0 ///< s: the longest exercise

typedef struct Out {
    ApiPut *put;
    void *context;
} Out;

static void put(const Out *out, const char *prefix, const char *suffix, const char *unit, double low, double high,
                double value)
{
    const ApiNumber number = {.prefix = prefix,
                              .suffix = suffix,
                              .unit = unit,
                              .phrase = "",
                              .low = low,
                              .high = high,
                              .value = value,
                              .live = true};
    out->put(out->context, &number);
}

static void put_vector(const Out *out, const char *prefix, const char *const suffix[3], const char *unit, double most,
                       Vec3 value)
{
    put(out, prefix, suffix[0], unit, -most, most, value.x);
    put(out, prefix, suffix[1], unit, -most, most, value.y);
    put(out, prefix, suffix[2], unit, -most, most, value.z);
}

/// ---- machine -------------------------------------------------------------------------------------------------------

static void put_joint(const Out *out, const MachineJointParams *joint, const MachineReadout *readout,
                      const MachineState *state, int k)
{
    bool turns = joint->drive != MACHINE_DRIVE_CYLINDER, endless = machine_joint_is_endless(joint);
    put(out, joint->column, "_angle", "rad", endless ? -FAR_AWAY : joint->range[0] - 0.1,
        endless ? FAR_AWAY : joint->range[1] + 0.1, readout->angle[k]);
    put(out, joint->column, "_speed", "rad/s", -10.0, 10.0, readout->speed[k]);
    double length = 0.0, arm = 0.0;
    if (!turns) {
        double closed = joint->cylinder.closed, stroke = joint->cylinder.stroke;
        bool known = cylinder_length(joint, readout->angle[k], &length, &arm);
        put(out, joint->column, "_length", "m", closed - 0.2, closed + stroke + 0.2, known ? length : closed);
        put(out, joint->column, "_length_speed", "m/s", -10.0, 10.0, known ? arm * readout->speed[k] : 0.0);
    }
    put(out, joint->column, "_pressure", "Pa", 0.0, 2e8, readout->pressure[k]);
    put(out, joint->column, turns ? "_torque" : "_force", turns ? "N m" : "N", -MOST_FORCE, MOST_FORCE,
        state->joint_force[k]);
    put(out, joint->column, "_spool", "1", -1.0, 1.0, state->spool[k]);
}

static void put_place(const Out *out, const MachineReadout *readout, const MachineState *state)
{
    static const char *const xyz[3] = {"_x", "_y", "_z"}, *const speeds[3] = {"_vx", "_vy", "_vz"};
    static const char *const spins[3] = {"_wx", "_wy", "_wz"};
    const MachineBodyState *base = &state->body[MACHINE_BASE];
    put_vector(out, "tip", xyz, "m", FAR_AWAY, readout->tip);
    put(out, "tip", "_height", "m", -FAR_AWAY, FAR_AWAY, readout->tip_height);
    put_vector(out, "base", xyz, "m", FAR_AWAY, readout->base);
    put(out, "yaw", "", "rad", -7.0, 7.0, readout->yaw);
    put(out, "pitch", "", "rad", -7.0, 7.0, readout->pitch);
    put(out, "roll", "", "rad", -7.0, 7.0, readout->roll);
    put_vector(out, "base", speeds, "m/s", 100.0, vec3(base->velocity[0], base->velocity[1], base->velocity[2]));
    put_vector(out, "base", spins, "rad/s", 100.0, vec3(base->spin[0], base->spin[1], base->spin[2]));
}

static void put_travel(const Out *out, const MachineReadout *readout, const MachineState *state)
{
    static const char *const sides[2] = {"left_track", "right_track"};
    for (int k = 0; k < 2; k++) {
        put(out, sides[k], "_speed", "m/s", -20.0, 20.0, state->track_speed[k]);
        put(out, sides[k], "_slip", "1", -100.0, 100.0, readout->slip[k]);
        put(out, sides[k], "_load", "N", 0.0, MOST_FORCE, readout->track_load[k]);
    }
    put(out, "engine", "_speed", "rad/s", 0.0, 1000.0, readout->engine_speed);
    put(out, "pump", "_power", "W", 0.0, 1e7, readout->pump_power);
    put(out, "fuel", "", "kg", 0.0, 1e4, readout->fuel);
    put(out, "gear", "", "1", -MACHINE_GEARS, MACHINE_GEARS, readout->gear);
    for (int k = MACHINE_LIMIT_NONE + 1; k < MACHINE_LIMIT_COUNT; k++) {
        put(out, "limit_", machine_limit_names[k], "1", 0.0, 1.0, (readout->limits & MACHINE_LIMIT_BIT(k)) != 0);
    }
}

/// ---- loads ---------------------------------------------------------------------------------------------------------

static void put_tool(const Out *out, const ApiSession *own, const SessionFrame *frame)
{
    static const char *const forces[3] = {"_fx", "_fy", "_fz"}, *const moments[3] = {"_mx", "_my", "_mz"};
    const MachineParams *machine = session_machine_params(own->session);
    put_vector(out, "tool", forces, "N", MOST_FORCE, own->forces.tool.force);
    put_vector(out, "tool", moments, "N m", MOST_FORCE, own->forces.tool.moment);
    for (int k = 0; k < machine->tool_count; k++) {
        put(out, machine->body[machine->tool[k].body].name, "_load", "N", 0.0, MOST_FORCE, own->forces.load[k]);
    }
    put(out, "payload", "", "kg", 0.0, 1e5, frame->payload);
    put(out, "rock_payload", "", "kg", 0.0, 1e5, frame->rock_payload);
    const MachineReadout *readout = &frame->machine;
    put(out, "ground", "_below_tip", "m", -FAR_AWAY, FAR_AWAY,
        soil_get_height(session_soil(own->session), readout->tip.x, readout->tip.y));
}

static void put_trucks(const Out *out, const ApiSession *own)
{
    static const char *const names[SCENE_MAX_TRUCKS] = {"truck", "second_truck"};
    const SessionTrucks *trucks = session_trucks(own->session);
    SessionTruckSum sum = session_trucks_sum(trucks, session_soil(own->session), false);
    for (int k = 0; k < SCENE_MAX_TRUCKS && k < session_trucks_count(trucks); k++) {
        SessionTruckPose pose = session_trucks_pose(trucks, k);
        put(out, names[k], "_load", "kg", 0.0, 1e6, session_trucks_readout(trucks, k).load);
        put(out, names[k], "_x", "m", -FAR_AWAY, FAR_AWAY, pose.bed.position.x);
        put(out, names[k], "_y", "m", -FAR_AWAY, FAR_AWAY, pose.bed.position.y);
        put(out, names[k], "_z", "m", -FAR_AWAY, FAR_AWAY, pose.bed.position.z);
    }
    if (session_trucks_driven(trucks)) {
        put(out, "truck", "_ready", "1", 0.0, 1.0, session_trucks_ready(trucks));
        put(out, "tipped", "", "kg", 0.0, 1e9, sum.delivered);
    }
}

void api_observation(const ApiSession *own, ApiPut *function, void *context)
{
    const Out out = {function, context};
    const MachineParams *machine = session_machine_params(own->session);
    const MachineState *state = session_machine_state(own->session);
    const SessionFrame *frame = session_frame(own->session);
    put(&out, "time", "", "s", 0.0, MOST_TIME, frame->time);
    for (int k = 0; k < machine->joint_count; k++) {
        put_joint(&out, &machine->joint[k], &frame->machine, state, k);
    }
    put_place(&out, &frame->machine, state);
    put_travel(&out, &frame->machine, state);
    put_tool(&out, own, frame);
    put_trucks(&out, own);
    if (session_loads_count(session_loads(own->session)) > 0) {
        put(&out, "sling", "_pull", "N", 0.0, MOST_FORCE, frame->lift.pull);
        put(&out, "sling", "_swing", "rad", 0.0, 4.0, frame->lift.swing);
        put(&out, "sling", "_hooked", "1", 0.0, 1.0, frame->lift.hooked >= 0);
    }
    put(&out, "particles", "", "1", 0.0, 4e5, frame->counters.particles);
}

/// ---- the work ------------------------------------------------------------------------------------------------------

void api_design_free(ApiDesign *design)
{
    free(design->column);
    free(design->height);
    free(design->rest);
    *design = (ApiDesign){.count = 0};
}

/// Finds the columns for which a height is asked. False when memory is short.
static bool look_for_design(ApiSession *own)
{
    const DesignSurface *asked = exercise_work(session_exercise(own->session));
    SoilGridView grid = soil_get_grid(session_soil(own->session));
    ApiDesign *design = &own->design;
    size_t all = (size_t)grid.rows * (size_t)grid.columns;
    if (own->looked || design_is_empty(asked)) {
        own->looked = true;
        return true;
    }
    design->height = calloc(all, sizeof *design->height);
    design->column = calloc(all, sizeof *design->column);
    if (design->height == NULL || design->column == NULL) {
        api_design_free(design);
        return false;
    }
    for (int row = 0; row < grid.rows; row++) {
        for (int column = 0; column < grid.columns; column++) {
            double height = 0.0;
            if (design_height(asked, grid.origin_x + column * grid.spacing, grid.origin_y + row * grid.spacing,
                              &height)) {
                design->column[design->count] = row * grid.columns + column;
                design->height[design->count++] = (float)height;
            }
        }
    }
    own->looked = true;
    return true;
}

/// Lays the grains that no tool carries down where they are, and takes the ground's heights. False: no memory.
static bool measure_ground(ApiSession *own)
{
    ApiDesign *design = &own->design;
    SoilGridView grid = soil_get_grid(session_soil(own->session));
    if (design->rest == NULL) {
        design->rest = malloc((size_t)grid.rows * (size_t)grid.columns * sizeof *design->rest);
    }
    if (design->rest != NULL) {
        soil_get_rest(session_soil(own->session), SOIL_GRAINS_LOOSE, design->rest);
    }
    return design->rest != NULL;
}

/// What is left to cut and to fill; 0 where nothing was measured.
static void put_design(const Out *out, const ApiSession *own, bool measured)
{
    const ApiDesign *design = &own->design;
    if (design->count == 0) {
        return;
    }
    SoilGridView grid = soil_get_grid(session_soil(own->session));
    double cut = 0.0, fill = 0.0, squares = 0.0, area = grid.spacing * grid.spacing;
    for (int32_t k = 0; measured && k < design->count; k++) {
        double over = (double)design->rest[design->column[k]] - (double)design->height[k];
        cut += over > 0.0 ? over : 0.0;
        fill -= over < 0.0 ? over : 0.0;
        squares += over * over;
    }
    put(out, "cut_left", "", "m3", 0.0, 1e6, area * cut);
    put(out, "fill_left", "", "m3", 0.0, 1e6, area * fill);
    put(out, "design_rms", "", "m", 0.0, 100.0, sqrt(squares / design->count));
}

static double most_of(const MetricInfo *info)
{
    return info->kind == METRIC_IS_SHARE ? 1e3 : info->kind == METRIC_IS_POINTS ? 1e3 : 1e9;
}

static void put_metrics(const Out *out, const ApiSession *own)
{
    const SceneExercise *asked = &session_scene(own->session)->exercise;
    double values[METRIC_COUNT];
    exercise_values(session_exercise(own->session), values);
    for (int k = 0; k < METRIC_COUNT; k++) {
        const MetricInfo *info = &metric_infos[k];
        if (scene_has_part(asked, info->part)) {
            const ApiNumber number = {.prefix = info->name,
                                      .suffix = "",
                                      .unit = info->unit,
                                      .phrase = info->phrase,
                                      .low = -most_of(info),
                                      .high = most_of(info),
                                      .value = values[k],
                                      .live = false};
            out->put(out->context, &number);
        }
    }
}

bool api_exercise(ApiSession *own, bool measures, ApiPut *function, void *context)
{
    const Out out = {function, context};
    if (!look_for_design(own) || (measures && own->design.count > 0 && !measure_ground(own))) {
        return false;
    }
    const Exercise *exercise = session_exercise(own->session);
    const SessionFrame *frame = session_frame(own->session);
    SessionTrucks const *trucks = session_trucks(own->session);
    double loaded = 0.0;
    for (int k = 0; k < session_trucks_count(trucks); k++) {
        loaded += session_trucks_readout(trucks, k).load;
    }
    put(&out, "payload_now", "", "kg", 0.0, 1e5, frame->payload);
    put(&out, "loaded_now", "", "kg", 0.0, 1e6, loaded);
    put(&out, "tipped_now", "", "kg", 0.0, 1e9,
        session_trucks_sum(trucks, session_soil(own->session), false).delivered);
    put_design(&out, own, measures);
    put(&out, "end", "", "1", 0.0, EXERCISE_FAILED, exercise_end(exercise));
    put(&out, "locked", "", "1", 0.0, 1.0, exercise_is_locked(exercise));
    put(&out, "figures_age", "", "s", 0.0, MOST_TIME, exercise_held(exercise));
    put_metrics(&out, own);
    return true;
}

/// ---- levers --------------------------------------------------------------------------------------------------------

bool api_axis_acts(const ApiSession *own, ControlAxis axis)
{
    const MachineParams *machine = session_machine_params(own->session);
    switch (axis) {
    case CONTROL_LEFT_TRACK:
    case CONTROL_RIGHT_TRACK:
    case CONTROL_THROTTLE:
        return true;
    case CONTROL_HORN:
        return session_trucks_driven(session_trucks(own->session));
    case CONTROL_AUXILIARY:
        return machine->hammer.blow_energy > 0.0 || machine->jaw_count > 0 ||
               session_loads_count(session_loads(own->session)) > 0;
    case CONTROL_BLADE_FLOAT:
        return machine_floating_joint(machine) >= 0;
    case CONTROL_ANSWER:
        return own->asks && session_scene(own->session)->exercise.questions_count > 0;
    case CONTROL_IGNITION:
    case CONTROL_SAFETY_LEVER:
    case CONTROL_TRAVEL_RANGE:
    case CONTROL_POWER_MODE:
    case CONTROL_AUTO_IDLE:
    case CONTROL_LIGHTS:
    case CONTROL_WIPER:
        return session_frame(own->session)->cab.has;
    case CONTROL_INSPECT:
        return session_frame(own->session)->foot.has;
    case CONTROL_COUPLER:
        return session_frame(own->session)->coupler.has;
    default:
        return machine_joint_of_control(machine, axis) >= 0;
    }
}

double api_axis_neutral(ControlAxis axis)
{
    return control_value(&control_neutral, axis);
}
