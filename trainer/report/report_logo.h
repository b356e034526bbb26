/// The logo at the head of a debrief: a PNG file of a school or a company.
#ifndef SPADEWORK_TRAINER_REPORT_LOGO_H
#define SPADEWORK_TRAINER_REPORT_LOGO_H

#include <cairo/cairo.h>

#include "data/core/status.h"

enum { LOGO_BYTES = 1 << 20, LOGO_SIDE = 2000 }; ///< most bytes of the file, most pixels of a side
#define LOGO_WIDTH  220.0 ///< points, most that it takes on the page
#define LOGO_HEIGHT 64.0

/// Reads the file. The caller destroys the surface. NULL with `status` (STATUS_BAD_FILE): what was read, what is
/// allowed and what to do.
cairo_surface_t *report_logo_read(const char *path, Status *status);
/// The size that it is shown in: its proportions, at most LOGO_WIDTH x LOGO_HEIGHT, never larger than its pixels.
void report_logo_size(cairo_surface_t *logo, double *width, double *height);

#endif
