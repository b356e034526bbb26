/// A station's link: what it takes, what it refuses and how often, with a classroom at the other end of a real broker.
// test: waits
#include <pthread.h>

#include "data/core/language.h"
#include "tests/support/broker/broker_fixture.h"
#include "tests/support/test.h"
#include "trainer/pilot/pilot.h"
#include "trainer/remote/broker.h"
#include "trainer/remote/link.h"

enum { TEXT = 1 << 16 };

static BrokerFixture fixture;

/// What the classroom hears: topics and payloads, a line each.
typedef struct Ear {
    pthread_mutex_t lock;
    char text[TEXT];
} Ear;
static Ear ear = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void hear(void *context, const BrokerArrival *arrival)
{
    Ear *kept = context;
    pthread_mutex_lock(&kept->lock);
    size_t used = strlen(kept->text);
    snprintf(kept->text + used, sizeof kept->text - used, "%s %.*s\n", arrival->topic, (int)arrival->size,
             arrival->size > 0 ? arrival->payload : "");
    pthread_mutex_unlock(&kept->lock);
}

static int count(const char *part)
{
    int found = 0;
    pthread_mutex_lock(&ear.lock);
    for (const char *at = ear.text; (at = strstr(at, part)) != NULL; at++) {
        found++;
    }
    pthread_mutex_unlock(&ear.lock);
    return found;
}

/// True once it was heard so often.
static bool hears(const char *part, int times)
{
    for (int k = 0; k < 200 && count(part) < times; k++) {
        broker_fixture_rest(0.05);
    }
    return count(part) >= times;
}

static void forget(void)
{
    pthread_mutex_lock(&ear.lock);
    ear.text[0] = '\0';
    pthread_mutex_unlock(&ear.lock);
}

/// ---- what is read --------------------------------------------------------------------------------------------------

static const char *refusal_of(const char *payload)
{
    static Status status;
    LinkOrder order;
    status = (Status){0};
    return link_order_read(payload, strlen(payload), &order, &status) ? "" : status.text;
}

TEST(commands_are_read_with_their_ids)
{
    static const char text[] = "{\"version\":1,\"id\":\"a-1\",\"command\":\"mark\",\"text\":\"here\"}";
    LinkOrder order;
    Status status = {0};
    assert_good(link_order_read(text, sizeof text - 1, &order, &status), status);
    assert_string_equal(order.id, "a-1");
    assert_int_equal(order.command.kind, CONSOLE_MARK);
    assert_string_equal(order.command.text, "here");
    assert_false(link_order_read(NULL, 0, &order, &status));
}

TEST(what_is_no_command_is_refused_with_its_field)
{
    assert_contains(refusal_of("[]"), "payload: [] was read; allowed is one JSON object");
    assert_contains(refusal_of("{\"id\":\"a\",\"id\":\"b\"}"), "payload: byte");
    assert_contains(refusal_of("{\"version\":1,\"command\":\"end\"}"), "id: nothing was read");
    assert_contains(refusal_of("{\"version\":1,\"id\":\"A\",\"command\":\"end\"}"),
                    "allowed is 1..40 of a-z, 0-9 and -");
    assert_contains(refusal_of("{\"version\":1,\"id\":\"a_b\",\"command\":\"end\"}"), "id: \"a_b\"");
    assert_contains(
        refusal_of("{\"version\":1,\"id\":\"aaaaaaaaaabbbbbbbbbbccccccccccdddddddddde\",\"command\":\"end\"}"), "id: ");
    assert_contains(refusal_of("{\"version\":1,\"id\":\"a\\u0000\",\"command\":\"end\"}"), "payload: byte");
    assert_contains(refusal_of("{\"version\":1.0,\"id\":\"a\",\"command\":\"end\"}"), "version: 1.0");
    assert_contains(refusal_of("{\"version\":2,\"id\":\"a\",\"command\":\"end\"}"),
                    "version: 2 was read; allowed is 1");
    assert_contains(refusal_of("{\"version\":1,\"id\":\"a\",\"command\":\"dig\"}"), "command: \"dig\"");
    assert_contains(refusal_of("{\"version\":1,\"id\":\"a\",\"command\":\"end\",\"text\":\"\"}"), "key text was read");
    assert_string_equal(refusal_of("{\"version\":1,\"id\":\"a\",\"command\":\"end\"}"), "");
}

/// The schema names every command, as it is written there.
TEST(the_schema_has_every_command)
{
    static char text[TEXT];
    FILE *file = fopen(SPADEWORK_DATA_DIR "/classroom/messages.schema.json", "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    char names[512] = "\"command\": {\"enum\": [";
    for (int k = 0; k < CONSOLE_COMMAND_COUNT; k++) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s\"%s\"", k > 0 ? ", " : "", console_command_names[k]);
    }
    assert_contains(text, names);
}

/// An event is sent as data; beside it stands the same in the station's language.
TEST(an_event_is_data_and_a_text)
{
    Status status;
    ExerciseEvent touch = {.kind = EVENT_TOUCH,
                           .part = {THING_PART, 0, "bucket"},
                           .thing = {THING_FIXTURE, 3, "hut at gate"},
                           .number = {.x = 1.5, .speed = 0.5, .impulse = 1200.0, .energy = 2500.0, .points = -2.0}};
    ExerciseEvent message = {.kind = EVENT_MESSAGE, .text = "wrong: 3 m deep, says the plan"};
    assert_good(language_choose("de", &status), status);
    char *text = link_event_text("20260101t120000-0000ff", 4, 1.75, &touch, NULL);
    assert_string_equal(
        text, "{\"version\":1,\"drive\":\"20260101t120000-0000ff\",\"number\":4,\"time\":1.75,\"kind\":\"touch\","
              "\"form\":\"\","
              "\"part\":{\"kind\":\"part\",\"index\":0,\"name\":\"bucket\"},"
              "\"thing\":{\"kind\":\"fixture\",\"index\":3,\"name\":\"hut at gate\"},"
              "\"numbers\":{\"x\":1.5,\"y\":0.0,\"z\":0.0,\"speed\":0.5,\"impulse\":1200.0,\"energy\":2500.0,"
              "\"points\":-2.0},"
              "\"title\":\"berührte etwas\",\"detail\":"
              "\"Löffel berührt hut at gate mit 0,50 m/s, 1,2 kN s, 2,5 kJ\"}");
    free(text);
    text = link_event_text("20260101t120000-0000ff", 5, 2.0, &message, NULL);
    assert_contains(text,
                    "\"kind\":\"message\",\"form\":\"\",\"numbers\":{},\"text\":\"wrong: 3 m deep, says the plan\",");
    assert_contains(text, "\"detail\":\"wrong: 3 m deep, says the plan\"");
    free(text);
    assert_good(language_choose("en", &status), status);
}

TEST(looking_closer_has_a_time)
{
    static const struct {
        const char *text;
        int seconds;
    } cases[] = {{"{\"version\":1,\"seconds\":1}", 1},
                 {"{\"version\":1,\"seconds\":60}", 60},
                 {"{\"version\":1,\"seconds\":0}", 0},
                 {"{\"version\":1,\"seconds\":61}", 0},
                 {"{\"version\":1,\"seconds\":2.0}", 0},
                 {"{\"version\":3,\"seconds\":2}", 0},
                 {"{\"seconds\":2}", 0},
                 {"{\"version\":1,\"seconds\":2,\"id\":\"a\"}", 0},
                 {"{\"version\":1,\"seconds\":1e99}", 0},
                 {"", 0}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        int seconds = -1;
        Status status = {0};
        bool read = link_watch_read(cases[k].text, strlen(cases[k].text), &seconds, &status);
        assert_int_equal(read, cases[k].seconds > 0);
        assert_true(!read || seconds == cases[k].seconds);
        assert_true(read || status.text[0] != '\0');
    }
}

TEST(stations_have_names)
{
    char name[LINK_STATION];
    assert_true(link_station_is_one("seat_1-a"));
    assert_false(link_station_is_one("") || link_station_is_one("Seat") || link_station_is_one("a/b") ||
                 link_station_is_one("aaaaaaaaaabbbbbbbbbbccccccccccdddddddddde"));
    link_station_fit("Baggerplatz 3 \xc3\xb6stlich", name);
    assert_string_equal(name, "baggerplatz-3---stlich");
    link_station_fit("", name);
    assert_string_equal(name, "station");
    link_station_fit("aaaaaaaaaabbbbbbbbbbccccccccccdddddddddde", name);
    assert_true(link_station_is_one(name));
    assert_int_equal(link_topic("spadework/a/command", "a"), LINK_COMMAND);
    assert_int_equal(link_topic("spadework/a/watch", "a"), LINK_WATCH);
    assert_int_equal(link_topic("spadework/ab/watch", "a"), LINK_NO_TOPIC);
    assert_int_equal(link_topic("spadework/a/status", "a"), LINK_STATUS);
    assert_int_equal(link_topic("spadework/a/claim", "a"), LINK_CLAIM);
    assert_int_equal(link_topic("spadework/a/state", "a"), LINK_NO_TOPIC);
    assert_int_equal(link_topic("spadework/a", "a"), LINK_NO_TOPIC);
    assert_int_equal(link_topic("", "a"), LINK_NO_TOPIC);
}

#define WHO "\"instance\":\"0123456789abcdef\",\"host\":\"lab-a\",\"address\":\"10.0.0.5\",\"process\":7"

TEST(claims_and_statuses_are_read_or_refused_with_their_key)
{
    LinkNotice notice;
    Status status = {0};
    static const char claim[] = "{\"version\":1," WHO ",\"held\":true,\"out\":false}";
    static const char online[] = "{\"version\":1,\"online\":true,\"station\":\"seat-1\"," WHO ",\"term\":2}";
    static const char gone[] = "{\"version\":1,\"online\":false,\"instance\":\"0123456789abcdef\"}";
    assert_good(link_claim_read(claim, sizeof claim - 1, &notice, &status), status);
    assert_true(notice.kind == LINK_NOTICE_CLAIM && notice.held && notice.who.process == 7);
    assert_string_equal(notice.who.host, "lab-a");
    assert_good(link_status_read(online, sizeof online - 1, &notice, &status), status);
    assert_true(notice.kind == LINK_NOTICE_HOLDS && notice.term == 2);
    assert_string_equal(notice.who.address, "10.0.0.5");
    assert_good(link_status_read(gone, sizeof gone - 1, &notice, &status), status);
    assert_true(notice.kind == LINK_NOTICE_GONE);
    static const struct {
        bool claims;
        const char *text, *says;
    } bad[] = {{true, "", "payload"},
               {true, "{\"version\":2," WHO ",\"held\":true,\"out\":false}", "version"},
               {true, "{\"version\":1," WHO ",\"out\":false}", "held"},
               {true, "{\"version\":1," WHO ",\"held\":1,\"out\":false}", "held"},
               {true, "{\"version\":1," WHO ",\"held\":true}", "out"},
               {true, "{\"version\":1,\"instance\":\"0123456789ABCDEF\"}", "instance"},
               {true, "{\"version\":1,\"instance\":\"0123\"}", "instance"},
               {true, "{\"version\":1,\"instance\":\"0123456789abcdef\",\"host\":7}", "host"},
               {true,
                "{\"version\":1,\"instance\":\"0123456789abcdef\",\"host\":\"\",\"address\":\"<b>\",\"process\":1}",
                "address"},
               {true, "{\"version\":1,\"instance\":\"0123456789abcdef\",\"host\":\"\",\"address\":\"\",\"process\":-1}",
                "process"},
               {false, "{\"version\":1,\"online\":true," WHO "}", "term"},
               {false, "{\"version\":1,\"online\":true," WHO ",\"term\":0}", "term"},
               {false, "{\"version\":1,\"online\":true," WHO ",\"term\":1000001}", "term"},
               {false, "{\"version\":1,\"online\":\"yes\"," WHO ",\"term\":1}", "online"},
               {false, "{\"version\":1,\"online\":false}", "instance"}};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        bool read = bad[k].claims ? link_claim_read(bad[k].text, strlen(bad[k].text), &notice, &status)
                                  : link_status_read(bad[k].text, strlen(bad[k].text), &notice, &status);
        assert_false(read);
        assert_contains(status.text, bad[k].says);
    }
}

/// ---- over a broker -------------------------------------------------------------------------------------------------

static Broker *open_classroom(void)
{
    char url[64];
    Status status = {0};
    snprintf(url, sizeof url, "mqtt://127.0.0.1:%d", fixture.port);
    Broker *classroom = broker_open(
        &(BrokerParams){
            .url = url, .client = "classroom", .subscriptions = {{"spadework/#", 2}}, .receive = hear, .context = &ear},
        &status);
    assert_good(classroom != NULL, status);
    return classroom;
}

static Link *open_named(const char *name)
{
    static const LinkScene scenes[] = {{"trench", "A trench"}, {"free", "Sandbox \xff"}};
    char url[64];
    Status status = {0};
    snprintf(url, sizeof url, "mqtt://127.0.0.1:%d", fixture.port);
    Link *link = link_open(
        &(LinkParams){.url = url, .station = name, .takes_scenes = true, .scenes = scenes, .scene_count = 2}, &status);
    assert_good(link != NULL, status);
    return link;
}

static Link *open_station(void)
{
    return open_named("seat-1");
}

static void order(Broker *classroom, int id, const char *command)
{
    char text[128];
    snprintf(text, sizeof text, "{\"version\":1,\"id\":\"n-%d\",\"command\":\"%s\"}", id, command);
    assert_true(broker_publish(classroom, &(BrokerMessage){"spadework/seat-1/command", text, strlen(text), 1, false}));
}

TEST(a_flood_of_commands_is_answered_and_bounded)
{
    Broker *classroom = open_classroom();
    Link *link = open_station();
    assert_true(hears("spadework/seat-1/status {\"version\":1,\"online\":true", 1));
    assert_true(hears("{\"name\":\"trench\",\"title\":\"A trench\"},{\"name\":\"free\",\"title\":\"?\"}", 1));
    for (int k = 0; k < 40; k++) {
        order(classroom, k, "freeze");
    }
    assert_true(hears("/answer ", 20));
    assert_true(hears("too many commands; allowed are 10 a second", 1));
    assert_true(hears("the queue of commands is full", 1));
    LinkCommand command;
    int taken = 0;
    for (; link_next(link, &command); taken++) {
        assert_int_equal(command.order.kind, CONSOLE_FREEZE);
        link_answer(link, &command, taken == 1 ? "it is frozen" : NULL);
    }
    assert_int_equal(taken, LINK_QUEUE);
    assert_true(hears("\"taken\":true", LINK_QUEUE - 1));
    assert_true(hears("\"id\":\"n-1\",\"taken\":false,\"error\":\"it is frozen\"", 1));
    broker_fixture_rest(2.0);
    order(classroom, 0, "freeze"); // the first again: its answer, and nothing else
    order(classroom, 1, "freeze");
    assert_true(hears("\"id\":\"n-0\",\"taken\":true", 2));
    assert_true(hears("\"id\":\"n-1\",\"taken\":false,\"error\":\"it is frozen\"", 2));
    assert_false(link_next(link, &command));
    link_close(link);
    assert_true(hears("spadework/seat-1/status {\"version\":1,\"online\":false,\"station\":\"seat-1\"", 1));
    broker_close(classroom);
    forget();
}

/// What was ordered while a station was away is old by the time that it is back. The station tries after 1, 3 and 7 s;
/// somebody orders in between.
TEST(a_command_that_comes_late_is_refused)
{
    Link *link = open_station();
    Broker *classroom = open_classroom();
    LinkCommand command;
    assert_true(hears("\"online\":true", 1));
    broker_close(classroom);
    broker_fixture_stop(&fixture, SIGTERM);
    broker_fixture_rest(4.0);
    forget();
    assert_true(broker_fixture_start(&fixture, ""));
    classroom = open_classroom();
    order(classroom, 100, "freeze");
    assert_true(hears("/command {", 1));
    assert_int_equal(count("\"online\":true"), 0); // the station is not there yet
    assert_true(hears("\"id\":\"n-100\",\"taken\":false,\"error\":\"it was sent while this station was away", 1));
    assert_false(link_next(link, &command));
    order(classroom, 101, "freeze");
    for (int k = 0; k < 100 && !link_next(link, &command); k++) {
        broker_fixture_rest(0.05);
    }
    assert_int_equal(command.order.kind, CONSOLE_FREEZE);
    link_answer(link, &command, NULL);
    assert_true(hears("\"id\":\"n-101\",\"taken\":true", 1));
    link_close(link);
    broker_close(classroom);
    forget();
}

/// ---- one name, several programs ------------------------------------------------------------------------------------

static bool stands(Link *link, LinkStanding wanted, double seconds)
{
    bool so = link_standing(link, NULL) == wanted;
    for (double end = drive_clock() + seconds; !so && drive_clock() < end;) {
        broker_fixture_rest(0.05);
        so = link_standing(link, NULL) == wanted;
    }
    return so;
}

/// The second is told who holds the name, says nothing under it and takes no order; the first one sees nothing of it.
/// It gets the name when the first one has gone.
TEST(the_second_of_a_name_stays_out)
{
    Broker *classroom = open_classroom();
    Status status = {0};
    char online[128];
    Link *first = open_station();
    assert_good(link_settle(first, &status), status);
    forget(); // of what the broker had kept
    Link *second = open_station();
    assert_false(link_settle(second, &status));
    assert_int_equal(status.code, STATUS_LACKING);
    assert_contains(status.text, "station seat-1: the name is in use by ");
    assert_contains(status.text, "(127.0.0.1, process ");
    assert_contains(status.text, "--station NAME");
    assert_true(hears("\"out\":true", 1));
    for (int k = 0; k < 3; k++) {
        order(classroom, 200 + k, "freeze");
    }
    LinkCommand command;
    int taken = 0;
    assert_true(hears("/command {", 3));
    broker_fixture_rest(7.0); // two beats
    for (; link_next(first, &command); taken++) {
        link_answer(first, &command, NULL);
    }
    assert_int_equal(taken, 3);
    assert_false(link_next(second, &command));
    assert_int_equal(count("\"online\":false"), 0);
    snprintf(online, sizeof online, "\"instance\":\"%s\",\"host\"", link_instance(second));
    assert_true(hears(online, 3)); // its claims, which say that it is out
    link_close(first);
    assert_true(stands(second, LINK_HERE, 5.0));
    forget();
    link_close(second);
    assert_true(hears("\"online\":false", 1));
    broker_close(classroom);
    forget();
}

/// Those that start together: exactly one stays, the one with the lowest id.
TEST(of_several_that_start_at_once_exactly_one_stays)
{
    enum { ROUNDS = 4, MANY = 4 };
    Link *links[MANY];
    for (int round = 0; round < ROUNDS; round++) {
        const char *lowest = "g";
        int held = 0;
        for (int k = 0; k < MANY; k++) {
            links[k] = open_station();
            const char *instance = link_instance(links[k]);
            lowest = strcmp(instance, lowest) < 0 ? instance : lowest;
        }
        broker_fixture_rest(3.0);
        for (int k = 0; k < MANY; k++) {
            LinkStanding standing = link_standing(links[k], NULL);
            held += standing == LINK_HERE;
            assert_int_equal(standing, strcmp(link_instance(links[k]), lowest) == 0 ? LINK_HERE : LINK_TAKEN);
        }
        assert_int_equal(held, 1);
        for (int k = 0; k < MANY; k++) {
            link_close(links[k]);
        }
    }
}

static void keep(Broker *classroom, const char *payload)
{
    assert_true(
        broker_publish(classroom, &(BrokerMessage){"spadework/seat-9/status", payload, strlen(payload), 1, true}));
}

/// What the broker has kept of a program that is dead is no sign of life: its name is free after LINK_DEAD, or at once
/// by its last will. A program that answers to it keeps it.
TEST(a_kept_status_alone_holds_no_name)
{
    static const char stale[] =
        "{\"version\":1,\"online\":true,\"station\":\"seat-9\",\"phase\":\"driving\"," WHO ",\"term\":4}";
    static const char will[] = "{\"version\":1,\"online\":false,\"station\":\"seat-9\",\"instance\":"
                               "\"0123456789abcdef\"}";
    Broker *classroom = open_classroom();
    keep(classroom, stale);
    assert_true(hears("lab-a", 1));
    Link *link = open_named("seat-9");
    assert_false(stands(link, LINK_HERE, LINK_DEAD - 1.0));
    assert_true(stands(link, LINK_HERE, 4.0));
    assert_true(hears("\"term\":5", 3)); // at once, and as a sign of life
    keep(classroom, will); // which comes late, when its connection is found dead
    int said = count("\"term\":5");
    assert_true(hears("\"term\":5", said + 1));
    forget();
    link_close(link);
    assert_true(hears("\"online\":false", 1));
    keep(classroom, stale);
    broker_fixture_rest(0.2);
    link = open_named("seat-9");
    broker_fixture_rest(2.5);
    assert_int_equal(link_standing(link, NULL), LINK_AWAY);
    keep(classroom, will);
    assert_true(stands(link, LINK_HERE, 2.0));
    keep(classroom, stale); // live, and of a lower term
    assert_true(stands(link, LINK_TAKEN, 2.0));
    link_close(link);
    broker_close(classroom);
    forget();
}

BROKER_FIXTURE_MAIN(fixture)
