/// Views for those who look on: what pressed on the tools, what was cut, which ground is active.
#include "soil/tool/probe.h"

#include <stdlib.h>

#include "soil/contact/contact_geometry.h"

/// Places where ground may bear tools, beside three contacts a particle.
enum { BEARING_PLACES = 2048 };

bool soil_views_create(Soil *soil)
{
    SoilViews *views = &soil->derived.views;
    views->contact_capacity = soil->derived.contacts.body_capacity + BEARING_PLACES;
    // Not cleared: most of it is never touched, and then costs no memory.
    views->contacts = malloc((size_t)views->contact_capacity * sizeof *views->contacts);
    return views->contacts != NULL;
}

void soil_views_destroy(Soil *soil)
{
    free(soil->derived.views.contacts);
}

void soil_views_begin_tick(Soil *soil)
{
    soil->derived.views.contact_count = soil->derived.views.yield_count = 0;
    soil->derived.views.substep = 0.0;
    ground_clear_marks(soil->state.grounds.site);
    for (int k = 0; k < soil->state.grounds.tray_count; k++) {
        ground_clear_marks(soil->state.grounds.trays[k].ground);
    }
}

void soil_views_begin_substep(Soil *soil, double dt)
{
    soil->derived.views.contact_count = soil->derived.views.yield_count = 0;
    soil->derived.views.substep = dt;
}

void soil_views_forget(Soil *soil)
{
    soil_views_begin_tick(soil);
    soil->derived.views.cut_count = 0;
    soil->derived.counters = (SoilCounters){.particles = soil->state.particles.count};
}

/// ---- contacts --------------------------------------------------------------------------------------------------------

/// Tools come first among the bodies, the walls of trays behind them.
static int tool_count(const Soil *soil)
{
    return soil->derived.body_count - soil->state.grounds.tray_count;
}

static void add_contact(Soil *soil, const SoilToolContact *contact)
{
    SoilViews *views = &soil->derived.views;
    bool presses = contact->force.x != 0.0 || contact->force.y != 0.0 || contact->force.z != 0.0;
    if (presses && contact->tool < tool_count(soil) && views->contact_count < views->contact_capacity) {
        views->contacts[views->contact_count++] = *contact;
    }
}

void soil_views_note_bearing(Soil *soil, const SolverBody *body, Vec3 point, Vec3 normal, Vec3 force)
{
    add_contact(soil, &(SoilToolContact){.point = point,
                                         .normal = vec3_scale(normal, -1.0),
                                         .force = force,
                                         .particle = SOIL_NO_PARTICLE,
                                         .tool = (int)(body - soil->derived.bodies)});
}

/// `on_particle`: force on the particle, N.
static void add_particle_contact(Soil *soil, const BodyContact *contact, Vec3 on_particle)
{
    const SoilTool *tool = &soil->derived.bodies[contact->body].tool;
    const float *arm = contact->arm, *normal = contact->core.normal;
    Vec3 to_point = vec3((double)arm[0], (double)arm[1], (double)arm[2]);
    add_contact(soil, &(SoilToolContact){.point = vec3_add(tool->motion.center, to_point),
                                         .normal = vec3((double)normal[0], (double)normal[1], (double)normal[2]),
                                         .force = vec3_scale(on_particle, -1.0),
                                         .particle = soil->state.particles.id[contact->i],
                                         .tool = contact->body});
}

void soil_views_take_contacts(Soil *soil)
{
    double h = soil->derived.views.substep;
    if (h <= 0.0) {
        return;
    }
    if (soil->model.solver == SOIL_SOLVER_DEFAULT) {
        h /= soil->model.pieces;
        for (int32_t k = 0; k < soil->derived.contacts.body_count; k++) {
            const BodyContact *contact = &soil->derived.contacts.bodies[k];
            Vec3 held = vec3((double)contact->held[0], (double)contact->held[1], (double)contact->held[2]);
            add_particle_contact(soil, contact, vec3_scale(held, 1.0 / (h * h)));
        }
        return;
    }
    const Paper *paper = &soil->scratch.paper;
    for (int32_t k = 0; k < paper->flat_first[soil->state.particles.count]; k++) {
        const PaperFlat *flat = &paper->flats[k];
        if (flat->body >= 0) {
            double scale = soil->state.particles.mass[flat->i] * SOIL_QUANTUM / (h * h);
            Vec3 moved = vec3((double)flat->total[0], (double)flat->total[1], (double)flat->total[2]);
            add_particle_contact(soil, &soil->derived.contacts.bodies[flat->contact], vec3_scale(moved, scale));
        }
    }
}

SoilToolContactView soil_get_tool_contacts(const Soil *soil)
{
    return (SoilToolContactView){soil->derived.views.contact_count, soil->derived.views.contacts};
}

/// ---- cut ground ------------------------------------------------------------------------------------------------------

void soil_views_note_cut(Soil *soil, int row, int column, double floor, double top)
{
    SoilViews *views = &soil->derived.views;
    views->cuts[views->cut_count++ % SOIL_KNOWN_CUTS] =
        (SoilKnownCut){row, column, (float)floor, (float)top, soil->state.tick};
}

int soil_get_wedge(const Soil *soil, int oldest, SoilCutColumn *columns, int capacity)
{
    const SoilViews *views = &soil->derived.views;
    int64_t known = views->cut_count < SOIL_KNOWN_CUTS ? views->cut_count : SOIL_KNOWN_CUTS;
    int count = 0;
    for (int64_t k = views->cut_count - 1; k >= views->cut_count - known && count < capacity; k--) {
        const SoilKnownCut *cut = &views->cuts[k % SOIL_KNOWN_CUTS];
        int64_t age = soil->state.tick - 1 - cut->tick;
        if (age > oldest) {
            break;
        }
        columns[count++] = (SoilCutColumn){cut->row, cut->column, (double)cut->floor, (double)cut->top, age};
    }
    return count;
}

void soil_views_note_yield(Soil *soil, Vec3 place)
{
    SoilViews *views = &soil->derived.views;
    if (views->yield_count < SOIL_KNOWN_YIELDS) {
        views->yields[views->yield_count++] = place;
    }
}

int soil_get_yields(const Soil *soil, const Vec3 **places)
{
    *places = soil->derived.views.yields;
    return soil->derived.views.yield_count;
}

/// ---- active ground ---------------------------------------------------------------------------------------------------

int soil_get_active_tiles(const Soil *soil, int tray, SoilActiveTile *tiles, int capacity)
{
    if (tray >= soil->state.grounds.tray_count) {
        return 0;
    }
    const Ground *ground = tray < 0 ? soil->state.grounds.site : soil->state.grounds.trays[tray].ground;
    int count = 0;
    for (int k = 0; k < ground->tile_rows * ground->tile_columns && count < capacity; k++) {
        const GroundTile *tile = ground->tiles[k];
        const GroundMark *mark = &ground->marks[k];
        bool slides = tile != NULL && tile->sliding;
        if (!slides && mark->end_row == 0) {
            continue;
        }
        int row = k / ground->tile_columns * GROUND_TILE, column = k % ground->tile_columns * GROUND_TILE;
        int rows = ground->rows - row, columns = ground->columns - column;
        tiles[count++] = (SoilActiveTile){.row = row,
                                          .column = column,
                                          .rows = rows < GROUND_TILE ? rows : GROUND_TILE,
                                          .columns = columns < GROUND_TILE ? columns : GROUND_TILE,
                                          .slides = slides,
                                          .changed_row = row + mark->first_row,
                                          .changed_column = column + mark->first_column,
                                          .changed_rows = mark->end_row - mark->first_row,
                                          .changed_columns = mark->end_column - mark->first_column};
    }
    return count;
}
