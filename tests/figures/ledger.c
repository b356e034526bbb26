/// Masses of columns, trays and grains by place, to the quantum.
#include "tests/figures/ledger.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "soil/exchange/exchange.h"
#include "soil/ground/ground.h"

#define RIM       0.5 ///< m around the box of a trench, m around the circle of its dump, m beside a blade's way
#define DIG_PLACE 4.0 ///< m around the place to dig of a truck scene

/// What the scene says of a column.
static bool is_unmoved(const SceneParams *scene, bool blade, double x, double y)
{
    const SceneExercise *asked = &scene->exercise;
    if (asked->kind == EXERCISE_TRUCK_LOADING) {
        bool tipped =
            asked->haul.trucks > 0 && hypot(x - asked->haul.dump.x, y - asked->haul.dump.y) <= asked->haul.dump_radius;
        return !tipped && hypot(x - asked->truck.dig_x, y - asked->truck.dig_y) <= DIG_PLACE;
    }
    if (asked->kind != EXERCISE_TRENCH) {
        return false;
    }
    const SceneTrench *trench = &asked->trench;
    if (hypot(x - trench->dump_x, y - trench->dump_y) <= trench->dump_radius + RIM) {
        return false;
    }
    double c = cos(trench->heading), s = sin(trench->heading), half = 0.5 * trench->length;
    double mx = trench->x + half * c, my = trench->y + half * s;
    double u = c * (x - mx) + s * (y - my), v = c * (y - my) - s * (x - mx);
    bool cut = fabs(u) <= half + RIM && fabs(v) <= 0.5 * trench->width + RIM;
    double dx = trench->dump_x - mx, dy = trench->dump_y - my, way = hypot(dx, dy);
    double along = (dx * (x - mx) + dy * (y - my)) / way, aside = (dx * (y - my) - dy * (x - mx)) / way;
    bool path = blade && along >= 0.0 && along <= way && fabs(aside) <= 0.5 * trench->width + RIM;
    return cut || path;
}

static int64_t tray_quanta(const Soil *soil, int index)
{
    const Ground *ground = soil->state.grounds.trays[index].ground;
    int64_t quanta = 0;
    for (int k = 0; k < ground->tile_rows * ground->tile_columns; k++) {
        const GroundTile *tile = ground->tiles[k];
        for (int slot = 0; tile != NULL && slot < GROUND_TILE * GROUND_TILE; slot++) {
            for (int layer = 0; layer < tile->count[slot]; layer++) {
                quanta += tile->mass[slot][layer];
            }
        }
    }
    return quanta;
}

static int64_t trays_quanta(const Soil *soil)
{
    int64_t quanta = 0;
    for (int k = 0; k < soil->state.grounds.tray_count; k++) {
        quanta += tray_quanta(soil, k);
    }
    return quanta;
}

void ledger_begin(Ledger *ledger, const Session *session)
{
    const Soil *soil = session_soil((Session *)session);
    ledger->first = trays_quanta(soil);
    for (int32_t k = 0; k < soil->state.particles.count; k++) {
        ledger->first += soil->state.particles.mass[k];
    }
}

/// Where a grain counts.
typedef enum GrainPlace { GRAIN_ON_COLUMN, GRAIN_IN_TRAY, GRAIN_NOWHERE } GrainPlace;

static GrainPlace place_of(const Soil *soil, int32_t k, bool loose)
{
    const Particles *p = &soil->state.particles;
    Vec3 at = vec3(p->x[k], p->y[k], p->z[k]);
    for (int n = 0; n < soil->state.grounds.tray_count; n++) {
        if (tray_carries(soil, &soil->state.grounds.trays[n], at)) {
            return GRAIN_IN_TRAY;
        }
    }
    bool carried = payload_holds(soil->derived.bodies, soil->derived.body_count, at);
    bool tray = support_find(&soil->model, &soil->state.grounds, at.x, at.y, at.z).tray != NULL;
    return !tray && !carried && (loose || p->quiet[k] >= soil->model.lying_ticks) ? GRAIN_ON_COLUMN : GRAIN_NOWHERE;
}

double ledger_moved(const Ledger *ledger, Session *session, bool loose)
{
    const Soil *soil = session_soil(session);
    const Ground *ground = soil->state.grounds.site;
    const SceneParams *scene = session_scene(session);
    bool blade = session_machine_params(session)->swing_joint < 0;
    int64_t *resting = calloc((size_t)ground->rows * (size_t)ground->columns, sizeof *resting);
    assert(resting != NULL);
    int64_t nowhere = 0, unmoved = 0, lost = 0;
    const Particles *p = &soil->state.particles;
    for (int32_t k = 0; k < p->count; k++) {
        GrainPlace place = place_of(soil, k, loose);
        int row, column;
        nowhere += place == GRAIN_NOWHERE ? p->mass[k] : 0;
        if (!ground_has_column(ground, p->x[k], p->y[k])) {
            unmoved += place == GRAIN_ON_COLUMN && is_unmoved(scene, blade, p->x[k], p->y[k]) ? p->mass[k] : 0;
            continue;
        }
        ground_column_at(ground, p->x[k], p->y[k], &row, &column);
        resting[row * ground->columns + column] += place == GRAIN_ON_COLUMN ? p->mass[k] : 0;
    }
    for (int row = 0; row < ground->rows; row++) {
        for (int column = 0; column < ground->columns; column++) {
            const GroundTile *tile = ground->tiles[ground_tile_index(ground, row, column)];
            int64_t gain = resting[row * ground->columns + column];
            int slot = ground_tile_slot(row, column);
            for (int layer = 0; tile != NULL && layer < tile->count[slot]; layer++) {
                gain += tile->mass[slot][layer];
            }
            gain -= tile != NULL ? tile->original[slot] : 0;
            double x = ground->origin_x + column * ground->spacing, y = ground->origin_y + row * ground->spacing;
            if (is_unmoved(scene, blade, x, y)) {
                unmoved += gain;
            } else {
                lost += gain < 0 ? -gain : 0;
            }
        }
    }
    free(resting);
    return (double)(ledger->first + lost - unmoved - nowhere) * SOIL_QUANTUM;
}
