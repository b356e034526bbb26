/// The calibration on the terminal: lists the devices, asks for each lever in turn (input/calibration.h decides what
/// counts as an answer), and writes the control map beside its place before renaming it, so that half a map is never
/// found.
#include "trainer/app/screens.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data/core/shell_word.h"
#include "data/schema/load.h"
#include "input/calibration.h"
#include "trainer/app/map_file.h"

#define LOOK_EVERY 0.016 ///< s
#define SEEK_TIME  1.0 ///< s in which the system tells of devices that are plugged in

/// What the person typed.
typedef enum Typed { TYPED_NOTHING, TYPED_SKIP, TYPED_BACK, TYPED_QUIT, TYPED_UNKNOWN } Typed;

static Typed read_typed(char *line, int size)
{
    struct pollfd wait = {.fd = STDIN_FILENO, .events = POLLIN};
    if (poll(&wait, 1, (int)(LOOK_EVERY * 1000.0)) <= 0) {
        return TYPED_NOTHING;
    }
    if (fgets(line, size, stdin) == NULL) {
        return TYPED_QUIT;
    }
    line[strcspn(line, "\r\n")] = '\0';
    if (line[0] == '\0') {
        return TYPED_SKIP;
    }
    return strcmp(line, "b") == 0 ? TYPED_BACK : strcmp(line, "q") == 0 ? TYPED_QUIT : TYPED_UNKNOWN;
}

static void ask(const Calibration *calibration)
{
    char text[CALIBRATION_TEXT];
    calibration_prompt(calibration, text, (int)sizeof text);
    printf("%2d  %s\n", calibration_number(calibration), text);
    fflush(stdout);
}

static CalibrationAnswer answer_typed(Calibration *calibration, Typed typed, const char *line)
{
    if (typed == TYPED_SKIP) {
        return calibration_skip(calibration);
    }
    if (typed == TYPED_BACK) {
        calibration_back(calibration);
        ask(calibration);
    } else if (typed == TYPED_UNKNOWN) {
        printf("    read \"%.40s\", allowed: Enter (none), b (back), q (quit)\n", line);
    }
    return CALIBRATION_WAITS;
}

/// Asks until all is answered; false when the person quits.
static bool ask_all(Calibration *calibration, InputDevices *devices)
{
    ask(calibration);
    while (!calibration_is_done(calibration)) {
        char line[80] = "", text[INPUT_NEWS_TEXT];
        InputNews news;
        Typed typed = read_typed(line, (int)sizeof line);
        if (typed == TYPED_QUIT) {
            return false;
        }
        input_devices_poll(devices);
        const InputSample *sample = input_devices_sample(devices);
        while (input_devices_changed(devices, &news)) {
            input_news_text(&news, &(TextReader){.english = true}, text);
            printf("    %s\n", text);
        }
        CalibrationAnswer answer = answer_typed(calibration, typed, line);
        if (answer == CALIBRATION_WAITS) {
            answer = calibration_watch(calibration, sample, LOOK_EVERY);
        }
        if (answer != CALIBRATION_WAITS) {
            printf("    %s%s\n", answer == CALIBRATION_REFUSED ? "not taken: " : "", calibration->text);
        }
        if (answer == CALIBRATION_TAKEN && !calibration_is_done(calibration)) {
            ask(calibration);
        }
    }
    return true;
}

/// Before anything is asked: the answers must not be lost at the end.
static bool check_path(const char *path, Status *status)
{
    struct stat info;
    size_t length = strlen(path);
    if (length < 6 || strcmp(path + length - 5, ".yaml") != 0 || length >= DATA_PATH_LENGTH) {
        return status_fail(status, STATUS_BAD_USAGE, "calibrate %.200s: a name that ends in .yaml is expected", path);
    }
    if (lstat(path, &info) == 0) {
        return status_fail(status, STATUS_LACKING, "%s: exists already; name another file, or remove it", path);
    }
    char folder[DATA_PATH_LENGTH];
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash != NULL) {
        slash[1] = '\0';
    }
    return access(slash != NULL ? folder : ".", W_OK) == 0 ||
           status_fail(status, STATUS_LACKING, "%s: cannot be written: %s", path, strerror(errno));
}

/// Fills the list of devices, and shows it. False when there is none.
static bool find_devices(InputDevices *devices, ControlDevice *list, int *count, Status *status)
{
    *count = 0;
    for (double waited = 0.0; waited < SEEK_TIME && *count == 0; waited += LOOK_EVERY) {
        input_devices_poll(devices);
        *count = input_devices_list(devices, list, CONTROLS_MAX_DEVICES);
        poll(NULL, 0, (int)(LOOK_EVERY * 1000.0));
    }
    if (*count == 0) {
        return status_fail(status, STATUS_LACKING, "calibrate: no joystick, pedals or gamepad are plugged in");
    }
    input_devices_use(devices, list, *count);
    for (int i = 0; i < *count; i++) {
        printf("  %s: %s (%s)\n", list[i].id, list[i].name, list[i].usb);
    }
    InputNews ignored; // that they are there stands in the list
    while (input_devices_changed(devices, &ignored)) {
    }
    return true;
}

static bool calibrate(InputDevices *devices, const ControlsParams *base, const char *path, Status *status)
{
    ControlDevice list[CONTROLS_MAX_DEVICES];
    int count = 0;
    if (!find_devices(devices, list, &count, status)) {
        return false;
    }
    printf("Enter: there is none. b: back. q: quit, nothing is written.\n\n");
    Calibration *calibration = calloc(1, sizeof *calibration);
    ControlsParams *params = calloc(1, sizeof *params);
    if (calibration == NULL || params == NULL) {
        abort();
    }
    calibration_start(calibration, base, list, count);
    bool good = ask_all(calibration, devices)
                    ? calibration_result(calibration, params, status) && map_file_write(params, path, status)
                    : status_fail(status, STATUS_BAD_USAGE, "calibrate: stopped before the end, nothing was written");
    if (good) {
        char word[2 * DATA_PATH_LENGTH];
        bool bare = strchr(path, '/') == NULL && path[0] != '-';
        printf("\nwritten %s\n", path);
        if (shell_word_file(path, word, sizeof word)) {
            printf("Drive with it: spadework run trench --controls %s%s\n", bare ? "./" : "", word);
        }
        printf("F4 shows in the window what each axis does; dead zone, curve and rate stand in the file.\n");
    }
    free(calibration);
    free(params);
    return good;
}

int screens_calibrate(const char *path, const char *base)
{
    Status status = {0};
    ControlsParams *params = calloc(1, sizeof *params);
    if (params == NULL) {
        abort();
    }
    setvbuf(stdin, NULL, _IONBF, 0); // so that poll sees every line that is there
    bool good = check_path(path, &status) && data_load_controls(base != NULL ? base : "iso", params, NULL, &status);
    InputDevices *devices = good ? input_devices_open(&status) : NULL;
    good = devices != NULL && calibrate(devices, params, path, &status);
    if (devices != NULL) {
        input_devices_close(devices);
    }
    free(params);
    if (!good) {
        fprintf(stderr, "spadework: %s\n", status.text);
    }
    return good ? STATUS_GOOD : (int)status.code;
}
