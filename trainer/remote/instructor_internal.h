/// What the files of the instructor share.
#ifndef SPADEWORK_TRAINER_INSTRUCTOR_INTERNAL_H
#define SPADEWORK_TRAINER_INSTRUCTOR_INTERNAL_H

#include "trainer/remote/console_state.h"
#include "trainer/remote/choices.h"
#include "trainer/remote/instructor.h"
#include "trainer/remote/way_back.h"
#include "trainer/remote/link.h"
#include "trainer/record/record.h"

#define STATE_EVERY 0.1 ///< s between two states

enum { INSTRUCTOR_TEXT = 256 }; ///< bytes of what is said beside an order on the page: a reason may be long

struct Instructor {
    Console *console; ///< NULL: there is no page
    Link *link; ///< NULL: there is no classroom
    bool begun; ///< the link knows of the drive
    DriveGuide guide;
    ConsoleView *view; ///< of the session that is driven; NULL: none yet
    int restarts; ///< of the drive, that the view is of
    bool over; ///< that drive is
    bool frozen;
    int notes; ///< events in the present recording
    double stated, mapped; ///< drive_clock, of the last state and the last map
    double pictured; ///< drive_clock, when a picture was last asked for
    char picture[64]; ///< path of the picture on the page; "" = none
    bool linked; ///< the link is connected, as the recording has it
    double looked; ///< drive_clock, of the last look at how the link stands
    struct {
        double time; ///< s of the session
        const char *command;
        char text[INSTRUCTOR_TEXT];
        ConsoleCommand given; ///< the order
        bool is_fault;
    } orders[CONSOLE_ORDERS]; ///< the newest last
    int order_count;
    bool loads; ///< `load` was taken, and waits for what becomes of it
    struct Taken {
        LinkCommand command;
        bool from_link; ///< which waits for an answer
    } load;
    WayBack back;
    char recorded[DATA_PATH_LENGTH]; ///< recording of the last drive that has ended; "" = none
    char debrief[64]; ///< path of its debrief on the page; "" = none
    InstructorWish wish;
    Choices *choices; ///< NULL: there is no page that chooses
    char station[STATION_NAME];
};

/// An order, and where it came from.
typedef struct Taken Taken;

// ---- orders (instructor_orders.c)

/// Keeps an order for the page, in words.
void instructor_remember_words(Instructor *self, double time, const char *command, const char *text);
void instructor_remember(Instructor *self, double time, const ConsoleCommand *command);
/// What an order says, in words.
void instructor_words(const ConsoleCommand *command, char text[CONSOLE_TEXT]);
/// The event that the classroom gets of an order that was obeyed; not of a fault, which is one of the exercise.
ExerciseEvent instructor_event(const ConsoleCommand *command);
/// What the order wants done once nobody drives any more; false: it is none of those.
bool instructor_wishes(const ConsoleCommand *command, InstructorWish *wish);
/// Puts an event into the recording, while that has room for one.
void instructor_note(Instructor *self, Drive *drive, const ExerciseEvent *event);
/// False: the drive fails with `status`. refusal  why an order could not be obeyed; left alone where it was
bool instructor_obey(Instructor *self, Drive *drive, DriveRound *round, const ConsoleCommand *command, Status *refusal,
                     Status *status);
/// The next order of the page or of the classroom; false: there is none.
bool instructor_take(Instructor *self, Taken *taken);
/// Answers who waits for an answer. error  NULL: it was obeyed
void instructor_answer(Instructor *self, const Taken *taken, const char *error);
/// Keeps a `load` that was taken: it is answered when its drive begins, or cannot.
void instructor_keep_load(Instructor *self, const Taken *taken);
/// Answers the load that was kept, if there is one. error  NULL: its drive has begun
void instructor_answer_load(Instructor *self, const char *error);
/// Holds the drive's time, or lets it go on, and writes that into the recording.
void instructor_freeze(Instructor *self, Drive *drive, bool frozen);

// ---- what is shown (instructor_shown.c)

/// drive  NULL: nobody drives
ConsoleNotes instructor_notes(const Instructor *self, const Drive *drive, const char *phase);
/// Publishes a text to whoever looks on, and frees it. NULL is nothing.
void instructor_hand_over(const Instructor *self, ConsoleChannel channel, char *text, size_t size);
/// After each round; `last`: the drive is over.
void instructor_show(Instructor *self, Drive *drive, bool last);
/// While a page follows a drive that is over.
void instructor_show_after(Instructor *self, const Drive *drive);

#endif
