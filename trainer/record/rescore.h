/// Scores recordings anew, by their own rules or by those of another scene. A recording is never changed.
///
/// Where only the rules differ (rows of the score, what incidents cost, par time, pass mark, limits) the figures and
/// the events that the recording holds are weighed anew, at once. Where the work itself differs (a trench, targets,
/// steps) its inputs are replayed on the same site, and what comes of it is measured anew.
#ifndef SPADEWORK_TRAINER_RESCORE_H
#define SPADEWORK_TRAINER_RESCORE_H

#include "data/core/status.h"
#include "data/core/data_files.h"
#include "data/schema/scene_params.h"
#include "trainer/record/credit.h"
#include "trainer/sim/sim.h"
#include "trainer/record/recording.h"

typedef struct Rescore {
    RecordingSeal seal; ///< what the recording's seals say
    char scene[SCENE_NAME_LENGTH]; ///< that was recorded
    char trainee[128]; ///< "" = nobody is named
    double before; ///< points that the recording states, 0..100
    double after; ///< points by the rules asked for, 0..100
    bool passed; ///< by these rules, where its credit counts
    Credit credit; ///< what its drive counts as
    bool replayed; ///< measured anew, not only weighed
    char verdict[SCORE_VERDICT]; ///< why it is passed or not, for people
} Rescore;

/// The rules of another scene, read once for many recordings.
typedef struct RescoreRules {
    SceneParams scene;
    DataFiles files; ///< its texts
} RescoreRules;

/// Reads a scene (a path, or a name under data/scenes) into `rules`; NULL with `status` when it is wrong or memory is
/// short. The caller frees it with rescore_rules_free.
RescoreRules *rescore_rules_load(const char *scene, Status *status);
void rescore_rules_free(RescoreRules *rules); ///< NULL is nothing

/// Scores one recording into `result`, once its seals fit. False with `status`: it is no recording or lacks its figures
/// (STATUS_BAD_FILE), it was changed (STATUS_NOT_VERIFIED: nothing of it is scored), the other scene is another site
/// (STATUS_BAD_USAGE), memory is short (STATUS_LACKING).
/// path   of the recording
/// rules  of another scene; NULL: those that are recorded
bool rescore_recording(const char *path, const RescoreRules *rules, Rescore *result, Status *status);

#endif
