/// libFuzzer: bytes laid over a good recording (the first two say where, as a share of its length; the rest replaces
/// what is there). Opening, reading and restoring may refuse, with a reason, but never crash or change the file.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trainer/recording/recording.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { GOOD_TICKS = 3, EVENTS = 8, METRICS = 8 };

typedef struct Good {
    unsigned char *bytes;
    size_t size;
    char path[64];
} Good;

/// A recording of a few ticks, made once.
static void make_good(Good *good)
{
    Status status = {0};
    SessionParams session_params = {.scene = "free", .threads = 1};
    Session *session = session_create(&session_params, &status);
    snprintf(good->path, sizeof good->path, "/tmp/spadework-fuzz-%ld.spade", (long)getpid());
    unlink(good->path);
    RecorderParams params = {.path = good->path};
    Recorder *recorder = session != NULL ? recorder_create(&params, session, &status) : NULL;
    OperatorControls neutral = {{0}};
    for (int tick = 0; recorder != NULL && tick < GOOD_TICKS; tick++) {
        session_tick(session, &neutral);
        recorder_tick(recorder, session, &status);
    }
    if (recorder == NULL || !recorder_close(recorder, session, &status)) {
        abort();
    }
    session_destroy(session);
    FILE *file = fopen(good->path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        abort();
    }
    good->size = (size_t)ftell(file);
    rewind(file);
    good->bytes = malloc(good->size);
    if (good->bytes == NULL || fread(good->bytes, 1, good->size, file) != good->size) {
        abort();
    }
    fclose(file);
}

static void write_changed(const Good *good, const uint8_t *data, size_t size)
{
    size_t at = size >= 2 ? (size_t)(data[0] | data[1] << 8) * good->size / 65536 : 0;
    size_t length = size >= 2 ? size - 2 : 0;
    length = length < good->size - at ? length : good->size - at;
    FILE *file = fopen(good->path, "wb");
    if (file == NULL) {
        abort();
    }
    fwrite(good->bytes, 1, at, file);
    if (length > 0) {
        fwrite(data + 2, 1, length, file);
    }
    fwrite(good->bytes + at + length, 1, good->size - at - length, file);
    fclose(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static Good good;
    if (good.bytes == NULL) {
        make_good(&good);
    }
    write_changed(&good, data, size);
    Status status = {0};
    Recording *recording = recording_open(good.path, &status);
    if (recording == NULL) {
        if (status.text[0] == '\0') {
            abort(); // every refusal says why
        }
        return 0;
    }
    ExerciseEvent events[EVENTS];
    ExerciseMetric metrics[METRICS];
    recording_events(recording, events, EVENTS);
    recording_metrics(recording, metrics, METRICS);
    Session *session = recording_create_session(recording, 1, &status);
    if (session != NULL) {
        recording_seek(recording, session, recording_ticks(recording), &status);
        session_destroy(session);
    }
    recording_close(recording);
    return 0;
}
