/// What the rules share: how a finding is made.
#ifndef SPADEWORK_TRAINER_DOCTOR_FINDINGS_INTERNAL_H
#define SPADEWORK_TRAINER_DOCTOR_FINDINGS_INTERNAL_H

#include "trainer/cli/doctor_findings.h"

/// Begins a finding, which says the text (printf style). Where there are too many the last one is written over.
DoctorFinding *finding_add(DoctorReport *report, const char *about, const char *title, DoctorVerdict verdict,
                           const char *format, ...) __attribute__((format(printf, 5, 6)));
void finding_advise(DoctorFinding *finding, const char *format, ...) __attribute__((format(printf, 2, 3)));
void finding_number(DoctorFinding *finding, const char *key, double value); ///< 0 and less: null, not known
void finding_count(DoctorFinding *finding, const char *key, int value);
void finding_flag(DoctorFinding *finding, const char *key, bool value);
void finding_text(DoctorFinding *finding, const char *key, const char *value); ///< "": null

/// The rules, by what they look at (rules_*.c).
void rules_speed(const DoctorFacts *facts, DoctorReport *report); ///< real time, processors, memory
void rules_drawing(const DoctorFacts *facts, DoctorReport *report); ///< displays, OpenGL, pictures
void rules_devices(const DoctorFacts *facts, DoctorReport *report); ///< pads, sound
void rules_files(const DoctorFacts *facts, DoctorReport *report); ///< data, folders, disk, libraries, programs, texts

#endif
