/// Poses another recording's machine from its trace samples, joint by joint from the tracks to the tool, and computes
/// the lead over it.
#include "trainer/app/ghost.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/language.h"
#include "data/core/quantity.h"
#include "data/core/system_files.h"
#include "data/schema/schema.h"
#include "trainer/results/results.h"

/// ---- race ----------------------------------------------------------------------------------------------------------

/// Two runs are compared by the marks that both have reached.

/// ---- marks of a run ------------------------------------------------------------------------------------------------

static const EventKind event_kinds[GHOST_MARK_KINDS] = {
    [GHOST_STEP] = EVENT_STEP, [GHOST_TARGET] = EVENT_TARGET, [GHOST_CYCLE] = EVENT_CYCLE};

int ghost_marks(const ExerciseEvent *events, int count, GhostMark *marks)
{
    int found = 0, numbers[GHOST_MARK_KINDS] = {0};
    for (int k = 0; k < count; k++) {
        for (int kind = 0; kind < GHOST_MARK_KINDS; kind++) {
            if (events[k].kind == (int32_t)event_kinds[kind]) { // steps may be done in any order
                int number = kind == GHOST_STEP ? events[k].thing.index + 1 : ++numbers[kind];
                marks[found++] = (GhostMark){(GhostMarkKind)kind, number, events[k].tick};
            }
        }
    }
    return found;
}

static const GhostMark *find_mark(const GhostMark *marks, int count, GhostMarkKind kind, int number)
{
    for (int k = 0; k < count; k++) {
        if (marks[k].kind == kind && marks[k].number == number) {
            return &marks[k];
        }
    }
    return NULL;
}

/// ---- lead ----------------------------------------------------------------------------------------------------------

/// The last mark that both have reached; within one tick the preferred kind.
static const GhostMark *last_common(const GhostRace *race)
{
    const GhostMark *last = NULL;
    for (int k = 0; k < race->own_count; k++) {
        const GhostMark *own = &race->own[k];
        bool later = last == NULL || own->tick > last->tick || (own->tick == last->tick && own->kind < last->kind);
        if (later && find_mark(race->other, race->other_count, own->kind, own->number) != NULL) {
            last = own;
        }
    }
    return last;
}

/// The first mark that the other one has reached by now and the own run has not.
static const GhostMark *first_missed(const GhostRace *race)
{
    for (int k = 0; k < race->other_count && race->other[k].tick <= race->tick; k++) {
        const GhostMark *other = &race->other[k];
        if (find_mark(race->own, race->own_count, other->kind, other->number) == NULL) {
            return other;
        }
    }
    return NULL;
}

bool ghost_race_lead(const GhostRace *race, double *lead, GhostMark *at)
{
    const GhostMark *last = last_common(race), *missed = first_missed(race);
    if (last != NULL) {
        const GhostMark *other = find_mark(race->other, race->other_count, last->kind, last->number);
        *lead = (double)(other->tick - last->tick) * race->dt;
        *at = *last;
    }
    if (missed != NULL) {
        double overdue = (double)(missed->tick - race->tick) * race->dt;
        if (last == NULL || overdue < *lead) {
            *lead = overdue;
            *at = *missed;
        }
    }
    return last != NULL || missed != NULL;
}

void ghost_race_text(const GhostRace *race, char text[GHOST_RACE_LINES][GHOST_RACE_TEXT])
{
    double lead;
    GhostMark at;
    text[0][0] = '\0';
    if (ghost_race_lead(race, &lead, &at)) {
        snprintf(
            text[0], GHOST_RACE_TEXT,
            language_text(lead < 0.0 ? TEXT("%s s behind the ghost (%s %d)") : TEXT("%s s ahead of the ghost (%s %d)")),
            quantity_number(fabs(lead), 1).number, language_text(event_kind_phrase(event_kinds[at.kind])), at.number);
    }
    snprintf(text[1], GHOST_RACE_TEXT, language_text("%.0f points, the ghost %.0f"), metric_whole(race->own_score),
             metric_whole(race->other_score));
}

/// ---- ghost ---------------------------------------------------------------------------------------------------------

/// Puts a body's frame to `origin`, turned by `turn`.
static void put_body(const MachineParams *params, int body, Vec3 origin, Quat turn, MachineState *state)
{
    const double *c = params->body[body].center;
    Mat3 rotation = mat3_from_quat(turn);
    Vec3 center = vec3_add(origin, mat3_mul(&rotation, vec3(c[0], c[1], c[2])));
    MachineBodyState *to = &state->body[body];
    *to =
        (MachineBodyState){.position = {center.x, center.y, center.z}, .quaternion = {turn.w, turn.x, turn.y, turn.z}};
}

void ghost_place(const Machine *machine, const TraceSample *sample, MachineState *state)
{
    const MachineParams *params = machine_params(machine);
    Quat turn[MACHINE_MAX_BODIES];
    Quat level = quat_mul(quat_turn(vec3(0.0, 0.0, 1.0), (double)sample->yaw),
                          quat_turn(vec3(0.0, -1.0, 0.0), (double)sample->pitch));
    turn[MACHINE_BASE] = quat_mul(level, quat_turn(vec3(1.0, 0.0, 0.0), (double)sample->roll));
    *state = (MachineState){0};
    put_body(params, MACHINE_BASE, vec3((double)sample->base_x, (double)sample->base_y, (double)sample->base_z),
             turn[MACHINE_BASE], state);
    for (int k = 0; k < params->joint_count; k++) { // a parent's own joint comes before
        const MachineJointParams *joint = &params->joint[k];
        Pose parent;
        machine_get_body_frame(machine, state, joint->parent, &parent);
        turn[joint->child] =
            quat_mul(turn[joint->parent], quat_turn(machine_joint_axis(machine, k), (double)sample->angle[k]));
        put_body(params, joint->child, pose_apply(&parent, vec3(joint->origin.x, 0.0, joint->origin.z)),
                 turn[joint->child], state);
    }
}

/// Linear interpolation; angles go the shorter way round.
static float interpolate(float a, float b, double share, bool angle)
{
    double step = (double)b - (double)a;
    return (float)((double)a + share * (angle ? remainder(step, 2.0 * M_PI) : step));
}

static TraceSample sample_at(const Ghost *ghost, double time)
{
    int64_t low = 0, high = ghost->count - 1;
    while (low < high) {
        int64_t middle = (low + high + 1) / 2;
        bool before = (double)ghost->samples[middle].tick * ghost->dt <= time;
        low = before ? middle : low;
        high = before ? high : middle - 1;
    }
    TraceSample sample = ghost->samples[low];
    if (low + 1 >= ghost->count) {
        return sample;
    }
    const TraceSample *a = &ghost->samples[low], *b = &ghost->samples[low + 1];
    double length = (double)(b->tick - a->tick) * ghost->dt, since = time - (double)a->tick * ghost->dt;
    double share = length > 0.0 ? fmin(fmax(since / length, 0.0), 1.0) : 0.0;
    sample.base_x = interpolate(a->base_x, b->base_x, share, false);
    sample.base_y = interpolate(a->base_y, b->base_y, share, false);
    sample.base_z = interpolate(a->base_z, b->base_z, share, false);
    sample.yaw = interpolate(a->yaw, b->yaw, share, true);
    sample.pitch = interpolate(a->pitch, b->pitch, share, true);
    sample.roll = interpolate(a->roll, b->roll, share, true);
    sample.travel_left = interpolate(a->travel_left, b->travel_left, share, false);
    sample.travel_right = interpolate(a->travel_right, b->travel_right, share, false);
    for (int k = 0; k < MACHINE_MAX_JOINTS; k++) {
        sample.angle[k] = interpolate(a->angle[k], b->angle[k], share, true);
    }
    return sample;
}

void ghost_show(const Ghost *ghost, double time, RenderGhost *shown)
{
    *shown = (RenderGhost){0};
    if (ghost->count == 0) {
        return;
    }
    const Machine *machine = ghost->machine;
    TraceSample sample = sample_at(ghost, time);
    MachineState state;
    ghost_place(machine, &sample, &state);
    shown->machine = machine_params(machine);
    shown->track_travel[0] = (double)sample.travel_left;
    shown->track_travel[1] = (double)sample.travel_right;
    for (int body = 0; body < shown->machine->body_count; body++) {
        machine_get_body_frame(machine, &state, body, &shown->body[body]);
    }
    MachineStrut struts[MACHINE_MAX_STRUTS];
    shown->strut_count = machine_get_struts(machine, &state, struts);
    for (int k = 0; k < shown->strut_count; k++) {
        shown->struts[k] = (RenderStrut){.bar = struts[k].kind == MACHINE_STRUT_BAR,
                                         .a = struts[k].a,
                                         .b = struts[k].b,
                                         .radius = struts[k].radius,
                                         .rod_radius = struts[k].rod_radius,
                                         .barrel = struts[k].barrel};
    }
}

/// ---- whose it is ---------------------------------------------------------------------------------------------------

/// A scene's name as recordings have it, from a name or a path.
static void bare_name(const char *scene, char name[SCENE_NAME_LENGTH])
{
    const char *start = file_name_of(scene);
    size_t length = strlen(start);
    length -= length > 5 && strcmp(start + length - 5, ".yaml") == 0 ? 5 : 0;
    snprintf(name, SCENE_NAME_LENGTH, "%.*s", (int)length, start);
}

static bool find_recording(const GhostAsked *asked, char path[DATA_PATH_LENGTH], Status *status)
{
    if (strcmp(asked->who, "expert") != 0) {
        snprintf(path, DATA_PATH_LENGTH, "%s", asked->who);
        return true;
    }
    RecordingGlance glance = {0};
    char name[SCENE_NAME_LENGTH], command[RESULTS_COMMAND];
    if (asked->recording != NULL && !recording_glance(asked->recording, &glance, status)) {
        return false;
    }
    bare_name(asked->recording != NULL ? glance.scene : asked->scene, name);
    if (results_find_expert(asked->results, name, true, path, status)) {
        return true;
    }
    if (status->code != STATUS_GOOD) {
        return false;
    }
    bool known = results_expert_command(name, command);
    return status_fail(status, STATUS_BAD_FILE, "--ghost expert: no run of this scene's expert is known%s%s",
                       known ? ". This makes one: " : "", command);
}

/// Machine and names, from the files that the recording keeps.
static bool read_machine(Ghost *ghost, Recording *recording, Status *status)
{
    SceneParams *scene = calloc(1, sizeof *scene);
    MachineParams *machine = calloc(1, sizeof *machine);
    if (scene == NULL || machine == NULL) {
        status_fail(status, STATUS_LACKING, "out of memory for a ghost");
    } else if (data_load_scene_from_files(recording_files(recording), scene, machine, status)) {
        ghost->machine = machine_create(machine, status);
        ghost->dt = 1.0 / scene->rates.tick_rate;
        snprintf(ghost->title, sizeof ghost->title, "%s", scene->title);
    }
    free(scene);
    free(machine);
    return ghost->machine != NULL;
}

static bool read_marks(Ghost *ghost, Recording *recording, Status *status)
{
    ExerciseEvent *events = calloc(EXERCISE_MAX_EVENTS, sizeof *events);
    ghost->marks = calloc(EXERCISE_MAX_EVENTS, sizeof *ghost->marks);
    bool good = events != NULL && ghost->marks != NULL;
    if (good) {
        int count = recording_events(recording, events, EXERCISE_MAX_EVENTS);
        ghost->mark_count = ghost_marks(events, count, ghost->marks);
    } else {
        status_fail(status, STATUS_LACKING, "out of memory for a ghost");
    }
    free(events);
    return good;
}

bool ghost_open(Ghost *ghost, const char *path, Status *status)
{
    *ghost = (Ghost){0};
    Recording *recording = recording_open(path, status);
    if (recording == NULL) {
        return false;
    }
    snprintf(ghost->name, sizeof ghost->name, "%s", file_name_of(path));
    RecordingSeal seal;
    bool good = recording_check_seals(recording, &seal, status) && read_machine(ghost, recording, status) &&
                read_marks(ghost, recording, status);
    ghost->count = good ? recording_trace(recording, &ghost->samples, status) : -1;
    recording_close(recording);
    if (ghost->count == 0) {
        status_fail(status, STATUS_BAD_FILE, "%s: has no samples to make a ghost of", path);
    }
    if (ghost->count <= 0) {
        ghost_close(ghost);
        return false;
    }
    return true;
}

bool ghost_ask(Ghost *ghost, const GhostAsked *asked, Status *status)
{
    char path[DATA_PATH_LENGTH];
    *ghost = (Ghost){0};
    return asked->who == NULL || (find_recording(asked, path, status) && ghost_open(ghost, path, status));
}

void ghost_beside(Ghost *ghost, const Session *session)
{
    const SceneParams *own = session_scene(session);
    const MachineParams *one = session_machine_params(session), *other = machine_params(ghost->machine);
    bool scene = strcmp(own->title, ghost->title) != 0, machine = strcmp(one->title, other->title) != 0;
    char driven[120] = "", which[120] = "";
    if (scene) {
        snprintf(driven, sizeof driven, "; it drives another scene, \"%.80s\"", ghost->title);
    }
    if (machine) {
        snprintf(which, sizeof which, "; its machine is another one, %.80s", other->title);
    }
    ghost->differs = scene || machine;
    snprintf(ghost->note, sizeof ghost->note, "Ghost: %.60s%s%s", ghost->name, driven, which);
    if (scene) {
        snprintf(driven, sizeof driven, language_text("; it drives another scene, \"%.80s\""),
                 language_text(ghost->title));
    }
    if (machine) {
        snprintf(which, sizeof which, language_text("; its machine is another one, %.80s"),
                 language_text(other->title));
    }
    snprintf(ghost->told, sizeof ghost->told, language_text("Ghost: %.60s%s%s"), ghost->name, driven, which);
}

void ghost_warn(Ghost *ghost, const Session *session)
{
    if (ghost->count > 0) {
        ghost_beside(ghost, session);
    }
    if (ghost->differs) {
        fprintf(stderr, "spadework: %s\n", ghost->note);
    }
}

void ghost_close(Ghost *ghost)
{
    free(ghost->samples);
    free(ghost->marks);
    if (ghost->machine != NULL) {
        machine_destroy(ghost->machine);
    }
    *ghost = (Ghost){0};
}

/// ---- lead on the screen --------------------------------------------------------------------------------------------

void ghost_tell(const Ghost *ghost, const Session *session, GhostLead *told, RenderHud *hud)
{
    const Exercise *exercise = session_exercise(session);
    hud->race_count = 0;
    if (ghost->count == 0 || ghost->differs || session_scene(session)->exercise.scores_count == 0) {
        return;
    }
    GhostMark own[EXERCISE_MAX_EVENTS];
    int count = exercise_event_count(exercise);
    // The exercise keeps its events one after the other.
    int marks = count > 0 ? ghost_marks(exercise_event(exercise, 0), count, own) : 0;
    double time = session_frame(session)->time;
    TraceSample sample = sample_at(ghost, time);
    GhostRace race = {.own = own,
                      .other = ghost->marks,
                      .own_count = marks,
                      .other_count = ghost->mark_count,
                      .tick = session_frame(session)->tick,
                      .dt = ghost->dt,
                      .own_score = exercise_score(exercise),
                      .other_score = (double)sample.score};
    ghost_race_text(&race, told->text);
    for (int k = 0; k < GHOST_RACE_LINES; k++) {
        if (told->text[k][0] != '\0') {
            hud->race[hud->race_count++] = told->text[k];
        }
    }
}

/// ---- way of a recorded machine -------------------------------------------------------------------------------------

/// Undercarriage pose and joint angles of a sample determine all edges.

void ghost_read_path(Recording *recording, const Machine *machine, GroundPath *path)
{
    TraceSample *samples = NULL;
    Status ignored;
    int64_t count = recording_trace(recording, &samples, &ignored);
    for (int64_t k = 0; k < count; k++) {
        MachineState state;
        GroundStep step;
        ghost_place(machine, &samples[k], &state);
        state.track_travel[0] = (double)samples[k].travel_left;
        state.track_travel[1] = (double)samples[k].travel_right;
        const float force[GROUND_EDGES] = {samples[k].tool_force, samples[k].second_force};
        ground_step_take(machine, &state, samples[k].tick, force, &step);
        ground_path_add(path, &step);
    }
    free(samples);
}
