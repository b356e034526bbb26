/// Marks of a replay's time line: which kind an event has, which one lies next or nearest, and what is told of it.
#include "trainer/app/replay.h"

#include <stdlib.h>

#include "tests/support/test.h"

static ExerciseEvent event_of(int64_t tick, EventKind kind, double points)
{
    return (ExerciseEvent){.tick = tick, .kind = (int32_t)kind, .number = {.points = points}};
}

TEST(events_have_kinds)
{
    const struct {
        EventKind kind;
        double points;
        RenderMarkKind expected;
    } rows[] = {
        {EVENT_TOUCH, 0.0, RENDER_MARK_INCIDENT}, {EVENT_TOUCH, -5.0, RENDER_MARK_INCIDENT},
        {EVENT_CYCLE, 0.0, RENDER_MARK_CYCLE},    {EVENT_STEP, 0.0, RENDER_MARK_DONE},
        {EVENT_FINISHED, 0.0, RENDER_MARK_DONE},  {EVENT_SPILL, 0.0, RENDER_MARK_FAULT},
        {EVENT_POINTS, -1.5, RENDER_MARK_FAULT},  {EVENT_POINTS, 1.5, RENDER_MARK_NOTE},
        {EVENT_SLOW, 0.0, RENDER_MARK_NOTE},      {EVENT_TARGET, -0.5, RENDER_MARK_FAULT},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        ExerciseEvent event = event_of(1, rows[k].kind, rows[k].points);
        assert_int_equal(replay_marks_kind(&event), rows[k].expected);
    }
}

/// At ticks 100, 200 (twice, the second one graver) and 500.
static ReplayMarks four(ExerciseEvent events[4], RenderMark marks[4])
{
    events[0] = event_of(100, EVENT_CYCLE, 0.0);
    events[1] = event_of(200, EVENT_STEP, 0.0);
    events[2] = event_of(200, EVENT_PERSON_ZONE, -10.0);
    events[2].part = event_thing(THING_PART, 0, "bucket");
    events[2].thing = event_thing(THING_PERSON, 0, "Ann");
    events[2].number.distance = 1.5;
    events[3] = event_of(500, EVENT_POINTS, -1.5);
    events[3].thing = event_thing(THING_SCORE, 0, "spilled_share");
    for (int k = 0; k < 4; k++) {
        marks[k] = (RenderMark){(double)events[k].tick / 100.0, replay_marks_kind(&events[k])};
    }
    return (ReplayMarks){.count = 4, .events = events, .marks = marks};
}

TEST(next_ones_are_found)
{
    ExerciseEvent events[4];
    RenderMark rows[4];
    ReplayMarks marks = four(events, rows);
    assert_int_equal(replay_marks_next(&marks, 0, true), 0);
    assert_int_equal(replay_marks_next(&marks, 100, true), 1);
    assert_int_equal(replay_marks_next(&marks, 200, true), 3); // not the other one of the same tick: one would not move
    assert_int_equal(replay_marks_next(&marks, 500, true), -1);
    assert_int_equal(replay_marks_next(&marks, 501, false), 3);
    assert_int_equal(replay_marks_next(&marks, 500, false), 1);
    assert_int_equal(replay_marks_next(&marks, 200, false), 0);
    assert_int_equal(replay_marks_next(&marks, 100, false), -1);
    ReplayMarks none = {0};
    assert_int_equal(replay_marks_next(&none, 100, true), -1);
}

TEST(near_ones_are_found)
{
    ExerciseEvent events[4];
    RenderMark rows[4];
    ReplayMarks marks = four(events, rows);
    assert_int_equal(replay_marks_near(&marks, 110, 10, 0), 0);
    assert_int_equal(replay_marks_near(&marks, 111, 10, 0), -1);
    assert_int_equal(replay_marks_near(&marks, 99, 10, 0), -1);
    assert_int_equal(replay_marks_near(&marks, 99, 10, 1), 0);
    assert_int_equal(replay_marks_near(&marks, 200, 5, 5), 2); // the incident, not the step
    assert_int_equal(replay_marks_near(&marks, 340, 200, 200), 2);
    assert_int_equal(replay_marks_near(&marks, 360, 200, 200), 3);
}

TEST(the_list_follows_the_time)
{
    ExerciseEvent events[4];
    RenderMark rows[4];
    ReplayMarks marks = four(events, rows);
    assert_int_equal(replay_marks_chosen(&marks, 99, -1), -1);
    assert_int_equal(replay_marks_chosen(&marks, 100, -1), 0);
    assert_int_equal(replay_marks_chosen(&marks, 199, 2), 0); // what was wanted is elsewhere
    assert_int_equal(replay_marks_chosen(&marks, 200, -1), 2);
    assert_int_equal(replay_marks_chosen(&marks, 200, 1), 1); // of two in one tick the one that was gone to
    assert_int_equal(replay_marks_chosen(&marks, 9000, 7), 3);
}

TEST(events_are_told)
{
    ExerciseEvent events[4];
    RenderMark rows[4];
    ReplayMarks marks = four(events, rows);
    SceneExercise *scene = calloc(1, sizeof *scene);
    scene->scores_count = 1;
    scene->scores[0] = (SceneScore){.metric = METRIC_SPILLED_SHARE, .label = "clean"};
    marks.scene = scene;
    char text[REPLAY_MARK_TEXT];
    replay_marks_tell(&marks, 2, 0.5, text); // tick 200 of 0.5 s is 1 min 40 s
    assert_string_equal(text, "3/4   1:40.0   too near to a person: bucket comes within 1.5 m of Ann (-10.0 points)");
    replay_marks_tell(&marks, 3, 0.01, text);
    assert_string_equal(text, "4/4   0:05.0   -1.5 points: clean");
    events[3].thing = event_thing(THING_SCORE, 1, "spilled_share"); // a row that the scene does not have
    replay_marks_tell(&marks, 3, 0.01, text);
    assert_string_equal(text, "4/4   0:05.0   -1.5 points: spilled share of what was moved");
    free(scene);
}

TEST_GROUP(NULL, NULL)
