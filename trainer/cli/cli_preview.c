/// The command preview: a scene's plan as a picture.
#include "trainer/cli/cli_preview.h"

#include <cairo/cairo-svg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/schema/load.h"
#include "trainer/cli/cli_commands.h"
#include "trainer/report/report.h"
#include "trainer/results/results.h"

enum { WIDTH = 900, HEIGHT = 640 }; ///< pixels, or points

static bool ends_in(const char *path, const char *end)
{
    size_t length = strlen(path), more = strlen(end);
    return length > more && strcmp(path + length - more, end) == 0;
}

static bool draw(const SceneParams *scene, const MachineParams *machine, const char *path, Status *status)
{
    bool svg = ends_in(path, ".svg");
    cairo_surface_t *surface = svg ? cairo_svg_surface_create(path, WIDTH, HEIGHT)
                                   : cairo_image_surface_create(CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
    cairo_t *cairo = cairo_create(surface);
    cairo_set_source_rgb(cairo, 1.0, 1.0, 1.0);
    cairo_paint(cairo);
    plan_draw_machine(cairo, scene, machine, results_units(), WIDTH, HEIGHT);
    cairo_destroy(cairo);
    cairo_status_t code = svg ? CAIRO_STATUS_SUCCESS : cairo_surface_write_to_png(surface, path);
    cairo_surface_finish(surface);
    code = code == CAIRO_STATUS_SUCCESS ? cairo_surface_status(surface) : code;
    cairo_surface_destroy(surface);
    if (code != CAIRO_STATUS_SUCCESS) {
        unlink(path);
        return status_fail(status, STATUS_LACKING, "%s: the plan cannot be written: %s", path,
                           cairo_status_to_string(code));
    }
    return true;
}

int cli_preview(const CliOptions *options)
{
    Status status = {STATUS_GOOD, ""};
    const char *path = options->html;
    SceneParams *scene = calloc(1, sizeof *scene);
    MachineParams *machine = calloc(1, sizeof *machine);
    DataFiles files = {0};
    bool good = scene != NULL && machine != NULL;
    if (!good) {
        status_fail(&status, STATUS_LACKING, "out of memory for the scene");
    } else if (!ends_in(path, ".png") && !ends_in(path, ".svg")) {
        good = status_fail(&status, STATUS_BAD_USAGE, "-o %.80s: a name that ends in .png or .svg is expected", path);
    }
    good = good && output_may_replace(path, ends_in(path, ".svg") ? OUTPUT_SVG : OUTPUT_PICTURE, &status) &&
           data_load_scene(options->run.scene, NULL, 0, scene, machine, &files, &status) &&
           draw(scene, machine, path, &status);
    data_files_free(&files);
    free(machine);
    free(scene);
    if (!good) {
        return cli_fail(&status);
    }
    printf("plan          %s\n", path);
    return cli_flush();
}
