/// The link to a broker, with a real one: what comes through and how often, and that whoever publishes never waits.
// test: waits
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>

#include "tests/support/broker/broker_fixture.h"
#include "tests/support/test.h"
#include "trainer/remote/broker_internal.h"

enum { HEARD = 8192, LINES = 1 << 14 };

/// What a link got and told, from its thread.
typedef struct Ear {
    pthread_mutex_t lock;
    int count, times[HEARD]; ///< of messages whose payload is a number
    int late;
    char text[LINES]; ///< the log
    char last[256]; ///< payload
} Ear;
static BrokerFixture fixture;

static void hear(void *context, const BrokerArrival *arrival)
{
    Ear *ear = context;
    pthread_mutex_lock(&ear->lock);
    snprintf(ear->last, sizeof ear->last, "%.*s", (int)arrival->size, arrival->size > 0 ? arrival->payload : "");
    int number = atoi(ear->last);
    ear->count++;
    ear->late += arrival->late;
    ear->times[number >= 0 && number < HEARD ? number : 0]++;
    pthread_mutex_unlock(&ear->lock);
}

static void keep_line(void *context, const char *line)
{
    Ear *ear = context;
    pthread_mutex_lock(&ear->lock);
    size_t used = strlen(ear->text);
    snprintf(ear->text + used, sizeof ear->text - used, "%s\n", line);
    pthread_mutex_unlock(&ear->lock);
}

static double now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + (double)at.tv_nsec * 1e-9;
}

/// ---- links ---------------------------------------------------------------------------------------------------------

static Ear *new_ear(void)
{
    Ear *ear = calloc(1, sizeof *ear);
    pthread_mutex_init(&ear->lock, NULL);
    return ear;
}

/// ear  NULL: nobody listens; what it tells goes to stderr
static Broker *open_link(Ear *ear, const char *client, const char *topic, bool keeps_session)
{
    char url[64];
    Status status = {0};
    snprintf(url, sizeof url, "mqtt://127.0.0.1:%d", fixture.port);
    Broker *broker = broker_open(&(BrokerParams){.url = url,
                                                 .client = client,
                                                 .keeps_session = keeps_session,
                                                 .will = {"test/will", "0", 1, 1, true},
                                                 .subscriptions = {{topic, 2}},
                                                 .receive = ear != NULL ? hear : NULL,
                                                 .log = ear != NULL ? keep_line : NULL,
                                                 .context = ear},
                                 &status);
    assert_good(broker != NULL, status);
    return broker;
}

/// Waits until the link is connected for the n-th time.
static bool comes(Broker *broker, int connections, double seconds)
{
    BrokerState state = {0};
    for (double end = now() + seconds; now() < end && !(state.connected && state.connections >= connections);) {
        broker_state(broker, &state);
        broker_fixture_rest(0.02);
    }
    return state.connected && state.connections >= connections;
}

static bool goes(Broker *broker, double seconds)
{
    BrokerState state = {.connected = true};
    for (double end = now() + seconds; now() < end && state.connected;) {
        broker_state(broker, &state);
        broker_fixture_rest(0.02);
    }
    return !state.connected;
}

static bool hears(Ear *ear, int count, double seconds)
{
    int heard = 0;
    for (double end = now() + seconds; now() < end && heard < count;) {
        pthread_mutex_lock(&ear->lock);
        heard = ear->count;
        pthread_mutex_unlock(&ear->lock);
        broker_fixture_rest(0.02);
    }
    return heard >= count;
}

static bool tells(Ear *ear, const char *text, double seconds)
{
    bool found = false;
    for (double end = now() + seconds; now() < end && !found;) {
        pthread_mutex_lock(&ear->lock);
        found = strstr(ear->text, text) != NULL;
        pthread_mutex_unlock(&ear->lock);
        broker_fixture_rest(0.02);
    }
    return found;
}

static bool publish(Broker *broker, const char *topic, int number, int qos, bool retain)
{
    char text[16];
    snprintf(text, sizeof text, "%d", number);
    return broker_publish(broker, &(BrokerMessage){topic, text, strlen(text), qos, retain});
}

static void free_ear(Ear *ear)
{
    pthread_mutex_destroy(&ear->lock);
    free(ear);
}

/// ---- what comes through --------------------------------------------------------------------------------------------

TEST(each_message_comes_through_once)
{
    Ear *ear = new_ear();
    Broker *in = open_link(ear, "in", "test/event", false), *out = open_link(NULL, "out", NULL, true);
    assert_true(comes(in, 1, 10.0) && comes(out, 1, 10.0));
    broker_fixture_rest(0.2);
    for (int k = 1; k <= 500; k++) {
        assert_true(publish(out, "test/event", k, 2, false));
    }
    assert_true(hears(ear, 500, 20.0));
    broker_close(out);
    broker_close(in);
    for (int k = 1; k <= 500; k++) {
        assert_int_equal(ear->times[k], 1);
    }
    assert_contains(ear->text, "connected");
    free_ear(ear);
}

/// The broker goes in good order and comes back: what was published while it was away comes through, once each.
TEST(what_waited_comes_through_once_after_a_restart)
{
    Ear *ear = new_ear(), *other = new_ear();
    Broker *in = open_link(ear, "in", "test/event", true), *out = open_link(other, "out", NULL, true);
    assert_true(comes(in, 1, 10.0) && comes(out, 1, 10.0));
    broker_fixture_rest(0.2);
    for (int k = 1; k <= 100; k++) {
        publish(out, "test/event", k, 2, false);
    }
    broker_fixture_stop(&fixture, SIGTERM);
    assert_true(goes(out, 5.0) && goes(in, 5.0));
    assert_false(publish(out, "test/event", 0, 0, false));
    for (int k = 101; k <= 200; k++) {
        assert_true(publish(out, "test/event", k, 2, false));
    }
    broker_fixture_rest(4.0); // some tries
    assert_true(broker_fixture_start(&fixture, ""));
    assert_true(comes(in, 2, 60.0) && comes(out, 2, 60.0) && hears(ear, 200, 30.0)); // the pause between tries grows
    broker_fixture_rest(0.5);
    assert_int_equal(ear->count, 200);
    for (int k = 1; k <= 200; k++) {
        assert_int_equal(ear->times[k], 1);
    }
    broker_close(out);
    broker_close(in);
    const char *first = strstr(other->text, "closed the connection");
    assert_non_null(first);
    assert_null(strstr(first + 1, "closed the connection"));
    free_ear(ear);
    free_ear(other);
}

/// A broker that was killed without a memory: what was under way is sent whole, and nothing is lost.
TEST(what_waited_comes_through_when_the_broker_has_forgotten_all)
{
    Ear *ear = new_ear();
    broker_fixture_stop(&fixture, SIGTERM);
    assert_true(broker_fixture_start(&fixture, "persistence false"));
    Broker *in = open_link(ear, "in", "test/event", false), *out = open_link(NULL, "out", NULL, true);
    assert_true(comes(in, 1, 10.0) && comes(out, 1, 10.0));
    kill(fixture.process, SIGSTOP);
    for (int k = 1; k <= 100; k++) {
        publish(out, "test/event", k, 2, false);
    }
    broker_fixture_rest(0.3);
    broker_fixture_stop(&fixture, SIGKILL);
    assert_true(goes(out, 5.0) && broker_fixture_start(&fixture, "persistence false"));
    assert_true(comes(in, 2, 20.0) && comes(out, 2, 20.0));
    for (int k = 101; k <= 200; k++) {
        publish(out, "test/event", k, 2, false);
    }
    assert_true(hears(ear, 100, 20.0));
    broker_close(out);
    broker_fixture_rest(0.5);
    broker_close(in);
    for (int k = 101; k <= 200; k++) {
        assert_int_equal(ear->times[k], 1);
    }
    free_ear(ear);
    broker_fixture_stop(&fixture, SIGTERM);
    assert_true(broker_fixture_start(&fixture, ""));
}

/// Nobody waits for a broker that stands still, however much is published.
TEST(a_broker_that_stands_still_holds_nobody_up)
{
    static char much[BROKER_PAYLOAD];
    Ear *ear = new_ear(), *other = new_ear();
    Broker *in = open_link(ear, "in", "test/event", true), *out = open_link(other, "out", NULL, true);
    assert_true(comes(in, 1, 10.0) && comes(out, 1, 10.0));
    memset(much, '7', sizeof much);
    kill(fixture.process, SIGSTOP);
    double longest = 0.0;
    for (int k = 0; k < 2000; k++) {
        double before = now();
        broker_publish(out, &(BrokerMessage){"test/much", much, sizeof much, 0, false});
        broker_publish(out, &(BrokerMessage){"test/kept", much, sizeof much, 1, true});
        broker_publish(out, &(BrokerMessage){"test/waits", much, sizeof much, 1, false});
        longest = fmax(longest, now() - before);
    }
    assert_true(longest < 1.0);
    print_message("the longest hand-over took %.6f s\n", longest);
    BrokerState state;
    broker_state(out, &state);
    assert_int_equal(state.waiting, BROKER_BYTES / BROKER_PAYLOAD);
    assert_int_equal(state.dropped, 2000 - state.waiting);
    assert_true(tells(other, "there is no room for more", 5.0));
    assert_true(goes(out, 4.0 * BROKER_ALIVE)); // by its silence
    assert_contains((broker_state(out, &state), state.reason), "does not answer any more");
    kill(fixture.process, SIGCONT);
    assert_true(comes(out, 2, BROKER_PAUSE_MOST + 10.0));
    assert_true(tells(other, "found no room and were dropped", 5.0));
    double before = now();
    broker_close(out);
    broker_close(in);
    assert_true(now() - before < 10.0);
    free_ear(ear);
    free_ear(other);
}

/// A place that takes no connection and refuses none: the link's thread hangs in TCP, and whoever closes it does not
/// wait for that. The thread frees the link once it comes free.
TEST(a_place_that_is_silent_holds_nobody_up)
{
    enum { FILLED = 4 };
    char url[64];
    Status status = {0};
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof place;
    int filled[FILLED], silent = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(silent, (struct sockaddr *)&place, size), 0);
    assert_int_equal(listen(silent, 0), 0);
    assert_int_equal(getsockname(silent, (struct sockaddr *)&place, &size), 0);
    for (int k = 0; k < FILLED; k++) {
        filled[k] = socket(AF_INET, SOCK_STREAM, 0);
        fcntl(filled[k], F_SETFL, O_NONBLOCK);
        (void)connect(filled[k], (struct sockaddr *)&place, size);
    }
    snprintf(url, sizeof url, "mqtt://127.0.0.1:%d", ntohs(place.sin_port));
    Ear *ear = new_ear();
    Broker *broker =
        broker_open(&(BrokerParams){.url = url, .client = "in", .log = keep_line, .context = ear}, &status);
    assert_good(broker != NULL, status);
    broker_fixture_rest(0.5);
    double before = now();
    for (int k = 0; k < 1000; k++) {
        publish(broker, "test/event", k, 1, false);
    }
    assert_true(now() - before < 1.0);
    broker_close(broker);
    assert_true(now() - before < BROKER_FAREWELL + 6.0);
    free_ear(ear);
    for (int k = 0; k < FILLED; k++) {
        close(filled[k]);
    }
    close(silent); // the next try of TCP is refused
    broker_fixture_rest(5.0);
}

/// ---- what a link asks of its broker --------------------------------------------------------------------------------

/// Takes one connection and reads its CONNECT; returns its socket.
static int take_connect(int listening, unsigned char packet[512])
{
    struct pollfd one = {listening, POLLIN, 0};
    packet[0] = 0;
    assert_int_equal(poll(&one, 1, 10000), 1);
    int opened = accept(listening, NULL, NULL);
    assert_true(opened >= 0 && recv(opened, packet, 512, 0) >= 16);
    assert_int_equal(packet[0], 0x10);
    return opened;
}

/// A session is asked for with the time after which the broker may forget it (MQTT 5, 3.1.2.11.2). A broker that knows
/// MQTT 3.1.1 alone, where sessions stay for ever, is asked for none.
TEST(sessions_expire_or_are_not_asked_for)
{
    static const unsigned char refused[] = {0x20, 2, 0, 1}, accepted[] = {0x20, 2, 0, 0};
    static const unsigned char expiry[] = {0x11, 0, 0, BROKER_SESSION >> 8, BROKER_SESSION & 255};
    char url[64];
    Status status = {0};
    unsigned char packet[512] = {0};
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof place;
    int listening = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(listening, (struct sockaddr *)&place, size), 0);
    assert_int_equal(listen(listening, 4), 0);
    assert_int_equal(getsockname(listening, (struct sockaddr *)&place, &size), 0);
    snprintf(url, sizeof url, "mqtt://127.0.0.1:%d", ntohs(place.sin_port));
    Ear *ear = new_ear();
    Broker *broker = broker_open(
        &(BrokerParams){.url = url, .client = "in", .keeps_session = true, .log = keep_line, .context = ear}, &status);
    assert_good(broker != NULL, status);
    int first = take_connect(listening, packet);
    assert_int_equal(packet[8], 5); // behind a header of 2 bytes and the name MQTT
    assert_memory_equal(packet + 13, expiry, sizeof expiry); // behind flags, keep-alive and the length of properties
    assert_int_equal(send(first, refused, sizeof refused, MSG_NOSIGNAL), sizeof refused);
    int second = take_connect(listening, packet);
    assert_int_equal(packet[8], 4);
    assert_int_equal(packet[9] & 2, 2); // clean
    assert_int_equal(send(second, accepted, sizeof accepted, MSG_NOSIGNAL), sizeof accepted);
    assert_true(comes(broker, 1, 10.0));
    broker_close(broker);
    close(first);
    close(second);
    close(listening);
    free_ear(ear);
}

/// ---- last wills and what is retained -------------------------------------------------------------------------------

/// A link that is lost leaves its will; the one that comes back tells anew what it had said.
TEST(what_is_retained_is_told_anew_at_each_connection)
{
    Ear *ear = new_ear();
    Broker *in = open_link(ear, "in", "test/will", false), *out = open_link(NULL, "out", NULL, true);
    assert_true(comes(in, 1, 10.0) && comes(out, 1, 10.0));
    publish(out, "test/will", 1, 1, true);
    assert_true(hears(ear, 1, 5.0));
    Broker *thief = open_link(NULL, "out", NULL, false); // the broker throws the other one out
    assert_true(comes(thief, 1, 10.0) && comes(out, 2, 10.0)); // which comes back and throws this one out
    assert_true(hears(ear, 3, 10.0));
    broker_close(thief);
    assert_true(comes(out, 2, 40.0));
    broker_close(out);
    broker_close(in);
    assert_true(ear->times[0] >= 1 && ear->times[1] >= 2);
    free_ear(ear);
}

/// ---- who is let in -------------------------------------------------------------------------------------------------

TEST(a_refused_password_is_told_once)
{
    char url[64], path[128];
    Ear *ear = new_ear();
    BrokerFixture own;
    Status status = {0};
    broker_fixture_create(&own);
    broker_fixture_write(&own, "password", "wrong\n");
    // no password has this hash
    broker_fixture_write(&own, "passwords", "anna:$6$AAAAAAAAAAAAAAAA$AAAA\n");
    snprintf(path, sizeof path, "password_file %s/passwords", own.folder);
    assert_true(broker_fixture_start(&own, path));
    snprintf(path, sizeof path, "%s/password", own.folder);
    snprintf(url, sizeof url, "mqtt://anna@127.0.0.1:%d", own.port);
    BrokerParams params = {.url = url, .client = "in", .password_file = path, .log = keep_line, .context = ear};
    Broker *broker = broker_open(&params, &status);
    assert_good(broker != NULL, status);
    assert_true(tells(ear, "refuses user and password; it is tried again", 10.0));
    broker_fixture_rest(3.0);
    assert_null(strstr(ear->text, "wrong"));
    assert_null(strstr(strstr(ear->text, "refuses") + 1, "refuses"));
    double before = now();
    broker_close(broker);
    assert_true(now() - before < 1.0);
    chmod(path, 0640);
    assert_null(broker_open(&params, &status));
    assert_contains(status.text, "others may read this password");
    broker_fixture_destroy(&own);
    free_ear(ear);
}

TEST(what_is_no_link_is_refused)
{
    static const struct {
        const char *url, *client, *password, *ca, *says;
    } bad[] = {
        {"http://here", "in", NULL, NULL, "allowed is mqtt://"},
        {"mqtt://", "in", NULL, NULL, "allowed is mqtt://"},
        {"mqtt://here:0", "in", NULL, NULL, "allowed is mqtt://"},
        {"mqtt://here:65536", "in", NULL, NULL, "allowed is mqtt://"},
        {"mqtt://here/there", "in", NULL, NULL, "allowed is mqtt://"},
        {"mqtt://[::1", "in", NULL, NULL, "allowed is mqtt://"},
        {"mqtt://anna:secret@here", "in", NULL, NULL, "--broker-password-file"},
        {"mqtt://an na@here", "in", NULL, NULL, "a user of 5 bytes"},
        {"mqtt://here", "", NULL, NULL, "the id"},
        {"mqtt://here", "a/b", NULL, NULL, "the id a/b"},
        {"mqtt://here", "in", "/dev/null", NULL, "a user in the URL"},
        {"mqtt://anna@here", "in", "/dev/null", NULL, "/dev/null"},
        {"mqtt://here", "in", NULL, "/dev/null", "mqtts:// alone"},
        {"mqtts://here", "in", NULL, "/nowhere/ca.pem", "--broker-ca /nowhere/ca.pem: "},
        {"mqtts://here", "in", NULL, "/tmp", "--broker-ca /tmp: a folder, not a file"},
        {"mqtts://here", "in", NULL, SPADEWORK_DATA_DIR "/soils/loam.yaml", "loam.yaml: no certificate was read"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        Status status = {0};
        Broker *broker = broker_open(
            &(BrokerParams){
                .url = bad[k].url, .client = bad[k].client, .password_file = bad[k].password, .ca_file = bad[k].ca},
            &status);
        assert_null(broker);
        assert_contains(status.text, bad[k].says);
        assert_null(strstr(status.text, "secret"));
    }
}

TEST(urls_are_read)
{
    BrokerUrl url;
    Status status = {0};
    assert_good(broker_url_read("mqtts://anna.b@[::1]:77", &url, &status), status);
    assert_true(url.tls && url.port == 77);
    assert_string_equal(url.user, "anna.b");
    assert_string_equal(url.host, "::1");
    assert_good(broker_url_read("mqtt://class.local", &url, &status), status);
    assert_true(!url.tls && url.port == 1883 && url.user[0] == '\0');
    assert_good(broker_url_read("mqtts://class.local", &url, &status), status);
    assert_int_equal(url.port, 8883);
}

BROKER_FIXTURE_MAIN(fixture)
