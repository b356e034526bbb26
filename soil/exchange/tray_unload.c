/// Turns what is settled in a tray into particles: where it cannot stay, and where a tool digs in it.
///
/// It cannot stay where it lies higher than loose soil may over the edges around, as the tray leans, nor where the
/// floor is steeper towards an open tail than steel holds it (grounds.h). Columns go from the lowest on, as a load does
/// that is tipped out, down to a whole lattice layer over the floor; each layer becomes particles of exactly its mass,
/// in places where nothing else is. What finds no place, or is beyond the budget, waits: it stays settled and moves
/// with the tray.
#include <math.h>
#include <string.h>

#include "soil/exchange/exchange.h"
#include "soil/exchange/spawn.h"
#include "soil/ground/grounds.h"

/// A second and tray: a load that is tipped out turns into particles bit by bit. Chosen; see test_soil_tray.
enum { MOST_PARTICLES = 36000, TURNS_A_SECOND = 60 };
/// Particles over a tray with which the rest of its load waits: a full truck runs out in portions, from its tail on, in
/// real time. Chosen; see test_soil_tray.
enum { MOST_OVER = 2000 };

/// Lattice layers: so much higher than stable soil may lie before it turns into particles. Chosen; see test_soil_tray.
#define MARGIN 1.0
/// Lattice layers: what is thinner on a floor it slides on joins the next column. Chosen; see test_soil_tray.
#define THINNEST 0.25
/// Radii vary; sites of the lattice may be so much nearer to each other than their largest. Chosen: new
/// particles overlap others by 2 % at most; see test_soil_tray.
#define CLEARANCE 0.93

#define UPRIGHT 1e-3 ///< sine: a tray that leans less to a side leans to none

/// One tray while its load is looked at.
typedef struct Load {
    Soil *soil;
    Tray *tray;
    int32_t *over; ///< [budget] particles over the tray, sorted by the column they are over (tray->first)
    int left; ///< particles that may still appear in this tick
    int turn; ///< 0 or 1: which layers of the lattice are shifted which way, so that no load goes to one side
} Load;

static int column_below(const Tray *tray, const Particles *p, int32_t i)
{
    const Ground *ground = tray->ground;
    Vec3 at = vec3(p->x[i], p->y[i], p->z[i]);
    if (!tray_is_below(tray, at, ground->spacing)) {
        return -1;
    }
    int row, column;
    Vec3 local = pose_apply_inverse(&tray->frame, at);
    ground_column_at(ground, local.x, local.y, &row, &column);
    return ground_index(ground, row, column);
}

/// Sorts the particles by counting: load->over then holds those over each column, tray->first where they begin.
static void sort_by_column(Load *load)
{
    const Particles *p = &load->soil->state.particles;
    int32_t *first = load->tray->first, *over = load->over;
    int columns = load->tray->ground->rows * load->tray->ground->columns;
    memset(first, 0, ((size_t)columns + 2) * sizeof *first);
    for (int32_t i = 0; i < p->count; i++) {
        first[column_below(load->tray, p, i) + 2]++; // beside the tray: before all columns
    }
    for (int k = 1; k < columns + 2; k++) {
        first[k] += first[k - 1];
    }
    for (int32_t i = 0; i < p->count; i++) {
        over[first[column_below(load->tray, p, i) + 1]++] = i;
    }
}

/// True when a sphere at a place of the tray's frame would touch no particle and no tool.
static bool is_free(const Load *load, Vec3 local, double radius)
{
    const Particles *p = &load->soil->state.particles;
    const Tray *tray = load->tray;
    const Ground *ground = tray->ground;
    Vec3 at = pose_apply(&tray->frame, local);
    int row, column, reach = 1 + (int)(2.0 * radius / ground->spacing);
    ground_column_at(ground, local.x, local.y, &row, &column);
    for (int r = row - reach; r <= row + reach; r++) {
        for (int c = column - reach; c <= column + reach; c++) {
            if (r < 0 || r >= ground->rows || c < 0 || c >= ground->columns) {
                continue;
            }
            int k = ground_index(ground, r, c);
            for (int32_t n = tray->first[k]; n < tray->first[k + 1]; n++) {
                int32_t i = load->over[n];
                Vec3 to = vec3_sub(vec3(p->x[i], p->y[i], p->z[i]), at);
                double least = CLEARANCE * radius + (double)p->radius[i];
                if (vec3_dot(to, to) < least * least) {
                    return false;
                }
            }
        }
    }
    return !spawn_is_in_tool(load->soil->derived.bodies, load->soil->derived.body_count, at, 0.7 * radius);
}

/// Place of a lattice site in the tray's frame: as of the site's ground (spawn.c), drawn in a little so that none
/// sticks in a wall.
static Vec3 site_of(const Load *load, int row, int column, int layer, int k)
{
    const Ground *ground = load->tray->ground;
    const SoilTray *params = &load->tray->params;
    int side = load->soil->model.scene.particles.per_column_side, a = k % side, b = k / side % side;
    double r = load->soil->model.particle_radius, shift = (layer + load->turn) & 1 ? 0.5 * r : -0.5 * r;
    double x = ground->origin_x + column * ground->spacing + (2 * a - side + 1) * r + shift;
    double y = ground->origin_y + row * ground->spacing + (2 * b - side + 1) * r + shift;
    double scale_x = (params->length - 2.0 * r) / (ground->columns * ground->spacing - r);
    double scale_y = (params->width - 2.0 * r) / (ground->rows * ground->spacing - r);
    return vec3(x * scale_x, y * scale_y, (layer + 0.5) * load->soil->model.layer_height);
}

static bool has_room(const Load *load, int row, int column, int bottom, int layers)
{
    const Soil *soil = load->soil;
    int side = soil->model.scene.particles.per_column_side, sites = layers * side * side;
    if (layers < 1 || sites > load->left || sites > soil->state.particles.capacity - soil->state.particles.count) {
        return false;
    }
    for (int k = 0; k < sites; k++) {
        if (!is_free(load, site_of(load, row, column, bottom + k / (side * side), k), soil->model.particle_radius)) {
            return false;
        }
    }
    return true;
}

/// Turns a column above a height off the floor into particles, where there is room for them.
static void loosen_column(Load *load, int row, int column, double floor_height)
{
    Soil *soil = load->soil;
    Ground *ground = load->tray->ground;
    double layer = soil->model.layer_height, floor = load->tray->params.floor;
    double height = (double)ground->height[ground_index(ground, row, column)] - floor;
    int bottom = (int)ceil(fmax(floor_height, 0.0) / layer - 1e-9);
    double deep = height - bottom * layer;
    if (deep < (bottom > 0 ? 0.8 : THINNEST) * layer) {
        return;
    }
    int layers = (int)fmax(deep / layer + 0.5, 1.0);
    if (!has_room(load, row, column, bottom, layers)) {
        layers--; // loose soil is light: it may be packed a little closer, below what lies on it
        if (!has_room(load, row, column, bottom, layers)) {
            return;
        }
    }
    int side = soil->model.scene.particles.per_column_side, sites = layers * side * side, soil_index;
    double loose;
    int64_t mass = ground_cut(ground, row, column, floor + bottom * layer, &soil_index, &loose);
    double nominal =
        soil->model.scene.soils[soil_index].bank_density * ground->area * layer / (side * side) / SOIL_QUANTUM;
    for (int k = 0; k < sites; k++) {
        int64_t part = mass / sites + (k < mass % sites ? 1 : 0);
        if (part > 0) {
            Vec3 at = pose_apply(&load->tray->frame, site_of(load, row, column, bottom + k / (side * side), k));
            int i = spawn_particle(soil, at, soil_index, part, nominal);
            Vec3 velocity = tray_velocity(load->tray, at);
            soil->state.particles.vx[i] = velocity.x;
            soil->state.particles.vy[i] = velocity.y;
            soil->state.particles.vz[i] = velocity.z;
            soil->state.particles.newborn[i] = 0; // loose soil has no bonds
            load->left--;
        }
    }
}

/// A particle over a column, of a soil; -1 when there is none.
static int32_t particle_over(const Load *load, int row, int column, int soil_index)
{
    int k = ground_index(load->tray->ground, row, column);
    for (int32_t n = load->tray->first[k]; n < load->tray->first[k + 1]; n++) {
        if (load->soil->state.particles.soil[load->over[n]] == soil_index) {
            return load->over[n];
        }
    }
    return -1;
}

/// A film on a floor it slides on goes with a particle that lies on it. Where there is none it joins the next column
/// downhill; it lifts nothing there.
static void drain_film(Load *load, int row, int column, Vec3 gravity)
{
    Ground *ground = load->tray->ground;
    bool along = fabs(gravity.x) > fabs(gravity.y);
    int next_row = row + (along ? 0 : gravity.y > 0.0 ? 1 : -1);
    int next_column = column + (!along ? 0 : gravity.x > 0.0 ? 1 : -1);
    bool inside = next_row >= 0 && next_row < ground->rows && next_column >= 0 && next_column < ground->columns;
    int soil_index = ground_top_soil(ground, row, column);
    int32_t i = particle_over(load, row, column, soil_index);
    if (i < 0 && !inside) {
        return;
    }
    i = i < 0 ? particle_over(load, next_row, next_column, soil_index) : i;
    double loose;
    int64_t mass = ground_cut(ground, row, column, ground->base, &soil_index, &loose);
    if (i >= 0) {
        load->soil->state.particles.mass[i] += (int32_t)mass;
    } else {
        ground_put(ground, next_row, next_column, soil_index, mass, false);
    }
}

static void look_at_column(Load *load, int row, int column, TrayEdges *edges, Vec3 gravity)
{
    const Tray *tray = load->tray;
    const Ground *ground = tray->ground;
    double height = (double)ground->height[ground_index(ground, row, column)] - tray->params.floor;
    double layer = load->soil->model.layer_height;
    if (height <= 0.0) {
        return;
    }
    int soil_index = ground_top_soil(ground, row, column);
    if (soil_index != edges->soil) {
        tray_edges(tray, soil_index, edges);
    }
    double x = ground->origin_x + column * ground->spacing, y = ground->origin_y + row * ground->spacing;
    double stable = tray_stable_height(tray, edges, x, y);
    if (stable > 0.0) {
        loosen_column(load, row, column, stable + MARGIN * layer);
    } else if (height >= THINNEST * layer) {
        loosen_column(load, row, column, 0.0);
    } else {
        drain_film(load, row, column, gravity);
    }
}

static void unload(Load *load)
{
    const Ground *ground = load->tray->ground;
    Vec3 gravity = mat3_mul_transposed(&load->tray->frame.rotation, vec3(0.0, 0.0, -1.0));
    TrayEdges edges = {.soil = -1};
    bool back = fabs(gravity.y) > UPRIGHT ? gravity.y > 0.0 : load->turn != 0;
    for (int k = 0; k < ground->columns; k++) { // from the lowest on
        int column = gravity.x > 0.0 ? ground->columns - 1 - k : k;
        for (int n = 0; n < ground->rows; n++) {
            look_at_column(load, back ? ground->rows - 1 - n : n, column, &edges, gravity);
        }
    }
}

/// Keeps the seeds that are in the load: what is beside or below the tray digs elsewhere.
static int keep_inside(const Load *load, Seed *seeds, int count)
{
    const Tray *tray = load->tray;
    double lowest = tray->params.floor - 2.0 * load->soil->model.layer_height;
    int kept = 0;
    for (int k = 0; k < count; k++) {
        const Vec3 *at = &seeds[k].at;
        if (fabs(at->x) < 0.5 * tray->params.length && fabs(at->y) < 0.5 * tray->params.width && at->z > lowest &&
            at->z < ground_height(tray->ground, at->x, at->y)) {
            seeds[kept++] = seeds[k];
        }
    }
    return kept;
}

static void dig(Load *load, const SoilTool *tool, double dt)
{
    const Ground *ground = load->tray->ground;
    CutEdge edge;
    SoilTool seen = tray_see_tool(load->tray, tool);
    spawn_seed_edge(ground, &seen, load->soil->model.layer_height, dt, &edge);
    edge.count = keep_inside(load, edge.seeds, edge.count);
    for (int k = 0; k < edge.count; k++) { // what is above the edge goes in whole layers
        edge.seeds[k].at.z -= load->soil->model.layer_height;
    }
    if (edge.count == 0) {
        return;
    }
    for (int row = 0; row < ground->rows; row++) {
        for (int column = 0; column < ground->columns; column++) {
            double x = ground->origin_x + column * ground->spacing, y = ground->origin_y + row * ground->spacing;
            double height = (double)ground->height[ground_index(ground, row, column)], lowest = HUGE_VAL;
            for (int k = 0; k < edge.count; k++) {
                lowest = fmin(lowest, spawn_seed_floor(&edge.seeds[k], x, y, true));
            }
            double share = edge.half_width < HUGE_VAL ? spawn_share_of_column(&edge, x, y) : 1.0;
            if (lowest < height && share > 0.5) { // whole layers of a column, or none
                loosen_column(load, row, column, lowest - load->tray->params.floor);
            }
        }
    }
}

void tray_unload(Soil *soil, double dt)
{
    for (int k = 0; k < soil->state.grounds.tray_count; k++) {
        Load load = {.soil = soil,
                     .tray = &soil->state.grounds.trays[k],
                     .left = (int)(MOST_PARTICLES * dt + 0.5),
                     .turn = (int)(soil->state.tick * TURNS_A_SECOND / soil->model.scene.rates.tick_rate % 2)};
        if (ground_total(load.tray->ground) == 0) {
            continue;
        }
        load.over = scratch_take(&soil->scratch.memory, "particles by the tray's columns",
                                 (size_t)soil->state.particles.capacity, sizeof *load.over);
        sort_by_column(&load);
        for (int b = 0; b < soil->derived.body_count; b++) {
            if (soil->derived.bodies[b].tool.cuts) {
                dig(&load, &soil->derived.bodies[b].tool, dt);
            }
        }
        int over = soil->state.particles.count - load.tray->first[0];
        load.left = load.left < MOST_OVER - over ? load.left : MOST_OVER - over;
        unload(&load);
        scratch_give_back(&soil->scratch.memory, load.over);
    }
}
