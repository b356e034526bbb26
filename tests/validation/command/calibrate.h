/// `validate calibrate`: from what a soil's file states of the bulk to the parameters of its contacts.
#ifndef SPADEWORK_VALIDATION_CALIBRATE_H
#define SPADEWORK_VALIDATION_CALIBRATE_H

#include "tests/validation/harness/run.h"

/// Fits contact_friction and contact_adhesion of soils to their friction angle and cohesion in the direct shear box,
/// and contact_remoulded to their angle of repose; then measures with them at radii of 0.03, 0.05 and 0.08 m. `words`:
/// the table to write (comma-separated, one row a soil and radius), then names of soils (none = all). Tells on stderr
/// what it does. Of `request` it takes solver, seed, threads and quick (one small specimen, one radius). Returns what
/// the command ends with.
StatusCode calibrate(const RunRequest *request, const char *const *words, int word_count, Status *status);

#endif
