/// The tools of a scene and the coupler that takes them: which of them the machine has, where the others are, the
/// switch in the cab (CONTROL_COUPLER), and what is reported of a change. machine/tool_change.h has the bodies.
///
/// All machines of the scene, one for each tool and one with the coupler alone, are made at the start; a change chooses
/// another one and nothing else. A scene without `tools` has none of this.
///
///     locked  --a press, and another one within confirm_time, or the switch held--> the wedge opens --> hooked
///     hooked  --a press while both pins lie in their seats--> the wedge closes --> locked
///
/// A tool is released only with the bucket curled in, without load, off the ground and with the engine running. What
/// the hook alone holds falls where the hook faces down.
#ifndef SPADEWORK_TRAINER_SESSION_TOOLS_H
#define SPADEWORK_TRAINER_SESSION_TOOLS_H

#include "data/core/data_files.h"
#include "machine/tool_change.h"
#include "soil/soil.h"
#include "trainer/sim/exercise.h"
#include "trainer/sim/incidents.h"
#include "trainer/sim/session_solids.h"

/// Every field of the coupler's state, F(type, name, low, high, unit): hashed, saved, restored.
#define COUPLER_FIELDS(F)                                                                                              \
    F(int32_t, tool, -1.0, SCENE_MAX_TOOLS, "") /* that is locked; -1: none */                                         \
    F(int32_t, wedge, -1.0, 1.0, "") /* 1: it closes; -1: it opens; 0: it stands */                                    \
    F(int32_t, pressed, 0.0, 1.0, "") /* 1: the switch was pressed in the last tick */                                 \
    F(int32_t, laid, 0.0, 1e6, "") /* tools that were laid down */                                                     \
    F(int32_t, taken, 0.0, 1e6, "") /* tools that were locked */                                                       \
    F(int32_t, dropped, 0.0, 1e6, "") /* tools that fell off the coupler */                                            \
    F(int32_t, unlocked, 0.0, 1.0, "") /* 1: the tool in the hook hangs without the wedge, and that is known */        \
    F(double, wedge_time, 0.0, LONGEST, "s") /* that the wedge has moved */                                            \
    F(double, confirm, 0.0, LONGEST, "s") /* left for the second step of a release; 0: none is asked for */            \
    F(double, held, 0.0, LONGEST, "s") /* that the switch has been held */

/// Every field of a tool's state beside its body's.
#define TOOL_FIELDS(F)                                                                                                 \
    F(int32_t, hooked, 0.0, 1.0, "") /* 1: its first pin lies in the hook */                                           \
    F(int32_t, falls, 0.0, 1.0, "") /* 1: it left the hook in the air and has not come to rest */                      \
    F(int32_t, asleep, 0.0, 1.0, "") /* 1: it stays where it is until something moves it */                            \
    F(double, still, 0.0, LONGEST, "s") /* for which it has not moved */                                               \
    F(double, borne, 0.0, STRONGEST, "N") /* that ground and things bore in the last substep */                        \
    F(double, struck, 0.0, LONGEST, "s") /* until the next blow on a thing is reported */

enum { SESSION_MAX_TOOLS = 1 + SCENE_MAX_TOOLS }; ///< that of the start, then those of the scene

typedef struct SessionTools SessionTools;

/// What the tools touch, now.
typedef struct ToolSite {
    const Soil *soil;
    const Machine *machine;
    MachineState *state; ///< changed by session_tools_begin_tick
} ToolSite;

/// Puts the tools on the site. `*tools` is NULL, without an error, where there are none; so may it be in all that
/// follows. `machine`: that of the start, which stays its owner's. False with `status`: a tool stands in something or
/// in another one, its machine cannot be built, or memory is short.
bool session_tools_create(const SceneParams *scene, const DataFiles *files, Machine *machine, const ToolSite *site,
                          const SessionSolids *solids, SessionTools **tools, Status *status);
void session_tools_destroy(SessionTools *tools);
/// The machine as it is now: `machine` without tools.
Machine *session_tools_machine(const SessionTools *tools, Machine *machine);

/// What a release depends on, after the tick before.
typedef struct ToolSight {
    int64_t tick;
    double dt; ///< s
    const MachineReadout *readout;
    double payload; ///< kg in the tool
    double force; ///< N on the tool from outside
    bool powered; ///< the engine runs and the levers work
} ToolSight;

/// Start of a tick: takes the switch in, moves the wedge and changes the machine. Returns true when it is another one
/// now (session_tools_machine).
bool session_tools_begin_tick(SessionTools *tools, const ToolSite *site, const ToolSight *sight,
                              const OperatorControls *controls, Exercise *exercise);
/// Adds the touches of the machine with loose tools, and of the hook with the tool in it, to touches[count]. Those of
/// tool k are of mover `first` + k. Returns their number with these.
int session_tools_find(SessionTools *tools, const ToolSite *site, int first, MachineTouch touches[MACHINE_MAX_TOUCHES],
                       int count);
/// Writes how they take part in a substep: as mover k the tool k, with no mass where it is locked or sleeps.
void session_tools_fill_movers(SessionTools *tools, const ToolSite *site, const SessionSolids *solids,
                               const MachineTouch *touches, int touch_count, int first,
                               MachineMover movers[SESSION_MAX_TOOLS]);
/// Stores where that substep left them.
void session_tools_set_motion(SessionTools *tools, const MachineMover movers[SESSION_MAX_TOOLS]);
/// End of a tick: what the hook has taken or lost, what lies still, and what was struck, as events.
void session_tools_end_tick(SessionTools *tools, const ToolSite *site, const SessionSolids *solids, int64_t tick,
                            double dt, Exercise *exercise);

/// How the coupler stands.
typedef enum CouplerStand {
    COUPLER_STANDS_LOCKED, ///< it has a tool
    COUPLER_STANDS_OPEN, ///< nothing lies in its hook
    COUPLER_STANDS_HOOKED, ///< the first pin does
    COUPLER_STANDS_SEATED, ///< both pins lie in their seats; it can be locked
} CouplerStand;

typedef struct CouplerReadout {
    bool has; ///< the scene has tools
    CouplerStand stand;
    int tool; ///< that is locked, or lies in the hook; -1: none
    bool moves; ///< the wedge does
    double confirm; ///< s left for the second step of a release; 0: none is asked for
    const char *name; ///< of the file of that tool's attachment; "" of none and of the machine's own bucket
} CouplerReadout;
/// Its state in a word of the screen's language, to be translated: "locked".
const char *coupler_word(const CouplerReadout *coupler);
CouplerReadout session_tools_readout(const SessionTools *tools, const ToolSite *site);
ExerciseTools session_tools_sample(const SessionTools *tools);

int session_tools_count(const SessionTools *tools); ///< 0 for NULL
/// What tool k is, on its own pins; belongs to `tools`.
const MachineParams *session_tools_params(const SessionTools *tools, int k);
/// True, with its frame, when tool k is no part of the machine.
bool session_tools_pose(const SessionTools *tools, int k, Pose *frame);
/// Inputs of incidents, which borrow from `tools`: tools that hang or fall. Returns how many there are.
int session_tools_sight(const SessionTools *tools, IncidentLoad sight[SESSION_MAX_TOOLS]);

/// Visits the state: nothing without tools.
void session_tools_visit(SessionTools *tools, StateVisitor *visitor);
bool session_tools_are_finite(const SessionTools *tools);

#endif
