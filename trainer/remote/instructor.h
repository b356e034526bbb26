/// The instructor beside a drive: joins a console, a classroom's broker or both to whatever is driven, with a window or
/// without. The drive's thread.
#ifndef SPADEWORK_TRAINER_INSTRUCTOR_H
#define SPADEWORK_TRAINER_INSTRUCTOR_H

#include "trainer/pilot/pilot.h"
#include "trainer/remote/console.h"

typedef struct Instructor Instructor;

/// Starts the console that the options ask for (--console, --console-address, --console-token) and prints its address
/// with the token on stderr, and the link to a broker (--broker and its options). NULL with `status` as console_start
/// and link_open. The caller ends it with instructor_close.
/// serves  there is a console in any case, and scenes may be loaded
Instructor *instructor_open(const RunOptions *options, bool serves, Status *status);
void instructor_close(Instructor *instructor); ///< NULL is nothing

/// What a drive is given as its guide; belongs to the instructor. NULL for NULL.
const DriveGuide *instructor_guide(Instructor *instructor);

/// Shows on the page, among the orders, what could not be done, and answers a `load` that waits with it. Cut to 255
/// bytes.
void instructor_tell_failure(Instructor *instructor, const char *text);

/// Offers the debrief of the last drive on the page, where it was recorded; call it once the drive is closed. Failures
/// are reported as above.
void instructor_offer_debrief(Instructor *instructor);

/// What the page asks for while nobody drives.
typedef struct InstructorWish {
    bool ends; ///< the station is to close
    char scene[CONSOLE_NAME]; ///< to be driven; "": none
    char trainee[CONSOLE_TEXT]; ///< or ""
    char course[CONSOLE_NAME]; ///< that the scene is driven in, or ""
    Conditions conditions; ///< of the drive
} InstructorWish;
/// What the last drive was ended by: `end`, `load`, or nothing. It is forgotten then.
InstructorWish instructor_wish(Instructor *instructor);
/// Waits until the page loads a scene or ends the station, or a signal asks to stop, which ends it, too.
InstructorWish instructor_wait(Instructor *instructor);

#endif
