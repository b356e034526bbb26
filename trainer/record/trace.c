/// Samples of a drive: taken from the session's frame, packed little-endian as 32-bit floats.
#include "trainer/record/trace.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define LEVER_USED 0.15F ///< position that counts as using a function, as in the exercise

static_assert(sizeof(float) == 4, "samples are stored as 32-bit floats");

int trace_interval(int tick_rate)
{
    int interval = tick_rate / TRACE_RATE;
    return interval > 0 ? interval : 1;
}

void trace_take(const Session *session, TraceSample *sample)
{
    const SessionFrame *frame = session_frame(session);
    const MachineReadout *machine = &frame->machine;
    const MachineParams *params = session_machine_params(session);
    const MachineState *state = session_machine_state(session);
    ScoreStand stand;
    exercise_stand(session_exercise(session), &stand);
    *sample = (TraceSample){.tick = frame->tick,
                            .phase = (float)exercise_phase(session_exercise(session)),
                            .limits = (float)machine->limits,
                            .relief = (float)machine->relief,
                            .tip_x = (float)machine->tip.x,
                            .tip_y = (float)machine->tip.y,
                            .tip_z = (float)machine->tip.z,
                            .base_x = (float)machine->base.x,
                            .base_y = (float)machine->base.y,
                            .base_z = (float)machine->base.z,
                            .yaw = (float)machine->yaw,
                            .pitch = (float)machine->pitch,
                            .roll = (float)machine->roll,
                            .payload = (float)frame->payload,
                            .score = (float)frame->score,
                            .held = (float)frame->held,
                            .engine_speed = (float)machine->engine_speed,
                            .fuel = (float)machine->fuel,
                            .slip_left = (float)machine->slip[0],
                            .slip_right = (float)machine->slip[1],
                            .tool_force = (float)session_tool_load(session, 0),
                            .second_force = (float)session_tool_load(session, 1),
                            .work = stand.work,
                            .travel_left = (float)state->track_travel[0],
                            .travel_right = (float)state->track_travel[1]};
    memcpy(sample->amount, stand.amount, sizeof sample->amount);
    for (int k = 0; k < MACHINE_MAX_JOINTS; k++) {
        sample->angle[k] = (float)machine->angle[k];
        sample->pressure[k] = (float)machine->pressure[k];
    }
    for (int k = 0; k < CONTROL_COUNT; k++) {
        sample->lever[k] = (float)control_value(&frame->controls, (ControlAxis)k);
        bool moves = machine_joint_of_control(params, (ControlAxis)k) >= 0;
        sample->together += moves && fabsf(sample->lever[k]) > LEVER_USED ? 1.0F : 0.0F;
    }
}

/// ---- as bytes ------------------------------------------------------------------------------------------------------

static void pack(uint64_t bits, int count, unsigned char *bytes)
{
    for (int k = 0; k < count; k++) {
        bytes[k] = (unsigned char)(bits >> (8 * k));
    }
}

static uint64_t unpack(const unsigned char *bytes, int count)
{
    uint64_t bits = 0;
    for (int k = 0; k < count; k++) {
        bits |= (uint64_t)bytes[k] << (8 * k);
    }
    return bits;
}

/// The numbers of a sample, one after the other.
static void list_numbers(const TraceSample *sample, float numbers[TRACE_NUMBERS])
{
    int at = 0;
#define X(name) numbers[at++] = sample->name;
    TRACE_FIELDS(X)
#undef X
    memcpy(numbers + at, sample->angle, sizeof sample->angle);
    at += MACHINE_MAX_JOINTS;
    memcpy(numbers + at, sample->pressure, sizeof sample->pressure);
    at += MACHINE_MAX_JOINTS;
    memcpy(numbers + at, sample->lever, sizeof sample->lever);
    at += CONTROL_COUNT;
    memcpy(numbers + at, sample->amount, sizeof sample->amount);
}

static void set_numbers(const float numbers[TRACE_NUMBERS], TraceSample *sample)
{
    int at = 0;
#define X(name) sample->name = numbers[at++];
    TRACE_FIELDS(X)
#undef X
    memcpy(sample->angle, numbers + at, sizeof sample->angle);
    at += MACHINE_MAX_JOINTS;
    memcpy(sample->pressure, numbers + at, sizeof sample->pressure);
    at += MACHINE_MAX_JOINTS;
    memcpy(sample->lever, numbers + at, sizeof sample->lever);
    at += CONTROL_COUNT;
    memcpy(sample->amount, numbers + at, sizeof sample->amount);
}

void trace_pack(const TraceSample *sample, unsigned char bytes[TRACE_BYTES])
{
    float numbers[TRACE_NUMBERS];
    list_numbers(sample, numbers);
    pack((uint64_t)sample->tick, 8, bytes);
    for (int k = 0; k < TRACE_NUMBERS; k++) {
        uint32_t bits;
        memcpy(&bits, &numbers[k], sizeof bits);
        pack(bits, 4, bytes + 8 + 4 * k);
    }
}

bool trace_unpack(const unsigned char bytes[TRACE_BYTES], TraceSample *sample)
{
    float numbers[TRACE_NUMBERS];
    bool finite = true;
    for (int k = 0; k < TRACE_NUMBERS; k++) {
        uint32_t bits = (uint32_t)unpack(bytes + 8 + 4 * k, 4);
        memcpy(&numbers[k], &bits, sizeof bits);
        finite = finite && isfinite(numbers[k]);
    }
    sample->tick = (int64_t)unpack(bytes, 8);
    set_numbers(numbers, sample);
    return finite;
}

/// ---- the ground ----------------------------------------------------------------------------------------------------

void trace_ground_take(Session *session, TraceGround *ground)
{
    SoilGridView grid = soil_get_grid(session_soil(session));
    ground->tick = session_frame(session)->tick;
    ground->rows = grid.rows;
    ground->columns = grid.columns;
    ground->spacing = grid.spacing;
    ground->origin_x = grid.origin_x;
    ground->origin_y = grid.origin_y;
    for (int k = 0; k < grid.rows * grid.columns; k++) {
        float millimetres = 1000.0F * grid.height[k];
        millimetres = millimetres < -32767.0F ? -32767.0F : millimetres > 32767.0F ? 32767.0F : millimetres;
        ground->height[k] = (int16_t)(millimetres < 0.0F ? millimetres - 0.5F : millimetres + 0.5F);
    }
}
