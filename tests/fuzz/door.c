/// Calls of libspadework with hostile arguments, in any order, on two small sessions of two scenes: lengths, numbers
/// that are none, closed and foreign handles, states that are damaged, cut or of the other scene.
///
/// A failed call leaves a text, one whose arguments were refused the state, and every session can be reset afterwards.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/data_files.h"
#include "tests/fuzz/fuzz.h"
#include "trainer/api/spadework.h"

enum { SESSIONS = 2, MOST_CALLS = 24, NAME = 24 };

/// The bytes, taken from the front; zeros behind their end.
typedef struct Tape {
    const uint8_t *data;
    size_t size;
} Tape;

/// A session with what its calls need.
typedef struct Own {
    Spadework session;
    size_t actions, observation, exercise, info;
    int64_t seed;
} Own;

static Own own[SESSIONS];
static Spadework closed;

/// ---- arguments -----------------------------------------------------------------------------------------------------

static unsigned take(Tape *tape)
{
    if (tape->size == 0) {
        return 0;
    }
    tape->size--;
    return *tape->data++;
}

static uint64_t take_bits(Tape *tape)
{
    uint64_t bits = 0;
    for (int k = 0; k < 8; k++) {
        bits |= (uint64_t)take(tape) << (8 * k);
    }
    return bits;
}

static double take_number(Tape *tape)
{
    static const double numbers[] = {0.0, 1.0, -1.0, 0.5, 1.0001, 1e308, -1e308, 5e-324, 3e9, 0.01, 10.0};
    enum { NUMBERS = sizeof numbers / sizeof numbers[0] };
    unsigned choice = take(tape) % (NUMBERS + 4);
    double raw;
    uint64_t bits = choice == NUMBERS + 3 ? take_bits(tape) : 0;
    memcpy(&raw, &bits, sizeof raw);
    return choice < NUMBERS        ? numbers[choice]
           : choice == NUMBERS     ? (double)NAN
           : choice == NUMBERS + 1 ? (double)INFINITY
           : choice == NUMBERS + 2 ? -(double)INFINITY
                                   : raw;
}

static int64_t take_whole(Tape *tape)
{
    static const int64_t numbers[] = {0,   1,   2,       3,         -1,        16,        64,
                                      512, 513, 1000001, INT32_MAX, INT32_MIN, INT64_MIN, INT64_MAX};
    enum { NUMBERS = sizeof numbers / sizeof numbers[0] };
    unsigned choice = take(tape) % (NUMBERS + 1);
    return choice < NUMBERS ? numbers[choice] : (int64_t)take_bits(tape);
}

/// A length near the one that is right.
static size_t take_size(Tape *tape, size_t right)
{
    switch (take(tape) % 6) {
    case 0:
        return 0;
    case 1:
        return right > 0 ? right - 1 : 0;
    case 2:
        return right + 1;
    case 3:
        return take(tape);
    default:
        return right;
    }
}

static Spadework take_handle(Tape *tape)
{
    const Spadework handles[] = {own[0].session, own[1].session,
                                 own[0].session, own[1].session,
                                 closed,         0,
                                 UINT64_MAX,     own[0].session ^ (1U << 24)};
    unsigned choice = take(tape) % 10;
    return choice < 8 ? handles[choice] : choice == 8 ? take_bits(tape) : own[1].session + 1;
}

static Own *own_of(Spadework session)
{
    return session == own[1].session ? &own[1] : &own[0];
}

static const char *take_text(Tape *tape, char text[NAME])
{
    static const char *const words[] = {"pressure", "valve", "person", "boom", "", "engine", "horn", "swing"};
    unsigned choice = take(tape) % 10;
    if (choice == 8) {
        return NULL;
    }
    size_t length = take(tape) % NAME;
    for (size_t k = 0; k < length && choice == 9; k++) {
        text[k] = (char)take(tape);
    }
    text[choice == 9 ? length : 0] = '\0';
    return choice == 9 ? text : words[choice];
}

/// Memory of exactly so many bytes.
static void *room_for(size_t bytes)
{
    void *room = malloc(bytes > 0 ? bytes : 1);
    require(room != NULL);
    return room;
}

/// ---- calls ---------------------------------------------------------------------------------------------------------

static int step(Tape *tape, Spadework session)
{
    size_t count = take_size(tape, own_of(session)->actions);
    double *levers = room_for(count * sizeof *levers);
    for (size_t k = 0; k < count; k++) {
        levers[k] = take(tape) % 8 == 0 ? take_number(tape) : 0.1;
    }
    int64_t ticks = take_whole(tape);
    ticks = ticks > 3 && ticks <= SPADEWORK_MOST_TICKS ? 3 : ticks; // more take their time
    int result = spadework_step(session, take(tape) % 16 == 0 ? NULL : levers, count, ticks);
    free(levers);
    return result;
}

static int step_many(Tape *tape, Spadework session)
{
    size_t n = take(tape) % 4, count = take_size(tape, own_of(session)->actions);
    Spadework *sessions = room_for(n * sizeof *sessions);
    double *levers = room_for(n * count * sizeof *levers);
    int32_t *results = room_for(n * sizeof *results);
    for (size_t k = 0; k < n; k++) {
        sessions[k] = take_handle(tape);
    }
    for (size_t k = 0; k < n * count; k++) {
        levers[k] = take(tape) % 8 == 0 ? take_number(tape) : 0.1;
    }
    spadework_step_many(sessions, n, levers, count, take(tape) % 3, (int32_t)(take(tape) % 4),
                        take(tape) % 2 == 0 ? results : NULL);
    free(sessions);
    free(levers);
    free(results);
    return SPADEWORK_GOOD; // of several
}

static int reset(Tape *tape, Spadework session)
{
    int64_t seed = take_whole(tape);
    return spadework_reset(session, take(tape) % 4 == 0 ? &seed : NULL);
}

static int read_numbers(Tape *tape, Spadework session)
{
    bool exercise = take(tape) % 2 == 0;
    size_t count = take_size(tape, exercise ? own_of(session)->exercise : own_of(session)->observation);
    double *values = room_for(count * sizeof *values);
    double *to = take(tape) % 16 == 0 ? NULL : values;
    int result = exercise ? spadework_exercise(session, to, count) : spadework_observe(session, to, count);
    free(values);
    return result;
}

static int heights(Tape *tape, Spadework session)
{
    SpadeworkPatch patch = SPADEWORK_PATCH;
    patch.frame = (int32_t)take(tape) % 6 - 1;
    patch.rows = (int32_t)take_whole(tape);
    patch.columns = (int32_t)take_whole(tape);
    patch.x = take_number(tape);
    patch.y = take_number(tape);
    patch.heading = take_number(tape);
    patch.spacing = take_number(tape);
    patch.size += take(tape) % 16 == 0;
    bool allowed = patch.rows >= 1 && patch.rows <= 512 && patch.columns >= 1 && patch.columns <= 512;
    size_t all = allowed ? (size_t)patch.rows * (size_t)patch.columns : 1;
    float *ground = room_for(all * sizeof *ground), *design = room_for(all * sizeof *design);
    uint8_t *mask = room_for(all);
    unsigned left_out = take(tape);
    int result = spadework_heights(session, left_out % 32 == 0 ? NULL : &patch, left_out % 32 == 1 ? NULL : ground,
                                   left_out % 4 == 2 ? NULL : design, left_out % 4 == 3 ? NULL : mask);
    free(ground);
    free(design);
    free(mask);
    return result;
}

static int lists(Tape *tape, Spadework session)
{
    size_t most = take_size(tape, 16), count = 0;
    if (take(tape) % 2 == 0) {
        double *particles = room_for(most * SPADEWORK_PARTICLE * sizeof *particles);
        int result = spadework_particles(session, take(tape) % 8 == 0 ? NULL : particles, most, &count);
        free(particles);
        return result;
    }
    SpadeworkEvent *events = room_for(most * sizeof *events);
    int result = spadework_events(session, (size_t)take_whole(tape), take(tape) % 8 == 0 ? NULL : events, most,
                                  take(tape) % 8 == 0 ? NULL : &count);
    free(events);
    return result;
}

static int texts(Tape *tape, Spadework session)
{
    char kind[SPADEWORK_NAME], name[SPADEWORK_NAME];
    size_t size = take_size(tape, own_of(session)->info);
    char *text = room_for(size);
    switch (take(tape) % 3) {
    case 0:
        spadework_info(session, take(tape) % 8 == 0 ? NULL : text, size);
        break;
    case 1:
        spadework_file(session, (size_t)take_whole(tape), kind, take(tape) % 8 == 0 ? NULL : name, text, size);
        break;
    default:
        spadework_error(session, take(tape) % 8 == 0 ? NULL : text, size);
    }
    free(text);
    return SPADEWORK_GOOD; // no error's text is left by these
}

static int order(Tape *tape, Spadework session)
{
    char fault[NAME], part[NAME];
    const char *first = take_text(tape, fault), *second = take_text(tape, part);
    return spadework_order(session, first, second, take_number(tape));
}

static int save(Tape *tape, Spadework session)
{
    size_t needed = 0;
    int result = spadework_save(session, NULL, 0, &needed);
    if (result != SPADEWORK_GOOD) {
        return result;
    }
    size_t size = take_size(tape, needed);
    unsigned char *state = room_for(size);
    result = spadework_save(session, state, size, NULL);
    free(state);
    return result;
}

/// A state of either session, whole or damaged.
static int restore(Tape *tape, Spadework session)
{
    Spadework from = own[take(tape) % SESSIONS].session;
    size_t size = 0;
    spadework_save(from, NULL, 0, &size);
    unsigned char *state = room_for(size);
    if (spadework_save(from, state, size, NULL) != SPADEWORK_GOOD) {
        size = 0; // it has failed
    }
    for (unsigned k = take(tape) % 4; k > 0 && size > 0; k--) {
        state[(take(tape) | take(tape) << 8 | take(tape) << 16) % size] ^= (unsigned char)take(tape);
    }
    size_t given = take(tape) % 4 == 0 ? take_size(tape, size) : size;
    given = given < size ? given : size;
    unsigned char *exact = room_for(given);
    memcpy(exact, state, given);
    int result = spadework_restore(session, take(tape) % 16 == 0 ? NULL : exact, given);
    free(exact);
    free(state);
    return result;
}

/// What makes no session.
static int create(Tape *tape)
{
    char error[SPADEWORK_TEXT], name[NAME], text[NAME];
    const char *texts_of[] = {NULL, "machine.x", "machine.x=nan", text};
    SpadeworkParams params = SPADEWORK_PARAMS;
    Spadework session = 7;
    const SpadeworkFile file = {take(tape) % 8 == 0 ? NULL : "scenes", take_text(tape, name), (const char *)tape->data,
                                tape->size < 200 ? tape->size : 200};
    take_text(tape, text);
    params.scene = "no-such-scene";
    params.files = &file;
    params.file_count = take(tape) % 2 == 0 ? 1 : (size_t)take_whole(tape) & ~(size_t)31;
    params.file_count = params.file_count > DATA_MAX_FILES ? DATA_MAX_FILES + 1 : params.file_count;
    params.overrides = &texts_of[take(tape) % 4];
    params.override_count = take(tape) % 2;
    params.seed = take_whole(tape);
    params.threads = (int32_t)take_whole(tape);
    params.size -= take(tape) % 8 == 0;
    int result = spadework_create(take(tape) % 16 == 0 ? NULL : &params, &session, error);
    require(result != SPADEWORK_GOOD && error[0] != '\0' && (session == 0 || session == 7));
    return SPADEWORK_GOOD; // its text is here
}

/// Without the libraries that are loaded on demand.
static int draw(Tape *tape, Spadework session)
{
    char camera[NAME];
    SpadeworkPicture picture = SPADEWORK_PICTURE;
    picture.camera = take_text(tape, camera);
    picture.width = (int32_t)take_whole(tape);
    picture.height = 8; // never drawn
    return take(tape) % 2 == 0 ? spadework_render(session, &picture, NULL, NULL) : spadework_record_end(session);
}

/// ---- the target ----------------------------------------------------------------------------------------------------

static size_t count_rows(const char *json, const char *key)
{
    const char *list = strstr(json, key);
    require(list != NULL);
    size_t rows = 0;
    for (const char *at = list, *end = strstr(list, "\n ]"); at != NULL && at < end; at = strstr(at + 1, "\"name\"")) {
        rows++;
    }
    return rows - 1;
}

static void begin_session(Own *made, const char *override)
{
    char error[SPADEWORK_TEXT];
    SpadeworkParams params = SPADEWORK_PARAMS;
    params.scene = SPADEWORK_TEST_DIR "/support/small.yaml";
    params.overrides = &override;
    params.override_count = override != NULL;
    params.seed = made->seed = 5;
    require(spadework_create(&params, &made->session, error) == SPADEWORK_GOOD);
    made->info = spadework_info(made->session, NULL, 0);
    char *json = room_for(made->info);
    require(spadework_info(made->session, json, made->info) == made->info);
    made->actions = count_rows(json, "\n \"actions\":");
    made->observation = count_rows(json, "\n \"observation\":");
    made->exercise = count_rows(json, "\n \"exercise\":");
    free(json);
}

static void begin(void)
{
    if (own[0].session != 0) {
        return;
    }
    Own third = {.session = 0};
    begin_session(&own[0], NULL);
    begin_session(&own[1], "machine.x=0.5");
    begin_session(&third, NULL);
    closed = third.session;
    require(spadework_close(closed) == SPADEWORK_GOOD);
}

static int call_one(Tape *tape, Spadework session)
{
    switch (take(tape) % 13) {
    case 0:
    case 1:
        return step(tape, session);
    case 2:
        return step_many(tape, session);
    case 3:
        return reset(tape, session);
    case 4:
        return read_numbers(tape, session);
    case 5:
        return heights(tape, session);
    case 6:
        return lists(tape, session);
    case 7:
        return texts(tape, session);
    case 8:
        return order(tape, session);
    case 9:
        return save(tape, session);
    case 10:
        return restore(tape, session);
    case 11:
        return create(tape);
    default:
        return draw(tape, session);
    }
}

static uint64_t hash_of(Spadework session)
{
    uint64_t hash = 0;
    spadework_hash(session, &hash);
    return hash;
}

/// Numbers of a result that says nothing of the session: it was not taken.
static bool is_elsewhere(int result)
{
    return result == SPADEWORK_GOOD || result == SPADEWORK_CLOSED || result == SPADEWORK_BUSY;
}

void fuzz_door(const uint8_t *data, size_t size)
{
    Tape tape = {data, size};
    char text[SPADEWORK_TEXT];
    begin();
    for (int k = 0; k < MOST_CALLS && tape.size > 0; k++) {
        Spadework session = take_handle(&tape);
        uint64_t before[SESSIONS] = {hash_of(own[0].session), hash_of(own[1].session)};
        int result = call_one(&tape, session);
        if (!is_elsewhere(result)) {
            require(spadework_error(session, text, sizeof text) == SPADEWORK_GOOD && text[0] != '\0');
        }
        if (result == SPADEWORK_BAD_ARGUMENT || result == SPADEWORK_BAD_STATE || result == SPADEWORK_CLOSED) {
            require(hash_of(own[0].session) == before[0] && hash_of(own[1].session) == before[1]);
        }
    }
    for (int k = 0; k < SESSIONS; k++) {
        require(spadework_reset(own[k].session, &own[k].seed) == SPADEWORK_GOOD ||
                spadework_reset(own[k].session, NULL) == SPADEWORK_GOOD);
        require(spadework_close(closed) == SPADEWORK_CLOSED);
    }
}
