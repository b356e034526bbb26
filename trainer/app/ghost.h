/// The ghost: the machine of another recording, drawn beside the one that is driven or watched, at the same time since
/// the start, from the samples that its recording keeps (record.h). Nothing is simulated and nothing enters a session:
/// a drive is the same to the bit with and without a ghost.
#ifndef SPADEWORK_TRAINER_GHOST_H
#define SPADEWORK_TRAINER_GHOST_H

#include "render/render.h"
#include "trainer/app/ground_view.h"
#include "trainer/record/record.h"
#include "trainer/sim/sim.h"

/// ---- race ----------------------------------------------------------------------------------------------------------

/// How far ahead of a ghost, or behind it, an exercise is, by its own steps, targets and cycles and by its points at
/// the same time.

enum { GHOST_RACE_LINES = 2, GHOST_RACE_TEXT = 96 };

/// Kinds of marks, in order of preference within one tick.
typedef enum GhostMarkKind { GHOST_STEP, GHOST_TARGET, GHOST_CYCLE, GHOST_MARK_KINDS } GhostMarkKind;

/// A step, target or cycle that was reached.
typedef struct GhostMark {
    GhostMarkKind kind;
    int number; ///< of its kind, from 1
    int64_t tick;
} GhostMark;

/// Extracts the marks from events ([count], in order of time); returns their number, at most `count`.
int ghost_marks(const ExerciseEvent *events, int count, GhostMark *marks);

/// The two runs to compare.
typedef struct GhostRace {
    const GhostMark *own, *other; ///< in order of time
    int own_count, other_count;
    int64_t tick; ///< now
    double dt; ///< s of a tick, of both
    double own_score, other_score; ///< points at this time, 0..100
} GhostRace;

/// `lead`, s: how far the own run is ahead of the other one, below 0 behind: at the last mark that both have reached,
/// or so much as the other one's next mark is overdue by now, whichever is more. `at` receives that mark. False where
/// neither is known.
bool ghost_race_lead(const GhostRace *race, double *lead, GhostMark *at);
/// Writes the lines of the screen ("4.2 s behind the ghost (step 2)", "31 points, the ghost 38"); where no lead is
/// known yet, the first is "".
void ghost_race_text(const GhostRace *race, char text[GHOST_RACE_LINES][GHOST_RACE_TEXT]);

/// ---- ghost ---------------------------------------------------------------------------------------------------------

enum { GHOST_NOTE = 320 };

/// Zero is none.
typedef struct Ghost {
    Machine *machine; ///< own
    TraceSample *samples; ///< own, in order of tick
    int64_t count;
    double dt; ///< s of a tick
    int mark_count;
    GhostMark *marks; ///< own: what it reached, in order of time
    char name[SCENE_NAME_LENGTH], title[128]; ///< of its file and its scene
    bool differs; ///< it drove another scene or another machine
    char note[GHOST_NOTE]; ///< whose machine it is, and what differs
    char told[GHOST_NOTE]; ///< the same in the reader's language
} Ghost;

/// Request for a recording. Strings belong to the caller.
typedef struct GhostAsked {
    const char
        *who; ///< NULL: none; its path, or "expert": the newest run of the scene's expert that results or folder know
    const char *results; ///< file of results, NULL: the user's own
    const char *scene; ///< that is driven: name or path; not read with `recording`
    const char *recording; ///< that is watched or taken over, NULL: none
} GhostAsked;

/// Finds and reads the requested recording; without `who` there is no ghost. False with `status`
/// (STATUS_BAD_FILE) as ghost_open, and where no expert's run is known, with the command that makes one.
bool ghost_ask(Ghost *ghost, const GhostAsked *asked, Status *status);
/// Reads a recording's machine, samples and events. False with `status` (STATUS_BAD_FILE) for a file that is no whole
/// recording, or has no samples.
bool ghost_open(Ghost *ghost, const char *path, Status *status);
/// Notes what differs from the session beside which it is drawn: another scene or machine is no failure.
void ghost_beside(Ghost *ghost, const Session *session);
/// As ghost_beside, with one line on stderr where something differs: the race is not fair. Without a ghost nothing.
void ghost_warn(Ghost *ghost, const Session *session);
void ghost_close(Ghost *ghost);
/// Writes the machine's pose at `time` (s since the start), interpolated between two samples; before the first and
/// after the last it is theirs.
void ghost_show(const Ghost *ghost, double time, RenderGhost *shown);
/// How far a session is ahead or behind, for the screen.
typedef struct GhostLead {
    char text[GHOST_RACE_LINES][GHOST_RACE_TEXT];
} GhostLead;
/// Writes it into `told` and shows it; nothing where the ghost drove another scene, or nothing is scored.
void ghost_tell(const Ghost *ghost, const Session *session, GhostLead *told, RenderHud *hud);
/// Poses the bodies by a sample: the base by place and angles, the others by their joints.
void ghost_place(const Machine *machine, const TraceSample *sample, MachineState *state);

/// ---- way of a recorded machine -------------------------------------------------------------------------------------

/// The path of a recording's machine, for the marks on the ground of its replay.

/// Adds the path of a recording's samples, as far as they go. Unreadable samples are left out: a
/// picture without marks is better than none.
/// machine  that was recorded
void ghost_read_path(Recording *recording, const Machine *machine, GroundPath *path);

#endif
