/// The environment server's calls: a table of names, keys and arrays; sessions by numbers of the client's own; each
/// call checks its keys, calls libspadework and writes the answer.
#include "trainer/remote/env_calls.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trainer/api/spadework.h"
#include "trainer/remote/console_guard.h"
#include "trainer/remote/console_json.h"

enum {
    SHOWN = 80, ///< bytes of a value in an error
    MOST_FILES = 20, ///< texts of a session
    MOST_TEXTS = 256, ///< overrides
    MOST_ACTIONS = 32, ///< names of levers; more than there are
    MOST_THREADS = 256,
    MOST_EVENTS = 10000, ///< of an answer
    MOST_PIXELS = 1 << 24, ///< of a picture
    FEW_TICKS = 16 ///< between two looks whether somebody still waits for the answer
};

/// A client's session.
typedef struct Slot {
    json_int_t number; ///< from 1 on, never used again
    Spadework session;
    size_t actions, observation, exercise; ///< numbers of each
    json_t *event_numbers; ///< names, own
} Slot;

struct EnvClient {
    EnvShared *shared;
    bool (*gone)(void *context);
    void *context;
    bool known;
    json_int_t last_number; ///< of a session
    int slot_count, slot_room;
    Slot *slots; ///< [slot_room], own
};

/// A call while it runs.
typedef struct Call {
    EnvClient *client;
    const EnvMessage *request;
    EnvMessage *answer;
    const char *name;
    Slot *slot; ///< of calls on a session
    bool hangs_up; ///< the connection ends behind the answer
} Call;

static const char *const result_codes[] = {
    [SPADEWORK_GOOD] = "good",           [SPADEWORK_BAD_ARGUMENT] = "bad-argument",
    [SPADEWORK_BAD_FILE] = "bad-file",   [SPADEWORK_BAD_STATE] = "bad-state",
    [SPADEWORK_CLOSED] = "closed",       [SPADEWORK_BUSY] = "busy",
    [SPADEWORK_NO_MEMORY] = "no-memory", [SPADEWORK_FAILED] = "failed",
    [SPADEWORK_CANNOT] = "cannot",       [SPADEWORK_NOT_NOW] = "not-now",
};

/// ---- answers -------------------------------------------------------------------------------------------------------

void env_refusal(EnvMessage *answer, const char *code, const char *error)
{
    json_t *id = json_object_get(answer->head, "id"), *head = json_object();
    json_object_set(head, "id", id != NULL ? id : json_null());
    json_object_set_new(head, "ok", json_false());
    json_object_set_new(head, "code", json_string(code));
    console_json_set(head, "error", error);
    env_message_free(answer);
    answer->head = head;
}

static bool fail(Call *call, const char *code, const char *format, ...) __attribute__((format(printf, 3, 4)));
static bool fail(Call *call, const char *code, const char *format, ...)
{
    char text[SPADEWORK_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    Status shown; // without control characters and halves of letters
    status_fail(&shown, STATUS_BAD_USAGE, "%s", text);
    env_refusal(call->answer, code, shown.text);
    return false;
}

/// Passes on why libspadework refused.
static bool fail_with(Call *call, int result)
{
    char text[SPADEWORK_TEXT] = "";
    spadework_error(call->slot->session, text, sizeof text);
    return fail(call, result_codes[result], "%s", text);
}

static bool fail_memory(Call *call)
{
    return fail(call, "no-memory", "%s: no memory for the answer", call->name);
}

static void set(Call *call, const char *key, json_t *value)
{
    json_object_set_new(call->answer->head, key, value);
}

/// Adds an array of one dimension, or of two where `columns` is not 0; NULL, and the call has failed: no memory.
static void *add_array(Call *call, const char *name, EnvType type, size_t rows, size_t columns)
{
    const size_t shape[2] = {rows, columns};
    EnvArray *array = env_message_add(call->answer, name, type, columns > 0 ? 2 : 1, shape);
    if (array == NULL) {
        fail_memory(call);
        return NULL;
    }
    return array->bytes;
}

/// ---- keys of a request ---------------------------------------------------------------------------------------------

static json_t *find(const Call *call, const char *key)
{
    return json_object_get(call->request->head, key);
}

/// "step: ticks: -1 was read; allowed is ..."
static bool refuse_key(Call *call, const char *key, const char *allowed)
{
    Status status;
    console_json_refuse(key, find(call, key), SHOWN, allowed, &status);
    return fail(call, "bad-argument", "%s: %s", call->name, status.text);
}

/// A whole number; a key that is missing leaves `value`.
static bool take_whole(Call *call, const char *key, int64_t least, int64_t most, int64_t *value)
{
    const json_t *read = find(call, key);
    if (read == NULL) {
        return true;
    }
    json_int_t number = json_integer_value(read);
    if (!json_is_integer(read) || number < least || number > most) {
        char allowed[80];
        snprintf(allowed, sizeof allowed, "a whole number from %" PRId64 " to %" PRId64, least, most);
        return refuse_key(call, key, allowed);
    }
    *value = number;
    return true;
}

static bool take_int(Call *call, const char *key, int least, int most, int *value)
{
    int64_t number = *value;
    bool good = take_whole(call, key, least, most, &number);
    *value = (int)number;
    return good;
}

static bool take_real(Call *call, const char *key, double *value)
{
    const json_t *read = find(call, key);
    if (read != NULL && !json_is_number(read)) {
        return refuse_key(call, key, "a number");
    }
    *value = read != NULL ? json_number_value(read) : *value;
    return true;
}

static bool take_flag(Call *call, const char *key, bool *value)
{
    const json_t *read = find(call, key);
    if (read != NULL && !json_is_boolean(read)) {
        return refuse_key(call, key, "true or false");
    }
    *value = read != NULL ? json_is_true(read) : *value;
    return true;
}

/// A text of the request's; a key that is missing leaves `value`.
static bool take_text(Call *call, const char *key, const char **value)
{
    const json_t *read = find(call, key);
    if (read != NULL && !json_is_string(read)) {
        return refuse_key(call, key, "a text");
    }
    *value = read != NULL ? json_string_value(read) : *value;
    return true;
}

/// A list of texts of the request's.
static bool take_texts(Call *call, const char *key, size_t most, const char **texts, size_t *count)
{
    const json_t *list = find(call, key);
    size_t there = json_array_size(list);
    bool good = list == NULL || (json_is_array(list) && there <= most);
    for (size_t k = 0; k < there && good; k++) {
        texts[k] = json_string_value(json_array_get(list, k));
        good = texts[k] != NULL;
    }
    *count = there;
    char allowed[40];
    snprintf(allowed, sizeof allowed, "a list of at most %zu texts", most);
    return good || refuse_key(call, key, allowed);
}

/// The request's array of a name and type.
static const EnvArray *take_array(Call *call, const char *name, EnvType type, int dimensions)
{
    const EnvArray *array = env_message_find(call->request, name);
    if (array != NULL && array->type == type && array->dimensions == dimensions) {
        return array;
    }
    fail(call, "bad-argument", "%s: array %s: %s of %d dimensions was read; allowed is %s of %d", call->name, name,
         array != NULL ? env_type_names[array->type] : "nothing", array != NULL ? array->dimensions : 0,
         env_type_names[type], dimensions);
    return NULL;
}

/// ---- sessions ------------------------------------------------------------------------------------------------------

static Slot *find_slot(EnvClient *client, const json_t *number)
{
    for (int k = 0; k < client->slot_count && json_is_integer(number); k++) {
        if (client->slots[k].number == json_integer_value(number)) {
            return &client->slots[k];
        }
    }
    return NULL;
}

static bool fail_no_session(Call *call, const json_t *number)
{
    Status status;
    console_json_refuse("session", number, SHOWN, "the number of a session that this connection has open", &status);
    return fail(call, json_is_integer(number) ? "closed" : "bad-argument", "%s: %s", call->name, status.text);
}

static int free_slot(EnvClient *client, Slot *slot)
{
    int result = spadework_close(slot->session);
    json_decref(slot->event_numbers);
    *slot = client->slots[--client->slot_count];
    atomic_fetch_sub(&client->shared->sessions, 1);
    return result;
}

/// The session's description; NULL: memory is short.
static json_t *read_info(Spadework session)
{
    size_t size = spadework_info(session, NULL, 0);
    char *text = size > 0 ? malloc(size) : NULL;
    bool good = text != NULL && spadework_info(session, text, size) == size;
    json_t *info = good ? json_loadb(text, size - 1, 0, NULL) : NULL;
    free(text);
    return info;
}

static json_t *names_of(const json_t *rows)
{
    json_t *names = json_array();
    for (size_t k = 0; k < json_array_size(rows); k++) {
        json_array_append(names, json_object_get(json_array_get(rows, k), "name"));
    }
    return names;
}

/// Counts the new session, and makes room for it.
static bool reserve_slot(Call *call)
{
    EnvClient *client = call->client;
    EnvShared *shared = client->shared;
    if (atomic_fetch_add(&shared->sessions, 1) >= shared->session_most) {
        atomic_fetch_sub(&shared->sessions, 1);
        return fail(call, "too-many",
                    "create: all %d sessions of this server are open; close one, or start it with more (--sessions)",
                    shared->session_most);
    }
    if (client->slot_count == client->slot_room) {
        int room = client->slot_room == 0 ? 4 : 2 * client->slot_room;
        Slot *more = realloc(client->slots, (size_t)room * sizeof *more);
        if (more == NULL) {
            atomic_fetch_sub(&shared->sessions, 1);
            return fail_memory(call);
        }
        client->slots = more;
        client->slot_room = room;
    }
    return true;
}

/// The texts that a session is made of: `files` lists kind and name of each, and the array "file.K" has its bytes.
static bool take_files(Call *call, SpadeworkFile files[MOST_FILES], size_t *count)
{
    const json_t *list = find(call, "files");
    if (list != NULL && (!json_is_array(list) || json_array_size(list) > MOST_FILES)) {
        return refuse_key(call, "files", "a list of at most 20 objects {kind, name}");
    }
    *count = json_array_size(list);
    for (size_t k = 0; k < *count; k++) {
        const json_t *row = json_array_get(list, k);
        char name[ENV_NAME];
        snprintf(name, sizeof name, "file.%zu", k);
        const EnvArray *bytes = take_array(call, name, ENV_UINT8, 1);
        if (bytes == NULL) {
            return false;
        }
        files[k] = (SpadeworkFile){.kind = json_string_value(json_object_get(row, "kind")),
                                   .name = json_string_value(json_object_get(row, "name")),
                                   .text = bytes->bytes,
                                   .size = bytes->size};
        if (files[k].kind == NULL || files[k].name == NULL) {
            return refuse_key(call, "files", "a list of at most 20 objects {kind, name}");
        }
    }
    return true;
}

/// Creates the session as the request says.
static bool make_session(Call *call, Spadework *session)
{
    char error[SPADEWORK_TEXT];
    SpadeworkParams params = SPADEWORK_PARAMS;
    SpadeworkFile files[MOST_FILES];
    const char *overrides[MOST_TEXTS], *actions[MOST_ACTIONS];
    bool questions = false;
    if (!take_text(call, "scene", &params.scene) || !take_files(call, files, &params.file_count) ||
        !take_texts(call, "overrides", MOST_TEXTS, overrides, &params.override_count) ||
        !take_texts(call, "actions", MOST_ACTIONS, actions, &params.action_count) ||
        !take_whole(call, "seed", 0, INT64_MAX, &params.seed) ||
        !take_int(call, "threads", 1, MOST_THREADS, &params.threads) || !take_flag(call, "questions", &questions)) {
        return false;
    }
    params.files = files;
    params.overrides = overrides;
    params.actions = actions;
    params.questions = questions;
    int result = spadework_create(&params, session, error);
    return result == SPADEWORK_GOOD || fail(call, result_codes[result], "create: %s", error);
}

static bool call_create(Call *call)
{
    EnvClient *client = call->client;
    Spadework session = 0;
    if (!reserve_slot(call)) {
        return false;
    }
    bool made = make_session(call, &session);
    json_t *info = made ? read_info(session) : NULL;
    if (info == NULL) {
        spadework_close(session);
        atomic_fetch_sub(&client->shared->sessions, 1);
        return made ? fail_memory(call) : false;
    }
    client->slots[client->slot_count++] = (Slot){
        .number = ++client->last_number,
        .session = session,
        .actions = json_array_size(json_object_get(info, "actions")),
        .observation = json_array_size(json_object_get(info, "observation")),
        .exercise = json_array_size(json_object_get(info, "exercise")),
        .event_numbers = names_of(json_object_get(info, "event_numbers")),
    };
    set(call, "session", json_integer(client->last_number));
    set(call, "info", info);
    return true;
}

static bool call_close(Call *call)
{
    int result = free_slot(call->client, call->slot);
    call->slot = NULL;
    return result == SPADEWORK_GOOD ||
           fail(call, result_codes[result],
                "close: the session is closed, and its recording could not be written to its end");
}

/// ---- stepping ------------------------------------------------------------------------------------------------------

/// What follows each call that moves a session: the tick, and the state in it.
static bool answer_state(Call *call)
{
    const Slot *slot = call->slot;
    int64_t tick = 0;
    double *values = add_array(call, "observation", ENV_FLOAT64, slot->observation, 0);
    if (values == NULL) {
        return false;
    }
    int result = spadework_tick(slot->session, &tick);
    if (result == SPADEWORK_GOOD) {
        result = spadework_observe(slot->session, values, slot->observation);
    }
    set(call, "tick", json_integer(tick));
    return result == SPADEWORK_GOOD || fail_with(call, result);
}

static bool call_reset(Call *call)
{
    int64_t seed = -1;
    if (!take_whole(call, "seed", 0, INT64_MAX, &seed)) {
        return false;
    }
    int result = spadework_reset(call->slot->session, seed >= 0 ? &seed : NULL);
    return result == SPADEWORK_GOOD ? answer_state(call) : fail_with(call, result);
}

/// True when a long call is to break off: nobody waits for its answer.
static bool is_abandoned(const EnvClient *client)
{
    return atomic_load(&client->shared->ends) || (client->gone != NULL && client->gone(client->context));
}

static bool fail_abandoned(Call *call)
{
    call->hangs_up = true;
    return fail(call, "cannot", "%s: the server ends", call->name);
}

static bool call_step(Call *call)
{
    const EnvArray *levers = take_array(call, "levers", ENV_FLOAT64, 1);
    int64_t ticks = 1;
    if (levers == NULL || !take_whole(call, "ticks", 1, SPADEWORK_MOST_TICKS, &ticks)) {
        return false;
    }
    int result = SPADEWORK_GOOD;
    while (ticks > 0 && result == SPADEWORK_GOOD) {
        int64_t now = ticks < FEW_TICKS ? ticks : FEW_TICKS;
        result = spadework_step(call->slot->session, levers->bytes, levers->count, now);
        ticks -= now;
        if (ticks > 0 && is_abandoned(call->client)) {
            return fail_abandoned(call);
        }
    }
    return result == SPADEWORK_GOOD ? answer_state(call) : fail_with(call, result);
}

/// Sessions that are stepped together.
typedef struct Many {
    size_t n, count; ///< sessions; levers of each
    Slot **slots; ///< [n] of the request, in its order
    Spadework *sessions; ///< [n] those that are still stepped
    double *levers; ///< [n][count] theirs
    size_t *place; ///< [n] theirs in the request
    int32_t *results; ///< [n] of the request
    int32_t *now; ///< [n] results of the last ticks
    char (*texts)[SPADEWORK_TEXT]; ///< [n] errors, of the request
} Many;

static void free_many(Many *many)
{
    free(many->slots);
    free(many->sessions);
    free(many->levers);
    free(many->place);
    free(many->results);
    free(many->now);
    free(many->texts);
}

/// Finds the sessions of the request, each of which may be there once.
static bool take_sessions(Call *call, const json_t *list, Many *many)
{
    for (size_t k = 0; k < many->n; k++) {
        const json_t *number = json_array_get(list, k);
        many->slots[k] = find_slot(call->client, number);
        if (many->slots[k] == NULL) {
            return fail_no_session(call, number);
        }
        for (size_t i = 0; i < k; i++) {
            if (many->slots[i] == many->slots[k]) {
                return refuse_key(call, "sessions", "each session once");
            }
        }
        many->sessions[k] = many->slots[k]->session;
        many->place[k] = k;
    }
    return true;
}

static bool make_many(Call *call, Many *many)
{
    const json_t *list = find(call, "sessions");
    size_t n = json_array_size(list);
    if (n == 0 || n > (size_t)call->client->slot_count) {
        refuse_key(call, "sessions", "a list of open sessions of this connection, each once");
        return false;
    }
    const EnvArray *levers = take_array(call, "levers", ENV_FLOAT64, 2);
    if (levers == NULL) {
        return false;
    }
    if (levers->shape[0] != n) {
        fail(call, "bad-argument", "step_many: levers of %zu sessions were read; allowed are those of %zu",
             levers->shape[0], n);
        return false;
    }
    many->n = n;
    many->count = levers->shape[1];
    many->slots = calloc(n, sizeof(Slot *));
    many->sessions = calloc(n, sizeof *many->sessions);
    many->levers = malloc(levers->size > 0 ? levers->size : 1);
    many->place = calloc(n, sizeof *many->place);
    many->results = calloc(n, sizeof *many->results);
    many->now = calloc(n, sizeof *many->now);
    many->texts = calloc(n, sizeof *many->texts);
    if (many->slots == NULL || many->sessions == NULL || many->levers == NULL || many->place == NULL ||
        many->results == NULL || many->now == NULL || many->texts == NULL) {
        fail_memory(call);
        return false;
    }
    memcpy(many->levers, levers->bytes, levers->size);
    return take_sessions(call, list, many);
}

/// Notes what failed in the last ticks and leaves it out of the next ones. Returns how many sessions go on.
static size_t drop_failed(Many *many, size_t n)
{
    size_t kept = 0;
    for (size_t k = 0; k < n; k++) {
        size_t place = many->place[k];
        if (many->now[k] != SPADEWORK_GOOD) {
            many->results[place] = many->now[k];
            spadework_error(many->sessions[k], many->texts[place], sizeof many->texts[place]);
            continue;
        }
        many->sessions[kept] = many->sessions[k];
        many->place[kept] = place;
        memmove(many->levers + kept * many->count, many->levers + k * many->count, many->count * sizeof(double));
        kept++;
    }
    return kept;
}

/// The answer of step_many: a result for each session, and one array of observations where all are of one length.
static bool answer_many(Call *call, const Many *many)
{
    json_t *codes = json_array(), *errors = json_array(), *ticks = json_array();
    bool alike = true;
    for (size_t k = 0; k < many->n; k++) {
        int64_t tick = 0;
        spadework_tick(many->slots[k]->session, &tick);
        json_array_append_new(codes, json_string(result_codes[many->results[k]]));
        json_array_append_new(errors, json_string(many->texts[k]));
        json_array_append_new(ticks, json_integer(tick));
        alike = alike && many->slots[k]->observation == many->slots[0]->observation;
    }
    set(call, "codes", codes);
    set(call, "errors", errors);
    set(call, "ticks", ticks);
    size_t width = many->slots[0]->observation;
    double *values = alike ? add_array(call, "observation", ENV_FLOAT64, many->n, width) : NULL;
    for (size_t k = 0; k < many->n && values != NULL; k++) {
        spadework_observe(many->slots[k]->session, values + k * width, width);
    }
    return !alike || values != NULL;
}

static bool step_many(Call *call, Many *many)
{
    int64_t ticks = 1;
    int threads = 1;
    if (!make_many(call, many) || !take_whole(call, "ticks", 1, SPADEWORK_MOST_TICKS, &ticks) ||
        !take_int(call, "threads", 1, MOST_THREADS, &threads)) {
        return false;
    }
    size_t going = many->n;
    while (ticks > 0 && going > 0) {
        int64_t now = ticks < FEW_TICKS ? ticks : FEW_TICKS;
        spadework_step_many(many->sessions, going, many->levers, many->count, now, threads, many->now);
        going = drop_failed(many, going);
        ticks -= now;
        if (ticks > 0 && is_abandoned(call->client)) {
            return fail_abandoned(call);
        }
    }
    return answer_many(call, many);
}

static bool call_step_many(Call *call)
{
    Many many = {.n = 0};
    bool good = step_many(call, &many);
    free_many(&many);
    return good;
}

static bool call_order(Call *call)
{
    const char *fault = "", *part = "";
    double value = NAN; // stays so, and is refused, where there is none
    if (!take_text(call, "fault", &fault) || !take_text(call, "part", &part) || !take_real(call, "value", &value)) {
        return false;
    }
    int result = spadework_order(call->slot->session, fault, part, value);
    return result == SPADEWORK_GOOD || fail_with(call, result);
}

/// ---- reading -------------------------------------------------------------------------------------------------------

static bool call_info(Call *call)
{
    json_t *info = read_info(call->slot->session);
    if (info == NULL) {
        return fail_memory(call);
    }
    set(call, "info", info);
    return true;
}

/// Text `index` of those that the session was made of.
static bool call_file(Call *call)
{
    int index = 0;
    char kind[SPADEWORK_NAME] = "", name[SPADEWORK_NAME] = "";
    if (!take_int(call, "index", 0, MOST_FILES, &index)) {
        return false;
    }
    Spadework session = call->slot->session;
    size_t size = spadework_file(session, (size_t)index, kind, name, NULL, 0);
    if (size == 0) {
        return refuse_key(call, "index", "the place of a file in the list of `info`");
    }
    char *text = add_array(call, "text", ENV_UINT8, size, 0);
    if (text == NULL) {
        return false;
    }
    spadework_file(session, (size_t)index, kind, name, text, size);
    set(call, "kind", json_string(kind));
    set(call, "name", json_string(name));
    return true;
}

static bool call_observe(Call *call)
{
    return answer_state(call);
}

static bool call_exercise(Call *call)
{
    double *values = add_array(call, "exercise", ENV_FLOAT64, call->slot->exercise, 0);
    int result =
        values != NULL ? spadework_exercise(call->slot->session, values, call->slot->exercise) : SPADEWORK_GOOD;
    return values != NULL && (result == SPADEWORK_GOOD || fail_with(call, result));
}

static bool take_frame(Call *call, int32_t *frame)
{
    static const char *const names[] = {"world", "machine", "house", "tool"};
    const char *name = names[*frame];
    if (!take_text(call, "frame", &name)) {
        return false;
    }
    for (int k = SPADEWORK_WORLD; k <= SPADEWORK_TOOL; k++) {
        if (strcmp(names[k], name) == 0) {
            *frame = k;
            return true;
        }
    }
    return refuse_key(call, "frame", "world, machine, house or tool");
}

static bool call_heights(Call *call)
{
    SpadeworkPatch patch = SPADEWORK_PATCH;
    if (!take_frame(call, &patch.frame) || !take_int(call, "rows", 1, 512, &patch.rows) ||
        !take_int(call, "columns", 1, 512, &patch.columns) || !take_real(call, "x", &patch.x) ||
        !take_real(call, "y", &patch.y) || !take_real(call, "heading", &patch.heading) ||
        !take_real(call, "spacing", &patch.spacing)) {
        return false;
    }
    size_t rows = (size_t)patch.rows, columns = (size_t)patch.columns;
    float *ground = add_array(call, "ground", ENV_FLOAT32, rows, columns);
    float *design = ground != NULL ? add_array(call, "design", ENV_FLOAT32, rows, columns) : NULL;
    uint8_t *mask = design != NULL ? add_array(call, "mask", ENV_UINT8, rows, columns) : NULL;
    if (mask == NULL) {
        return false;
    }
    int result = spadework_heights(call->slot->session, &patch, ground, design, mask);
    return result == SPADEWORK_GOOD || fail_with(call, result);
}

static bool call_particles(Call *call)
{
    Spadework session = call->slot->session;
    size_t count = 0;
    int result = spadework_particles(session, NULL, 0, &count);
    const size_t shape[2] = {count, SPADEWORK_PARTICLE};
    EnvArray *array =
        result == SPADEWORK_GOOD ? env_message_add(call->answer, "particles", ENV_FLOAT64, 2, shape) : NULL;
    if (array == NULL) {
        return result == SPADEWORK_GOOD ? fail_memory(call) : fail_with(call, result);
    }
    result = spadework_particles(session, array->bytes, count, NULL);
    return result == SPADEWORK_GOOD || fail_with(call, result);
}

static json_t *event_row(const Slot *slot, const SpadeworkEvent *event)
{
    json_t *row = json_object(), *numbers = json_object();
    for (size_t k = 0; k < json_array_size(slot->event_numbers) && k < SPADEWORK_NUMBERS; k++) {
        if (event->numbers[k] != 0.0) {
            json_object_set_new(numbers, json_string_value(json_array_get(slot->event_numbers, k)),
                                json_real(event->numbers[k]));
        }
    }
    json_object_set_new(row, "tick", json_integer(event->tick));
    json_object_set_new(row, "time", json_real(event->time));
    json_object_set_new(row, "points", json_real(event->points));
    console_json_set(row, "kind", event->kind);
    console_json_set(row, "part", event->part);
    console_json_set(row, "thing", event->thing);
    console_json_set(row, "text", event->text);
    json_object_set_new(row, "numbers", numbers);
    return row;
}

static bool call_events(Call *call)
{
    Spadework session = call->slot->session;
    int64_t from = 0;
    int most = 1000;
    size_t count = 0;
    if (!take_whole(call, "from", 0, INT64_MAX, &from) || !take_int(call, "most", 0, MOST_EVENTS, &most)) {
        return false;
    }
    int result = spadework_events(session, (size_t)from, NULL, 0, &count);
    if (result != SPADEWORK_GOOD) {
        return fail_with(call, result);
    }
    size_t given = count < (size_t)most ? count : (size_t)most;
    SpadeworkEvent *events = calloc(given > 0 ? given : 1, sizeof *events);
    if (events == NULL) {
        return fail_memory(call);
    }
    spadework_events(session, (size_t)from, events, given, NULL);
    json_t *list = json_array();
    for (size_t k = 0; k < given; k++) {
        json_array_append_new(list, event_row(call->slot, &events[k]));
    }
    free(events);
    set(call, "events", list);
    set(call, "count", json_integer((json_int_t)count));
    return true;
}

/// ---- states --------------------------------------------------------------------------------------------------------

static bool call_save(Call *call)
{
    Spadework session = call->slot->session;
    size_t size = 0;
    int result = spadework_save(session, NULL, 0, &size);
    if (result != SPADEWORK_GOOD) {
        return fail_with(call, result);
    }
    void *state = add_array(call, "state", ENV_UINT8, size, 0);
    result = state != NULL ? spadework_save(session, state, size, NULL) : SPADEWORK_GOOD;
    return state != NULL && (result == SPADEWORK_GOOD || fail_with(call, result));
}

static bool call_restore(Call *call)
{
    const EnvArray *state = take_array(call, "state", ENV_UINT8, 1);
    if (state == NULL) {
        return false;
    }
    int result = spadework_restore(call->slot->session, state->bytes, state->size);
    return result == SPADEWORK_GOOD ? answer_state(call) : fail_with(call, result);
}

static bool call_hash(Call *call)
{
    uint64_t hash = 0;
    char text[20];
    int result = spadework_hash(call->slot->session, &hash);
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    set(call, "hash", json_string(text));
    return result == SPADEWORK_GOOD || fail_with(call, result);
}

/// ---- recordings and pictures ---------------------------------------------------------------------------------------

static bool call_record(Call *call)
{
    const char *path = NULL, *operator_name = NULL;
    if (!take_text(call, "path", &path) || !take_text(call, "operator", &operator_name)) {
        return false;
    }
    if (path == NULL || path[0] == '\0') {
        return refuse_key(call, "path", "the path of a new .spade file");
    }
    int result = spadework_record(call->slot->session, path, operator_name);
    return result == SPADEWORK_GOOD || fail_with(call, result);
}

static bool call_record_end(Call *call)
{
    int result = spadework_record_end(call->slot->session);
    return result == SPADEWORK_GOOD || fail_with(call, result);
}

static bool call_render(Call *call)
{
    SpadeworkPicture picture = SPADEWORK_PICTURE;
    bool panels = false, depth = false;
    if (!take_text(call, "camera", &picture.camera) || !take_int(call, "width", 16, 8192, &picture.width) ||
        !take_int(call, "height", 16, 8192, &picture.height) || !take_int(call, "quality", 0, 2, &picture.quality) ||
        !take_flag(call, "panels", &panels) || !take_flag(call, "depth", &depth)) {
        return false;
    }
    if ((int64_t)picture.width * picture.height > MOST_PIXELS) {
        return fail(call, "bad-argument", "render: %d x %d pixels; allowed are %d in all", (int)picture.width,
                    (int)picture.height, MOST_PIXELS);
    }
    picture.panels = panels;
    const size_t shape[3] = {(size_t)picture.height, (size_t)picture.width, 3};
    EnvArray *rgb = env_message_add(call->answer, "rgb", ENV_UINT8, 3, shape);
    EnvArray *metres = rgb != NULL && depth ? env_message_add(call->answer, "depth", ENV_FLOAT32, 2, shape) : NULL;
    if (rgb == NULL || (depth && metres == NULL)) {
        return fail_memory(call);
    }
    int result = spadework_render(call->slot->session, &picture, rgb->bytes, depth ? metres->bytes : NULL);
    return result == SPADEWORK_GOOD || fail_with(call, result);
}

/// ---- the table -----------------------------------------------------------------------------------------------------

/// The first call of a client that must show a token; others may call it.
static bool call_hello(Call *call)
{
    EnvClient *client = call->client;
    char shown[8 + ENV_STRANGER_MOST];
    const char *token = "";
    if (!take_text(call, "token", &token)) {
        call->hangs_up = !client->known;
        return false;
    }
    snprintf(shown, sizeof shown, "Bearer %s", token);
    client->known = client->known || guard_knows_token(shown, client->shared->token);
    if (!client->known) {
        call->hangs_up = true;
        return fail(call, "bad-token",
                    "hello: this is not the server's token; it is printed when the server starts, or "
                    "is the first line of its --token FILE");
    }
    set(call, "protocol", json_integer(ENV_PROTOCOL));
    set(call, "abi", json_pack("[ii]", SPADEWORK_ABI_MAJOR, SPADEWORK_ABI_MINOR));
    set(call, "version", json_string(SPADEWORK_VERSION));
    set(call, "sessions", json_integer(client->shared->session_most));
    set(call, "longest", json_pack("{sIsI}", "json", (json_int_t)ENV_HEAD_MOST, "arrays", (json_int_t)ENV_BODY_MOST));
    return true;
}

/// A call, with the keys that a request may have beside id, call and arrays.
typedef struct CallRow {
    const char *name;
    const char *keys; ///< " session ticks "; one of them "session": of a session that is open
    bool (*run)(Call *call);
} CallRow;

static const CallRow rows[] = {
    {"hello", " token ", call_hello},
    {"create", " scene overrides files seed threads questions actions ", call_create},
    {"close", " session ", call_close},
    {"info", " session ", call_info},
    {"file", " session index ", call_file},
    {"reset", " session seed ", call_reset},
    {"step", " session ticks ", call_step},
    {"step_many", " sessions ticks threads ", call_step_many},
    {"observe", " session ", call_observe},
    {"exercise", " session ", call_exercise},
    {"heights", " session frame rows columns x y heading spacing ", call_heights},
    {"particles", " session ", call_particles},
    {"events", " session from most ", call_events},
    {"order", " session fault part value ", call_order},
    {"save", " session ", call_save},
    {"restore", " session ", call_restore},
    {"hash", " session ", call_hash},
    {"record", " session path operator ", call_record},
    {"record_end", " session ", call_record_end},
    {"render", " session camera width height quality panels depth ", call_render},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static bool has_key(const CallRow *row, const char *key)
{
    char word[40];
    int length = snprintf(word, sizeof word, " %s ", key);
    return length < (int)sizeof word && strchr(key, ' ') == NULL && strstr(row->keys, word) != NULL;
}

/// Refuses keys that the call does not have: one that is misspelt would be left out without a word.
static bool check_keys(Call *call, const CallRow *row)
{
    const char *key;
    json_t *value;
    json_object_foreach(call->request->head, key, value)
    {
        bool of_all = strcmp(key, "id") == 0 || strcmp(key, "call") == 0 || strcmp(key, "arrays") == 0;
        if (!of_all && !has_key(row, key)) {
            return fail(call, "bad-argument", "%s: it has no key '%.40s'; its keys are id, call, arrays and%s",
                        row->name, key, row->keys);
        }
    }
    return true;
}

static bool fail_unknown(Call *call)
{
    char known[400] = "";
    size_t length = 0;
    for (int k = 0; k < ROWS; k++) {
        length += (size_t)snprintf(known + length, sizeof known - length, "%s%s", k > 0 ? ", " : "", rows[k].name);
    }
    return refuse_key(call, "call", known);
}

static bool run_row(Call *call, const CallRow *row)
{
    call->name = row->name;
    if (!call->client->known && row->run != call_hello) {
        call->hangs_up = true;
        return fail(call, "bad-token", "%s: the first call must be hello, with the server's token", row->name);
    }
    if (!check_keys(call, row)) {
        return false;
    }
    if (has_key(row, "session")) {
        call->slot = find_slot(call->client, find(call, "session"));
        if (call->slot == NULL) {
            return fail_no_session(call, find(call, "session"));
        }
    }
    return row->run(call);
}

static bool run_call(Call *call)
{
    json_t *id = find(call, "id");
    const char *name = json_string_value(find(call, "call"));
    call->answer->head = json_object();
    if (id != NULL && !json_is_integer(id) && !json_is_string(id) && !json_is_null(id)) {
        return refuse_key(call, "id", "a whole number, a text or null");
    }
    json_object_set(call->answer->head, "id", id != NULL ? id : json_null());
    set(call, "ok", json_true());
    for (int k = 0; k < ROWS && name != NULL; k++) {
        if (strcmp(rows[k].name, name) == 0) {
            return run_row(call, &rows[k]);
        }
    }
    call->hangs_up = !call->client->known;
    return fail_unknown(call);
}

/// ---- clients -------------------------------------------------------------------------------------------------------

EnvClient *env_client_create(EnvShared *shared, bool (*gone)(void *context), void *context)
{
    EnvClient *client = calloc(1, sizeof *client);
    if (client != NULL) {
        client->shared = shared;
        client->gone = gone;
        client->context = context;
        client->known = shared->token == NULL;
    }
    return client;
}

void env_client_destroy(EnvClient *client)
{
    if (client == NULL) {
        return;
    }
    while (client->slot_count > 0) {
        free_slot(client, &client->slots[client->slot_count - 1]);
    }
    free(client->slots);
    free(client);
}

bool env_client_is_known(const EnvClient *client)
{
    return client->known;
}

bool env_client_answer(EnvClient *client, const EnvMessage *request, EnvMessage *answer)
{
    Call call = {.client = client, .request = request, .answer = answer, .name = "request"};
    run_call(&call);
    return !call.hangs_up;
}

bool env_client_serve(EnvClient *client, const EnvWire *wire)
{
    for (;;) {
        Status status = {.code = STATUS_GOOD};
        EnvMessage request, answer = {.head = NULL};
        EnvRead read = env_message_read(&request, wire, client->known ? ENV_HEAD_MOST : ENV_STRANGER_MOST,
                                        client->known ? ENV_BODY_MOST : 0, &status);
        if (read == ENV_ENDED) {
            return false;
        }
        bool goes_on = false;
        if (read == ENV_READ) {
            goes_on = env_client_answer(client, &request, &answer);
            env_message_free(&request);
        } else {
            env_refusal(&answer, "bad-message", status.text);
        }
        bool sent = env_message_write(&answer, wire);
        env_message_free(&answer);
        if (!goes_on || !sent) {
            return sent;
        }
    }
}
