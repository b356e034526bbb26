/// The figures in space: the way of the edge, and maps of the ground. Internal to the report.
#ifndef SPADEWORK_TRAINER_REPORT_PLANS_H
#define SPADEWORK_TRAINER_REPORT_PLANS_H

#include "trainer/report/report_pages_internal.h"

/// Each draws into `width` x `height` points.
void report_draw_plan(cairo_t *cairo, const ReportData *data, double width, double height);
void report_draw_side(cairo_t *cairo, const ReportData *data, double width, double height);
void report_draw_change(cairo_t *cairo, const ReportData *data, double width, double height);
void report_draw_error(cairo_t *cairo, const ReportData *data, double width, double height);
bool report_has_design(const ReportData *data); ///< the scene asks for a trench or a surface

#endif
