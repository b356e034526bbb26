/// What the page is told of a session: it is JSON, it is true, and asking for it changes nothing.
// test: sanitized
#include <jansson.h>

#include "tests/support/small_session.h"
#include "trainer/remote/console_state.h"

static json_t *parse(char *text, size_t size)
{
    json_error_t error;
    assert_non_null(text);
    assert_int_equal(strlen(text) >= size, 1);
    assert_null(memchr(text, '\n', size)); // an event is one line
    json_t *object = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
    if (object == NULL) {
        fail_msg("byte %d: %s", error.position, error.text);
    }
    free(text);
    return object;
}

static double real(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_number(value)) {
        fail_msg("%s is no number", key);
    }
    return json_number_value(value);
}

static Session *driven(int ticks)
{
    Status status = {0};
    Session *session = small_open(&status);
    assert_good(session != NULL, status);
    for (int tick = 0; tick < ticks; tick++) {
        OperatorControls levers = small_levers(tick);
        session_tick(session, &levers);
    }
    return session;
}

static const ConsoleNotes notes = {.phase = "frozen",
                                   .trainee = "Ana \"Quotes\" \xc3\x91",
                                   .driver = "auto",
                                   .real_time = 1.0,
                                   .order_count = 1,
                                   .orders = {{.time = 1.5, .command = "mark", .text = "</script>\\"}}};

TEST(the_state_tells_the_session)
{
    Session *session = driven(SMALL_TICKS);
    ConsoleView *view = console_view_create(session);
    size_t size;
    char *text = console_view_state(view, session, &notes, &size);
    json_t *state = parse(text, size);
    const SessionFrame *frame = session_frame(session);
    assert_string_equal(json_string_value(json_object_get(state, "phase")), "frozen");
    assert_string_equal(json_string_value(json_object_get(state, "trainee")), notes.trainee);
    assert_near(real(state, "time"), frame->time, 1e-5);
    const json_t *gauges = json_object_get(state, "gauges"), *pose = json_object_get(state, "pose");
    assert_near(real(gauges, "engine_speed"), frame->machine.engine_speed, 1e-3);
    assert_near(real(gauges, "pitch"), frame->machine.pitch, 1e-6);
    assert_near(real(pose, "x"), frame->machine.base.x, 1e-5);
    assert_near(real(pose, "ahead_x") * real(pose, "ahead_x") + real(pose, "ahead_y") * real(pose, "ahead_y"), 1.0,
                1e-6);
    assert_true(json_array_size(json_object_get(state, "parts")) > 6); // tracks, house, boom, stick, bucket
    const json_t *order = json_array_get(json_object_get(state, "orders"), 0);
    assert_string_equal(json_string_value(json_object_get(order, "text")), "</script>\\");
    assert_non_null(json_object_get(json_object_get(state, "levers"), "boom"));
    assert_null(json_object_get(json_object_get(state, "levers"), "blade")); // it has none
    json_decref(state);
    console_view_destroy(view);
    session_destroy(session);
}

TEST(the_bucket_is_drawn_where_it_is)
{
    Session *session = driven(30);
    ConsoleView *view = console_view_create(session);
    size_t size;
    char *text = console_view_state(view, session, &notes, &size);
    json_t *state = parse(text, size), *part;
    Vec3 tip = session_frame(session)->machine.tip, base = session_frame(session)->machine.base;
    double reach = hypot(tip.x - base.x, tip.y - base.y), nearest = 1e9;
    size_t index;
    json_array_foreach(json_object_get(state, "parts"), index, part)
    {
        const json_t *side = json_object_get(part, "side");
        for (size_t k = 0; k + 1 < json_array_size(side); k += 2) {
            double along = json_number_value(json_array_get(side, k));
            double z = json_number_value(json_array_get(side, k + 1));
            nearest = fmin(nearest, hypot(along - reach, z - tip.z));
        }
    }
    assert_true(nearest < 0.05); // m: a corner of the steel is the edge
    json_decref(state);
    console_view_destroy(view);
    session_destroy(session);
}

TEST(the_ground_is_that_of_the_soil)
{
    Session *session = driven(0);
    ConsoleView *view = console_view_create(session);
    SoilGridView grid = soil_get_grid(session_soil(session));
    size_t size;
    char *text = console_view_ground(view, session, &size);
    json_t *map = parse(text, size);
    int side = (int)real(map, "side");
    json_t *heights = json_object_get(map, "heights_cm"), *rises = json_object_get(map, "rises_cm");
    assert_int_equal(json_array_size(heights), side * side);
    assert_int_equal(json_array_size(rises), side * side);
    int inside = 0;
    for (int k = 0; k < side * side; k++) {
        double x = real(map, "west") + (k % side + 0.5) * real(map, "step");
        double y = real(map, "south") + (k / side + 0.5) * real(map, "step");
        int column = (int)floor((x - grid.origin_x) / grid.spacing + 0.5);
        int row = (int)floor((y - grid.origin_y) / grid.spacing + 0.5);
        const json_t *height = json_array_get(heights, (size_t)k);
        bool outside = row < 0 || column < 0 || row >= grid.rows || column >= grid.columns;
        assert_int_equal(json_is_null(height), outside);
        if (!outside) {
            inside++;
            assert_near((double)json_integer_value(height), 100.0 * (double)grid.height[row * grid.columns + column],
                        0.51);
            assert_int_equal(json_integer_value(json_array_get(rises, (size_t)k)), 0);
        }
    }
    assert_true(inside > 100);
    json_decref(map);
    console_view_destroy(view);
    session_destroy(session);
}

TEST(looking_changes_no_bit)
{
    Session *plain = driven(SMALL_TICKS), *watched = driven(0);
    ConsoleView *view = console_view_create(watched);
    for (int tick = 0; tick < SMALL_TICKS; tick++) {
        OperatorControls levers = small_levers(tick);
        size_t size;
        free(console_view_state(view, watched, &notes, &size));
        free(console_view_ground(view, watched, &size));
        session_tick(watched, &levers);
    }
    assert_true(state_hash(plain) == state_hash(watched));
    console_view_destroy(view);
    session_destroy(plain);
    session_destroy(watched);
}

/// The page words a fault: it gets the value with its unit and the one that ends it.
TEST(an_order_of_a_fault_has_its_figures)
{
    static const ConsoleCommand pressure = {.kind = CONSOLE_FAULT, .name = "pressure", .value = 0.005},
                                none = {.kind = CONSOLE_FAULT, .name = "hose", .value = 1.0};
    ConsoleNotes given = {.phase = "waiting",
                          .order_count = 3,
                          .orders = {{.command = "fault", .text = "pressure 0.005", .fault = &pressure},
                                     {.command = "fault", .text = "hose 1", .fault = &none},
                                     {.command = "mark", .text = "here"}}};
    size_t size;
    char *text = console_waiting_state(&given, &size);
    json_t *state = json_loadb(text, size, 0, NULL), *orders = json_object_get(state, "orders");
    json_t *fault = json_object_get(json_array_get(orders, 0), "fault");
    assert_string_equal(json_string_value(json_object_get(fault, "name")), "pressure");
    assert_near(json_number_value(json_object_get(fault, "value")), 0.005, 1e-9);
    assert_near(json_number_value(json_object_get(fault, "sound")), 1.0, 1e-9);
    assert_string_equal(json_string_value(json_object_get(fault, "unit")), "");
    assert_true(json_is_false(json_object_get(fault, "ends")));
    assert_null(json_object_get(json_array_get(orders, 1), "fault")); // there is none of that name
    assert_null(json_object_get(json_array_get(orders, 2), "fault"));
    json_decref(state);
    free(text);
}

TEST(a_place_where_nobody_drives_says_so)
{
    size_t size;
    ConsoleNotes waiting = {.phase = "waiting", .station = "Hall 2"};
    char *text = console_waiting_state(&waiting, &size);
    json_t *state = parse(text, size);
    assert_string_equal(json_string_value(json_object_get(state, "station")), "Hall 2");
    assert_null(json_object_get(state, "pose"));
    json_decref(state);
}

TEST_GROUP(NULL, NULL)
