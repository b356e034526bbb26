/// Life, steps and states of sessions that programs hold.
#include "trainer/api/spadework.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

#include "data/core/deep_call.h"
#include "trainer/api/api_internal.h"
#include "trainer/api/on_demand.h"

static const char state_magic[8] = {'S', 'P', 'A', 'D', 'E', 'A', 'P', 'I'}; ///< a state of spadework_save begins so

enum { MOST_OVERRIDES = 256, MOST_THREADS = 256 };

uint32_t spadework_abi(void)
{
    return (uint32_t)SPADEWORK_ABI_MAJOR << 16 | SPADEWORK_ABI_MINOR;
}

/// ---- start ---------------------------------------------------------------------------------------------------------

void api_take_forces(ApiSession *own)
{
    own->forces.tool = session_frame(own->session)->tool_wrench;
    for (int k = 0; k < MACHINE_MAX_TOOLS; k++) {
        own->forces.load[k] = session_tool_load(own->session, k);
    }
}

/// One tick of answering: the lever `answer` at k tenths for answer k, or at rest.
static bool answer_tick(ApiSession *own, int answer, Status *status)
{
    OperatorControls controls = control_neutral;
    controls.axis[CONTROL_ANSWER] = control_quantise(0.1 * answer);
    session_tick(own->session, &controls);
    return own->recording == NULL || own->recorder->tick(own->recording, own->session, status);
}

bool api_go_to_start(ApiSession *own, Status *status)
{
    const SceneExercise *asked = &session_scene(own->session)->exercise;
    const Exercise *exercise = session_exercise(own->session);
    for (int k = 0; k < asked->questions_count && !own->asks && exercise_is_locked(exercise); k++) {
        int question = exercise_question(exercise);
        if (!answer_tick(own, asked->questions[question].right, status) || !answer_tick(own, 0, status)) {
            return false;
        }
    }
    own->start_tick = session_frame(own->session)->tick;
    api_take_forces(own);
    return true;
}

/// Of a session that stands at tick 0: keeps that state and the start's.
static bool keep_start(ApiSession *own, Status *status)
{
    own->zero.size = 0;
    if (!own->asks && exercise_is_locked(session_exercise(own->session)) &&
        !state_save(own->session, &own->zero, status)) {
        return false;
    }
    bool good = api_go_to_start(own, status) && state_save(own->session, &own->start, status);
    own->start_forces = own->forces;
    return good;
}

static void hash_text(XXH3_state_t *hash, const void *bytes, size_t size)
{
    uint64_t length = size;
    XXH3_64bits_update(hash, &length, sizeof length);
    XXH3_64bits_update(hash, bytes, size);
}

/// What a state must have been saved with to fit: the texts, and whether questions were answered for the program.
static bool hash_site(ApiSession *own)
{
    XXH3_state_t *hash = XXH3_createState();
    if (hash == NULL) {
        return false;
    }
    XXH3_64bits_reset(hash);
    const DataFiles *files = session_files(own->session);
    for (int k = 0; k < files->count; k++) {
        const DataFile *file = &files->files[k];
        hash_text(hash, file->kind, strlen(file->kind));
        hash_text(hash, file->name, strlen(file->name));
        hash_text(hash, file->text, file->size);
    }
    own->site = XXH3_64bits_digest(hash);
    XXH3_freeState(hash);
    return true;
}

/// ---- parameters ----------------------------------------------------------------------------------------------------

/// A failure of spadework_create, which has no session yet to keep its text.
static int refuse(char *error, int result, const char *format, const char *what)
{
    if (error != NULL) {
        snprintf(error, SPADEWORK_TEXT, format, what);
    }
    return result;
}

static int check_params(const SpadeworkParams *params, char *error)
{
    if (params->size != sizeof *params) {
        return refuse(error, SPADEWORK_BAD_ARGUMENT,
                      "params.size is not that of this library's struct%s: begin with "
                      "SPADEWORK_PARAMS of the header that belongs to the library",
                      "");
    }
    if (params->file_count == 0 && params->scene == NULL) {
        return refuse(error, SPADEWORK_BAD_ARGUMENT, "params.scene is NULL%s: give the name or the path of a scene",
                      "");
    }
    if (params->file_count > DATA_MAX_FILES || (params->file_count > 0 && params->files == NULL)) {
        return refuse(error, SPADEWORK_BAD_ARGUMENT, "params.files: allowed are 0 to 24 texts%s", "");
    }
    if (params->override_count > MOST_OVERRIDES || (params->override_count > 0 && params->overrides == NULL)) {
        return refuse(error, SPADEWORK_BAD_ARGUMENT, "params.overrides: allowed are 0 to 256%s", "");
    }
    if (params->seed < -1) {
        return refuse(error, SPADEWORK_BAD_ARGUMENT,
                      "params.seed is below -1%s: allowed is -1 (the scene's) or 0 and "
                      "more",
                      "");
    }
    if (params->threads < 1 || params->threads > MOST_THREADS) {
        return refuse(error, SPADEWORK_BAD_ARGUMENT, "params.threads: allowed is 1 to 256%s", "");
    }
    if (params->action_count > CONTROL_COUNT || (params->action_count > 0 && params->actions == NULL)) {
        return refuse(error, SPADEWORK_BAD_ARGUMENT, "params.actions: there are fewer levers than that%s", "");
    }
    for (size_t k = 0; k < params->override_count; k++) {
        if (params->overrides[k] == NULL) {
            return refuse(error, SPADEWORK_BAD_ARGUMENT, "params.overrides: one of them is NULL%s", "");
        }
    }
    return SPADEWORK_GOOD;
}

static int copy_files(const SpadeworkParams *params, DataFiles *files, char *error)
{
    Status status;
    for (size_t k = 0; k < params->file_count; k++) {
        const SpadeworkFile *from = &params->files[k];
        if (from->kind == NULL || from->name == NULL || from->text == NULL) {
            return refuse(error, SPADEWORK_BAD_ARGUMENT, "params.files: kind, name or text of one of them is NULL%s",
                          "");
        }
        if (strlen(from->kind) >= sizeof files->files[0].kind || strlen(from->name) >= sizeof files->files[0].name) {
            return refuse(error, SPADEWORK_BAD_ARGUMENT, "params.files: kind or name of %s is too long", from->name);
        }
        char *text = malloc(from->size + 1);
        if (text == NULL) {
            return refuse(error, SPADEWORK_NO_MEMORY, "no memory for the text of %s", from->name);
        }
        memcpy(text, from->text, from->size);
        text[from->size] = '\0';
        if (!data_files_add(files, from->kind, from->name, text, from->size, &status)) {
            return refuse(error, SPADEWORK_BAD_FILE, "%s", status.text);
        }
    }
    return SPADEWORK_GOOD;
}

/// Levers without which nothing is driven differently, or that are set once: a program names them if it wants them.
static bool is_left_out(ControlAxis axis)
{
    return axis == CONTROL_THROTTLE || axis == CONTROL_HORN;
}

static int choose_actions(ApiSession *own, const SpadeworkParams *params, char *error)
{
    for (size_t k = 0; k < params->action_count; k++) {
        int axis = 0;
        while (axis < CONTROL_COUNT &&
               (params->actions[k] == NULL || strcmp(control_axis_names[axis], params->actions[k]) != 0)) {
            axis++;
        }
        if (axis == CONTROL_COUNT) {
            return refuse(
                error, SPADEWORK_BAD_ARGUMENT,
                "params.actions: no lever is called '%s'; levers are swing, stick, "
                "boom, bucket, left_track, right_track, throttle, blade, blade_tilt, blade_angle, ripper, horn, "
                "auxiliary, answer, blade_float, tool_tilt, tool_rotate",
                params->actions[k] == NULL ? "" : params->actions[k]);
        }
        for (int n = 0; n < own->action_count; n++) {
            if ((int)own->action[n] == axis) {
                return refuse(error, SPADEWORK_BAD_ARGUMENT, "params.actions: '%s' is there twice", params->actions[k]);
            }
        }
        own->action[own->action_count++] = (ControlAxis)axis;
    }
    for (int axis = 0; axis < CONTROL_COUNT && params->action_count == 0; axis++) {
        if (api_axis_acts(own, (ControlAxis)axis) && !is_left_out((ControlAxis)axis)) {
            own->action[own->action_count++] = (ControlAxis)axis;
        }
    }
    return SPADEWORK_GOOD;
}

/// ---- life ----------------------------------------------------------------------------------------------------------

static void free_session(ApiSession *own)
{
    if (own->renderer != NULL) {
        own->renderer->forget(own->session);
    }
    session_destroy(own->session);
    data_files_free(&own->files);
    state_buffer_free(&own->start);
    state_buffer_free(&own->zero);
    state_buffer_free(&own->saved);
    api_design_free(&own->design);
    free(own);
}

/// What a call does that needs more stack than the host's thread may have.
typedef struct Making {
    ApiSession *own;
    const SpadeworkParams *params;
    char *error;
    int result;
} Making;

static void make_session(void *context)
{
    Making *making = context;
    ApiSession *own = making->own;
    const SpadeworkParams *params = making->params;
    SessionParams asked = {.scene = params->scene,
                           .set = params->overrides,
                           .set_count = (int)params->override_count,
                           .has_seed = params->seed >= 0,
                           .seed = params->seed >= 0 ? (uint64_t)params->seed : 0,
                           .threads = params->threads,
                           .files = params->file_count > 0 ? &own->files : NULL};
    Status status = {.code = STATUS_GOOD};
    own->session = session_create(&asked, &status);
    if (own->session == NULL) {
        making->result = refuse(making->error, status.code == STATUS_LACKING ? SPADEWORK_NO_MEMORY : SPADEWORK_BAD_FILE,
                                "%s", status.text);
        return;
    }
    making->result = choose_actions(own, params, making->error);
    if (making->result == SPADEWORK_GOOD && (!hash_site(own) || !keep_start(own, &status))) {
        making->result = refuse(making->error, SPADEWORK_NO_MEMORY, "%s", "no memory for the session's start");
    }
}

/// Where the shipped data is: in the folder that is given; else as data_folder has it, beside this library at last.
static int find_data(const SpadeworkParams *params, char *error)
{
    Status status = {.code = STATUS_GOOD};
    struct stat info;
    char scenes[DATA_PATH_LENGTH];
    data_take_beside(state_magic);
    if (params->data_folder == NULL) {
        return SPADEWORK_GOOD;
    }
    int length = snprintf(scenes, sizeof scenes, "%s/scenes", params->data_folder);
    if (length >= (int)sizeof scenes || stat(scenes, &info) != 0 || !S_ISDIR(info.st_mode)) {
        return refuse(error, SPADEWORK_BAD_ARGUMENT,
                      "params.data_folder %s has no folder scenes that can be read: give a folder of Spadework's data",
                      params->data_folder);
    }
    if (!data_set_folder(params->data_folder, &status)) {
        return refuse(error, status.code == STATUS_LACKING ? SPADEWORK_NO_MEMORY : SPADEWORK_BAD_ARGUMENT, "%s",
                      status.text);
    }
    return SPADEWORK_GOOD;
}

int spadework_create(const SpadeworkParams *params, Spadework *session, char *error)
{
    refuse(error, 0, "%s", "");
    if (session != NULL) {
        *session = 0;
    }
    if (params == NULL || session == NULL) {
        return refuse(error, SPADEWORK_BAD_ARGUMENT, "%s is NULL", params == NULL ? "params" : "session");
    }
    int result = check_params(params, error);
    if (result != SPADEWORK_GOOD) {
        return result;
    }
    ApiSession *own = calloc(1, sizeof *own);
    if (own == NULL) {
        return refuse(error, SPADEWORK_NO_MEMORY, "%s", "no memory for the session");
    }
    own->asks = params->questions != 0;
    own->threads = params->threads;
    Making making = {.own = own, .params = params, .error = error};
    making.result = copy_files(params, &own->files, error);
    if (making.result == SPADEWORK_GOOD) {
        making.result = find_data(params, error);
    }
    if (making.result == SPADEWORK_GOOD && !deep_call(make_session, &making)) {
        making.result = refuse(error, SPADEWORK_NO_MEMORY, "%s", "no memory for a thread that makes the session");
    }
    if (making.result == SPADEWORK_GOOD) {
        *session = api_add(own);
        making.result =
            *session == 0 ? refuse(error, SPADEWORK_NO_MEMORY, "%s", "no memory for the session") : SPADEWORK_GOOD;
    }
    if (making.result != SPADEWORK_GOOD) {
        free_session(own);
    }
    return making.result;
}

/// Ends the session's recording, if there is one.
static int end_recording(ApiSession *own)
{
    Status status = {.code = STATUS_GOOD};
    void *recording = own->recording;
    own->recording = NULL;
    if (recording != NULL && !own->recorder->end(recording, own->session, &status)) {
        return api_fail_status(own, &status, SPADEWORK_CANNOT, SPADEWORK_CANNOT);
    }
    return SPADEWORK_GOOD;
}

int spadework_close(Spadework session)
{
    ApiCall call;
    int result = api_enter(&call, session);
    if (result != SPADEWORK_GOOD) {
        return result;
    }
    ApiSession *own = call.own;
    result = end_recording(own);
    api_remove(&call);
    free_session(own);
    return result;
}

int spadework_error(Spadework session, char *text, size_t size)
{
    ApiCall call;
    int result = text == NULL || size == 0 ? SPADEWORK_BAD_ARGUMENT : api_enter(&call, session);
    if (result != SPADEWORK_GOOD) {
        return result;
    }
    snprintf(text, size, "%s", call.own->error);
    return api_leave(&call, SPADEWORK_GOOD);
}

/// ---- steps ---------------------------------------------------------------------------------------------------------

/// Before anything that moves the session. SPADEWORK_GOOD: it may be stepped.
static int may_move(ApiSession *own)
{
    own->is_saved = false;
    return own->failed ? api_fail(own, SPADEWORK_FAILED, "the session has failed; restore, reset or close it")
                       : SPADEWORK_GOOD;
}

static int take_levers(ApiSession *own, const double *levers, size_t count, OperatorControls *controls)
{
    if (levers == NULL || count != (size_t)own->action_count) {
        return api_fail(own, SPADEWORK_BAD_ARGUMENT, "levers: %zu given, allowed are exactly %d",
                        levers == NULL ? 0 : count, own->action_count);
    }
    *controls = control_neutral;
    for (int k = 0; k < own->action_count; k++) {
        if (!(levers[k] >= -1.0 && levers[k] <= 1.0)) {
            return api_fail(own, SPADEWORK_BAD_ARGUMENT, "levers[%d] (%s) is %g; allowed is -1 to 1", k,
                            control_axis_names[own->action[k]], levers[k]);
        }
        controls->axis[own->action[k]] = control_quantise(levers[k]);
    }
    return SPADEWORK_GOOD;
}

/// One tick, recorded. A recording that can no longer be written is ended, and the tick counts all the same.
static int make_tick(ApiSession *own, const OperatorControls *controls)
{
    Status status = {.code = STATUS_GOOD};
    session_tick(own->session, controls);
    if (session_has_failed(own->session)) {
        own->failed = true;
        return api_fail(own, SPADEWORK_NO_MEMORY,
                        "no memory for the soil in tick %lld; restore, reset or close the session",
                        (long long)session_frame(own->session)->tick);
    }
    api_take_forces(own);
    if (own->recording != NULL && !own->recorder->tick(own->recording, own->session, &status)) {
        end_recording(own);
        return api_fail_status(own, &status, SPADEWORK_CANNOT, SPADEWORK_CANNOT);
    }
    return SPADEWORK_GOOD;
}

static int step(ApiSession *own, const double *levers, size_t count, int64_t ticks)
{
    OperatorControls controls;
    int result = may_move(own);
    if (result == SPADEWORK_GOOD && (ticks < 1 || ticks > SPADEWORK_MOST_TICKS)) {
        result = api_fail(own, SPADEWORK_BAD_ARGUMENT, "ticks is %lld; allowed is 1 to %d", (long long)ticks,
                          (int)SPADEWORK_MOST_TICKS);
    }
    if (result == SPADEWORK_GOOD) {
        result = take_levers(own, levers, count, &controls);
    }
    for (int64_t k = 0; k < ticks && result == SPADEWORK_GOOD; k++) {
        result = make_tick(own, &controls);
    }
    return result;
}

int spadework_step(Spadework session, const double *levers, size_t count, int64_t ticks)
{
    ApiCall call;
    int result = api_enter(&call, session);
    return result != SPADEWORK_GOOD ? result : api_leave(&call, step(call.own, levers, count, ticks));
}

/// Sessions that several threads step: each thread takes the next one that none has taken.
typedef struct Batch {
    const Spadework *sessions;
    size_t n, count;
    const double *levers;
    int64_t ticks;
    int32_t *results; ///< or NULL
    atomic_size_t next;
    atomic_int result; ///< the first that was not SPADEWORK_GOOD
} Batch;

static void step_batch(void *context)
{
    Batch *batch = context;
    for (size_t k = atomic_fetch_add(&batch->next, 1); k < batch->n; k = atomic_fetch_add(&batch->next, 1)) {
        int result = spadework_step(batch->sessions[k], batch->levers + k * batch->count, batch->count, batch->ticks);
        if (batch->results != NULL) {
            batch->results[k] = result;
        }
        int good = SPADEWORK_GOOD;
        if (result != SPADEWORK_GOOD) {
            atomic_compare_exchange_strong(&batch->result, &good, result);
        }
    }
}

static bool one_twice(const Spadework *sessions, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        for (size_t other = 0; other < k; other++) {
            if (sessions[other] == sessions[k]) {
                return true;
            }
        }
    }
    return false;
}

int spadework_step_many(const Spadework *sessions, size_t n, const double *levers, size_t count, int64_t ticks,
                        int32_t threads, int32_t *results)
{
    if ((n > 0 && (sessions == NULL || levers == NULL)) || threads < 1 || threads > MOST_THREADS ||
        one_twice(sessions, n)) {
        return SPADEWORK_BAD_ARGUMENT;
    }
    Batch batch = {.sessions = sessions, .n = n, .count = count, .levers = levers, .ticks = ticks, .results = results};
    deep_calls(step_batch, &batch, n < (size_t)threads ? (int)n : threads);
    return atomic_load(&batch.result);
}

int spadework_order(Spadework session, const char *fault, const char *part, double value)
{
    ApiCall call;
    int result = api_enter(&call, session);
    if (result != SPADEWORK_GOOD) {
        return result;
    }
    ApiSession *own = call.own;
    result = may_move(own);
    SessionFault kind = fault == NULL ? SESSION_FAULT_COUNT : session_fault_named(fault);
    if (result == SPADEWORK_GOOD && kind == SESSION_FAULT_COUNT) {
        result = api_fail(own, SPADEWORK_BAD_ARGUMENT, "there is no fault '%s'; spadework_info lists them",
                          fault == NULL ? "" : fault);
    }
    if (result == SPADEWORK_GOOD) {
        Status status = {.code = STATUS_GOOD};
        SessionOrder order = {.fault = (int32_t)kind, .value = value};
        order.part = session_order_part_named(kind, part == NULL ? "" : part, session_scene(own->session),
                                              session_machine_params(own->session));
        bool taken = session_order(own->session, &order, &status) &&
                     (own->recording == NULL || own->recorder->order(own->recording, &order, &status));
        result = taken ? SPADEWORK_GOOD : api_fail_status(own, &status, SPADEWORK_BAD_ARGUMENT, SPADEWORK_CANNOT);
    }
    return api_leave(&call, result);
}

/// ---- start and states ----------------------------------------------------------------------------------------------

/// What a change of the seed does on a thread of its own.
typedef struct Seeding {
    ApiSession *own;
    uint64_t seed;
    Status status;
    bool seeded; ///< the session is another one
    bool done; ///< and stands at its start
} Seeding;

static void run_seeding(void *context)
{
    Seeding *seeding = context;
    ApiSession *own = seeding->own;
    seeding->seeded = session_reseed(own->session, seeding->seed, &seeding->status);
    if (seeding->seeded && own->renderer != NULL) {
        own->renderer->forget(own->session);
    }
    seeding->done = seeding->seeded && keep_start(own, &seeding->status);
}

/// Puts the session to the start of a seed.
static int change_seed(ApiSession *own, uint64_t seed)
{
    Seeding seeding = {.own = own, .seed = seed};
    if (!deep_call(run_seeding, &seeding)) {
        return api_fail(own, SPADEWORK_NO_MEMORY, "no memory for a thread that makes the site of another seed");
    }
    own->failed = seeding.seeded ? !seeding.done : own->failed;
    return seeding.done ? SPADEWORK_GOOD
                        : api_fail_status(own, &seeding.status, SPADEWORK_BAD_FILE, SPADEWORK_NO_MEMORY);
}

/// Restores a state; when that fails, the session has failed.
/// forces  of the state's last tick
static int restore_bytes(ApiSession *own, const unsigned char *state, size_t size, const ApiForces *forces)
{
    Status status = {.code = STATUS_GOOD};
    own->failed = true;
    if (!state_restore(own->session, state, size, &status)) {
        return api_fail(own, status.code == STATUS_LACKING ? SPADEWORK_NO_MEMORY : SPADEWORK_BAD_STATE, "%s",
                        status.text);
    }
    own->failed = false;
    own->forces = *forces;
    return SPADEWORK_GOOD;
}

int spadework_reset(Spadework session, const int64_t *seed)
{
    ApiCall call;
    int result = api_enter(&call, session);
    if (result != SPADEWORK_GOOD) {
        return result;
    }
    ApiSession *own = call.own;
    if (seed != NULL && *seed < 0) {
        return api_leave(
            &call, api_fail(own, SPADEWORK_BAD_ARGUMENT, "seed is %lld; allowed is 0 and more", (long long)*seed));
    }
    own->is_saved = false;
    int ended = end_recording(own);
    if (seed != NULL && (uint64_t)*seed != session_seed(own->session)) {
        result = change_seed(own, (uint64_t)*seed);
    } else {
        result = own->start.size == 0 ? change_seed(own, session_seed(own->session))
                                      : restore_bytes(own, own->start.data, own->start.size, &own->start_forces);
    }
    return api_leave(&call, result != SPADEWORK_GOOD ? result : ended);
}

/// In front of a state: what it fits. All little-endian, as the processor has it.
typedef struct StateHead {
    char magic[8];
    uint32_t semantics; ///< STATE_VERSION
    uint32_t asks; ///< 1: questions are left to the program
    uint64_t site, seed;
    ApiForces forces;
    uint64_t sum; ///< XXH3 of everything before it
} StateHead;

int spadework_save(Spadework session, void *state, size_t size, size_t *needed)
{
    ApiCall call;
    int result = api_enter(&call, session);
    if (result != SPADEWORK_GOOD) {
        return result;
    }
    ApiSession *own = call.own;
    Status status;
    if (own->failed) {
        return api_leave(&call, api_fail(own, SPADEWORK_FAILED, "the session has failed; restore, reset or close it"));
    }
    if (!own->is_saved && !state_save(own->session, &own->saved, &status)) {
        return api_leave(&call, api_fail(own, SPADEWORK_NO_MEMORY, "%s", status.text));
    }
    own->is_saved = true;
    StateHead head = {
        .semantics = STATE_VERSION, .asks = own->asks, .site = own->site, .seed = session_seed(own->session)};
    head.forces = own->forces;
    memcpy(head.magic, state_magic, sizeof head.magic);
    head.sum = XXH3_64bits(&head, offsetof(StateHead, sum));
    size_t whole = sizeof head + own->saved.size;
    if (needed != NULL) {
        *needed = whole;
    }
    if (state != NULL && size < whole) {
        result =
            api_fail(own, SPADEWORK_BAD_ARGUMENT, "the state has %zu bytes, and there is room for %zu", whole, size);
    } else if (state != NULL) {
        memcpy(state, &head, sizeof head);
        memcpy((unsigned char *)state + sizeof head, own->saved.data, own->saved.size);
    }
    return api_leave(&call, result);
}

static bool forces_are_finite(const StateHead *head)
{
    double sum = vec3_length(head->forces.tool.force) + vec3_length(head->forces.tool.moment);
    for (int k = 0; k < MACHINE_MAX_TOOLS; k++) {
        sum += head->forces.load[k];
    }
    return isfinite(sum);
}

/// True when the head is of this session's site and version.
static int check_head(ApiSession *own, const StateHead *head)
{
    if (memcmp(head->magic, state_magic, sizeof head->magic) != 0) {
        return api_fail(own, SPADEWORK_BAD_STATE, "these bytes are no state of spadework_save");
    }
    if (head->semantics != STATE_VERSION) {
        return api_fail(own, SPADEWORK_BAD_STATE, "the state is of version %u, this library has %d: save it again",
                        (unsigned)head->semantics, STATE_VERSION);
    }
    if (head->site != own->site || head->asks != (uint32_t)own->asks) {
        return api_fail(own, SPADEWORK_BAD_STATE,
                        "the state is of another scene, or of other overrides or files: restore it "
                        "into a session that was created as the one that saved it");
    }
    if (head->sum != XXH3_64bits(head, offsetof(StateHead, sum)) || head->seed > INT64_MAX ||
        !forces_are_finite(head)) {
        return api_fail(own, SPADEWORK_BAD_STATE, "the state is damaged");
    }
    return SPADEWORK_GOOD;
}

static int restore(ApiSession *own, const unsigned char *state, size_t size)
{
    StateHead head;
    Status status;
    if (own->recording != NULL) {
        return api_fail(own, SPADEWORK_NOT_NOW,
                        "the session records; end the recording first, or plan in a second session");
    }
    if (state == NULL || size < sizeof head) {
        return api_fail(own, SPADEWORK_BAD_STATE, "these bytes are no state of spadework_save");
    }
    memcpy(&head, state, sizeof head);
    int result = check_head(own, &head);
    if (result == SPADEWORK_GOOD && !state_is_whole(state + sizeof head, size - sizeof head, &status)) {
        result = api_fail(own, SPADEWORK_BAD_STATE, "%s", status.text);
    }
    if (result == SPADEWORK_GOOD) {
        own->is_saved = false;
        if (head.seed != session_seed(own->session)) {
            result = change_seed(own, head.seed);
        }
    }
    return result == SPADEWORK_GOOD ? restore_bytes(own, state + sizeof head, size - sizeof head, &head.forces)
                                    : result;
}

int spadework_restore(Spadework session, const void *state, size_t size)
{
    ApiCall call;
    int result = api_enter(&call, session);
    return result != SPADEWORK_GOOD ? result : api_leave(&call, restore(call.own, state, size));
}

int spadework_hash(Spadework session, uint64_t *hash)
{
    ApiCall call;
    int result = hash == NULL ? SPADEWORK_BAD_ARGUMENT : api_enter(&call, session);
    if (result != SPADEWORK_GOOD) {
        return result;
    }
    *hash = state_hash(call.own->session);
    return api_leave(&call, SPADEWORK_GOOD);
}

int spadework_tick(Spadework session, int64_t *tick)
{
    ApiCall call;
    int result = tick == NULL ? SPADEWORK_BAD_ARGUMENT : api_enter(&call, session);
    if (result != SPADEWORK_GOOD) {
        return result;
    }
    *tick = session_frame(call.own->session)->tick;
    return api_leave(&call, SPADEWORK_GOOD);
}

/// ---- recordings and pictures ---------------------------------------------------------------------------------------

typedef struct Recording {
    ApiSession *own;
    const char *path, *operator_name;
    int result;
} Recording;

static void begin_recording(void *context)
{
    Recording *asked = context;
    ApiSession *own = asked->own;
    Status status = {.code = STATUS_GOOD};
    if (own->zero.size > 0) {
        asked->result = restore_bytes(own, own->zero.data, own->zero.size, &own->start_forces);
        if (asked->result != SPADEWORK_GOOD) {
            return;
        }
    }
    own->recording = own->recorder->begin(own->session, asked->path, asked->operator_name, &status);
    bool begun = own->recording != NULL && api_go_to_start(own, &status);
    asked->result = SPADEWORK_GOOD;
    if (!begun) {
        asked->result = api_fail_status(own, &status, SPADEWORK_CANNOT, SPADEWORK_CANNOT);
        char text[SPADEWORK_TEXT];
        memcpy(text, own->error, sizeof text);
        end_recording(own);
        restore_bytes(own, own->start.data, own->start.size, &own->start_forces);
        memcpy(own->error, text, sizeof text);
    }
}

int spadework_record(Spadework session, const char *path, const char *operator_name)
{
    ApiCall call;
    int result = api_enter(&call, session);
    if (result != SPADEWORK_GOOD) {
        return result;
    }
    ApiSession *own = call.own;
    Status status;
    result = may_move(own);
    if (result == SPADEWORK_GOOD && path == NULL) {
        result = api_fail(own, SPADEWORK_BAD_ARGUMENT, "path is NULL");
    } else if (result == SPADEWORK_GOOD && own->recording != NULL) {
        result = api_fail(own, SPADEWORK_NOT_NOW, "the session records already");
    } else if (result == SPADEWORK_GOOD && session_frame(own->session)->tick != own->start_tick) {
        result = api_fail(own, SPADEWORK_NOT_NOW,
                          "a recording begins at the session's start, tick %lld, and this is tick %lld: "
                          "reset it first",
                          (long long)own->start_tick, (long long)session_frame(own->session)->tick);
    } else if (result == SPADEWORK_GOOD && !on_demand_recorder(&own->recorder, &status)) {
        result = api_fail(own, SPADEWORK_CANNOT, "%s", status.text);
    }
    Recording asked = {.own = own, .path = path, .operator_name = operator_name, .result = SPADEWORK_NO_MEMORY};
    if (result == SPADEWORK_GOOD) {
        result = deep_call(begin_recording, &asked) ? asked.result
                                                    : api_fail(own, SPADEWORK_NO_MEMORY, "no memory for a thread");
    }
    return api_leave(&call, result);
}

int spadework_record_end(Spadework session)
{
    ApiCall call;
    int result = api_enter(&call, session);
    if (result != SPADEWORK_GOOD) {
        return result;
    }
    result = call.own->recording == NULL ? api_fail(call.own, SPADEWORK_NOT_NOW, "the session does not record")
                                         : end_recording(call.own);
    return api_leave(&call, result);
}

int spadework_render(Spadework session, const SpadeworkPicture *picture, uint8_t *rgb, float *depth)
{
    ApiCall call;
    int result = api_enter(&call, session);
    if (result != SPADEWORK_GOOD) {
        return result;
    }
    ApiSession *own = call.own;
    Status status = {.code = STATUS_GOOD};
    if (picture == NULL || picture->size != sizeof *picture) {
        result = api_fail(own, SPADEWORK_BAD_ARGUMENT, "picture: begin with SPADEWORK_PICTURE");
    } else if (picture->width < 16 || picture->width > 8192 || picture->height < 16 || picture->height > 8192) {
        result = api_fail(own, SPADEWORK_BAD_ARGUMENT, "picture: %d x %d pixels; allowed is 16 to 8192 each",
                          (int)picture->width, (int)picture->height);
    } else if (picture->quality < 0 || picture->quality > 2) {
        result = api_fail(own, SPADEWORK_BAD_ARGUMENT, "picture: quality %d; allowed is 0 to 2", (int)picture->quality);
    } else if (own->failed) {
        result = api_fail(own, SPADEWORK_FAILED, "the session has failed; restore, reset or close it");
    } else if (!on_demand_renderer(&own->renderer, &status)) {
        result = api_fail(own, SPADEWORK_CANNOT, "%s", status.text);
    } else {
        ApiPicture asked = {.camera = picture->camera,
                            .width = picture->width,
                            .height = picture->height,
                            .quality = picture->quality,
                            .panels = picture->panels != 0,
                            .data_folder = data_folder()};
        if (!own->renderer->draw(own->session, &asked, rgb, depth, &status)) {
            result = api_fail_status(own, &status, SPADEWORK_BAD_ARGUMENT, SPADEWORK_CANNOT);
        }
    }
    return api_leave(&call, result);
}
