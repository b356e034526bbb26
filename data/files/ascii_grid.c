/// Reads ESRI ASCII grids word by word.
#include "data/files/ascii_grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool ascii_grid_is(const char *first)
{
    return strncasecmp(first, "ncols", 5) == 0 || strncasecmp(first, "nrows", 5) == 0;
}

/// ---- words ---------------------------------------------------------------------------------------------------------

typedef struct Words {
    const char *label;
    FILE *file;
    Status *status;
    int line, column; ///< of the next sign
    TinPlace place; ///< of the word
    char word[64]; ///< "" at the end of the file
} Words;

static int next_sign(Words *words)
{
    int sign = getc(words->file);
    words->column = sign == '\n' ? 1 : words->column + 1;
    words->line += sign == '\n';
    return sign;
}

static bool is_space(int sign)
{
    return sign == ' ' || sign == '\t' || sign == '\r' || sign == '\n';
}

/// Reads the next word; false when it is too long.
static bool next_word(Words *words)
{
    size_t length = 0;
    int sign;
    do {
        words->place = (TinPlace){words->line, words->column};
        sign = next_sign(words);
    } while (is_space(sign));
    for (; sign != EOF && !is_space(sign); sign = next_sign(words)) {
        if (length + 1 == sizeof words->word) {
            return tin_fail_at(words->label, words->place, words->status, "read a word of more than %zu characters",
                               sizeof words->word - 1);
        }
        words->word[length++] = (char)sign;
    }
    words->word[length] = '\0';
    return true;
}

static bool is_nan(const char *word)
{
    return strcasecmp(word, "nan") == 0 || strcasecmp(word, "-nan") == 0;
}

/// The word as a number: decimal digits with a point.
static bool read_number(const Words *words, const char *what, double least, double most, double *value)
{
    char *end = NULL;
    bool plain = strspn(words->word, "0123456789+-.eE") == strlen(words->word);
    *value = plain ? strtod(words->word, &end) : 0.0;
    if (words->word[0] == '\0') {
        return tin_fail_at(words->label, words->place, words->status, "%s: the file ends, a number is expected", what);
    }
    return (plain && *end == '\0' && *value >= least && *value <= most) ||
           tin_fail_at(words->label, words->place, words->status, "%s: read %s, allowed a number, %g to %g%s", what,
                       words->word, least, most,
                       strchr(words->word, ',') != NULL ? ": with a decimal point, not a comma" : "");
}

/// ---- the header ----------------------------------------------------------------------------------------------------

typedef enum Key { COLUMNS, ROWS, X_CORNER, X_CENTER, Y_CORNER, Y_CENTER, CELL, CELL_X, CELL_Y, NODATA, KEYS } Key;

static const struct {
    const char *name;
    double least, most;
} keys[KEYS] = {[COLUMNS] = {"ncols", 2, ASCII_GRID_MOST},
                [ROWS] = {"nrows", 2, ASCII_GRID_MOST},
                [X_CORNER] = {"xllcorner", -SURVEY_FARTHEST, SURVEY_FARTHEST},
                [X_CENTER] = {"xllcenter", -SURVEY_FARTHEST, SURVEY_FARTHEST},
                [Y_CORNER] = {"yllcorner", -SURVEY_FARTHEST, SURVEY_FARTHEST},
                [Y_CENTER] = {"yllcenter", -SURVEY_FARTHEST, SURVEY_FARTHEST},
                [CELL] = {"cellsize", 1e-6, 1e4},
                [CELL_X] = {"dx", 1e-6, 1e4},
                [CELL_Y] = {"dy", 1e-6, 1e4},
                [NODATA] = {"NODATA_value", -1e38, 1e38}};

typedef struct Grid {
    bool has[KEYS];
    double value[KEYS];
    int columns, rows;
    double x, y, dx, dy; ///< m: the middle of the lower left cell; cells
} Grid;

static bool fail_header(const Words *words, const char *text)
{
    return tin_fail_at(words->label, words->place, words->status, "the header %s before the heights", text);
}

/// Reads up to the first height, which is then the word.
static bool read_header(Words *words, Grid *grid)
{
    while (true) {
        if (!next_word(words)) {
            return false;
        }
        int key = 0;
        while (key < KEYS && strcasecmp(words->word, keys[key].name) != 0) {
            key++;
        }
        if (key == KEYS) {
            break;
        }
        if (grid->has[key]) {
            return tin_fail_at(words->label, words->place, words->status, "a second %s, allowed one", keys[key].name);
        }
        grid->has[key] = true;
        if (!next_word(words) ||
            (key == NODATA && is_nan(words->word)
                 ? false
                 : !read_number(words, keys[key].name, keys[key].least, keys[key].most, &grid->value[key]))) {
            return false;
        }
    }
    if (!grid->has[COLUMNS] || !grid->has[ROWS]) {
        return fail_header(words, "needs ncols and nrows");
    }
    if (grid->has[X_CORNER] == grid->has[X_CENTER] || grid->has[Y_CORNER] == grid->has[Y_CENTER]) {
        return fail_header(words, "needs one of xllcorner and xllcenter, and one of yllcorner and yllcenter");
    }
    if (!grid->has[CELL] && !(grid->has[CELL_X] && grid->has[CELL_Y])) {
        return fail_header(words, "needs cellsize, or dx and dy");
    }
    return true;
}

static bool place_grid(const Words *words, Grid *grid)
{
    const double *value = grid->value;
    grid->columns = (int)value[COLUMNS];
    grid->rows = (int)value[ROWS];
    grid->dx = grid->has[CELL] ? value[CELL] : value[CELL_X];
    grid->dy = grid->has[CELL] ? value[CELL] : value[CELL_Y];
    grid->x = grid->has[X_CENTER] ? value[X_CENTER] : value[X_CORNER] + 0.5 * grid->dx;
    grid->y = grid->has[Y_CENTER] ? value[Y_CENTER] : value[Y_CORNER] + 0.5 * grid->dy;
    if (grid->columns != value[COLUMNS] || grid->rows != value[ROWS]) {
        return fail_header(words, "needs whole numbers of columns and rows");
    }
    bool degrees = grid->dx < 0.01 && fabs(grid->x) <= 360.0 && fabs(grid->y) <= 90.0;
    return !degrees || fail_header(words, "seems to be in degrees: project the grid to metres");
}

/// ---- heights -------------------------------------------------------------------------------------------------------

/// Of NODATA_value: what a float's rounding moves it by, and more.
#define NODATA_DOUBT 5e-7

/// Reads the heights of a row: numbers of their points, -1 without one. The first word is there already.
static bool read_row(Words *words, const Grid *grid, int row, Tin *tin, int *points)
{
    double nodata = grid->has[NODATA] ? grid->value[NODATA] : -9999.0;
    for (int column = 0; column < grid->columns; column++) {
        double height = nodata;
        if ((row > 0 || column > 0) && !next_word(words)) {
            return false;
        }
        if (!is_nan(words->word) && !read_number(words, "height", -1e38, 1e38, &height)) {
            return false;
        }
        points[column] = -1;
        if (fabs(height - nodata) <= NODATA_DOUBT * fabs(nodata)) {
            continue;
        }
        if (!(fabs(height) <= SURVEY_FARTHEST)) {
            return read_number(words, "height", -SURVEY_FARTHEST, SURVEY_FARTHEST, &height);
        }
        const double at[3] = {grid->x + column * grid->dx, grid->y + (grid->rows - 1 - row) * grid->dy, height};
        points[column] = tin->point_count;
        if (!tin_add_point(tin, words->label, at, words->place, words->status)) {
            return false;
        }
    }
    return true;
}

/// The faces between two rows.
static bool add_faces(const Words *words, int columns, const int *above, const int *below, Tin *tin)
{
    for (int k = 0; k + 1 < columns; k++) {
        const int corners[4] = {below[k], below[k + 1], above[k + 1], above[k]}; // counter-clockwise
        int there[4], count = 0;
        for (int c = 0; c < 4; c++) {
            there[count] = corners[c];
            count += corners[c] >= 0;
        }
        for (int c = 2; c < count; c++) {
            TinPlace place = tin->point_places[there[0]];
            if (!tin_add_face(tin, words->label, (int[3]){there[0], there[c - 1], there[c]}, place, words->status)) {
                return false;
            }
        }
    }
    return true;
}

static bool read_heights(Words *words, const Grid *grid, Tin *tin)
{
    int *rows = malloc(2 * (size_t)grid->columns * sizeof *rows);
    if (rows == NULL) {
        return status_fail(words->status, STATUS_LACKING, "%s: out of memory", words->label);
    }
    bool good = true;
    for (int row = 0; good && row < grid->rows; row++) {
        int *below = rows + (row % 2) * grid->columns, *above = rows + ((row + 1) % 2) * grid->columns;
        good =
            read_row(words, grid, row, tin, below) && (row == 0 || add_faces(words, grid->columns, above, below, tin));
    }
    free(rows);
    if (!good || !next_word(words)) {
        return false;
    }
    return words->word[0] == '\0' ||
           tin_fail_at(words->label, words->place, words->status, "read %s behind the last of %d x %d heights",
                       words->word, grid->columns, grid->rows);
}

bool ascii_grid_scan(const char *label, FILE *file, const SurveyWish *wish, char *unit, Status *status)
{
    Words words = {.label = label, .file = file, .status = status, .line = 1, .column = 1};
    Grid grid = {.columns = 0};
    Tin tin = {0};
    const TinPlace top = {1, 1};
    snprintf(unit, SURVEY_NAME_LENGTH, "metres, which the format does not say");
    if (wish->choice == SURVEY_NAMED) {
        return tin_fail_at(label, top, status, "no surface named %s: a grid has one without a name", wish->name);
    }
    bool good = read_header(&words, &grid) && place_grid(&words, &grid) && read_heights(&words, &grid, &tin);
    if (good && tin.face_count == 0) {
        good = tin_fail_at(label, top, status, "no three cells beside each other have a height");
    }
    good = good && wish->take(wish->context, "", &tin, top, status);
    tin_free(&tin);
    return good && status_good(status);
}
