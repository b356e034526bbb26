/// What stations tell by the broker, read and range-checked: nothing else of a payload goes on. Pure; any thread.
#ifndef SPADEWORK_TRAINER_CLASSROOM_MESSAGE_H
#define SPADEWORK_TRAINER_CLASSROOM_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "data/core/status.h"
#include "trainer/remote/link_commands.h"

/// Bytes with the NUL: of names and drives, of texts that are shown, of refusals; and of a whole payload.
enum { CLASSROOM_NAME = 41, CLASSROOM_DRIVE = 97, CLASSROOM_TEXT = 201, CLASSROOM_PAYLOAD = 65536 };
/// Of one list of scenes; of broken parts; of events in one drive.
enum {
    CLASSROOM_MOST_SCENES = 512,
    CLASSROOM_MOST_COURSES = 64,
    CLASSROOM_MOST_FAULTS = 1000,
    CLASSROOM_MOST_EVENTS = 1000000
};

/// The last words of a topic.
#define CLASSROOM_TOPICS(X)                                                                                            \
    X(STATUS, status)                                                                                                  \
    X(STATE, state)                                                                                                    \
    X(EVENT, event) X(SCENES, scenes) X(VIEW, view) X(GROUND, ground) X(ANSWER, answer) X(CLAIM, claim)
typedef enum ClassroomTopic {
#define X(upper, lower) CLASSROOM_##upper,
    CLASSROOM_TOPICS(X)
#undef X
        CLASSROOM_TOPIC_COUNT
} ClassroomTopic;
extern const char *const classroom_topic_names[CLASSROOM_TOPIC_COUNT];

/// Splits spadework/NAME/WORD. False when it is no topic of a station's.
bool classroom_topic_read(const char *topic, char name[CLASSROOM_NAME], ClassroomTopic *kind);

typedef enum ClassroomPhase {
    CLASSROOM_WAITING,
    CLASSROOM_DRIVING,
    CLASSROOM_FROZEN,
    CLASSROOM_OVER,
    CLASSROOM_PHASES
} ClassroomPhase;
extern const char *const classroom_phase_names[CLASSROOM_PHASES]; ///< "waiting", ...

typedef struct ClassroomStatus {
    bool online;
    ClassroomPhase phase;
    char scene[CLASSROOM_NAME], title[CLASSROOM_TEXT], trainee[CLASSROOM_TEXT]; ///< or ""
    LinkWho who; ///< the sender; instance "": unknown
} ClassroomStatus;

typedef struct ClassroomState {
    int64_t sequence; ///< 0..2^53
    double sent; ///< s since 1970
    char drive[CLASSROOM_DRIVE]; ///< or ""
    ClassroomPhase phase;
    double time; ///< s, 0..1e7
    double score; ///< points, -1e6..1e6
    double progress; ///< 0..1
    double real_time; ///< simulated s per wall s, 0..1e4
    int faults; ///< 0..CLASSROOM_MOST_FAULTS
} ClassroomState;

typedef struct ClassroomEvent {
    char drive[CLASSROOM_DRIVE];
    int number; ///< 1..CLASSROOM_MOST_EVENTS
    double time; ///< s, 0..1e7
    char text[CLASSROOM_TEXT]; ///< its detail, or its kind where there is none; cut
} ClassroomEvent;

typedef struct ClassroomAnswer {
    char id[CLASSROOM_NAME]; ///< of the order; "": it had none that could be read
    bool taken;
    char error[CLASSROOM_TEXT]; ///< "" when it was taken; cut
} ClassroomAnswer;

/// Each reads a payload of `size` bytes. False with `status` (STATUS_BAD_FILE): which key is wrong, what is allowed.
/// name  the station's, which the status must have, too
bool classroom_read_status(const char *payload, size_t size, const char *name, ClassroomStatus *read, Status *status);
bool classroom_read_state(const char *payload, size_t size, ClassroomState *read, Status *status);
bool classroom_read_event(const char *payload, size_t size, ClassroomEvent *read, Status *status);
bool classroom_read_answer(const char *payload, size_t size, ClassroomAnswer *read, Status *status);

/// Reads what is handed to a page as it is (one JSON object), and returns it as one line that the caller frees; NULL
/// with `status`. A view has no address of a debrief then, which would be one of the station's own server, or of
/// anybody's: "station" where there is one, else "".
char *classroom_read_ground(const char *payload, size_t size, Status *status);
char *classroom_read_view(const char *payload, size_t size, Status *status);
/// Reads what may be loaded: returns {"scenes": [...], "courses": [...]} as one line that the caller frees; NULL with
/// `status`. A payload without courses has none.
char *classroom_read_scenes(const char *payload, size_t size, Status *status);

#endif
