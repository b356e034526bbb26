/// What is asked of a soil from outside: its ledger, surface, loads, grids and particles, and what the last tick did.
///
/// Nothing here changes the soil but soil_clear_dirty, and soil_get_gain, which uses a scratch of the ground's tiles
/// (exchange/gain.c).
#include <assert.h>
#include <math.h>

#include "soil/exchange/exchange.h"
#include "soil/ground/ground.h"
#include "soil/soil.h"
#include "soil/soil_parts.h"
#include "soil/tool/payload.h"

SoilLedger soil_get_ledger(const Soil *soil)
{
    const Grounds *grounds = &soil->state.grounds;
    SoilLedger ledger = {.ground = ground_total(grounds->site), .particles = particles_total(&soil->state.particles)};
    for (int k = 0; k < grounds->tray_count; k++) {
        ledger.trays += ground_total(grounds->trays[k].ground);
    }
    ledger.total = ledger.ground + ledger.particles + ledger.trays;
    return ledger;
}

SoilCounters soil_get_counters(const Soil *soil)
{
    SoilCounters counters = soil->derived.counters;
    counters.asleep = soil->derived.contact_tick.asleep;
    counters.lists = soil->derived.contact_tick.lists;
    counters.looked = soil->derived.contact_tick.looked;
    counters.late = soil->derived.contact_tick.late;
    return counters;
}

SoilSurface soil_get_surface(const Soil *soil, double x, double y)
{
    SoilSurface surface;
    int row, column;
    surface.height = ground_surface(soil->state.grounds.site, x, y, &surface.normal);
    ground_column_at(soil->state.grounds.site, x, y, &row, &column);
    surface.looseness = ground_looseness(soil->state.grounds.site, row, column, 0.2);
    surface.soil = ground_top_soil(soil->state.grounds.site, row, column);
    return surface;
}

SoilBase soil_get_base(const Soil *soil, Vec3 at)
{
    Support support = support_find(&soil->model, &soil->state.grounds, at.x, at.y, at.z);
    return (SoilBase){support.height, support.normal,
                      support.tray != NULL ? (int)(support.tray - soil->state.grounds.trays) : -1};
}

double soil_get_height(const Soil *soil, double x, double y)
{
    return ground_height(soil->state.grounds.site, x, y);
}

double soil_get_firm_height(const Soil *soil, double x, double y)
{
    int row, column;
    ground_column_at(soil->state.grounds.site, x, y, &row, &column);
    return ground_firm_top(soil->state.grounds.site, row, column);
}

int soil_get_layers(const Soil *soil, double x, double y, SoilLayer layers[SOIL_MAX_LAYERS])
{
    int row, column;
    ground_column_at(soil->state.grounds.site, x, y, &row, &column);
    return ground_profile_layers(soil->state.grounds.site, row, column, layers);
}

Pose soil_get_tray_frame(const Soil *soil, int index)
{
    return soil->state.grounds.trays[index].frame;
}

const SoilTray *soil_get_tray(const Soil *soil, int index, SoilTrayMotion *motion)
{
    if (index < 0 || index >= soil->state.grounds.tray_count) {
        return NULL;
    }
    const Tray *tray = &soil->state.grounds.trays[index];
    *motion = (SoilTrayMotion){
        .frame = tray->frame, .velocity = tray->velocity, .spin = tray->spin, .tail_open = tray->tail_open};
    return &tray->params;
}

/// Adds quanta at a place (m) to a sum of quanta and one of quanta times place.
static void add_mass(int64_t mass, Vec3 at, int64_t *quanta, Vec3 *moment)
{
    *quanta += mass;
    *moment = vec3_madd(*moment, (double)mass, at);
}

/// What is settled in a tray: a column's mass is taken to lie evenly from the floor to its top.
static void add_settled(const Tray *tray, int64_t *quanta, Vec3 *moment)
{
    const Ground *ground = tray->ground;
    for (int index = 0; index < ground->tile_rows * ground->tile_columns; index++) {
        const GroundTile *tile = ground->tiles[index];
        for (int slot = 0; tile != NULL && slot < GROUND_TILE * GROUND_TILE; slot++) {
            int64_t mass = 0;
            for (int k = 0; k < tile->count[slot]; k++) {
                mass += tile->mass[slot][k];
            }
            if (mass == 0) {
                continue;
            }
            int row = index / ground->tile_columns * GROUND_TILE + slot / GROUND_TILE;
            int column = index % ground->tile_columns * GROUND_TILE + slot % GROUND_TILE;
            double top = (double)ground->height[ground_index(ground, row, column)] - tray->params.floor;
            add_mass(
                mass,
                vec3(ground->origin_x + column * ground->spacing, ground->origin_y + row * ground->spacing, 0.5 * top),
                quanta, moment);
        }
    }
}

double soil_get_tray_load(const Soil *soil, int index, Vec3 *center)
{
    *center = vec3(0.0, 0.0, 0.0);
    if (index < 0 || index >= soil->state.grounds.tray_count) {
        return 0.0;
    }
    const Tray *tray = &soil->state.grounds.trays[index];
    const Particles *p = &soil->state.particles;
    int64_t quanta = 0;
    Vec3 moment = vec3(0.0, 0.0, 0.0);
    add_settled(tray, &quanta, &moment);
    for (int32_t i = 0; i < p->count; i++) {
        Vec3 at = vec3(p->x[i], p->y[i], p->z[i]);
        if (tray_carries(soil, tray, at)) {
            add_mass(p->mass[i], pose_apply_inverse(&tray->frame, at), &quanta, &moment);
        }
    }
    if (quanta > 0) {
        *center = vec3_scale(moment, 1.0 / (double)quanta);
    }
    return (double)quanta * SOIL_QUANTUM;
}

double soil_get_tray_mass(const Soil *soil, int index)
{
    Vec3 center;
    return soil_get_tray_load(soil, index, &center);
}

static SoilGridView grid_of(const Ground *ground)
{
    return (SoilGridView){.rows = ground->rows,
                          .columns = ground->columns,
                          .spacing = ground->spacing,
                          .origin_x = ground->origin_x,
                          .origin_y = ground->origin_y,
                          .height = ground->height,
                          .soil = ground->top_soil,
                          .loose = ground->top_fresh,
                          .version = ground->version,
                          .dirty_row_min = ground->dirty[0],
                          .dirty_row_max = ground->dirty[1],
                          .dirty_column_min = ground->dirty[2],
                          .dirty_column_max = ground->dirty[3]};
}

SoilGridView soil_get_grid(const Soil *soil)
{
    return grid_of(soil->state.grounds.site);
}

SoilGridView soil_get_tray_grid(const Soil *soil, int index)
{
    assert(index >= 0 && index < soil->state.grounds.tray_count);
    return grid_of(soil->state.grounds.trays[index].ground);
}

void soil_clear_dirty(Soil *soil)
{
    ground_clear_dirty(soil->state.grounds.site);
    for (int k = 0; k < soil->state.grounds.tray_count; k++) {
        ground_clear_dirty(soil->state.grounds.trays[k].ground);
    }
}

SoilParticleView soil_get_particles(const Soil *soil)
{
    const Particles *p = &soil->state.particles;
    return (SoilParticleView){.count = p->count,
                              .x = p->x,
                              .y = p->y,
                              .z = p->z,
                              .radius = p->radius,
                              .soil = p->soil,
                              .id = p->id,
                              .vx = p->vx,
                              .vy = p->vy,
                              .vz = p->vz,
                              .mass = p->mass};
}

double soil_get_payload(const Soil *soil, const SoilTool *tool, int *count)
{
    int inside;
    int64_t quanta = payload_measure(tool, &soil->state.particles, &inside);
    if (count != NULL) {
        *count = inside;
    }
    return (double)quanta * SOIL_QUANTUM;
}

SoilGain soil_get_gain(Soil *soil, const SoilGainQuery *query)
{
    return gain_count(soil, query);
}

SoilGain soil_get_tray_gain(const Soil *soil, int index)
{
    return index >= 0 && index < soil->state.grounds.tray_count ? gain_of_tray(soil, &soil->state.grounds.trays[index])
                                                                : (SoilGain){0};
}

int64_t soil_get_spill(Soil *soil, const SoilPlace *places, int count, double least)
{
    return gain_count(soil, &(SoilGainQuery){.places = places, .count = count, .least = least}).quanta;
}

double soil_get_dense_thickness(const Soil *soil, int row, int column, double low, double high, double share)
{
    return ground_dense_thickness(soil->state.grounds.site, row, column, low, high, share);
}

bool soil_is_stirred(const Soil *soil, const SoilPlace *places, int count, int64_t least)
{
    return rest_is_stirred(soil, NULL, places, count, least);
}

bool soil_tray_is_stirred(const Soil *soil, int index, int64_t least)
{
    return index >= 0 && index < soil->state.grounds.tray_count &&
           rest_is_stirred(soil, &soil->state.grounds.trays[index], NULL, 0, least);
}

void soil_get_rest(const Soil *soil, SoilGrains grains, float *heights)
{
    rest_lay_down(soil, grains, heights);
}

SoilToolContactView soil_get_tool_contacts(const Soil *soil)
{
    return (SoilToolContactView){soil->derived.probe.contact_count, soil->derived.probe.contacts};
}

int soil_get_wedge(const Soil *soil, int oldest, SoilCutColumn *columns, int capacity)
{
    const Probe *probe = &soil->derived.probe;
    int64_t known = probe->cut_count < PROBE_CUTS ? probe->cut_count : PROBE_CUTS;
    int count = 0;
    for (int64_t k = probe->cut_count - 1; k >= probe->cut_count - known && count < capacity; k--) {
        const ProbeCut *cut = &probe->cuts[k % PROBE_CUTS];
        int64_t age = soil->state.tick - 1 - cut->tick;
        if (age > oldest) {
            break;
        }
        columns[count++] = (SoilCutColumn){cut->row, cut->column, (double)cut->floor, (double)cut->top, age};
    }
    return count;
}

int soil_get_yields(const Soil *soil, const Vec3 **places)
{
    *places = soil->derived.probe.yields;
    return soil->derived.probe.yield_count;
}

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

bool soil_is_finite(const Soil *soil)
{
    return particles_are_finite(&soil->state.particles);
}
