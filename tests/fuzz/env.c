/// What a socket may bring to the environment server: messages, and calls on two small sessions.
///
/// The first byte chooses. '0': all that follows is a stream. Else: lines of JSON, each a message of the right length,
/// up to an empty line; what follows is the content of their arrays, over and over.
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "trainer/remote/env_calls.h"

enum { SESSIONS = 2, ROUNDS = 1 << 16 };

/// Bytes that come, and those that go.
typedef struct Link {
    const uint8_t *data, *tail; ///< [size], [tail_size]
    size_t size, tail_size, at;
    size_t left; ///< bytes of the tail that may still come
    unsigned char *sent; ///< [sent_size], own
    size_t sent_size;
} Link;

static EnvShared shared = {.session_most = SESSIONS};
static EnvClient *client;

static bool take(void *context, void *bytes, size_t size)
{
    Link *link = context;
    unsigned char *to = bytes;
    for (size_t k = 0; k < size; k++) {
        if (link->at < link->size) {
            to[k] = link->data[link->at++];
        } else if (link->left > 0 && link->tail_size > 0) {
            to[k] = link->tail[--link->left % link->tail_size];
        } else {
            return false;
        }
    }
    return true;
}

static bool put(void *context, const void *bytes, size_t size)
{
    Link *link = context;
    link->sent = realloc(link->sent, link->sent_size + size + 1);
    require(link->sent != NULL);
    memcpy(link->sent + link->sent_size, bytes, size);
    link->sent_size += size;
    return true;
}

/// Long steps break off at once.
static bool is_gone(void *context)
{
    (void)context;
    return true;
}

static bool is_good(const EnvMessage *answer)
{
    const json_t *good = json_object_get(answer->head, "ok");
    require(json_is_boolean(good) && json_object_get(answer->head, "id") != NULL);
    if (!json_is_true(good)) {
        const char *text = json_string_value(json_object_get(answer->head, "error"));
        require(text != NULL && text[0] != '\0' && answer->array_count == 0);
        require(json_string_length(json_object_get(answer->head, "code")) > 0);
    }
    return json_is_true(good);
}

/// True when a call of the fuzzer's own succeeds.
static bool call(const char *text)
{
    EnvMessage request = {.head = json_loads(text, 0, NULL)}, answer = {.head = NULL};
    env_client_answer(client, &request, &answer);
    bool good = is_good(&answer);
    env_message_free(&request);
    env_message_free(&answer);
    return good;
}

/// Two sessions at their starts.
static void begin(void)
{
    bool fresh = client != NULL && atomic_load(&shared.sessions) == SESSIONS &&
                 call("{\"call\": \"reset\", \"session\": 1}") && call("{\"call\": \"reset\", \"session\": 2}");
    if (fresh) {
        return;
    }
    env_client_destroy(client);
    require(atomic_load(&shared.sessions) == 0);
    client = env_client_create(&shared, is_gone, NULL);
    for (int k = 0; k < SESSIONS; k++) {
        require(call("{\"call\": \"create\", \"scene\": \"" SPADEWORK_TEST_DIR "/support/small.yaml\"}"));
    }
}

/// All that was sent is answers.
static void check_answers(Link *link)
{
    Link back = {.data = link->sent, .size = link->sent_size};
    const EnvWire wire = {&back, take, put};
    EnvMessage answer;
    Status status;
    while (env_message_read(&answer, &wire, SIZE_MAX, SIZE_MAX / 16, &status) == ENV_READ) {
        is_good(&answer);
        env_message_free(&answer);
    }
    require(back.at == back.size);
    free(link->sent);
}

static void run_stream(const uint8_t *data, size_t size)
{
    Link link = {.data = data, .size = size};
    const EnvWire wire = {&link, take, put};
    env_client_serve(client, &wire);
    check_answers(&link);
}

/// Sessions take long to be made: they are closed by requests with this id alone.
static bool may_run(const EnvMessage *request)
{
    const char *name = json_string_value(json_object_get(request->head, "call"));
    const char *id = json_string_value(json_object_get(request->head, "id"));
    return name == NULL || strcmp(name, "close") != 0 || (id != NULL && strcmp(id, "really") == 0);
}

/// One message of a line.
static void run_line(const uint8_t *line, size_t length, const uint8_t *tail, size_t tail_size)
{
    unsigned char *data = malloc(4 + length);
    require(data != NULL);
    for (int k = 0; k < 4; k++) {
        data[k] = (unsigned char)(length >> (8 * k));
    }
    memcpy(data + 4, line, length);
    Link link = {.data = data, .size = 4 + length, .tail = tail, .tail_size = tail_size, .left = ROUNDS};
    const EnvWire wire = {&link, take, put};
    EnvMessage request, answer = {.head = NULL};
    Status status = {STATUS_GOOD, ""};
    EnvRead read = env_message_read(&request, &wire, ENV_HEAD_MOST, ENV_BODY_MOST, &status);
    if (read == ENV_READ && may_run(&request)) {
        env_client_answer(client, &request, &answer);
        is_good(&answer);
        require(env_message_write(&answer, &wire));
    }
    require(read != ENV_LOST || status.text[0] != '\0');
    env_message_free(&request);
    env_message_free(&answer);
    check_answers(&link);
    free(data);
}

void fuzz_env(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return;
    }
    begin();
    if (data[0] == '0') {
        run_stream(data + 1, size - 1);
        return;
    }
    const uint8_t *at = data + 1, *end = data + size, *tail = at;
    while (tail < end && !(*tail == '\n' && (tail + 1 == end || tail[1] == '\n'))) {
        tail++;
    }
    const uint8_t *stop = tail;
    tail = end - tail > 2 ? tail + 2 : end;
    while (at < stop) {
        const uint8_t *line = memchr(at, '\n', (size_t)(stop - at));
        line = line != NULL ? line : stop;
        run_line(at, (size_t)(line - at), tail, (size_t)(end - tail));
        at = line < stop ? line + 1 : stop;
    }
}
