/// What stations of a classroom tell: what is taken, counted and shown, and that nothing hostile gets through; orders
/// to many, and their answers.
// test: sanitized
#include <jansson.h>

#include "tests/support/test.h"
#include "trainer/remote/classroom_roster.h"

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
    return classroom_roster_status(&roster, name, payload, strlen(payload), false, now, &status);
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
    assert_string_equal(line, "{\"scenes\":[{\"name\":\"trench\",\"title\":\"A trench\"}],\"courses\":[]}");
    free(line);
    // Names as a user's files may have them.
    static const char own[] =
        "{\"version\":1,\"scenes\":[{\"name\":\"My.trench\",\"title\":\"t\"}],\"courses\":[{\"name\":"
        "\"a-course-of-a-centre-with-a-long-name-of-its-own\",\"title\":\"c\",\"scenes\":[\"My.trench\"]}]}";
    line = classroom_read_scenes(own, sizeof own - 1, &status);
    assert_good(line != NULL, status);
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

/// ---- signs of life, and names -------------------------------------------------------------------------------------

static int add_kept(const char *name, const char *payload, double now)
{
    return classroom_roster_status(&roster, name, payload, strlen(payload), true, now, &status);
}

/// What the broker has kept of a dead station does not make it live: not when it comes again, as after the broker's
/// restart, and not for longer than CLASSROOM_SILENT when it is heard of for the first time.
TEST(a_kept_status_is_no_sign_of_life)
{
    memset(&roster, 0, sizeof roster);
    assert_int_equal(add_kept("digger-1", STATUS_OF("digger-1", "driving"), 1.0), 0);
    const ClassroomStation *own = &roster.stations[0];
    assert_true(classroom_station_is_there(own, 1.0 + CLASSROOM_SILENT));
    assert_true(classroom_station_is_silent(own, 1.1 + CLASSROOM_SILENT));
    assert_int_equal(add_at("digger-1", STATUS_OF("digger-1", "driving"), 20.0), 0); // a live one
    assert_true(classroom_station_is_there(own, 27.0));
    assert_int_equal(add_kept("digger-1", STATUS_OF("digger-1", "driving"), 27.0), 0); // the broker has restarted
    assert_true(classroom_station_is_silent(own, 29.0));
    assert_false(classroom_station_is_there(own, 29.0));
    size_t size;
    char *text = classroom_roster_text(&roster, true, 29.0, &size);
    assert_contains(text, "\"silent\":true");
    free(text);
    assert_int_equal(add_kept("digger-1", "{\"version\":1,\"online\":false,\"station\":\"digger-1\"}", 30.0), 0);
    assert_false(classroom_station_is_silent(own, 99.0)); // it is gone, which is another thing
    assert_int_equal(add_kept("digger-1", STATUS_OF("digger-1", "driving"), 100.0), 0);
    assert_true(classroom_station_is_there(own, 101.0)); // it may have come back meanwhile
}

TEST(who_is_silent_makes_room)
{
    char name[CLASSROOM_NAME];
    memset(&roster, 0, sizeof roster);
    for (int k = 0; k < CLASSROOM_STATIONS; k++) {
        snprintf(name, sizeof name, "s-%d", k);
        assert_int_equal(add_named(name, true, 100.0 + (k == 7 ? -3.0 : 0.0) + (k == 9 ? -2.0 : 0.0)), k);
    }
    assert_int_equal(classroom_roster_gone(&roster, 104.0), -1);
    assert_int_equal(classroom_roster_gone(&roster, 107.0), 7);
    roster.stations[7].looked_at = true;
    assert_int_equal(classroom_roster_gone(&roster, 107.0), 9);
    assert_int_equal(add_named("new", true, 107.0), 9);
}

#define HELD_BY(name, instance)                                                                                        \
    "{\"version\":1,\"online\":true,\"station\":\"" name "\",\"phase\":\"waiting\",\"instance\":\"" instance           \
    "\",\"host\":\"lab-a\",\"address\":\"10.0.0.5\",\"process\":7,\"term\":1}"
#define CLAIM_OF(instance, host, address, out)                                                                         \
    "{\"version\":1,\"instance\":\"" instance "\",\"host\":\"" host "\",\"address\":\"" address                        \
    "\",\"process\":8,\"held\":false,\"out\":" out "}"

static json_t *shown_first(double now)
{
    size_t size;
    char *text = classroom_roster_text(&roster, true, now, &size);
    json_t *shown = json_loadb(text, size, 0, NULL), *first = json_array_get(json_object_get(shown, "stations"), 0);
    json_incref(first);
    json_decref(shown);
    free(text);
    return first;
}

/// A computer as the page gets it: "HOST ADDRESS PROCESS", where it is told.
static const char *computer_of(const json_t *shown)
{
    static char text[256];
    const json_t *computer = json_object_get(shown, "computer"), *process = json_object_get(computer, "process");
    int size = snprintf(text, sizeof text, "%s %s", json_string_value(json_object_get(computer, "host")),
                        json_string_value(json_object_get(computer, "address")));
    if (process != NULL) {
        snprintf(text + size, sizeof text - (size_t)size, " %d", (int)json_integer_value(process));
    }
    return text;
}

static bool claims(const char *payload, double now)
{
    return classroom_roster_claim(&roster, 0, payload, strlen(payload), now, &status);
}

/// The page names both computers: the one that has the name and the one that stays out. The last will of the latter
/// does not take the station off the page.
TEST(two_computers_of_one_name_are_named)
{
    memset(&roster, 0, sizeof roster);
    assert_int_equal(add("seat-1", HELD_BY("seat-1", "aaaaaaaaaaaaaaaa")), 0);
    assert_true(claims(CLAIM_OF("bbbbbbbbbbbbbbbb", "lab-b", "10.0.0.6", "false"), 1.5)); // it may still get it
    json_t *first = shown_first(2.0);
    assert_null(json_object_get(first, "rivals"));
    json_decref(first);
    assert_true(claims(CLAIM_OF("bbbbbbbbbbbbbbbb", "lab-b", "10.0.0.6", "true"), 2.0));
    assert_true(claims(CLAIM_OF("bbbbbbbbbbbbbbbb", "lab-b", "10.0.0.6", "true"), 5.0));
    first = shown_first(6.0);
    assert_string_equal(computer_of(first), "lab-a 10.0.0.5");
    assert_int_equal(json_array_size(json_object_get(first, "rivals")), 1);
    json_t *rival = json_array_get(json_object_get(first, "rivals"), 0);
    assert_string_equal(computer_of(rival), "lab-b 10.0.0.6");
    assert_near(json_number_value(json_object_get(rival, "age")), 1.0, 1e-9);
    json_decref(first);
    static const char will[] = "{\"version\":1,\"online\":false,\"station\":\"seat-1\",\"instance\":"
                               "\"bbbbbbbbbbbbbbbb\"}";
    assert_int_equal(add_at("seat-1", will, 6.0), 0);
    assert_true(roster.stations[0].status.online);
    first = shown_first(5.0 + CLASSROOM_RIVAL + 1.0);
    assert_null(json_object_get(first, "rivals"));
    json_decref(first);
    assert_int_equal(add_at("seat-1", HELD_BY("seat-1", "bbbbbbbbbbbbbbbb"), 400.0), 0); // the other has gone
    assert_int_equal(roster.stations[0].rival_count, 0);
    assert_true(claims(CLAIM_OF("aaaaaaaaaaaaaaaa", "lab-a", "10.0.0.5", "true"), 400.5));
    assert_int_equal(add_at("seat-1", will, 401.0), 0);
    assert_false(roster.stations[0].status.online);
    first = shown_first(401.0);
    assert_null(json_object_get(first, "rivals")); // the name is free
    json_decref(first);
}

/// Made from one disk image they have one host's name, and behind one address perhaps one address: the number of the
/// process tells them apart. Of many only the newest are kept.
TEST(computers_that_look_alike_are_told_apart)
{
    memset(&roster, 0, sizeof roster);
    assert_int_equal(add("seat-1", HELD_BY("seat-1", "aaaaaaaaaaaaaaaa")), 0);
    assert_true(claims(CLAIM_OF("b000000000000000", "lab-a", "10.0.0.5", "true"), 2.0));
    json_t *first = shown_first(2.0);
    assert_string_equal(computer_of(first), "lab-a 10.0.0.5 7");
    json_t *rival = json_array_get(json_object_get(first, "rivals"), 0);
    assert_string_equal(computer_of(rival), "lab-a 10.0.0.5 8");
    json_decref(first);
    assert_true(claims(CLAIM_OF("b000000000000001", "h1", "10.0.0.6", "true"), 3.0));
    assert_true(claims(CLAIM_OF("b000000000000002", "h2", "10.0.0.7", "true"), 3.0));
    assert_true(claims(CLAIM_OF("b000000000000003", "h3", "10.0.0.8", "true"), 3.0));
    assert_true(claims(CLAIM_OF("b000000000000004", "h4", "10.0.0.9", "true"), 3.0));
    assert_int_equal(roster.stations[0].rival_count, CLASSROOM_RIVALS);
    assert_string_equal(roster.stations[0].rivals[0].who.host, "h1");
    assert_true(claims(CLAIM_OF("b000000000000009", "h4", "10.0.0.9", "true"), 3.5)); // the same computer again
    assert_int_equal(roster.stations[0].rival_count, CLASSROOM_RIVALS);
    assert_string_equal(roster.stations[0].rivals[CLASSROOM_RIVALS - 1].who.instance, "b000000000000009");
    static const char *const wrong[] = {"", "[]", CLAIM_OF("b", "h", "10.0.0.9", "true"),
                                        CLAIM_OF("b000000000000005", "h", "<b>", "true"),
                                        CLAIM_OF("b000000000000005", "h", "", "7")};
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        assert_false(claims(wrong[k], 4.0));
    }
    assert_true(claims(CLAIM_OF("b000000000000005", "\\u001b[2J<b>", "", "true"), 4.0));
    assert_null(strpbrk(roster.stations[0].rivals[CLASSROOM_RIVALS - 1].who.host, "\x1b"));
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
    return classroom_order_read(body, strlen(body), station, &roster, 1.0, order, &status);
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
    classroom_order_free(&order);
    roster.stations[1].told = 1.0 - CLASSROOM_SILENT - 0.1; // it is silent
    assert_good(read_order("{\"command\":\"freeze\",\"stations\":\"all\"}", -1, &order), status);
    assert_true(order.to[0] && !order.to[1] && order.count == 1);
    classroom_order_free(&order);
    assert_good(read_order("{\"command\":\"message\",\"text\":\"slowly\",\"stations\":[\"digger-2\"]}", -1, &order),
                status);
    assert_true(!order.to[0] && order.to[1]);
    classroom_order_free(&order);
    assert_good(read_order("{\"command\":\"freeze\"}", 2, &order), status);
    assert_true(order.to[2]);
    classroom_order_free(&order);
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

static ClassroomOrders orders;

/// The trainee of each seat goes with the order to it; who is not named gets what all get.
TEST(each_seat_gets_its_own_trainee)
{
    ClassroomOrder order;
    char id[CLASSROOM_NAME];
    static const char *const wanted[] = {"Ann", "for all"};
    begin();
    assert_int_equal(add("digger-2", STATUS_OF("digger-2", "waiting")), 1);
    classroom_orders_begin(&orders, "abc");
    assert_good(
        read_order("{\"command\":\"load\",\"name\":\"trench\",\"text\":\"for all\",\"part\":\"excavator\",\"value\":1,"
                   "\"stations\":\"all\",\"trainees\":{\"digger-1\":\"Ann\"}}",
                   -1, &order),
        status);
    for (int k = 0; k < 2; k++) {
        char *payload = classroom_order_payload(&orders, &order, &roster, k, NULL, 1.0, id);
        json_t *sent = json_loads(payload, 0, NULL);
        assert_string_equal(json_string_value(json_object_get(sent, "text")), wanted[k]);
        assert_string_equal(json_string_value(json_object_get(sent, "part")), "excavator");
        assert_int_equal(json_integer_value(json_object_get(sent, "value")), 1);
        assert_null(json_object_get(sent, "trainees"));
        json_decref(sent);
        free(payload);
    }
    classroom_order_free(&order);
    static const char *const wrong[][2] = {
        {"{\"command\":\"freeze\",\"stations\":\"all\",\"trainees\":{}}", "with load alone"},
        {"{\"command\":\"load\",\"name\":\"a\",\"text\":\"\",\"stations\":\"all\",\"trainees\":[]}", "trainees"},
        {"{\"command\":\"load\",\"name\":\"a\",\"text\":\"\",\"stations\":\"all\",\"trainees\":{\"x\":\"Ann\"}}",
         "x was read"},
        {"{\"command\":\"load\",\"name\":\"a\",\"text\":\"\",\"stations\":[\"digger-1\"],\"trainees\":{\"digger-2\":"
         "\"Ann\"}}",
         "digger-2 was read"},
        {"{\"command\":\"load\",\"name\":\"a\",\"text\":\"\",\"stations\":\"all\",\"trainees\":{\"digger-1\":7}}",
         "text: 7"},
        {"{\"command\":\"load\",\"name\":\"a\",\"text\":\"\",\"stations\":\"all\",\"trainees\":{\"digger-1\":"
         "\"\\u001b\"}}",
         "text"},
        {"{\"command\":\"load\",\"name\":\"a\",\"text\":\"\",\"value\":2,\"stations\":\"all\"}", "value: 2"},
        {"{\"command\":\"load\",\"name\":\"a\",\"text\":\"\",\"value\":0.5,\"stations\":\"all\"}", "value: 0.5"}};
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        assert_false(read_order(wrong[k][0], -1, &order));
        assert_contains(status.text, wrong[k][1]);
        assert_null(order.payload);
        assert_null(order.trainees);
    }
}

static ClassroomAnswer answer_of(const char *id, bool taken, const char *error)
{
    ClassroomAnswer answer = {.taken = taken};
    snprintf(answer.id, sizeof answer.id, "%s", id);
    snprintf(answer.error, sizeof answer.error, "%s", error);
    return answer;
}

static const char *result_of(const char *name)
{
    static char result[256];
    size_t size;
    char *text = classroom_orders_text(&orders, &roster, &size);
    json_t *batches = json_loadb(text, size, 0, NULL), *list = json_object_get(json_array_get(batches, 0), "stations");
    result[0] = '\0';
    for (size_t k = 0; k < json_array_size(list); k++) {
        json_t *one = json_array_get(list, k);
        const char *error = json_string_value(json_object_get(one, "error"));
        if (strcmp(json_string_value(json_object_get(one, "name")), name) == 0) {
            snprintf(result, sizeof result, "%s %s", json_string_value(json_object_get(one, "result")),
                     error != NULL ? error : "-");
        }
    }
    json_decref(batches);
    free(text);
    return result;
}

/// Only an answer counts: what was sent waits, what is not answered is no answer, and what comes late still counts.
TEST(each_station_has_what_became_of_its_order)
{
    ClassroomOrder order;
    char ids[3][CLASSROOM_NAME], late[CLASSROOM_NAME];
    int station;
    begin();
    add("digger-2", STATUS_OF("digger-2", "waiting"));
    add("digger-3", STATUS_OF("digger-3", "waiting"));
    add("digger-4", STATUS_OF("digger-4", "waiting"));
    classroom_orders_begin(&orders, "abc");
    assert_good(read_order("{\"command\":\"end\",\"stations\":\"all\"}", -1, &order), status);
    ClassroomBatch *batch = classroom_orders_begin_batch(&orders, order.command.kind);
    for (int k = 0; k < 3; k++) {
        free(classroom_order_payload(&orders, &order, &roster, k, batch, 1.0, ids[k]));
    }
    batch->results[3] = CLASSROOM_NOT_SENT;
    classroom_order_free(&order);
    assert_string_equal(result_of("digger-1"), "waits -");
    assert_string_equal(result_of("digger-4"), "not_sent -");
    ClassroomAnswer answers[] = {answer_of(ids[0], true, ""), answer_of(ids[1], false, "nobody drives here"),
                                 answer_of(ids[2], true, "")};
    assert_false(classroom_orders_answered(&orders, 1, &answers[0])); // another station's
    assert_string_equal(result_of("digger-1"), "waits -");
    assert_true(classroom_orders_answered(&orders, 0, &answers[0]));
    assert_true(classroom_orders_answered(&orders, 1, &answers[1]));
    assert_string_equal(result_of("digger-1"), "taken -");
    assert_string_equal(result_of("digger-2"), "refused nobody drives here");
    assert_true(classroom_orders_late(&orders, 1.1 + CLASSROOM_PATIENCE, &station, late));
    assert_int_equal(station, 2);
    assert_string_equal(result_of("digger-3"), "no_answer -");
    assert_false(classroom_orders_answered(&orders, 2, &answers[2]));
    assert_string_equal(result_of("digger-3"), "taken -");
    classroom_orders_forget(&orders, 0); // another station has its place
    assert_string_equal(result_of("digger-1"), "");
    for (int k = 0; k < 2 * CLASSROOM_BATCHES; k++) {
        classroom_orders_begin_batch(&orders, CONSOLE_FREEZE);
    }
    assert_string_equal(result_of("digger-2"), "");
    assert_false(classroom_orders_answered(&orders, 1, &answers[1]));
}

/// Most stations have the same list, which is kept once; what no station has any more is let go.
TEST(lists_of_exercises_are_kept_once)
{
    static ClassroomLessons lessons;
    char list[64];
    size_t size;
    begin();
    add("digger-2", STATUS_OF("digger-2", "waiting"));
    static const char one[] = "{\"scenes\":[{\"name\":\"trench\",\"title\":\"A trench\"}],\"courses\":[]}";
    assert_good(classroom_lessons_set(&lessons, 0, one, &status), status);
    assert_good(classroom_lessons_set(&lessons, 1, one, &status), status);
    assert_int_equal(lessons.of[0], lessons.of[1]);
    char *text = classroom_lessons_text(&lessons, &roster, &size);
    assert_contains(text, "\"of\":{\"digger-1\":0,\"digger-2\":0}");
    assert_contains(text, one);
    free(text);
    for (int k = 0; k < 1000; k++) { // one that changes all the time takes no more room
        snprintf(list, sizeof list, "{\"scenes\":[%d],\"courses\":[]}", k);
        assert_good(classroom_lessons_set(&lessons, 1, list, &status), status);
    }
    for (int k = 2; k < CLASSROOM_LISTS; k++) {
        snprintf(list, sizeof list, "{\"scenes\":[%d],\"courses\":[]}", k);
        assert_good(classroom_lessons_set(&lessons, k, list, &status), status);
    }
    assert_false(classroom_lessons_set(&lessons, 100, "{}", &status));
    assert_contains(status.text, "different lists");
    classroom_lessons_forget(&lessons, 5);
    assert_good(classroom_lessons_set(&lessons, 100, "{}", &status), status);
    classroom_lessons_free(&lessons);
}

TEST(an_order_waits_for_its_answer_and_no_longer_than_it_may)
{
    ClassroomOrder order;
    char first[CLASSROOM_NAME], second[CLASSROOM_NAME], late[CLASSROOM_NAME];
    int station;
    begin();
    classroom_orders_begin(&orders, "abc");
    assert_good(read_order("{\"command\":\"message\",\"text\":\"a\"}", 0, &order), status);
    char *payload = classroom_order_payload(&orders, &order, &roster, 0, NULL, 10.0, first);
    json_t *sent = json_loads(payload, 0, NULL);
    assert_int_equal(json_integer_value(json_object_get(sent, "version")), 1);
    assert_string_equal(json_string_value(json_object_get(sent, "id")), first);
    assert_string_equal(json_string_value(json_object_get(sent, "text")), "a");
    json_decref(sent);
    free(payload);
    free(classroom_order_payload(&orders, &order, &roster, 0, NULL, 11.0, second));
    assert_string_not_equal(first, second);
    ClassroomAnswer answer = answer_of(first, true, "");
    assert_false(classroom_orders_answered(&orders, 1, &answer)); // another station's
    assert_true(classroom_orders_answered(&orders, 0, &answer));
    assert_false(classroom_orders_answered(&orders, 0, &answer));
    assert_false(classroom_orders_late(&orders, 11.0 + CLASSROOM_PATIENCE, &station, late));
    assert_true(classroom_orders_late(&orders, 11.1 + CLASSROOM_PATIENCE, &station, late));
    assert_string_equal(late, second);
    assert_false(classroom_orders_late(&orders, 1e9, &station, late));
    int waiting = 0;
    for (char *next; (next = classroom_order_payload(&orders, &order, &roster, 0, NULL, 1.0, first)) != NULL;
         waiting++) {
        free(next);
    }
    assert_int_equal(waiting, CLASSROOM_PENDING);
    classroom_order_free(&order);
}

TEST_GROUP(NULL, NULL)
