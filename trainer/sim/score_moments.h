/// When the rows of a score lost their points: how each stood over time, and the moments to review afterwards.
#ifndef SPADEWORK_TRAINER_SCORE_MOMENTS_H
#define SPADEWORK_TRAINER_SCORE_MOMENTS_H

#include "trainer/sim/exercise.h"

enum { SCORE_MOMENTS = 3 };

/// How the rows of the score stood at a tick, each by a number of its own: of what takes points when there is more of
/// it, so much as there has been (kg spilled, s at relief, m beside all targets so far); of what gives points when
/// there is more of it, the figure itself.
typedef struct ScoreStand {
    int64_t tick;
    float work; ///< share of the work done, 0..1
    float amount[SCENE_MAX_SCORES]; ///< value of each row, in the unit of its metric; 0 of rows that do not exist
} ScoreStand;

/// Fills all but the tick.
void exercise_stand(const Exercise *exercise, ScoreStand *stand);

/// Finds where a row lost most, the costliest first. Losses that follow each other within two seconds count as one,
/// which begins where the first did. Where a figure that should grow did not, and was not taken back by a twentieth of
/// what it reached either, it is where it stood still for longest.
/// row     0..scores_count - 1
/// scaled  its points are missing for what the row is scaled by (SceneScore.of)
/// stands  [count], in order of tick; what comes after `end`, the tick in which the exercise was judged, is
///         ignored
/// dt      s of a tick
/// Returns how many moments were written into `ticks`.
int score_moments(const SceneExercise *asked, int row, bool scaled, const ScoreStand *stands, int64_t count,
                  int64_t end, double dt, int64_t ticks[SCORE_MOMENTS]);

/// Stands recorded during an exercise. Zero is none.
typedef struct ScoreTrail {
    int64_t count, capacity;
    ScoreStand *stands; ///< own
} ScoreTrail;

/// Adds how the exercise stands; where memory is short, what there is stays.
void score_trail_add(ScoreTrail *trail, const Exercise *exercise, int64_t tick);
void score_trail_free(ScoreTrail *trail);

#endif
