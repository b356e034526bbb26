/// Marching squares: in each cell, whose heights are taken as linear along its sides, a line goes from side to side.
/// Where four sides are crossed, the mean of the corners says which two belong together.
#include "trainer/report/contours.h"

#include <math.h>

double contour_interval(double lowest, double highest)
{
    double interval = 0.01;
    for (int k = 0; highest - lowest > 10.0 * interval; k++) {
        interval *= k % 3 == 1 ? 2.5 : 2.0; // 1, 2, 5, 10
    }
    return interval;
}

/// A piece of a line in a cell.
typedef struct Piece {
    double x[2], y[2]; ///< points
} Piece;

/// Cuts a cell at a height; returns how many pieces, at most 2.
static int cut_cell(const ContourField *field, int row, int column, double level, Piece pieces[2])
{
    static const int corners[4][2] = {{0, 0}, {0, 1}, {1, 1}, {1, 0}}; // row, column
    double height[4], x[4], y[4], mean = 0.0;
    int count = 0;
    for (int k = 0; k < 4; k++) {
        height[k] = (double)field->height[(row + corners[k][0]) * field->columns + column + corners[k][1]] - level;
        mean += 0.25 * height[k];
    }
    if (isnan(mean)) {
        return 0;
    }
    for (int k = 0; k < 4; k++) {
        int next = (k + 1) % 4;
        if ((height[k] < 0.0) != (height[next] < 0.0)) {
            double share = height[k] / (height[k] - height[next]);
            double across = corners[k][1] + share * (corners[next][1] - corners[k][1]);
            double up = corners[k][0] + share * (corners[next][0] - corners[k][0]);
            x[count] = field->x + field->step * (column + across);
            y[count] = field->y - field->step * (row + up);
            count++;
        }
    }
    bool turned = count == 4 && (mean < 0.0) != (height[0] < 0.0); // lines go round the first corner and the third
    for (int n = 0; 2 * n + 1 < count; n++) {
        int from = turned ? 2 * n + 1 : 2 * n, to = (from + 1) % count;
        pieces[n] = (Piece){{x[from], x[to]}, {y[from], y[to]}};
    }
    return count / 2;
}

static void find_range(const ContourField *field, double *lowest, double *highest)
{
    *lowest = HUGE_VAL;
    *highest = -HUGE_VAL;
    for (int k = 0; k < field->rows * field->columns; k++) {
        *lowest = fmin(*lowest, (double)field->height[k]); // fmin leaves NaN out
        *highest = fmax(*highest, (double)field->height[k]);
    }
}

void contours_stroke(cairo_t *cairo, const ContourField *field, double interval)
{
    double lowest, highest;
    find_range(field, &lowest, &highest);
    for (double n = ceil(lowest / interval); n * interval <= highest; n += 1.0) {
        double level = n * interval;
        if (field->spares_level && level == 0.0) {
            continue;
        }
        for (int row = 0; row + 1 < field->rows; row++) {
            for (int column = 0; column + 1 < field->columns; column++) {
                Piece pieces[2];
                int count = cut_cell(field, row, column, level, pieces);
                for (int k = 0; k < count; k++) {
                    cairo_move_to(cairo, pieces[k].x[0], pieces[k].y[0]);
                    cairo_line_to(cairo, pieces[k].x[1], pieces[k].y[1]);
                }
            }
        }
        cairo_stroke(cairo);
    }
}

static bool is_free(const ContourLabel *labels, int count, const Piece *piece, double apart)
{
    bool free = true;
    for (int k = 0; k < count; k++) {
        free = free && hypot(labels[k].x - piece->x[0], labels[k].y - piece->y[0]) >= apart;
    }
    return free;
}

int contour_labels(const ContourField *field, double interval, double apart, ContourLabel *labels, int capacity)
{
    double lowest, highest;
    int count = 0;
    find_range(field, &lowest, &highest);
    for (double n = ceil(lowest / interval); n * interval <= highest && count < capacity; n += 1.0) {
        double level = n * interval;
        bool placed = field->spares_level && level == 0.0;
        for (int k = 0; !placed && k < (field->rows - 1) * (field->columns - 1); k++) {
            Piece pieces[2];
            int row = k / (field->columns - 1), column = k % (field->columns - 1);
            if (cut_cell(field, row, column, level, pieces) > 0 && is_free(labels, count, &pieces[0], apart)) {
                labels[count++] = (ContourLabel){pieces[0].x[0], pieces[0].y[0], level};
                placed = true;
            }
        }
    }
    return count;
}
