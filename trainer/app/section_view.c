/// Asks the soil for the layers of each column that the section passes, and the exercise for its design.
#include "trainer/app/section_view.h"

#include <math.h>

#include "data/schema/design_surface.h"
#include "trainer/sim/sim.h"

/// Widest picture that the section fills, over its height: three screens side by side.
#define WIDEST 5.4

static void fill_column(RenderSection *section, const Soil *soil, int i, Vec3 at)
{
    SoilLayer layers[SOIL_MAX_LAYERS];
    int count = soil_get_layers(soil, at.x, at.y, layers);
    count = count < RENDER_SECTION_LAYERS ? count : RENDER_SECTION_LAYERS;
    section->count[i] = (uint8_t)count;
    for (int k = 0; k < count; k++) {
        section->bottom[i][k] = (float)layers[k].bottom;
        section->soil[i][k] = (uint8_t)layers[k].soil;
        section->loose[i][k] = (uint8_t)lround(255.0 * layers[k].looseness);
    }
}

void section_view_fill(RenderView *view, Session *session, double height)
{
    RenderSection *section = &view->section;
    const Soil *soil = session_soil(session);
    const DesignSurface *design = exercise_work(session_exercise(session));
    RenderPlane plane = render_arm_plane(view);
    double width = WIDEST * (height > 0.0 ? height : 7.0);
    section->visible = true;
    section->along = plane.ahead;
    section->step = width / RENDER_SECTION_COLUMNS;
    section->start = vec3_madd(plane.origin, -0.5 * width, plane.ahead);
    section->start.z = 0.0;
    for (int i = 0; i <= RENDER_SECTION_COLUMNS; i++) {
        Vec3 at = vec3_madd(section->start, i * section->step, section->along);
        double wanted;
        section->surface[i] = (float)soil_get_height(soil, at.x, at.y);
        section->wanted[i] = design_height(design, at.x, at.y, &wanted) ? (float)wanted : RENDER_NO_DESIGN;
        if (i < RENDER_SECTION_COLUMNS) {
            fill_column(section, soil, i, vec3_madd(at, 0.5 * section->step, section->along));
        }
    }
}
