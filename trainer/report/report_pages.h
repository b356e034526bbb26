/// The report (debrief) of a recording: what was done, its score, what went well and what cost points, as one page that
/// needs nothing else (HTML), as pages for a printer (PDF), and as a summary for the screen. It is made from what the
/// recording holds; nothing is simulated again.
#ifndef SPADEWORK_TRAINER_REPORT_PAGES_H
#define SPADEWORK_TRAINER_REPORT_PAGES_H

#include "data/core/status.h"
#include "trainer/record/record.h"
#include "trainer/sim/sim.h"

enum { REPORT_MISTAKES = 3, REPORT_GOOD = 3, REPORT_TEXT = 640 };

/// Something that cost points.
typedef struct ReportMistake {
    char what[REPORT_TEXT]; ///< "spilled share of what was moved: 6.1 %"
    char advice[REPORT_TEXT]; ///< of the scene; "" = it has none
    double points; ///< 0..100 of the score, that it cost
    int times; ///< that it happened, at least 1
    int moment_count; ///< 0..SCORE_MOMENTS: there may be no single moment
    int64_t moments[SCORE_MOMENTS]; ///< ticks to look at in the replay, the costliest first
} ReportMistake;

/// What a debrief says first.
typedef struct ReportSummary {
    double score; ///< 0..100
    bool passed; ///< as results have it
    bool practice; ///< it began in a recording: the score is that of both drives together
    char verdict[SCORE_VERDICT]; ///< whether it is passed and why, or why it counts for nobody
    int good_count; ///< 0..REPORT_GOOD
    char good[REPORT_GOOD][REPORT_TEXT]; ///< what went well
    int mistake_count; ///< 0..REPORT_MISTAKES, the costliest first
    ReportMistake mistakes[REPORT_MISTAKES];
} ReportSummary;

/// What a summary is made of.
typedef struct ReportFacts {
    const SceneExercise *asked; ///< what the scene asks for
    const double *values; ///< by Metric, in its unit
    const ExerciseEvent *events; ///< [event_count], in order of time
    int event_count;
    const ScoreStand *stands; ///< [stand_count] how the rows of the score stood, in order of time
    int64_t stand_count; ///< 0: moments are those that events tell
    double dt; ///< s of a tick
    TextUnits units; ///< that the summary is written in
} ReportFacts;

/// Makes the summary, in the reader's language.
void report_summarise(const ReportFacts *facts, ReportSummary *summary);
/// The same of an exercise that is being driven. dt  s of a tick
void report_summarise_exercise(const SceneExercise *asked, const Exercise *exercise, const ScoreTrail *trail, double dt,
                               TextUnits units, ReportSummary *summary);

/// Replaces the verdict of a drive that counts for nobody by the reason.
/// trainee  whose name it bears, "" or NULL: nobody's
void report_give_credit(ReportSummary *summary, const Credit *credit, const char *trainee);

/// A run to compare with.
typedef struct ReportOther {
    const char *path; ///< of its recording
    const char *role; ///< in English: "expert", "earlier"; "" = whose it is stands in the recording
    bool found; ///< it was looked up, not named: where it cannot be read, the page says so and does without
} ReportOther;

/// What a report is made of. It is written in the reader's language (language_choose).
typedef struct ReportRequest {
    TextUnits units; ///< that quantities are written in
    const char *recording; ///< path
    const ReportOther *against; ///< [against_count]
    int against_count; ///< 0..8
    const char *note; ///< a line about runs that are missing, in the reader's language; NULL: none
    const char *comment, *grade; ///< that an instructor gave the attempt; NULL or "": none
    const char *logo; ///< PNG file for the head; NULL or "": none. A bad one is reported on stderr and left out
    const char *html; ///< file to write, or NULL
    const char *pdf; ///< file to write, or NULL
    RecordingProgress *progress; ///< of checking the recording's seals, or NULL
    void *context; ///< of progress
    RecordingSeal *seal; ///< out: what its seals say; NULL: not asked for
} ReportRequest;

/// Writes the report, which says what the recording's seals say. Of a recording that was changed it has neither score
/// nor verdict, nor anything else that somebody may have put in: true all the same. False with `status`: a recording is
/// bad (STATUS_BAD_FILE), a file cannot be written or memory is short (STATUS_LACKING). A file that is half written is
/// removed; the ones that are read are never changed.
bool report_write(const ReportRequest *request, Status *status);

#endif
