/// Counts cycles: soil is dug, carried out of the cut and dumped outside it. A cycle's load is what left the tool
/// between the moment it left the cut and its return; what a bucket shows while it is in the ground is no load.
///
/// The cut is where the scene marks it (the trench's box, a truck scene's place to dig), and in any case the place
/// where the edge was last in the ground, with what is within some tool sizes of it.
#include "data/core/elementary.h"
#include "trainer/sim/exercise_internal.h"

#include <math.h>
#include <string.h>

#define LOADED       0.20 ///< of a full tool that makes a load
#define EMPTY        0.07 ///< of a full tool: what is left of a load that was dumped
#define BITE         0.03 ///< of a full tool more than was left after the dump: the next dig has begun
#define STICKING     0.5 ///< of the load that may come back in the bucket of a cycle that counts
#define PAYLOAD_LAG  0.3 ///< s: low pass of the payload, so that bouncing soil is no event
#define CURLING      0.10 ///< rad/s of the bucket
#define DUMPING      0.85 ///< of the load: below it the load is on its way out
#define LIFTED       0.25 ///< tool sizes of an edge over the ground: lower, the tool may push what it seems to hold
#define CARRIED_AWAY 1.5 ///< tool sizes from where it dug: farther, soil has been carried

/// The edge is in the ground, or a blade cuts.
static bool cuts(const ExerciseSample *sample)
{
    return sample->swings ? !sample->edge_clear : !sample->carries;
}

/// The tool hangs free of the ground; a blade is out of the cut.
static bool is_lifted(const ExerciseSample *sample)
{
    return sample->swings ? sample->edge_height > LIFTED * sample->tool_size : sample->carries;
}

/// The edge is outside the cut.
static bool is_outside(const ExerciseState *state, const ExerciseSample *sample)
{
    double away = same_hypot(sample->tip.x - state->dig_x, sample->tip.y - state->dig_y);
    return !(sample->marked && sample->in_cut) && away > CARRIED_AWAY * sample->tool_size;
}

/// ---- time ----------------------------------------------------------------------------------------------------------

void cycles_close(Exercise *exercise, int64_t tick)
{
    ExerciseState *state = &exercise->state;
    const double *now = state->phase_now;
    // A load of which no dig, no carry or no dump was seen is no cycle: its time counts for the next one.
    bool whole = now[WORK_DIG] > 0.0 && now[WORK_SWING_LOADED] > 0.0 && now[WORK_DUMP] > 0.0;
    double total = 0.0;
    for (int k = 0; k < WORK_PHASE_COUNT && whole; k++) {
        total += now[k];
        state->phase_time[k] += now[k];
    }
    for (int k = 0; k < CARRIED_COUNT && whole; k++) {
        state->carried[k] += state->carried_now[k];
    }
    if (whole) {
        state->cycles++;
        state->hauled += state->closing_load;
        state->trails = 1;
        state->last_cycle_time = total;
        ExerciseEvent event = {.tick = tick,
                               .kind = EVENT_CYCLE,
                               .form = exercise->swings ? EVENT_CYCLE_OF_ARM : EVENT_CYCLE_OF_BLADE,
                               .number = {.load = state->closing_load,
                                          .duration = total,
                                          .dig = now[WORK_DIG],
                                          .carry = now[WORK_SWING_LOADED],
                                          .dump = now[WORK_DUMP],
                                          .back = now[WORK_SWING_EMPTY]}};
        exercise_add_event(state, EXERCISE_EVENT_ROOM, &event);
        memset(state->phase_now, 0, sizeof state->phase_now);
    }
    memset(state->carried_now, 0, sizeof state->carried_now);
    state->closing_load = 0.0;
}

/// A phase that has just been believed is given what it was seen before.
void cycles_add_phase_time(Exercise *exercise, const ExerciseSample *sample)
{
    ExerciseState *state = &exercise->state;
    WorkMotion motion = {.dt = sample->dt,
                         .swings = sample->swings,
                         .joint_speed = sample->joint_speed,
                         .edge_height = sample->edge_height,
                         .payload = sample->payload,
                         .full = sample->full,
                         .swing_speed = sample->swing_speed,
                         .curl_speed = sample->curl_speed,
                         .belts = {sample->belts[0], sample->belts[1]}};
    WorkPhase before = (WorkPhase)state->work.phase;
    double seen = 0.0;
    WorkPhase phase = work_phases_tick(&state->work, &motion, &seen);
    if (state->end != EXERCISE_RUNNING) {
        return;
    }
    state->phase_now[before] -= seen;
    state->phase_total[before] -= seen;
    if (state->closing_load > 0.0 && phase != WORK_SWING_LOADED && phase != WORK_DUMP) {
        cycles_close(exercise, sample->tick);
    }
    state->phase_now[phase] += seen + sample->dt;
    state->phase_total[phase] += seen + sample->dt;
}

/// ---- loads ---------------------------------------------------------------------------------------------------------

static void begin_phase(ExerciseState *state, CyclePhase phase)
{
    state->phase = (int32_t)phase;
    state->lowest_payload = state->smooth_payload;
}

/// The load is dumped. The cycle's time is split once the phase that goes on now is over.
static void end_cycle(Exercise *exercise, int64_t tick)
{
    ExerciseState *state = &exercise->state;
    double load = state->cycle_weight - state->smooth_payload;
    if (state->closing_load > 0.0) {
        cycles_close(exercise, tick);
    }
    state->closing_load = load;
    begin_phase(state, CYCLE_RETURN);
}

/// What still runs out after the dump belongs to its load.
static void add_late_loss(ExerciseState *state, double payload)
{
    if (payload < state->lowest_payload) {
        double late = state->lowest_payload - payload;
        if (state->closing_load > 0.0) {
            state->closing_load += late;
        } else if (state->trails != 0) {
            state->hauled += late;
        }
        state->lowest_payload = payload;
    }
}

/// Weighs the load at the moments between its dig and its dump: what is lost, is lost between two of them.
static void weigh_load(ExerciseState *state, const ExerciseSample *sample)
{
    double *carried = state->carried_now;
    if (state->phase == CYCLE_DIG) {
        bool filling[] = {[CARRIED_CURLED] = sample->curl_speed > CURLING,
                          [CARRIED_CLEAR] = !sample->edge_clear,
                          [CARRIED_SWING] = true,
                          [CARRIED_DUMP] = true};
        for (int k = 0; k < CARRIED_COUNT; k++) {
            carried[k] = filling[k] || carried[k] == 0.0 ? sample->payload : carried[k];
        }
    } else if (state->phase == CYCLE_CARRY && sample->curl_speed > -CURLING) {
        carried[CARRIED_DUMP] = sample->payload;
    }
}

/// A load that nobody dumped: the time counts for the next cycle, the load does not.
static void lose_load(ExerciseState *state)
{
    memset(state->carried_now, 0, sizeof state->carried_now);
    begin_phase(state, CYCLE_RETURN);
}

static void tick_dig(ExerciseState *state, const ExerciseSample *sample)
{
    if (state->smooth_payload < EMPTY * sample->full) {
        lose_load(state);
    } else if (is_lifted(sample) && is_outside(state, sample) && state->smooth_payload > LOADED * sample->full) {
        state->cycle_weight = state->smooth_payload;
        state->opened = 0;
        begin_phase(state, CYCLE_CARRY);
    }
}

/// On the way: the load is brought back, more is dug elsewhere, or it begins to leave the tool.
static void tick_carry(ExerciseState *state, const ExerciseSample *sample)
{
    if (cuts(sample) &&
        (!is_outside(state, sample) || state->smooth_payload > state->cycle_weight + BITE * sample->full)) {
        begin_phase(state, CYCLE_DIG);
    } else if (state->smooth_payload < DUMPING * state->cycle_weight) {
        begin_phase(state, CYCLE_DUMP);
    }
}

static void tick_dump(Exercise *exercise, const ExerciseSample *sample)
{
    ExerciseState *state = &exercise->state;
    double payload = state->smooth_payload;
    bool gone = payload < STICKING * state->cycle_weight;
    state->lowest_payload = fmin(state->lowest_payload, payload);
    bool back = !is_outside(state, sample), digs = payload > state->lowest_payload + BITE * sample->full;
    if (payload < EMPTY * sample->full || (gone && (back || (digs && cuts(sample))))) {
        if (state->opened != 0) {
            end_cycle(exercise, sample->tick);
        } else {
            lose_load(state); // it ran out on the way
        }
    } else if (back && cuts(sample)) {
        begin_phase(state, CYCLE_DIG);
    }
}

void cycles_tick(Exercise *exercise, const ExerciseSample *sample)
{
    ExerciseState *state = &exercise->state;
    if (sample->full <= 0.0) {
        return; // nothing is carried
    }
    state->smooth_payload += (sample->payload - state->smooth_payload) * sample->dt / (PAYLOAD_LAG + sample->dt);
    weigh_load(state, sample);
    bool away = state->phase == CYCLE_CARRY || state->phase == CYCLE_DUMP;
    state->opened = state->opened != 0 || (away && (!sample->swings || sample->curl_speed < -CURLING));
    if (cuts(sample) && (state->phase == CYCLE_RETURN || state->phase == CYCLE_DIG)) {
        state->dig_x = sample->tip.x;
        state->dig_y = sample->tip.y;
    }
    switch ((CyclePhase)state->phase) {
    case CYCLE_RETURN:
        add_late_loss(state, state->smooth_payload);
        if (state->smooth_payload > state->lowest_payload + BITE * sample->full) {
            state->phase = CYCLE_DIG;
            state->trails = 0;
        }
        break;
    case CYCLE_DIG:
        tick_dig(state, sample);
        break;
    case CYCLE_CARRY:
        tick_carry(state, sample);
        break;
    case CYCLE_DUMP:
        tick_dump(exercise, sample);
        break;
    case CYCLE_PHASE_COUNT:
        break;
    }
}
