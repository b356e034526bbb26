/// Facts about the computer, the processes in which they are found, and what they mean: findings, each with a verdict,
/// what was found and what to do about it. Judging is pure, on any thread.
#ifndef SPADEWORK_TRAINER_DOCTOR_FINDINGS_H
#define SPADEWORK_TRAINER_DOCTOR_FINDINGS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "data/core/data_files.h"
#include "data/schema/controls_params.h"
#include "data/schema/settings_params.h"

/// ---- facts ---------------------------------------------------------------------------------------------------------

/// Facts about the computer, and the process in which each part of them is found, so that a driver that hangs or
/// crashes cannot take the program with it.
///
/// Facts are plain values without pointers, since they come as bytes through a pipe. Zero is "not known". Texts are for
/// people, and may hold any bytes.

enum {
    DOCTOR_NAME = 96, ///< bytes of a name
    DOCTOR_FAULT = 256, ///< bytes of what a failure says of itself
    DOCTOR_MOST_DISPLAYS = 8,
    DOCTOR_MOST_DEVICES = 8,
    DOCTOR_MOST_LIBRARIES = 16,
    DOCTOR_WIDTH = 1280, ///< pixels of the pictures that are drawn to be timed
    DOCTOR_HEIGHT = 720,
};

/// What is probed, each by a process of its own, in this order. X(ID, words)
#define DOCTOR_PARTS(X)                                                                                                \
    X(COMPUTER, "processors and memory")                                                                               \
    X(FILES, "data and settings")                                                                                      \
    X(SESSION, "speed of the simulation")                                                                              \
    X(DRAWING, "display and graphics")                                                                                 \
    X(DEVICES, "pads and joysticks")                                                                                   \
    X(SOUND, "sound")                                                                                                  \
    X(FOLDERS, "folders and disk")                                                                                     \
    X(SOFTWARE, "libraries and programs")

typedef enum DoctorPart {
#define X(id, words) DOCTOR_##id,
    DOCTOR_PARTS(X)
#undef X
        DOCTOR_PART_COUNT
} DoctorPart;

/// How a probe ended. Facts that it sent before its end are kept.
typedef enum DoctorEnd {
    DOCTOR_NOT_PROBED,
    DOCTOR_ANSWERED,
    DOCTOR_LATE, ///< it took too long and was ended
    DOCTOR_CRASHED, ///< it ended by a signal, or in disorder
} DoctorEnd;

typedef struct DoctorProbeEnd {
    DoctorEnd end;
    int signal; ///< of DOCTOR_CRASHED; 0: none
    double limit; ///< s that it could be silent
} DoctorProbeEnd;

typedef struct ComputerFacts {
    char model[DOCTOR_NAME]; ///< of the processor, "": not known
    int processors; ///< that this program may use
    int installed; ///< that the computer has
    double quota; ///< processors that a container allows; 0: no limit
    double mhz; ///< of the first one, now; 0: not known
    bool avx2, avx512; ///< widths that the contact loops know
    double memory, available; ///< bytes; 0: not known
} ComputerFacts;

/// Shipped data and settings, and what people read.
typedef struct FilesFacts {
    char data[DATA_PATH_LENGTH]; ///< folder of the shipped data
    int scenes; ///< that are found by their names
    char data_fault[DOCTOR_FAULT]; ///< "": none
    char settings[DATA_PATH_LENGTH]; ///< file of the settings; "": there is no folder for it
    bool settings_there;
    char settings_fault[DOCTOR_FAULT];
    char language[16]; ///< of texts
    char locale[DOCTOR_NAME]; ///< as the environment says; "": it does not
    bool utf8; ///< that locale has letters in UTF-8
    bool terminal; ///< stdout is one
    char terminal_kind[DOCTOR_NAME]; ///< TERM
} FilesFacts;

/// A shipped scene, driven by the scripted operator as fast as it goes.
typedef struct SessionFacts {
    bool made; ///< the session could be made
    char fault[DOCTOR_FAULT]; ///< why not
    char scene[DOCTOR_NAME];
    double built; ///< s that making it took
    int threads;
    double from; ///< simulated s before the measurement
    double simulated, wall; ///< s measured
    double longest; ///< s of the longest tick
    double tick; ///< s of simulated time a tick
} SessionFacts;

typedef struct DisplayFacts {
    char name[DOCTOR_NAME];
    int width, height; ///< pixels
    int refresh; ///< Hz, 0: not known
} DisplayFacts;

typedef struct DrawingFacts {
    bool display; ///< a window can be opened
    char display_fault[DOCTOR_FAULT];
    char driver[DOCTOR_NAME]; ///< SDL's, of the display, else of the pictures
    int display_count; ///< 0..DOCTOR_MOST_DISPLAYS
    DisplayFacts displays[DOCTOR_MOST_DISPLAYS];
    bool context; ///< OpenGL 3.3 can be had: on the display, without one for pictures
    char context_fault[DOCTOR_FAULT];
    char version[DOCTOR_NAME], renderer[DOCTOR_NAME], vendor[DOCTOR_NAME]; ///< OpenGL's own words
    bool card, card_closed; ///< the kernel has a graphics card; this user may not use it
    bool given; ///< `asked` stands in the command line, not in the settings
    SettingsQuality asked;
    double frames[SETTINGS_QUALITY_COUNT]; ///< pictures a second at a quality, 1/s; 0: not measured
} DrawingFacts;

typedef struct DeviceFacts {
    char name[DOCTOR_NAME];
    char usb[16]; ///< "045e:028e"
    bool pad; ///< SDL knows its sticks and buttons
    char map[DOCTOR_NAME]; ///< control map that names it; "": none does
    bool chosen; ///< that map is the one that the settings choose
    char port[CONTROLS_DEVICE_PORT], serial[CONTROLS_DEVICE_SERIAL]; ///< its socket and serial number; "": not known
    bool alike; ///< another device is equal to it by name and numbers
    bool told_apart; ///< `map` says by socket or serial number which of them it means
} DeviceFacts;

/// A box of levers that the kernel has and SDL does not list.
typedef struct BoxFacts {
    char name[DOCTOR_NAME], usb[16], node[32];
} BoxFacts;

typedef struct DevicesFacts {
    char fault[DOCTOR_FAULT];
    int count; ///< 0..DOCTOR_MOST_DEVICES
    DeviceFacts devices[DOCTOR_MOST_DEVICES];
    int closed; ///< boxes of levers that the kernel has and this user may not read
    char closed_name[DOCTOR_NAME]; ///< of the first of them
    int unlisted; ///< 0..DOCTOR_MOST_DEVICES
    BoxFacts boxes[DOCTOR_MOST_DEVICES]; ///< [unlisted]
} DevicesFacts;

typedef struct SoundFacts {
    bool open; ///< an output could be opened
    char fault[DOCTOR_FAULT];
    char driver[DOCTOR_NAME], output[DOCTOR_NAME];
    int rate; ///< samples a second
} SoundFacts;

typedef struct FolderFacts {
    char path[DATA_PATH_LENGTH]; ///< "": there is none
    bool there, writable; ///< where it is not there: whether it could be made
    double free; ///< bytes that this user may still write; 0 where `writable` is not set
    char fault[DOCTOR_FAULT]; ///< why there is none, or why it is not writable
} FolderFacts;

typedef struct FoldersFacts {
    FolderFacts data, recordings, settings, temporary;
    FolderFacts shared; ///< path "": none is set
} FoldersFacts;

typedef struct LibraryFacts {
    char name[24], version[40];
} LibraryFacts;

typedef struct SoftwareFacts {
    int count; ///< 0..DOCTOR_MOST_LIBRARIES
    LibraryFacts libraries[DOCTOR_MOST_LIBRARIES];
    bool ode_double; ///< ODE reckons in double precision
    int fonts; ///< families of letters
    bool film, browser; ///< ffmpeg, xdg-open can be started
} SoftwareFacts;

typedef struct DoctorFacts {
    DoctorProbeEnd ends[DOCTOR_PART_COUNT];
    ComputerFacts computer;
    FilesFacts files;
    SessionFacts session;
    DrawingFacts drawing;
    DevicesFacts devices;
    SoundFacts sound;
    FoldersFacts folders;
    SoftwareFacts software;
} DoctorFacts;

const char *doctor_part_words(DoctorPart part); ///< "processors and memory"

/// The pipe from the process that probes to the one that waits.
typedef struct DoctorSender DoctorSender;

/// Sends `facts` as they are known by now: they are kept even when the probe ends badly later. The probe's time limit
/// starts anew.
void doctor_send(DoctorSender *sender, const DoctorFacts *facts);

/// Probes one part and writes what it finds into `facts`, which hold what earlier probes found. What it prints is
/// lost.
typedef void DoctorProbe(DoctorFacts *facts, DoctorSender *sender);

/// Runs a probe in a child process, which may be silent for at most `limit` s of wall time, and takes over what it
/// found; how it ended goes to facts->ends[part]. Never fails, and never waits more than a second longer. Call it while
/// the process has one thread.
void doctor_probe(DoctorFacts *facts, DoctorPart part, DoctorProbe *probe, double limit);

/// ---- findings ------------------------------------------------------------------------------------------------------

enum { DOCTOR_MOST_FINDINGS = 64, DOCTOR_LINE = 640, DOCTOR_FORMAT = 1 };

typedef enum DoctorVerdict {
    DOCTOR_GOOD,
    DOCTOR_SLOW, ///< it works, but slowly, or not for long
    DOCTOR_MISSING, ///< it is not there, or could not be found out
} DoctorVerdict;

typedef struct DoctorFinding {
    const char *about; ///< "real_time": never renamed; several findings may have the same
    const char *title; ///< the same for people
    DoctorVerdict verdict;
    char text[DOCTOR_LINE];
    char advice[DOCTOR_LINE]; ///< "": nothing is to be done
    json_t *values; ///< object: the figures behind the text
} DoctorFinding;

typedef struct DoctorReport {
    int count;
    DoctorFinding findings[DOCTOR_MOST_FINDINGS];
    bool headless; ///< sessions can run without a window
    bool window; ///< and in one
    bool slow; ///< but the simulation or its pictures are slow
} DoctorReport;

/// Judges all facts. Free with doctor_free.
void doctor_judge(const DoctorFacts *facts, DoctorReport *report);
void doctor_free(DoctorReport *report);

/// The first finding about something, NULL: there is none.
const DoctorFinding *doctor_find(const DoctorReport *report, const char *about);

/// Prints a line for each finding, its advice below it, and the conclusion at the end.
void doctor_print(const DoctorReport *report, FILE *file);
/// The same for programs (docs/doctor.md, "JSON").
void doctor_print_json(const DoctorReport *report, FILE *file);

#endif
