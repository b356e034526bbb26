/// One turn of a link takes in all that has come, up to a share: a class that tells much is kept up with, and neither
/// what goes out nor who closes the link waits for it. The turns are made here, by hand.
#include <stdlib.h>

#include "tests/support/broker/broker_fixture.h"
#include "tests/support/test.h"
#include "trainer/remote/broker_internal.h"

enum { MOST_TURNS = 4000, SHARE = 256, BYTES = 256 << 10 };

static BrokerFixture fixture;

typedef struct Heard {
    int count, in_turn; ///< messages
    size_t bytes_in_turn;
    int wrong; ///< out of their order
} Heard;

static void hear(void *context, const BrokerArrival *arrival)
{
    Heard *heard = context;
    char text[16];
    snprintf(text, sizeof text, "%.*s", (int)(arrival->size < 15 ? arrival->size : 15), arrival->payload);
    heard->wrong += atoi(text) != heard->count;
    heard->count++;
    heard->in_turn++;
    heard->bytes_in_turn += arrival->size;
}

/// A reader whose turns are made by the test, let in and subscribed.
static void open_reader(Broker *reader, Heard *heard)
{
    char url[64];
    Status status;
    snprintf(url, sizeof url, "mqtt://127.0.0.1:%d", fixture.port);
    *reader = (Broker){.client = "reader", .topics = {"turns"}, .topic_count = 1, .receive = hear, .context = heard};
    assert_good(broker_url_read(url, &reader->url, &status), status);
    pthread_mutex_init(&reader->lock, NULL);
    assert_true(broker_mail_create(&reader->mail) && pipe(reader->wake) == 0);
    mosquitto_lib_init();
    assert_true(broker_client_connect(reader));
    reader->phase = BROKER_ASKING;
    for (int k = 0; k < MOST_TURNS && (reader->phase != BROKER_HERE || reader->renewals > 0); k++) {
        assert_true(broker_client_turn(reader, 0.05));
    }
    assert_int_equal(reader->renewals, 0);
}

static void close_reader(Broker *reader)
{
    mosquitto_destroy(reader->mosquitto);
    broker_mail_destroy(&reader->mail);
    pthread_mutex_destroy(&reader->lock);
    close(reader->wake[0]);
    close(reader->wake[1]);
    mosquitto_lib_cleanup();
}

/// Publishes `count` messages of `size` bytes, each with its number, and waits until the broker has them.
static void publish(int count, size_t size)
{
    char url[64];
    Status status;
    BrokerState state = {.waiting = 1};
    char *payload = calloc(1, size + 1);
    snprintf(url, sizeof url, "mqtt://127.0.0.1:%d", fixture.port);
    Broker *broker = broker_open(&(BrokerParams){.url = url, .client = "writer"}, &status);
    assert_good(broker != NULL && payload != NULL, status);
    for (int k = 0; k < count; k++) {
        snprintf(payload, size + 1, "%d", k);
        assert_true(broker_publish(broker, &(BrokerMessage){"turns", payload, size, 1, false}));
    }
    for (int k = 0; k < 3000 && state.waiting > 0; k++) {
        broker_state(broker, &state);
        broker_fixture_rest(0.01);
    }
    assert_int_equal(state.waiting, 0);
    broker_close(broker);
    free(payload);
}

/// Turns until all has come; none has more than its share. Returns the turns that brought something.
static int take_all(Broker *reader, Heard *heard, int count, size_t size)
{
    int turns = 0;
    for (int k = 0; k < MOST_TURNS && heard->count < count; k++) {
        heard->in_turn = 0;
        heard->bytes_in_turn = 0;
        assert_true(broker_client_turn(reader, 0.05));
        assert_true(heard->in_turn <= SHARE && heard->bytes_in_turn <= BYTES + size);
        turns += heard->in_turn > 0;
    }
    assert_int_equal(heard->count, count);
    assert_int_equal(heard->wrong, 0);
    return turns;
}

TEST(a_turn_takes_what_has_come_up_to_its_share)
{
    Broker reader;
    Heard heard = {0};
    open_reader(&reader, &heard);
    publish(2000, 40);
    int turns = take_all(&reader, &heard, 2000, 40);
    assert_in_range(turns, 2000 / SHARE, 200); // one packet each would be 2000
    heard = (Heard){0};
    publish(40, 60000);
    take_all(&reader, &heard, 40, 60000);
    close_reader(&reader);
}

BROKER_FIXTURE_MAIN(fixture)
