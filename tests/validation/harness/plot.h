/// Curves, and figures beside measured ranges, as inline SVG: light, plain, readable on a phone.
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

enum { PLOT_MOST_FIGURES = 20 };

/// A row of plot_write_ranges. All in the unit of its axis.
typedef struct PlotRange {
    const char *name;
    double low, high; ///< measured
    double least, most; ///< the same with the scatter
    double law; ///< NAN: none
    int count; ///< 0..PLOT_MOST_FIGURES; the first is drawn strong, the others pale
    double figures[PLOT_MOST_FIGURES]; ///< of the simulation; NAN: none
    bool within[PLOT_MOST_FIGURES]; ///< between least and most
} PlotRange;

/// Draws ranges below one another over one axis, which is logarithmic where they span more than a power of ten: the
/// measured range as a band, the law as a dashed line, the simulation as a disc within and a rhomb outside of it.
void plot_write_ranges(FILE *file, const char *title, const char *axis, const PlotRange *ranges, int count);
/// Names what was drawn of them.
void plot_write_range_legend(FILE *file, const PlotRange *ranges, int count);

#endif
