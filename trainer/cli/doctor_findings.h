/// What the facts about a computer mean: findings, each with a verdict, what was found and what to do about it. Pure;
/// any thread.
#ifndef SPADEWORK_TRAINER_DOCTOR_FINDINGS_H
#define SPADEWORK_TRAINER_DOCTOR_FINDINGS_H

#include <jansson.h>
#include <stdio.h>

#include "trainer/cli/doctor_facts.h"

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
/// The same for programs (docs/doctor.md, "What the doctor tells").
void doctor_print_json(const DoctorReport *report, FILE *file);

#endif
