/// Curves as inline SVG: light, plain, readable on a phone.
#ifndef SPADEWORK_VALIDATION_PLOT_H
#define SPADEWORK_VALIDATION_PLOT_H

#include <stdbool.h>
#include <stdio.h>

#include <jansson.h>

/// True when the plot has a point to draw.
bool plot_has_points(const json_t *plot);

/// Draws the plot number `index` of several runs of one experiment (objects of results_to_json with plots): the
/// measured series of all runs, the first one strong, the others pale; the laws of the first run over them.
void plot_write(FILE *file, const json_t *const *runs, int run_count, size_t index);
/// The measured series in their colours; several laws are one entry, for their names are those of the series.
void plot_write_legend(FILE *file, const json_t *plot);

#endif
