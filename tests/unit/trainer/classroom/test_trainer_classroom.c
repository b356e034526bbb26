/// What stations of a classroom tell: what is taken, counted and shown, and that nothing hostile gets through; orders
/// to many, and their answers.
#include <jansson.h>

#include "tests/support/test.h"
#include "trainer/classroom/classroom_orders.h"
#include "trainer/classroom/classroom_roster.h"

#define STATUS_OF(name, phase)                                                                                         \
    "{\"version\":1,\"online\":true,\"station\":\"" name "\",\"phase\":\"" phase                                       \
    "\",\"scene\":\"trench\",\"title\":\"A trench\",\"trainee\":\"Ann\",\"drive\":\"d1\",\"program\":\"0.1\","         \
    "\"since\":\"2026-01-01T00:00:00Z\"}"
#define STATE_OF(sequence, changes)                                                                                    \
    "{\"version\":1,\"sequence\":" #sequence ",\"sent\":1700000000.123,\"drive\":\"d1\",\"phase\":\"driving\","        \
    "\"time\":12.5,\"score\":40.25,\"progress\":0.5,\"real_time\":1,\"faults\":2,\"events\":3" changes "}"
#define EVENT_OF(drive, number)                                                                                        \
    "{\"version\":1,\"drive\":\"" drive "\",\"number\":" #number                                                       \
    ",\"time\":3,\"kind\":\"touch\",\"detail\":\"touched <b>the</b> pipe\"}"

static ClassroomRoster roster;
static Status status;

static int add_at(const char *name, const char *payload, double now)
{
    return classroom_roster_status(&roster, name, payload, strlen(payload), now, &status);
}

static int add(const char *name, const char *payload)
{
    return add_at(name, payload, 1.0);
}

static bool state(const char *payload, double now)
{
    return classroom_roster_state(&roster, 0, payload, strlen(payload), now, &status);
}

static bool event(const char *payload)
{
    return classroom_roster_event(&roster, 0, payload, strlen(payload), &status);
}

/// A roster with one station, digger-1.
static void begin(void)
{
    memset(&roster, 0, sizeof roster);
    assert_int_equal(add("digger-1", STATUS_OF("digger-1", "driving")), 0);
}

/// ---- topics and payloads -------------------------------------------------------------------------------------------

TEST(topics_are_read_whole_or_not_at_all)
{
    char name[CLASSROOM_NAME];
    ClassroomTopic kind;
    assert_true(classroom_topic_read("spadework/digger_1-a/state", name, &kind));
    assert_string_equal(name, "digger_1-a");
    assert_int_equal(kind, CLASSROOM_STATE);
    static const char *const wrong[] = {"spadework/a/command",
                                        "spadework/a/watch",
                                        "spadework//state",
                                        "spadework/A/state",
                                        "spadework/a/b/state",
                                        "spadework/../state",
                                        "other/a/state",
                                        "spadework/a",
                                        "spadework/a/",
                                        "",
                                        "spadework/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/state"};
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        if (classroom_topic_read(wrong[k], name, &kind)) {
            fail_msg("'%s' passes", wrong[k]);
        }
    }
}

TEST(a_state_is_taken_and_shown)
{
    size_t size;
    begin();
    assert_good(state(STATE_OF(7, ""), 100.0), status);
    assert_good(event(EVENT_OF("d1", 1)), status);
    char *text = classroom_roster_text(&roster, true, 101.25, &size);
    json_t *shown = json_loadb(text, size, 0, NULL), *first = json_array_get(json_object_get(shown, "stations"), 0);
    assert_string_equal(json_string_value(json_object_get(first, "name")), "digger-1");
    assert_string_equal(json_string_value(json_object_get(first, "phase")), "driving");
    assert_string_equal(json_string_value(json_object_get(first, "title")), "A trench");
    assert_string_equal(json_string_value(json_object_get(first, "event")), "touched <b>the</b> pipe");
    assert_near(json_number_value(json_object_get(first, "age")), 1.25, 1e-9);
    assert_near(json_number_value(json_object_get(first, "score")), 40.3, 1e-6);
    assert_int_equal(json_integer_value(json_object_get(first, "faults")), 2);
    assert_null(strchr(text, '\n')); // which would end the event that it goes out in
    json_decref(shown);
    free(text);
}

TEST(states_out_of_their_ranges_are_refused)
{
    static const char *const wrong[] = {
        "",
        "null",
        "[]",
        "{\"version\":1",
        "{\"version\":2}",
        "{\"version\":1}",
        STATE_OF(-1, ""),
        STATE_OF(1e300, ""),
        STATE_OF("1", ""),
        STATE_OF(1, ",\"faults\":3"), // twice
        "{\"version\":1,\"sequence\":1,\"sent\":1,\"drive\":\"d\",\"phase\":\"driving\",\"time\":1e9,\"score\":1,"
        "\"progress\":0,\"real_time\":1,\"faults\":0}",
        "{\"version\":1,\"sequence\":1,\"sent\":1,\"drive\":\"d\",\"phase\":\"flying\",\"time\":1,\"score\":1,"
        "\"progress\":0,\"real_time\":1,\"faults\":0}",
        "{\"version\":1,\"sequence\":1,\"sent\":1,\"drive\":\"d\\u0007\",\"phase\":\"driving\",\"time\":1,\"score\":1,"
        "\"progress\":0,\"real_time\":1,\"faults\":0}",
        "{\"version\":1,\"sequence\":1,\"sent\":1,\"drive\":\"d\",\"phase\":\"driving\",\"time\":1,\"score\":1,"
        "\"progress\":2,\"real_time\":1,\"faults\":0}",
        "{\"version\":1,\"sequence\":1,\"sent\":1,\"drive\":\"d\",\"phase\":\"driving\",\"time\":1,\"score\":1,"
        "\"progress\":0,\"real_time\":1,\"faults\":0.5}"};
    begin();
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        if (state(wrong[k], 1.0)) {
            fail_msg("'%s' passes", wrong[k]);
        }
        assert_null(strpbrk(status.text, "\n\r\x1b\x07"));
    }
    assert_int_equal(roster.counts.refused, sizeof wrong / sizeof wrong[0]);
    assert_true(roster.stations[0].heard == 0.0);
}

TEST(what_is_too_large_or_too_deep_is_refused)
{
    static char large[CLASSROOM_PAYLOAD + 2];
    memset(large, ' ', sizeof large - 1);
    begin();
    assert_false(state(large, 1.0));
    assert_contains(status.text, "65537 bytes were read");
    memset(large, '[', sizeof large - 2);
    large[sizeof large - 2] = '\0';
    assert_null(classroom_read_ground(large, strlen(large), &status));
    assert_contains(status.text, "lists in lists");
}

TEST(texts_of_stations_are_plain_and_short)
{
    ClassroomStatus read;
    static const char bell[] = "{\"version\":1,\"online\":true,\"station\":\"a\",\"phase\":\"waiting\",\"title\":"
                               "\"\\u001b[2J\"}";
    static const char turned[] = "{\"version\":1,\"online\":true,\"station\":\"a\",\"phase\":\"waiting\",\"trainee\":"
                                 "\"Ann \\u202ebob\"}";
    static const char other[] = STATUS_OF("b", "waiting");
    static char longer[1024];
    assert_false(classroom_read_status(bell, sizeof bell - 1, "a", &read, &status));
    assert_contains(status.text, "title");
    assert_false(classroom_read_status(turned, sizeof turned - 1, "a", &read, &status));
    assert_contains(status.text, "trainee");
    assert_contains(status.text, "directions");
    assert_false(classroom_read_status(other, sizeof other - 1, "a", &read, &status));
    assert_contains(status.text, "the topic's");
    int size = snprintf(longer, sizeof longer,
                        "{\"version\":1,\"online\":true,\"station\":\"a\",\"phase\":\"waiting\",\"title\":\"");
    for (int k = 0; k < 150; k++) {
        size += snprintf(longer + size, sizeof longer - (size_t)size, "ä");
    }
    size += snprintf(longer + size, sizeof longer - (size_t)size, "\"}");
    assert_good(classroom_read_status(longer, (size_t)size, "a", &read, &status), status);
    assert_int_equal(strlen(read.title), 200); // whole letters
}

TEST(what_goes_on_to_a_page_is_one_line)
{
    static const char two[] = "{\"a\":\n[1, \"x\\ny\"]}", scenes[] = "{\"version\":1,\"scenes\":[{\"name\":\"trench\","
                                                                     "\"title\":\"A trench\",\"more\":1}]}";
    static const char bad[] = "{\"version\":1,\"scenes\":[{\"name\":\"../x\",\"title\":\"\"}]}";
    static const char none[] = "{\"debrief\":7}";
    static const char view[] = "{\"phase\":\"driving\",\"debrief\":\"javascript:alert(1)\",\"picture\":\"//x\"}";
    char *line = classroom_read_ground(two, sizeof two - 1, &status);
    assert_string_equal(line, "{\"a\":[1,\"x\\ny\"]}");
    free(line);
    line = classroom_read_view(view, sizeof view - 1, &status);
    assert_string_equal(line, "{\"phase\":\"driving\",\"debrief\":\"station\",\"picture\":\"\"}");
    free(line);
    line = classroom_read_view(none, sizeof none - 1, &status);
    assert_string_equal(line, "{\"debrief\":\"\",\"picture\":\"\"}");
    free(line);
    line = classroom_read_scenes(scenes, sizeof scenes - 1, &status);
    assert_string_equal(line, "[{\"name\":\"trench\",\"title\":\"A trench\"}]");
    free(line);
    assert_null(classroom_read_scenes(bad, sizeof bad - 1, &status));
}

/// ---- counts --------------------------------------------------------------------------------------------------------

TEST(ten_thousand_invented_stations_fill_a_table_and_no_more)
{
    char name[CLASSROOM_NAME], payload[256];
    int taken = 0;
    memset(&roster, 0, sizeof roster);
    for (int k = 0; k < 10000; k++) {
        snprintf(name, sizeof name, "s-%d", k);
        snprintf(payload, sizeof payload, "{\"version\":1,\"online\":false,\"station\":\"%s\"}", name);
        taken += add(name, payload) >= 0;
    }
    assert_int_equal(taken, CLASSROOM_STATIONS);
    assert_int_equal(roster.count, CLASSROOM_STATIONS);
    assert_contains(status.text, "512 stations");
    assert_int_equal(add("s-3", "{\"version\":1,\"online\":false,\"station\":\"s-3\"}"), 3); // who is there stays
}

/// Adds a station that waits, or one that is gone.
static int add_named(const char *name, bool online, double now)
{
    char payload[256];
    snprintf(payload, sizeof payload, "{\"version\":1,\"online\":%s,\"station\":\"%s\",\"phase\":\"waiting\"}",
             online ? "true" : "false", name);
    return add_at(name, payload, now);
}

TEST(who_is_gone_for_longest_makes_room_and_who_is_there_never)
{
    char name[CLASSROOM_NAME];
    memset(&roster, 0, sizeof roster);
    for (int k = 0; k < CLASSROOM_STATIONS; k++) {
        snprintf(name, sizeof name, "s-%d", k);
        assert_int_equal(add_named(name, true, 1.0), k);
    }
    assert_int_equal(add_named("late", true, 2.0), -1);
    assert_int_equal(add_named("s-9", false, 4.0), 9);
    assert_int_equal(add_named("s-7", false, 3.0), 7);
    assert_int_equal(add_named("s-5", false, 2.0), 5);
    roster.stations[5].looked_at = true;
    assert_int_equal(add_named("gone", false, 5.0), -1); // who is gone himself comes for nothing
    assert_int_equal(add_named("new-1", true, 5.0), 7);
    assert_int_equal(add_named("new-2", true, 5.0), 9);
    assert_int_equal(add_named("new-3", true, 5.0), -1);
    assert_string_equal(roster.stations[7].name, "new-1");
    assert_int_equal(classroom_roster_find(&roster, "s-7"), -1);
    assert_int_equal(roster.counts.dropped, 2);
    assert_int_equal(roster.count, CLASSROOM_STATIONS);
}

/// Only of 512 stations, each is asked once when it was quiet; who answers stays, who does not makes room.
TEST(who_does_not_show_up_when_asked_is_gone)
{
    char name[CLASSROOM_NAME];
    memset(&roster, 0, sizeof roster);
    for (int k = 0; k < CLASSROOM_STATIONS; k++) {
        assert_int_equal(classroom_roster_ask(&roster, 1000.0), -1);
        snprintf(name, sizeof name, "s-%d", k);
        assert_int_equal(add_named(name, true, 1.0 + k), k);
    }
    assert_int_equal(classroom_roster_ask(&roster, 61.0), -1);
    assert_int_equal(classroom_roster_ask(&roster, 61.5), 0);
    assert_int_equal(classroom_roster_ask(&roster, 61.5), -1);
    assert_int_equal(classroom_roster_ask(&roster, 62.5), 1);
    roster.stations[0].told = 62.0; // it answers
    assert_int_equal(classroom_roster_gone(&roster, 72.0), -1);
    assert_int_equal(classroom_roster_gone(&roster, 72.6), 1);
    assert_int_equal(add_named("new", true, 73.0), 1);
    assert_int_equal(classroom_roster_gone(&roster, 73.0), -1);
}

TEST(gaps_and_repetitions_are_counted)
{
    begin();
    assert_true(state(STATE_OF(5, ""), 1.0));
    assert_true(state(STATE_OF(6, ""), 1.1));
    assert_true(state(STATE_OF(9, ""), 1.2));
    assert_int_equal(roster.counts.states, 3);
    assert_int_equal(roster.counts.states_lost, 2);
    assert_true(state(STATE_OF(0, ""), 1.3)); // the program began again
    assert_int_equal(roster.counts.states_lost, 2);
    assert_true(event(EVENT_OF("d1", 4))); // amid the drive
    assert_true(event(EVENT_OF("d1", 4)));
    assert_true(event(EVENT_OF("d1", 5)));
    assert_true(event(EVENT_OF("d1", 8)));
    assert_true(event(EVENT_OF("d2", 2))); // whose first was due here
    assert_int_equal(roster.counts.events, 4);
    assert_int_equal(roster.counts.events_again, 1);
    assert_int_equal(roster.counts.events_lost, 3);
}

TEST(who_is_gone_keeps_its_scene_and_has_no_state_on_return)
{
    begin();
    assert_true(state(STATE_OF(5, ""), 1.0));
    assert_int_equal(add("digger-1", "{\"version\":1,\"online\":false,\"station\":\"digger-1\"}"), 0);
    assert_false(roster.stations[0].status.online);
    assert_string_equal(roster.stations[0].status.title, "A trench");
    assert_int_equal(add("digger-1", STATUS_OF("digger-1", "waiting")), 0);
    assert_true(roster.stations[0].heard == 0.0);
    assert_int_equal(roster.count, 1);
}

TEST(the_phase_is_what_was_told_last)
{
    begin();
    assert_true(state(STATE_OF(5, ""), 1.0));
    assert_int_equal(add("digger-1", STATUS_OF("digger-1", "frozen")), 0);
    assert_int_equal(roster.stations[0].phase, CLASSROOM_FROZEN);
    assert_true(roster.stations[0].heard > 0.0);
    assert_true(state(STATE_OF(6, ""), 1.1));
    assert_int_equal(roster.stations[0].phase, CLASSROOM_DRIVING);
    assert_int_equal(add("digger-1", STATUS_OF("digger-1", "waiting")), 0); // the drive is over
    assert_int_equal(roster.stations[0].phase, CLASSROOM_WAITING);
    assert_true(roster.stations[0].heard == 0.0);
}

/// ---- orders --------------------------------------------------------------------------------------------------------

static bool read_order(const char *body, int station, ClassroomOrder *order)
{
    return classroom_order_read(body, strlen(body), station, &roster, order, &status);
}

TEST(an_order_goes_to_those_that_it_names)
{
    ClassroomOrder order;
    begin();
    assert_int_equal(add("digger-2", STATUS_OF("digger-2", "waiting")), 1);
    assert_int_equal(add("digger-3", "{\"version\":1,\"online\":false,\"station\":\"digger-3\"}"), 2);
    assert_good(read_order("{\"command\":\"freeze\",\"stations\":\"all\"}", -1, &order), status);
    assert_true(order.to[0] && order.to[1] && !order.to[2]);
    assert_int_equal(order.count, 2);
    free(order.payload);
    assert_good(read_order("{\"command\":\"message\",\"text\":\"slowly\",\"stations\":[\"digger-2\"]}", -1, &order),
                status);
    assert_true(!order.to[0] && order.to[1]);
    free(order.payload);
    assert_good(read_order("{\"command\":\"freeze\"}", 2, &order), status);
    assert_true(order.to[2]);
    free(order.payload);
}

TEST(an_order_that_is_none_names_what_is_wrong)
{
    ClassroomOrder order;
    static const char *const wrong[][2] = {{"", "body"},
                                           {"[]", "body"},
                                           {"{\"command\":\"freeze\"}", "stations"},
                                           {"{\"command\":\"freeze\",\"stations\":\"some\"}", "stations"},
                                           {"{\"command\":\"freeze\",\"stations\":[\"nobody\"]}", "nobody was read"},
                                           {"{\"command\":\"freeze\",\"stations\":[7]}", "no text was read"},
                                           {"{\"command\":\"freeze\",\"stations\":[]}", "none of them"},
                                           {"{\"command\":\"dig\",\"stations\":\"all\"}", "command"},
                                           {"{\"command\":\"message\",\"text\":\"\",\"stations\":\"all\"}", "text"},
                                           {"{\"command\":\"freeze\",\"id\":\"x\",\"stations\":\"all\"}", "key id"}};
    begin();
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        assert_false(read_order(wrong[k][0], -1, &order));
        assert_contains(status.text, wrong[k][1]);
        assert_null(order.payload);
    }
}

TEST(an_order_waits_for_its_answer_and_no_longer_than_it_may)
{
    static ClassroomOrders orders;
    ClassroomOrder order;
    char first[CLASSROOM_NAME], second[CLASSROOM_NAME], late[CLASSROOM_NAME];
    int station;
    begin();
    classroom_orders_begin(&orders, "abc");
    assert_good(read_order("{\"command\":\"message\",\"text\":\"a\"}", 0, &order), status);
    char *payload = classroom_order_payload(&orders, &order, 0, 10.0, first);
    json_t *sent = json_loads(payload, 0, NULL);
    assert_int_equal(json_integer_value(json_object_get(sent, "version")), 1);
    assert_string_equal(json_string_value(json_object_get(sent, "id")), first);
    assert_string_equal(json_string_value(json_object_get(sent, "text")), "a");
    json_decref(sent);
    free(payload);
    free(classroom_order_payload(&orders, &order, 0, 11.0, second));
    assert_string_not_equal(first, second);
    assert_false(classroom_orders_answered(&orders, 1, first)); // another station's
    assert_true(classroom_orders_answered(&orders, 0, first));
    assert_false(classroom_orders_answered(&orders, 0, first));
    assert_false(classroom_orders_late(&orders, 11.0 + CLASSROOM_PATIENCE, &station, late));
    assert_true(classroom_orders_late(&orders, 11.1 + CLASSROOM_PATIENCE, &station, late));
    assert_string_equal(late, second);
    assert_false(classroom_orders_late(&orders, 1e9, &station, late));
    int waiting = 0;
    for (char *next; (next = classroom_order_payload(&orders, &order, 0, 1.0, first)) != NULL; waiting++) {
        free(next);
    }
    assert_int_equal(waiting, CLASSROOM_PENDING);
    free(order.payload);
}

TEST_MAIN(NULL, NULL)
