/// Takes the heights of columns from a session and hands them to the writers of survey files.
#include "trainer/report/export_ground.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/system_files.h"
#include "data/files/files.h"
#include "soil/soil.h"
#include "trainer/report/output_file.h"

/// ---- what is asked for ---------------------------------------------------------------------------------------------

static int find_soil(const SceneParams *scene, const char *name)
{
    int found = scene->soil_count - 1;
    while (found >= 0 && strcmp(scene->soils[found].name, name) != 0) {
        found--;
    }
    return found;
}

static OutputKind kind_of(SurveyFormat format)
{
    static const OutputKind kinds[] = {[SURVEY_GEOTIFF] = OUTPUT_GEOTIFF,
                                       [SURVEY_ASCII_GRID] = OUTPUT_ASCII_GRID,
                                       [SURVEY_LANDXML] = OUTPUT_LANDXML,
                                       [SURVEY_DXF] = OUTPUT_DXF,
                                       [SURVEY_XYZ] = OUTPUT_POINTS};
    return kinds[format];
}

bool export_ground_check(const Session *session, const GroundShot *shot, Status *status)
{
    const SceneParams *scene = session_scene(session);
    SurveyFormat format;
    if (!survey_format_of(shot->path, &format, status) || !output_may_replace(shot->path, kind_of(format), status)) {
        return false;
    }
    if (shot->part == GROUND_SOIL && find_soil(scene, shot->soil) < 0) {
        char names[SCENE_MAX_SOILS * (SOIL_NAME_LENGTH + 2)] = "";
        for (int k = 0; k < scene->soil_count; k++) {
            size_t length = strlen(names);
            snprintf(names + length, sizeof names - length, "%s%s", k > 0 ? ", " : "", scene->soils[k].name);
        }
        return status_fail(status, STATUS_BAD_USAGE,
                           "--ground %.80s: read %s, allowed start, design, firm, site or a soil of the scene (%s)",
                           shot->path, shot->soil, names);
    }
    return true;
}

/// ---- heights -------------------------------------------------------------------------------------------------------

float *export_ground_start(Recording *recording, int threads, Status *status)
{
    Session *session = recording_create_session_of(recording, recording_files(recording), threads, status);
    if (session == NULL) {
        return NULL;
    }
    SoilGridView grid = soil_get_grid(session_soil(session));
    float *heights = malloc((size_t)grid.rows * (size_t)grid.columns * sizeof *heights);
    if (heights == NULL) {
        status_fail(status, STATUS_LACKING, "no memory for the heights of %d columns", grid.rows * grid.columns);
    } else {
        soil_get_rest(session_soil(session), SOIL_GRAINS_LOOSE, heights);
    }
    session_destroy(session);
    return heights;
}

/// m; NaN: none.
static double top_of_soil(const Soil *soil, double x, double y, int wanted)
{
    SoilLayer layers[SOIL_MAX_LAYERS];
    int count = soil_get_layers(soil, x, y, layers);
    double top = soil_get_height(soil, x, y);
    for (int k = 0; k < count; k++) {
        if (layers[k].soil == wanted) {
            return top;
        }
        top = layers[k].bottom;
    }
    return (double)NAN;
}

static double part_height(Session *session, const DesignSurface *design, const GroundShot *shot, double x, double y)
{
    double height;
    switch (shot->part) {
    case GROUND_DESIGN:
        return design_height(design, x, y, &height) ? height : (double)NAN;
    case GROUND_FIRM:
        return soil_get_firm_height(session_soil(session), x, y);
    case GROUND_SOIL:
        return top_of_soil(session_soil(session), x, y, find_soil(session_scene(session), shot->soil));
    case GROUND_SURFACE:
    case GROUND_START:
        break;
    }
    return (double)NAN;
}

static void take_heights(Session *session, const DesignSurface *design, const float *start, const GroundShot *shot,
                         float *heights)
{
    SoilGridView grid = soil_get_grid(session_soil(session));
    int cells = grid.rows * grid.columns;
    if (shot->part == GROUND_SURFACE) {
        soil_get_rest(session_soil(session), SOIL_GRAINS_LOOSE, heights);
        return;
    }
    if (shot->part == GROUND_START) {
        memcpy(heights, start, (size_t)cells * sizeof *heights);
        return;
    }
    for (int k = 0; k < cells; k++) {
        heights[k] = (float)part_height(session, design, shot, grid.origin_x + k % grid.columns * grid.spacing,
                                        grid.origin_y + k / grid.columns * grid.spacing);
    }
}

/// ---- files ---------------------------------------------------------------------------------------------------------

static void measure(const SurveyGrid *grid, const float *start, GroundWritten *written)
{
    *written = (GroundWritten){.rows = grid->rows, .columns = grid->columns};
    for (int k = 0; k < grid->rows * grid->columns; k++) {
        double higher = (double)grid->height[k] - (double)start[k];
        written->above += higher > 0.0 ? higher * grid->spacing * grid->spacing : 0.0;
        written->below -= higher < 0.0 ? higher * grid->spacing * grid->spacing : 0.0;
    }
}

static LandXmlPlacement survey_of(const SceneParams *scene, const GroundShot *shot)
{
    const SceneSurface *surface = &scene->exercise.surface;
    bool on_site = shot->on_site || surface->file[0] == '\0';
    return on_site ? (LandXmlPlacement){.east = 0.0} : design_placement(surface);
}

static const char *name_of(const GroundShot *shot)
{
    static const char *const names[] = {
        [GROUND_SURFACE] = "ground", [GROUND_START] = "start", [GROUND_DESIGN] = "design", [GROUND_FIRM] = "firm"};
    return shot->part == GROUND_SOIL ? shot->soil : names[shot->part];
}

bool export_ground(Session *session, const float *start, const GroundShot *shot, GroundWritten *written, Status *status)
{
    const SceneParams *scene = session_scene(session);
    SoilGridView view = soil_get_grid(session_soil(session));
    SurveyFormat format;
    DesignSurface *design = NULL;
    char *bytes = NULL;
    size_t size = 0;
    float *heights = calloc((size_t)view.rows * (size_t)view.columns, sizeof *heights);
    if (heights == NULL) {
        return status_fail(status, STATUS_LACKING, "%s: out of memory", shot->path);
    }
    bool good = export_ground_check(session, shot, status);
    if (good && shot->part == GROUND_DESIGN) {
        design = design_create(&scene->exercise, DESIGN_OF_WORK, NULL, status);
        good = design != NULL &&
               (!design_is_empty(design) ||
                status_fail(status, STATUS_BAD_USAGE, "--ground %.80s: the exercise has no design", shot->path));
    }
    if (good) {
        take_heights(session, design, start, shot, heights);
        const SurveyGrid grid = {.name = name_of(shot),
                                 .rows = view.rows,
                                 .columns = view.columns,
                                 .spacing = view.spacing,
                                 .x = view.origin_x,
                                 .y = view.origin_y,
                                 .height = heights,
                                 .place = survey_of(scene, shot)};
        measure(&grid, start, written);
        good = survey_format_of(shot->path, &format, status) &&
               survey_grid_write(shot->path, &grid, format, &bytes, &size, status) &&
               write_whole(shot->path, bytes, size, status);
    }
    free(bytes);
    free(heights);
    design_destroy(design);
    return good;
}
