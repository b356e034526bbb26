/// The environment server without sockets: messages as bytes, what a stranger may send, sessions of a client.
// test: sanitized
#include "tests/support/test.h"

#include "trainer/remote/env_calls.h"

#define SMALL "{\"call\": \"create\", \"scene\": \"" SPADEWORK_TEST_DIR "/support/small.yaml\"}"

enum { ROOM = 1 << 16 };

/// Bytes in memory, as a wire.
typedef struct Tape {
    unsigned char bytes[ROOM];
    size_t size, at;
} Tape;

static Tape in, out;

static bool take(void *context, void *bytes, size_t size)
{
    (void)context;
    if (in.size - in.at < size) {
        return false;
    }
    memcpy(bytes, in.bytes + in.at, size);
    in.at += size;
    return true;
}

static bool put(void *context, const void *bytes, size_t size)
{
    (void)context;
    assert_true(out.size + size <= ROOM);
    memcpy(out.bytes + out.size, bytes, size);
    out.size += size;
    return true;
}

static const EnvWire wire = {NULL, take, put};

/// Appends a message's length and JSON to what comes in.
static void say(const char *text)
{
    size_t size = strlen(text);
    for (int k = 0; k < 4; k++) {
        in.bytes[in.size++] = (unsigned char)(size >> (8 * k));
    }
    memcpy(in.bytes + in.size, text, size);
    in.size += size;
}

/// The text of an answer's key, "" where there is none. Answers are read in their order.
static const char *heard(const char *key)
{
    static EnvMessage answer;
    Status status;
    env_message_free(&answer);
    in = out;
    assert_int_equal(env_message_read(&answer, &wire, ROOM, ROOM, &status), ENV_READ);
    out.size -= in.at;
    memmove(out.bytes, out.bytes + in.at, out.size);
    in.size = in.at = 0;
    const char *text = json_string_value(json_object_get(answer.head, key));
    return text != NULL ? text : "";
}

static void begin(void)
{
    in.size = in.at = out.size = 0;
}

TEST(messages_come_back_as_they_were)
{
    static const size_t shape[4] = {2, 3, 1, 2};
    EnvMessage message = {.head = json_pack("{si}", "id", 7)}, read;
    Status status;
    begin();
    for (int k = 0; k <= ENV_DIMENSIONS; k++) {
        char name[ENV_NAME];
        snprintf(name, sizeof name, "array %d", k);
        EnvArray *array = env_message_add(&message, name, (EnvType)(k % ENV_TYPES), k, shape);
        memset(array->bytes, 'a' + k, array->size);
    }
    assert_true(env_message_write(&message, &wire));
    in = out;
    assert_int_equal(env_message_read(&read, &wire, ROOM, ROOM, &status), ENV_READ);
    assert_int_equal(in.at, in.size);
    assert_int_equal(read.array_count, ENV_DIMENSIONS + 1);
    for (int k = 0; k <= ENV_DIMENSIONS; k++) {
        assert_int_equal(read.arrays[k].size, message.arrays[k].size);
        assert_memory_equal(read.arrays[k].bytes, message.arrays[k].bytes, read.arrays[k].size);
    }
    env_message_free(&message);
    env_message_free(&read);
}

TEST(what_is_no_message_is_refused)
{
    static const char two_large[] = "{\"arrays\": [{\"name\": \"a\", \"dtype\": \"uint8\", \"shape\": [600]},"
                                    "              {\"name\": \"b\", \"dtype\": \"uint8\", \"shape\": [600]}]}";
    static const char one_twice[] = "{\"arrays\": [{\"name\": \"a\", \"dtype\": \"uint8\", \"shape\": [1]},"
                                    "              {\"name\": \"a\", \"dtype\": \"uint8\", \"shape\": [1]}]}";
    static const char *const wrong[] = {
        "",
        "[]",
        "{\"id\": 1, \"id\": 2}",
        "{\"arrays\": 7}",
        "{\"arrays\": [7]}",
        "{\"arrays\": [{\"name\": \"a\", \"dtype\": \"int32\", \"shape\": [1]}]}",
        "{\"arrays\": [{\"name\": \"a\", \"dtype\": \"uint8\", \"shape\": [-1]}]}",
        "{\"arrays\": [{\"name\": \"a\", \"dtype\": \"uint8\", \"shape\": [1, 1, 1, 1, 1]}]}",
        "{\"arrays\": [{\"name\": \"a\", \"dtype\": \"uint8\", \"shape\": [1001]}]}",
        "{\"arrays\": [{\"name\": \"a\", \"dtype\": \"float64\", \"shape\": [4294967296, 4294967296]}]}",
        two_large,
        one_twice};
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        EnvMessage message;
        Status status = {STATUS_GOOD, ""};
        begin();
        say(wrong[k]);
        assert_int_equal(env_message_read(&message, &wire, 1000, 1000, &status), ENV_LOST);
        assert_true(strlen(status.text) > 20);
    }
    EnvMessage message;
    Status status = {STATUS_GOOD, ""};
    begin();
    say("{}");
    assert_int_equal(env_message_read(&message, &wire, 1, 1000, &status), ENV_LOST);
    assert_non_null(strstr(status.text, "allowed are 2 to 1 bytes"));
    begin();
    say("{\"arrays\": [{\"name\": \"a\", \"dtype\": \"uint8\", \"shape\": [1]}]}"); // and not its byte
    assert_int_equal(env_message_read(&message, &wire, 1000, 1000, &status), ENV_ENDED);
}

TEST(strangers_show_the_token_first)
{
    EnvShared shared = {.token = "0123456789abcdef", .session_most = 1};
    static const char *const wrong[] = {"{\"call\": \"create\", \"scene\": \"free\"}", "{\"call\": \"hello\"}", "{}",
                                        "{\"call\": \"hello\", \"token\": \"0123456789abcde\"}",
                                        "{\"call\": \"hello\", \"token\": 7}"};
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        EnvClient *client = env_client_create(&shared, NULL, NULL);
        begin();
        say(wrong[k]);
        say("{\"call\": \"hello\", \"token\": \"0123456789abcdef\"}"); // comes too late
        assert_true(env_client_serve(client, &wire));
        assert_false(env_client_is_known(client));
        assert_string_equal(heard("code"), k == 2 || k == 4 ? "bad-argument" : "bad-token");
        assert_int_equal(out.size, 0);
        env_client_destroy(client);
    }
    EnvClient *client = env_client_create(&shared, NULL, NULL);
    begin();
    say("{\"arrays\": [{\"name\": \"a\", \"dtype\": \"uint8\", \"shape\": [1]}]}");
    assert_true(env_client_serve(client, &wire));
    assert_string_equal(heard("code"), "bad-message");
    begin();
    say("{\"call\": \"hello\", \"token\": \"0123456789abcdef\"}");
    assert_false(env_client_serve(client, &wire));
    assert_true(env_client_is_known(client));
    env_client_destroy(client);
}

TEST(sessions_end_with_their_client)
{
    EnvShared shared = {.session_most = 2};
    EnvClient *first = env_client_create(&shared, NULL, NULL), *second = env_client_create(&shared, NULL, NULL);
    begin();
    say(SMALL);
    say(SMALL);
    say(SMALL);
    say("{\"call\": \"hash\", \"session\": 2, \"id\": \"mine\"}");
    assert_false(env_client_serve(first, &wire));
    assert_string_equal(heard("code"), "");
    assert_string_equal(heard("code"), "");
    assert_string_equal(heard("code"), "too-many");
    assert_string_equal(heard("id"), "mine");
    say("{\"call\": \"hash\", \"session\": 2}");
    say("{\"call\": \"close\", \"session\": 1}");
    assert_false(env_client_serve(second, &wire)); // numbers are each client's own
    assert_string_equal(heard("code"), "closed");
    assert_string_equal(heard("code"), "closed");
    assert_int_equal(atomic_load(&shared.sessions), 2);
    env_client_destroy(first);
    assert_int_equal(atomic_load(&shared.sessions), 0);
    say(SMALL);
    assert_false(env_client_serve(second, &wire));
    assert_string_equal(heard("code"), "");
    env_client_destroy(second);
}

static bool is_gone(void *context)
{
    ++*(int *)context;
    return true;
}

TEST(nobody_is_stepped_for)
{
    EnvShared shared = {.session_most = 1};
    int looks = 0;
    EnvClient *client = env_client_create(&shared, is_gone, &looks);
    const size_t shape[1] = {6};
    begin();
    say(SMALL);
    assert_false(env_client_serve(client, &wire));
    out.size = 0;
    EnvMessage request = {.head = json_pack("{sssisi}", "call", "step", "session", 1, "ticks", 1000000)},
               answer = {.head = NULL};
    assert_non_null(env_message_add(&request, "levers", ENV_FLOAT64, 1, shape));
    bool goes_on = env_client_answer(client, &request, &answer);
    const char *error = json_string_value(json_object_get(answer.head, "error"));
    if (goes_on) {
        fail_msg("%s", error != NULL ? error : "a million ticks were made");
    }
    assert_int_equal(looks, 1);
    env_message_free(&request);
    env_message_free(&answer);
    env_client_destroy(client);
}

TEST_GROUP(NULL, NULL)
