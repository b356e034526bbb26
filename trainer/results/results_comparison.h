/// The recordings that a drive is compared with: the expert's best at the same scene, and the trainee's own last
/// attempts. They are looked up among the attempts, whose recordings are known by their hash, and in the user's folder
/// of recordings. Any thread; nothing is kept or changed.
#ifndef SPADEWORK_TRAINER_RESULTS_COMPARISON_H
#define SPADEWORK_TRAINER_RESULTS_COMPARISON_H

#include "trainer/results/results_store.h"

enum { RESULTS_OWN_RUNS = 3, RESULTS_COMMAND = 256 };

/// Finds the recording of an expert's run of a scene: of what can be replayed the one with the most points, of equal
/// ones the newest. False when there is none (status STATUS_GOOD), or with `status` when the results cannot be read.
/// db       file of results, NULL: the user's own
/// scene    its file's name
/// newest   the newest one, whatever its points
bool results_find_expert(const char *db, const char *scene, bool newest, char path[DATA_PATH_LENGTH], Status *status);
/// Writes the command that makes such a recording, for sh. False with "" when `scene` cannot be a scene's name: it may
/// come out of a stranger's recording.
bool results_expert_command(const char *scene, char text[RESULTS_COMMAND]);

/// What a recording is compared with.
typedef struct ResultsComparison {
    char scene[SCENE_NAME_LENGTH]; ///< that it drives
    bool is_expert; ///< it is an expert's run itself
    bool has_expert; ///< path[0] is the expert's
    int count; ///< 0..1 + RESULTS_OWN_RUNS
    char path[1 + RESULTS_OWN_RUNS][DATA_PATH_LENGTH]; ///< the expert's, then his own, the last one first
} ResultsComparison;

/// Looks up the expert's run of the scene of `recording` and the last attempts that its trainee made before it; who has
/// no name has the attempts that persons without a name made. Nothing is found for a file that is no recording. False
/// with `status` when the results cannot be read.
bool results_find_comparison(const char *db, const char *recording, ResultsComparison *comparison, Status *status);

/// What an instructor says of the attempt that a recording is of.
typedef struct ResultsRemarks {
    char comment[RESULT_COMMENT], grade[RESULT_GRADE]; ///< "" = none
} ResultsRemarks;
/// Finds it by the recording's last seal, or its path. Results that cannot be read say nothing: others report them.
/// db  file of results, NULL: the user's own
void results_find_remarks(const char *db, const char *recording, ResultsRemarks *remarks);

#endif
