/// Files and sessions for the targets.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"
#include "trainer/record/record.h"

static char folder[64];

void require(bool holds)
{
    if (!holds) {
        abort();
    }
}

static void remove_folder(void)
{
    char command[96];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    require(system(command) == 0);
}

const char *fuzz_path(const char *name, char path[96])
{
    if (folder[0] == '\0') {
        snprintf(folder, sizeof folder, "%s/spadework-fuzz-XXXXXX",
                 access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
        require(mkdtemp(folder) != NULL);
        atexit(remove_folder);
        setenv("TMPDIR", folder, 1);
    }
    snprintf(path, 96, "%s/%s", folder, name);
    return path;
}

void fuzz_write(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    require(file != NULL);
    require(size == 0 || fwrite(bytes, 1, size, file) == size);
    fclose(file);
}

unsigned char *fuzz_read(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    require(file != NULL && fseek(file, 0, SEEK_END) == 0);
    *size = (size_t)ftell(file);
    rewind(file);
    unsigned char *bytes = malloc(*size + 1);
    require(bytes != NULL && fread(bytes, 1, *size, file) == *size);
    fclose(file);
    return bytes;
}

Session *fuzz_session(void)
{
    Status status = {STATUS_GOOD, ""};
    SessionParams params = {.scene = SPADEWORK_TEST_DIR "/support/small.yaml", .threads = 1};
    Session *session = session_create(&params, &status);
    if (session == NULL) {
        fprintf(stderr, "fuzz: %s\n", status.text);
    }
    require(session != NULL);
    return session;
}

void fuzz_record(const char *path, int ticks)
{
    Status status = {STATUS_GOOD, ""};
    Session *session = fuzz_session();
    unlink(path);
    Recorder *recorder = recorder_create(&(RecorderParams){.path = path}, session, &status);
    require(recorder != NULL);
    for (int tick = 0; tick < ticks; tick++) {
        OperatorControls controls = control_neutral;
        controls.axis[tick % CONTROL_COUNT] = 20000;
        SessionOrder order = {SESSION_FAULT_VALVE, tick % 3, tick % 2};
        require(session_order(session, &order, &status) && recorder_order(recorder, &order, &status));
        session_tick(session, &controls);
        require(recorder_tick(recorder, session, &status));
    }
    require(recorder_close(recorder, session, &status));
    session_destroy(session);
}
