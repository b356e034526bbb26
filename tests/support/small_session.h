/// A session on a small site (small.yaml) that starts over in no time, and a recording of some ticks of it.
#ifndef SPADEWORK_TESTS_SMALL_SESSION_H
#define SPADEWORK_TESTS_SMALL_SESSION_H

#include "tests/support/recording_fixture.h"

enum { SMALL_TICKS = 75, SMALL_BATCH = 30 }; ///< ticks recorded; of one commit

typedef struct SmallSession {
    Session *session;
    StateBuffer start;
    uint64_t hashes[SMALL_TICKS + 1]; ///< of the states, from tick 0 on
} SmallSession;

static inline Session *small_open(Status *status)
{
    return session_create(&(SessionParams){.scene = SPADEWORK_TEST_DIR "/support/small.yaml", .threads = 1}, status);
}

/// Levers of a tick: something moves.
static inline OperatorControls small_levers(int tick)
{
    OperatorControls controls = control_neutral;
    controls.axis[tick / 8 % CONTROL_COUNT] = 20000;
    return controls;
}

static inline void small_create(SmallSession *small)
{
    Status status = {0};
    *small = (SmallSession){.session = small_open(&status)};
    assert_good(small->session != NULL, status);
    assert_good(state_save(small->session, &small->start, &status), status);
    for (int tick = 0; tick <= SMALL_TICKS; tick++) {
        small->hashes[tick] = state_hash(small->session);
        OperatorControls levers = small_levers(tick);
        session_tick(small->session, &levers);
    }
}

static inline void small_destroy(SmallSession *small)
{
    session_destroy(small->session);
    state_buffer_free(&small->start);
}

/// How a recording went.
typedef enum SmallEnd {
    SMALL_NOT_MADE, ///< the recorder could not be made
    SMALL_TOLD, ///< it said that something was lost
    SMALL_WHOLE, ///< it said that all is there
} SmallEnd;

/// Records the session from its start. `after_create`, when not NULL, is called once the recorder is made.
static inline SmallEnd small_record(SmallSession *small, const char *path, void (*after_create)(void *), void *context)
{
    Status status = {0};
    assert_good(state_restore(small->session, small->start.data, small->start.size, &status), status);
    Recorder *recorder = recorder_create(&(RecorderParams){.path = path, .patience = 1e-6}, small->session, &status);
    if (recorder == NULL) {
        assert_int_equal(status.code, STATUS_LACKING);
        assert_true(status.text[0] != '\0');
        return SMALL_NOT_MADE;
    }
    if (after_create != NULL) {
        after_create(context);
    }
    bool good = true;
    for (int tick = 0; tick < SMALL_TICKS; tick++) {
        OperatorControls levers = small_levers(tick);
        session_tick(small->session, &levers);
        Status told = {0};
        good = recorder_tick(recorder, small->session, &told) && good;
        assert_true(good || told.text[0] != '\0');
    }
    Status told = {0};
    good = recorder_close(recorder, small->session, &told) && good;
    assert_true(good || (told.code == STATUS_LACKING && told.text[0] != '\0'));
    return good ? SMALL_WHOLE : SMALL_TOLD;
}

/// Ticks that a recording has after its commit number `commit`; 0 is that of its beginning.
static inline int small_ticks_of(int commit)
{
    return commit * SMALL_BATCH < SMALL_TICKS ? commit * SMALL_BATCH : SMALL_TICKS;
}

/// Opens what lies at `path`; what it holds is what happened. Returns its ticks.
static inline int small_check(const SmallSession *small, const char *path)
{
    Status status = {0};
    Recording *recording = recording_open(path, &status);
    assert_good(recording != NULL, status);
    int ticks = (int)recording_ticks(recording);
    assert_true(ticks >= 0 && ticks <= SMALL_TICKS);
    for (int tick = 0; tick <= ticks; tick++) {
        assert_int_equal(recording_state_hash(recording, tick), small->hashes[tick]);
        OperatorControls controls, levers = small_levers(tick);
        if (tick < ticks) {
            assert_good(recording_controls(recording, tick, &controls, &status), status);
            assert_memory_equal(&controls, &levers, sizeof controls);
        }
    }
    assert_good(recording_seek(recording, small->session, ticks / SMALL_BATCH * SMALL_BATCH, &status), status);
    recording_close(recording);
    return ticks;
}

#endif
