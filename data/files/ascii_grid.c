/// Reads ESRI ASCII grids word by word.
#include "data/files/ascii_grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "data/files/raster.h"

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
} keys[KEYS] = {[COLUMNS] = {"ncols", 2, RASTER_MOST},
                [ROWS] = {"nrows", 2, RASTER_MOST},
                [X_CORNER] = {"xllcorner", -SURVEY_FARTHEST, SURVEY_FARTHEST},
                [X_CENTER] = {"xllcenter", -SURVEY_FARTHEST, SURVEY_FARTHEST},
                [Y_CORNER] = {"yllcorner", -SURVEY_FARTHEST, SURVEY_FARTHEST},
                [Y_CENTER] = {"yllcenter", -SURVEY_FARTHEST, SURVEY_FARTHEST},
                [CELL] = {"cellsize", 1e-6, 1e4},
                [CELL_X] = {"dx", 1e-6, 1e4},
                [CELL_Y] = {"dy", 1e-6, 1e4},
                [NODATA] = {"NODATA_value", -1e38, 1e38}};

/// A grid that is being read.
typedef struct Grid {
    Words words;
    bool has[KEYS];
    double value[KEYS];
    Raster raster;
    int next_row; ///< of the file, that is not read yet
} Grid;

static bool fail_header(const Grid *grid, const char *text)
{
    const Words *words = &grid->words;
    return tin_fail_at(words->label, words->place, words->status, "the header %s before the heights", text);
}

/// Reads up to the first height, which is then the word.
static bool read_header(Grid *grid)
{
    Words *words = &grid->words;
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
        return fail_header(grid, "needs ncols and nrows");
    }
    if (grid->has[X_CORNER] == grid->has[X_CENTER] || grid->has[Y_CORNER] == grid->has[Y_CENTER]) {
        return fail_header(grid, "needs one of xllcorner and xllcenter, and one of yllcorner and yllcenter");
    }
    if (!grid->has[CELL] && !(grid->has[CELL_X] && grid->has[CELL_Y])) {
        return fail_header(grid, "needs cellsize, or dx and dy");
    }
    return true;
}

static bool place_grid(Grid *grid)
{
    const double *value = grid->value;
    Raster *raster = &grid->raster;
    raster->cosine = 1.0;
    raster->columns = (int)value[COLUMNS];
    raster->rows = (int)value[ROWS];
    raster->dx = grid->has[CELL] ? value[CELL] : value[CELL_X];
    raster->dy = grid->has[CELL] ? value[CELL] : value[CELL_Y];
    raster->x = grid->has[X_CENTER] ? value[X_CENTER] : value[X_CORNER] + 0.5 * raster->dx;
    raster->y = grid->has[Y_CENTER] ? value[Y_CENTER] : value[Y_CORNER] + 0.5 * raster->dy;
    if (raster->columns != value[COLUMNS] || raster->rows != value[ROWS]) {
        return fail_header(grid, "needs whole numbers of columns and rows");
    }
    return !raster_seems_geographic(raster) || fail_header(grid, "seems to be in degrees: project the grid to metres");
}

/// ---- heights -------------------------------------------------------------------------------------------------------

/// Takes the word as a height, NAN without one.
static bool take_height(const Grid *grid, double *height)
{
    const Words *words = &grid->words;
    double nodata = grid->has[NODATA] ? grid->value[NODATA] : -9999.0, value = nodata;
    if (!is_nan(words->word) && !read_number(words, "height", -1e38, 1e38, &value)) {
        return false;
    }
    *height = raster_is_nodata(value, nodata) ? (double)NAN : value;
    return isnan(*height) || fabs(value) <= SURVEY_FARTHEST ||
           read_number(words, "height", -SURVEY_FARTHEST, SURVEY_FARTHEST, &value);
}

/// See RasterRead. Rows that are left out are read over. The first word of all is there already.
static bool read_row(void *context, int row, int first, int count, double *heights, TinPlace *places)
{
    Grid *grid = context;
    Words *words = &grid->words;
    const Raster *raster = &grid->raster;
    for (; grid->next_row <= row; grid->next_row++) {
        for (int column = 0; column < raster->columns; column++) {
            double height = NAN;
            if (((grid->next_row > 0 || column > 0) && !next_word(words)) || !take_height(grid, &height)) {
                return false;
            }
            if (grid->next_row == row && column >= first && column < first + count) {
                heights[column - first] = height;
                places[column - first] = words->place;
            }
        }
    }
    if (row < raster->rows - 1) {
        return true;
    }
    return next_word(words) && (words->word[0] == '\0' || tin_fail_at(words->label, words->place, words->status,
                                                                      "read %s behind the last of %d x %d heights",
                                                                      words->word, raster->columns, raster->rows));
}

bool ascii_grid_scan(const char *label, FILE *file, const SurveyWish *wish, char *unit, Status *status)
{
    Grid grid = {.words = {.label = label, .file = file, .status = status, .line = 1, .column = 1},
                 .raster = {.label = label}};
    snprintf(unit, SURVEY_NAME_LENGTH, "metres, which the format does not say");
    return read_header(&grid) && place_grid(&grid) && raster_scan(&grid.raster, read_row, &grid, wish, status);
}
