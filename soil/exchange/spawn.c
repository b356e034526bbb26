/// Turns ground into particles: which columns are cut, the spheres that appear in them, the plane of failure ahead of a
/// blade and the wedge that a cutting edge frees in a tick.
#include "soil/exchange/spawn.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "data/core/constants.h"
#include "data/core/elementary.h"
#include "data/core/random.h"
#include "data/core/tool_geometry.h"
#include "soil/exchange/exchange.h"
#include "soil/grains/packing.h"
#include "soil/law/contact_law.h"

/// ---- columns to particles ------------------------------------------------------------------------------------------
/// Ground is a piece of one endless random packing (packing.h). Where its surface is lowered, the spheres appear whose
/// centres lay under the old surface and lie above the new one. What they weigh together is what the columns lost in
/// the tick, shared by their volume: no quantum is lost, whatever the borders of columns do to single spheres. Contacts
/// made at birth hold no force (pair_update.c).

/// Heights of a particle's layer: a column waits with its cut until so much would go, but where the edge itself comes
/// by. Chosen; see test_soil_body.
#define LEAST_STEP 0.15
/// m: thinner shavings stay ground. Chosen; see test_soil_body.
#define LEAST_CUT 0.001
/// Particles may be so much heavier or lighter than the mean of undisturbed ground; if they would not, the cut waits.
/// Chosen; see test_soil_ground.
#define MOST_WEIGHT  2.5
#define LEAST_WEIGHT 0.3
/// Nominal radii: a centre nearer to a tool's plate finds no room. Chosen; see test_soil_kick.
#define CUT_ROOM    0.5
#define STRIP_REACH 4.0 ///< m ahead of an edge and behind it: as far as a wedge reaches

/// What scratch.marks says of a column that is not cut: 0, or that its spheres are noted. Of one that is cut: its
/// number from 1.
enum { MARK_NOTED = -1 };

/// What the columns of one soil gave in this tick.
typedef struct Pool {
    int64_t mass; ///< quanta
    double volume; ///< sum of the spheres' radii to the third
    int count;
} Pool;

void cut_mark(Soil *soil, int row, int column, double floor, bool exact)
{
    const Ground *ground = soil->state.grounds.site;
    int index = ground_index(ground, row, column);
    double height = (double)ground->height[index];
    if (ground_is_inside_fixture(ground, row, column)) {
        return;
    }
    floor = fmax(floor, ground_lowest(ground, row, column));
    if (soil->scratch.marks[index] != 0) {
        SoilCut *cut = &soil->scratch.cuts[soil->scratch.marks[index] - 1];
        cut->floor = fminf(cut->floor, (float)floor);
        cut->exact |= exact;
        return;
    }
    if (soil->scratch.cut_count < SOIL_MAX_CUTS &&
        height - floor > (exact ? LEAST_CUT : LEAST_STEP * soil->model.layer_height)) {
        soil->scratch.cuts[soil->scratch.cut_count++] =
            (SoilCut){.index = index, .floor = (float)floor, .height = (float)height, .exact = exact};
        soil->scratch.marks[index] = soil->scratch.cut_count;
    }
}

/// A walk upwards through the spheres of a column.
typedef struct Walk {
    const Soil *soil;
    int row, column;
    double units; ///< height of the centre in nominal diameters
    double z; ///< m: the same
    Vec3 at; ///< m
    double radius; ///< m
} Walk;

static Walk walk_from(const Soil *soil, int row, int column, double z)
{
    return (Walk){.soil = soil, .row = row, .column = column, .z = z, .units = z / (2.0 * soil->model.particle_radius)};
}

/// Goes to the next centre.
static void walk_up(Walk *walk)
{
    const Soil *soil = walk->soil;
    const Ground *ground = soil->state.grounds.site;
    int side = soil->model.scene.particles.per_column_side;
    double unit = 2.0 * soil->model.particle_radius, next = HUGE_VAL;
    double corner_x = ground->origin_x + (walk->column - 0.5) * ground->spacing;
    double corner_y = ground->origin_y + (walk->row - 0.5) * ground->spacing;
    for (int k = 0; k < side * side; k++) {
        int a = k % side, b = k / side;
        const PackingSphere *sphere;
        double z = packing_next(walk->column * side + a, walk->row * side + b, walk->units, &sphere);
        if (z < next) {
            next = z;
            walk->at =
                vec3(corner_x + unit * (a + (double)sphere->x), corner_y + unit * (b + (double)sphere->y), unit * z);
            walk->radius = unit * (double)sphere->radius;
        }
    }
    walk->units = next;
    walk->z = unit * next;
}

/// Height of a column after the cuts.
static double height_after(const Soil *soil, int row, int column)
{
    const Ground *ground = soil->state.grounds.site;
    bool inside = row >= 0 && row < ground->rows && column >= 0 && column < ground->columns;
    int mark = inside ? soil->scratch.marks[ground_index(ground, row, column)] : 0;
    return mark > 0 ? (double)soil->scratch.cuts[mark - 1].floor : ground_column_height(ground, row, column);
}

/// Height of the surface after the cuts, bilinear as ground_height.
static double surface_after(const Soil *soil, double x, double y)
{
    GroundCell cell = ground_cell_at(soil->state.grounds.site, x, y);
    double h00 = height_after(soil, cell.row, cell.column), h10 = height_after(soil, cell.row, cell.column + 1);
    double h01 = height_after(soil, cell.row + 1, cell.column), h11 = height_after(soil, cell.row + 1, cell.column + 1);
    double low = h00 + cell.u * (h10 - h00), high = h01 + cell.u * (h11 - h01);
    return low + cell.v * (high - low);
}

/// Where the surface is read that a sphere at a place (m) lies under: there, but beside a side plate on the same side
/// of it, a column away. Over a column's width the surface passes from what the plates have cut to what stands beside.
static void step_from_plates(const Soil *soil, double *x, double *y)
{
    for (int k = 0; k < soil->scratch.strip_count; k++) {
        const SoilStrip *strip = &soil->scratch.strips[k];
        double dx = *x - strip->middle_x, dy = *y - strip->middle_y;
        double at = dx * strip->side_x + dy * strip->side_y, ahead = dx * strip->side_y - dy * strip->side_x;
        double column = 2.0 * strip->half_column, off = fabs(at) - strip->half_edge;
        if (fabs(off) < column && fabs(ahead) < STRIP_REACH) {
            bool out = fabs(at) > strip->half_inside;
            double to = out ? strip->half_edge + column : fmax(0.0, strip->half_edge - column);
            double step = copysign(to, at) - at;
            *x += step * strip->side_x;
            *y += step * strip->side_y;
            return;
        }
    }
}

/// Notes the spheres of a column that lie under the present surface and above the new one. Their places are written
/// behind the living particles.
static int note_spheres(Soil *soil, int row, int column, int noted)
{
    Particles *p = &soil->state.particles;
    Ground *ground = soil->state.grounds.site;
    double low = HUGE_VAL, high = -HUGE_VAL; // the surface in a column lies between the heights around it
    for (int r = row - 1; r <= row + 1; r++) {
        for (int c = column - 1; c <= column + 1; c++) {
            low = fmin(low, height_after(soil, r, c));
            high = fmax(high, ground_column_height(ground, r, c));
        }
    }
    Walk walk = walk_from(soil, row, column, low);
    for (walk_up(&walk); walk.z <= high && p->count + noted < p->capacity; walk_up(&walk)) {
        double x = walk.at.x, y = walk.at.y;
        step_from_plates(soil, &x, &y);
        if (walk.z <= ground_height(ground, x, y) && walk.z > surface_after(soil, x, y) &&
            !spawn_is_in_tool(soil->derived.bodies, soil->derived.body_count, walk.at,
                              CUT_ROOM * soil->model.particle_radius)) {
            int i = p->count + noted++;
            p->x[i] = walk.at.x;
            p->y[i] = walk.at.y;
            p->z[i] = walk.at.z;
            p->radius[i] = (float)walk.radius;
            bool loose;
            p->soil[i] = (uint8_t)ground_layer_at(ground, row, column, walk.z, &loose);
            p->path[i] = loose ? PARTICLE_LOOSE : 0.0F;
        }
    }
    return noted;
}

/// Notes the spheres of all columns whose surface a cut changes, as long as there is room for more.
static int note_all(Soil *soil, int room)
{
    const Ground *ground = soil->state.grounds.site;
    int noted = 0;
    for (int k = 0; k < soil->scratch.cut_count && noted < room; k++) {
        int row = soil->scratch.cuts[k].index / ground->columns, column = soil->scratch.cuts[k].index % ground->columns;
        for (int r = row - 1; r <= row + 1; r++) {
            for (int c = column - 1; c <= column + 1; c++) {
                bool inside = r >= 0 && r < ground->rows && c >= 0 && c < ground->columns;
                int index = inside ? ground_index(ground, r, c) : -1;
                if (inside && (soil->scratch.marks[index] == 0 || index == soil->scratch.cuts[k].index)) {
                    noted = note_spheres(soil, r, c, noted);
                    soil->scratch.marks[index] =
                        soil->scratch.marks[index] == 0 ? MARK_NOTED : soil->scratch.marks[index];
                }
            }
        }
    }
    return noted;
}

static void clear_marks(Soil *soil)
{
    const Ground *ground = soil->state.grounds.site;
    for (int k = 0; k < soil->scratch.cut_count; k++) {
        int row = soil->scratch.cuts[k].index / ground->columns, column = soil->scratch.cuts[k].index % ground->columns;
        for (int r = row > 0 ? row - 1 : 0; r <= row + 1 && r < ground->rows; r++) {
            for (int c = column > 0 ? column - 1 : 0; c <= column + 1 && c < ground->columns; c++) {
                soil->scratch.marks[ground_index(ground, r, c)] = 0;
            }
        }
    }
    soil->scratch.cut_count = 0;
}

/// What the cuts weigh, as thickness of undisturbed ground, over what as many particles weigh on the mean.
static double weight_of(const Soil *soil, int count)
{
    int side = soil->model.scene.particles.per_column_side;
    double thickness = 0.0;
    for (int k = 0; k < soil->scratch.cut_count; k++) {
        thickness += (double)soil->scratch.cuts[k].height - (double)soil->scratch.cuts[k].floor;
    }
    return count > 0 ? thickness * (side * side) / (soil->model.layer_height * count) : HUGE_VAL;
}

/// A free sphere becomes a particle.
static void add_sphere(Soil *soil, Pool *pools)
{
    Particles *p = &soil->state.particles;
    int32_t n = p->count;
    double x = p->x[n], y = p->y[n], z = p->z[n];
    float radius = p->radius[n], path = p->path[n];
    uint8_t own = p->soil[n];
    int i = particles_add(p);
    p->x[i] = x;
    p->y[i] = y;
    p->z[i] = z;
    p->radius[i] = radius;
    p->soil[i] = own;
    p->path[i] = path;
    p->newborn[i] = PARTICLE_BORN;
    pools[own].volume += (double)radius * (double)radius * (double)radius;
    pools[own].count++;
    soil->derived.counters.spawned++;
}

/// Soils that gave mass but no particles, or particles but hardly any mass, go with the one that gave most.
static void join_poor(Soil *soil, int first, Pool *pools)
{
    Particles *p = &soil->state.particles;
    int richest = 0, count = 0;
    int64_t mass = 0;
    for (int k = 0; k < soil->model.scene.soil_count; k++) {
        bool richer = pools[richest].count == 0 || pools[k].mass > pools[richest].mass;
        richest = pools[k].count > 0 && richer ? k : richest;
        mass += pools[k].mass;
        count += pools[k].count;
    }
    for (int k = 0; k < soil->model.scene.soil_count; k++) {
        Pool *pool = &pools[k];
        bool poor = (double)pool->mass < LEAST_WEIGHT * pool->count * (double)mass / count;
        if (k == richest || (pool->count > 0 && !poor)) {
            continue;
        }
        pools[richest].mass += pool->mass;
        pools[richest].volume += pool->volume;
        pools[richest].count += pool->count;
        *pool = (Pool){0};
        for (int i = first; i < p->count; i++) {
            p->soil[i] = p->soil[i] == k ? (uint8_t)richest : p->soil[i];
        }
    }
}

/// Gives the new particles what their soil's pool holds, by their volume.
static void share_out(Soil *soil, int first, Pool *pools)
{
    Particles *p = &soil->state.particles;
    int64_t left[SCENE_MAX_SOILS];
    join_poor(soil, first, pools);
    for (int k = 0; k < soil->model.scene.soil_count; k++) {
        left[k] = pools[k].mass;
    }
    for (int i = first; i < p->count; i++) {
        const Pool *pool = &pools[p->soil[i]];
        double r = (double)p->radius[i];
        p->mass[i] = (int32_t)((double)pool->mass * (r * r * r / pool->volume));
        left[p->soil[i]] -= p->mass[i];
    }
    for (int i = first; i < p->count; i++) { // quanta that rounding left
        int64_t part = (left[p->soil[i]] + pools[p->soil[i]].count - 1) / pools[p->soil[i]].count;
        part = left[p->soil[i]] < part ? left[p->soil[i]] : part;
        p->mass[i] += (int32_t)part;
        left[p->soil[i]] -= part;
    }
}

/// Cuts a column layer by layer: what each weighs goes to the pool of its soil.
static void take_layers(Soil *soil, int row, int column, double floor, Pool *pools)
{
    for (int layer = 0; layer < GROUND_LAYERS; layer++) {
        double bottom = fmax(floor, ground_top_bottom(soil->state.grounds.site, row, column)), loose;
        int own;
        int64_t mass = ground_cut(soil->state.grounds.site, row, column, bottom, &own, &loose);
        pools[own].mass += mass;
        if (bottom <= floor || mass == 0) {
            return;
        }
    }
}

/// Makes the cuts, whose free spheres stand behind the living particles.
static void make_cuts(Soil *soil, int free_spheres)
{
    Pool pools[SCENE_MAX_SOILS];
    memset(pools, 0, sizeof pools);
    SoilCause cause = soil->state.grounds.site->cause;
    for (int k = 0; k < soil->scratch.cut_count; k++) {
        const SoilCut *cut = &soil->scratch.cuts[k];
        int row = cut->index / soil->state.grounds.site->columns,
            column = cut->index % soil->state.grounds.site->columns;
        probe_note_cut(&soil->derived.probe, soil->state.tick, row, column, (double)cut->floor, (double)cut->height);
        soil->state.grounds.site->cause = cut->exact ? SOIL_CAUSE_EDGE : cause;
        take_layers(soil, row, column, (double)cut->floor, pools);
    }
    soil->state.grounds.site->cause = cause;
    int first = soil->state.particles.count;
    for (int k = 0; k < free_spheres; k++) {
        add_sphere(soil, pools);
    }
    share_out(soil, first, pools);
}

/// Leaves out cuts for which there is no room: those of the highest floors, the edge's own last. False when none is
/// left.
static bool leave_out(Soil *soil)
{
    int all = soil->scratch.cut_count, kept = 0, far = 0;
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int k = 0; k < all; k++) {
        far += !soil->scratch.cuts[k].exact;
        low = soil->scratch.cuts[k].exact ? low : fmin(low, (double)soil->scratch.cuts[k].floor);
        high = soil->scratch.cuts[k].exact ? high : fmax(high, (double)soil->scratch.cuts[k].floor);
    }
    for (int k = 0; k < all; k++) {
        soil->scratch.marks[soil->scratch.cuts[k].index] = 0;
        bool keeps =
            far > 0 ? soil->scratch.cuts[k].exact || (double)soil->scratch.cuts[k].floor < high - 0.2 * (high - low)
                    : k < all / 2;
        if (keeps) {
            soil->scratch.cuts[kept++] = soil->scratch.cuts[k];
        }
    }
    soil->scratch.cut_count = kept;
    for (int k = 0; k < kept; k++) {
        soil->scratch.marks[soil->scratch.cuts[k].index] = k + 1;
    }
    return kept > 0;
}

/// Columns around the cuts count as not noted again.
static void forget_noted(Soil *soil)
{
    int count = soil->scratch.cut_count;
    clear_marks(soil);
    soil->scratch.cut_count = count;
    for (int k = 0; k < count; k++) {
        soil->scratch.marks[soil->scratch.cuts[k].index] = k + 1;
    }
}

void cut_marked(Soil *soil)
{
    if (soil->scratch.cut_count == 0) {
        return;
    }
    int room = soil->state.particles.capacity - soil->state.particles.count, noted = note_all(soil, room);
    while (noted >= room) {
        forget_noted(soil);
        noted = leave_out(soil) ? note_all(soil, room) : 0;
        if (soil->scratch.cut_count == 0) {
            return;
        }
    }
    double weight = weight_of(soil, noted);
    if (weight > LEAST_WEIGHT && weight < MOST_WEIGHT) {
        make_cuts(soil, noted);
    }
    clear_marks(soil);
}

/// ---- over fixtures -------------------------------------------------------------------------------------------------
/// Soil that has settled higher than the fixture it leans on turns into grains, which run over its top.

static void overflow_mark(Soil *soil)
{
    const Ground *site = soil->state.grounds.site;
    const Fixtures *fixtures = &soil->state.grounds.fixtures;
    for (int k = 0; k < fixtures->border_count; k++) {
        const FixtureBorder *border = &fixtures->border[k];
        double height = (double)site->height[border->index], behind = (double)site->height[border->behind];
        double top = (double)border->top;
        if (height > top + soil->model.layer_height && behind < top) {
            cut_mark(soil, border->index / site->columns, border->index % site->columns, top, false);
        }
    }
}

/// ---- over the edge -------------------------------------------------------------------------------------------------
/// Soil that has settled at the edge of the site, more steeply over the ground beyond than it stands, turns into
/// grains, which run out. What lies beyond the edge holds it.

/// A column along the edge.
typedef struct Brink {
    int row, column;
} Brink;

/// The columns along the edge, k from 0: as in Ground.border.
static Brink brink_at(const Ground *ground, int k)
{
    const int across = 2 * ground->columns;
    if (k < across) {
        return k < ground->columns ? (Brink){0, k} : (Brink){ground->rows - 1, k - ground->columns};
    }
    return k < across + ground->rows ? (Brink){k - across, 0} : (Brink){k - across - ground->rows, ground->columns - 1};
}

/// True when loose soil at the edge stands too steeply over a height (m) beyond it.
static bool brink_runs_out(const Soil *soil, const Brink *brink, double beyond)
{
    const Ground *ground = soil->state.grounds.site;
    double rise = ground_column_height(ground, brink->row, brink->column) - beyond;
    double repose = ground->tan_repose[ground_top_soil(ground, brink->row, brink->column)];
    return rise > repose * ground->spacing + soil->model.layer_height &&
           ground_top_is_loose(ground, brink->row, brink->column) &&
           !ground_is_covered(ground, brink->row, brink->column);
}

/// Raises tops[], m, to the grains that lie beside the edge.
static void raise_to_grains(const Soil *soil, float *tops)
{
    const Ground *ground = soil->state.grounds.site;
    const Particles *p = &soil->state.particles;
    for (int32_t i = 0; i < p->count; i++) {
        double away = ground_distance_beyond(ground, p->x[i], p->y[i]);
        if (!(away >= 0.0 && away < ground->spacing) || p->quiet[i] < soil->model.lying_ticks) {
            continue;
        }
        int row, column;
        ground_column_at(ground, p->x[i], p->y[i], &row, &column);
        float top = (float)p->z[i] + p->radius[i];
        const int at[4] = {row == 0 ? column : -1, row == ground->rows - 1 ? ground->columns + column : -1,
                           column == 0 ? 2 * ground->columns + row : -1,
                           column == ground->columns - 1 ? 2 * ground->columns + ground->rows + row : -1};
        for (int k = 0; k < 4; k++) {
            if (at[k] >= 0 && top > tops[at[k]]) {
                tops[at[k]] = top;
            }
        }
    }
}

/// True when any of `count` columns along the edge runs out, from k on, over the ground beyond.
static bool any_runs_out(const Soil *soil, int k, int count)
{
    const Ground *ground = soil->state.grounds.site;
    for (int end = k + count; k < end; k++) {
        Brink brink = brink_at(ground, k);
        if (brink_runs_out(soil, &brink, (double)ground->border[k])) {
            return true;
        }
    }
    return false;
}

/// The same of the columns of a tile that lie along the edge.
static bool tile_runs_out(const Soil *soil, int tile_row, int tile_column)
{
    const Ground *ground = soil->state.grounds.site;
    const int row = tile_row * GROUND_TILE, column = tile_column * GROUND_TILE, across = 2 * ground->columns;
    const int rows = ground->rows - row < GROUND_TILE ? ground->rows - row : GROUND_TILE;
    const int columns = ground->columns - column < GROUND_TILE ? ground->columns - column : GROUND_TILE;
    return (tile_row == 0 && any_runs_out(soil, column, columns)) ||
           (tile_row == ground->tile_rows - 1 && any_runs_out(soil, ground->columns + column, columns)) ||
           (tile_column == 0 && any_runs_out(soil, across + row, rows)) ||
           (tile_column == ground->tile_columns - 1 && any_runs_out(soil, across + ground->rows + row, rows));
}

static void brink_mark(Soil *soil)
{
    const Ground *ground = soil->state.grounds.site;
    const int count = 2 * (ground->rows + ground->columns);
    bool any = false; // where nothing has touched the ground it is as high as beyond the edge
    for (int n = 0; n < ground->live_count && !any; n++) {
        any = tile_runs_out(soil, ground->live[n] / ground->tile_columns, ground->live[n] % ground->tile_columns);
    }
    if (!any) {
        return;
    }
    float *tops = scratch_take(&soil->scratch.memory, "what holds the edge", (size_t)count, sizeof *tops);
    memcpy(tops, ground->border, (size_t)count * sizeof *tops);
    raise_to_grains(soil, tops);
    for (int k = 0; k < count; k++) {
        Brink brink = brink_at(ground, k);
        if (brink_runs_out(soil, &brink, (double)tops[k])) {
            cut_mark(soil, brink.row, brink.column, (double)tops[k], false);
        }
    }
    scratch_give_back(&soil->scratch.memory, tops);
}

/// ---- the plane of failure ------------------------------------------------------------------------------------------
/// The plane of failure ahead of a blade, by trial (Coulomb 1776; Reece 1965, Proc. Inst. Mech. Eng. 179).
///
/// On a plane that rises at beta from the edge of a blade of rake alpha lies soil of the mass m a metre of width, of
/// which rho d^2 cot(alpha) / 2 above the blade, d deep at the edge. The blade pushes it at delta to its own normal,
/// the plane holds it at phi to its normal and by the cohesion c on its length L. Balanced along and across the plane,
/// the blade's force is
///   P = (m g + c L (sin beta + cos beta cot(beta + phi))) / (cos(alpha + delta) + sin(alpha + delta) cot(beta + phi)).
/// The soil fails on the plane for which P is the least. Below a level surface L = d / sin(beta), and the equation is
/// Reece's. With t = tan(beta), f = tan(phi), lean = alpha + delta and A = rho g d^2 / 2 it is there
///   P = (n2 t^2 + n1 t + n0) / (d2 t^2 + d1 t),   n2 = A cot(alpha) + c d,        d2 = cos(lean) - f sin(lean),
///                                                 n1 = A (1 + f cot(alpha)),      d1 = sin(lean) + f cos(lean),
///                                                 n0 = A f + c d,
/// least where (n2 d1 - n1 d2) t^2 - 2 n0 d2 t - n0 d1 = 0.

enum { PLANES = 70 }; ///< a degree apart, from the flattest on

#define LEAST_RAKE     0.35 ///< rad
#define MOST_RAKE      1.75 ///< rad: a blade that leans ahead presses the soil down, for which the law was not made
#define LEAST_DEPTH    0.05 ///< m
#define FLATTEST       (5.0 * M_PI / 180.0) ///< rad: of the planes
#define STEEPEST_PLANE (74.0 * M_PI / 180.0)

/// A plane through the edge: where it comes out, m, and the area above it, m2.
typedef struct Plane {
    double exit, area;
} Plane;

static Plane follow(const RuptureProfile *profile, double slope)
{
    Plane plane = {0.0, 0.0};
    double before = profile->top[0];
    for (int k = 1; k < profile->count && before > 0.0; k++) {
        double above = profile->top[k] - k * profile->pitch * slope;
        double share = above >= 0.0 ? 1.0 : before / (before - above); // of the pitch, up to where it comes out
        plane.area += 0.5 * share * profile->pitch * (before + fmax(0.0, above));
        plane.exit += share * profile->pitch;
        before = above;
    }
    return plane;
}

static double plane_slope(int k)
{
    return same_tan(FLATTEST + k * M_PI / 180.0);
}

double rupture_exit(const RuptureProfile *profile, double slope)
{
    return follow(profile, slope).exit;
}

RuptureProfile rupture_level(double depth, double pitch)
{
    RuptureProfile profile = {.count = RUPTURE_REACH, .pitch = pitch};
    for (int k = 0; k < RUPTURE_REACH; k++) {
        profile.top[k] = fmax(depth, LEAST_DEPTH);
    }
    return profile;
}

double rupture_slope_level(const SoilParams *soil, double rake, double depth)
{
    double alpha = fmin(fmax(rake, LEAST_RAKE), MOST_RAKE), f = same_tan(soil->friction_angle),
           d = fmax(depth, LEAST_DEPTH);
    double lean = alpha + soil->steel_friction_angle, cot = 1.0 / same_tan(alpha);
    double weight = 0.5 * soil->bank_density * STANDARD_GRAVITY * d * d, sticks = soil->cohesion * d;
    double n2 = weight * cot + sticks, n1 = weight * (1.0 + f * cot), n0 = weight * f + sticks;
    double d2 = same_cos(lean) - f * same_sin(lean), d1 = same_sin(lean) + f * same_cos(lean), a = n2 * d1 - n1 * d2;
    double under = n0 * (n0 * d2 * d2 + d1 * a), steepest = same_tan(STEEPEST_PLANE);
    double slope = a > 0.0 && under > 0.0 ? (n0 * d2 + sqrt(under)) / a : steepest; // without a least force it falls on
    return fmin(fmax(slope, same_tan(FLATTEST)), steepest);
}

/// A blade in a soil.
typedef struct RuptureBlade {
    const SoilParams *soil;
    double tangent; ///< of its rake
    double sine, cosine; ///< of its rake and the friction on it together
} RuptureBlade;

static RuptureBlade rupture_blade(const SoilParams *soil, double rake)
{
    double alpha = fmin(fmax(rake, LEAST_RAKE), MOST_RAKE), lean = alpha + soil->steel_friction_angle;
    return (RuptureBlade){.soil = soil, .tangent = same_tan(alpha), .sine = same_sin(lean), .cosine = same_cos(lean)};
}

/// Cotangent of the angle, against the horizontal, of the force between a plane and the soil above it.
static double across_plane(const SoilParams *soil, double slope)
{
    return 1.0 / same_tan(same_atan(slope) + soil->friction_angle);
}

/// Force on a plane of a slope; `across`: across_plane of it.
static double force_on(const RuptureBlade *blade, const RuptureProfile *profile, double slope, double across)
{
    double depth = profile->top[0], holds = blade->cosine + blade->sine * across;
    Plane plane = follow(profile, slope);
    double mass = blade->soil->bank_density * (plane.area + 0.5 * depth * depth / blade->tangent);
    double sticks = blade->soil->cohesion * plane.exit * (slope + across);
    return holds > 0.0 && plane.exit > 0.0 ? (STANDARD_GRAVITY * mass + sticks) / holds : HUGE_VAL;
}

double rupture_force(const SoilParams *soil, double rake, const RuptureProfile *profile, double slope)
{
    RuptureBlade blade = rupture_blade(soil, rake);
    return force_on(&blade, profile, slope, across_plane(soil, slope));
}

/// Forces on all planes, the flattest first, and which is the least; PLANES where none has a force.
typedef struct PlaneForces {
    double slope[PLANES], force[PLANES];
    int least;
} PlaneForces;

static void try_planes(const RuptureBlade *blade, const RuptureProfile *profile, PlaneForces *tried)
{
    double least = HUGE_VAL;
    tried->least = PLANES;
    for (int k = 0; k < PLANES; k++) {
        double slope = plane_slope(k), force = force_on(blade, profile, slope, across_plane(blade->soil, slope));
        tried->slope[k] = slope;
        tried->force[k] = force;
        tried->least = force < least ? k : tried->least;
        least = force < least ? force : least;
    }
}

/// The slope on which the force is the least.
static double weakest_slope(const SoilParams *soil, const PlaneForces *tried)
{
    return tried->least < PLANES ? tried->slope[tried->least] : same_tan(0.25 * M_PI - 0.5 * soil->friction_angle);
}

/// The flattest slope with at most `excess` (1 or more) times the least force.
static double flattest_slope(const PlaneForces *tried, double excess)
{
    int flattest = tried->least;
    while (flattest > 0 && flattest < PLANES && tried->force[flattest - 1] <= excess * tried->force[tried->least]) {
        flattest--;
    }
    return plane_slope(flattest);
}

double rupture_slope(const SoilParams *soil, double rake, const RuptureProfile *profile)
{
    RuptureBlade blade = rupture_blade(soil, rake);
    PlaneForces tried;
    try_planes(&blade, profile, &tried);
    return weakest_slope(soil, &tried);
}

double rupture_flattest(const SoilParams *soil, double rake, const RuptureProfile *profile, double excess)
{
    RuptureBlade blade = rupture_blade(soil, rake);
    PlaneForces tried;
    try_planes(&blade, profile, &tried);
    return flattest_slope(&tried, excess);
}

/// ---- spawning ------------------------------------------------------------------------------------------------------
/// Ground turns into particles ahead of a cutting edge.
///
/// Where the edge will be within the tick, the soil that has to fail lies between the edge and the surface: a wedge
/// that rises from the edge on the plane of the earthmoving equation (rupture_slope) ahead, and steeper beside and
/// behind. It is there only to give the soil room to fail in: where in it the soil really fails is up to the particles.
/// Where those on its border move over the ground or strain their bond with it, it deepens, down to a flatter plane.
/// Columns that the edge passes are cut to its height, the others down to the wedge. Of a column that an end of the
/// edge crosses, the part between the ends is cut: what is dug is as wide as the edge, wherever it goes.
/// A tool with side plates frees nothing beside them, and goes ahead in its own plane only.

/// Of a column, that has to lie between the ends of the edge for it to be cut. Chosen: rounding
#define LEAST_SHARE 0.02
/// The same between side plates for it to be freed before the edge comes to it. Chosen: of columns freed by their part
/// the wall ahead would be a bank, and a bucket's draft depend on its place by 9 %. See `validate run same`.
#define WHOLE_SHARE 0.9

/// Columns: an edge that goes no farther in a tick stays above what its wedge leaves, for that has ROOM below it.
/// Chosen: a wedge that is freed farther ahead made drafts in loam rise by 20 % from 0.3 to 1 m/s; see `validate run
/// blade`.
#define WITHIN 0.75

enum { SEEDS_PER_EDGE = MAX_SEEDS / 2 };
/// A second: how often slow edges free ground at least. Chosen; see LEAST_LOOSENED
enum { SLOW_TIMES_A_SECOND = 7 };

/// The wedge deepens to planes that rise so much less steeply than Rankine's, which is that of a smooth upright wall:
/// ahead of a rough blade soil fails farther away, most of all where the blade is steep. Where the particles' border is
/// too near, the draft is twice what it should be; see `validate run blade`.
#define ROOM_FLAT  0.7
#define ROOM_STEEP 0.5
/// An edge that goes down so much faster than ahead is pressed in, and cuts nothing. Chosen; see test_soil_kick.
#define PLUNGE 1.7
/// Rise of the wedge a metre behind an edge between side plates, at least: steeper where the belly of the tool, which
/// follows there, is steeper. Beside and behind one with free ends. Chosen; see test_soil_ground and `validate run
/// blade`.
#define BEHIND_BETWEEN 2.0
#define BEHIND_FREE    3.0
/// Layers of particles below the law's plane that are freed too: the plane itself runs through particles, not along
/// their border. Chosen; see `validate run blade`.
#define ROOM          1.0
#define UPRIGHT       100.0 ///< rise a metre of what is taken for upright
#define STEEPEST      1.4 ///< rad: a wedge rises no steeper. Chosen: upright on the columns, for 0.6 m of depth
#define WIDEST_EDGE   10.0 ///< m: of a ToolShape
#define MOST_REACH    4.0 ///< m: of a wedge. Chosen: at 2 m of depth it is whole
#define SECTION_ASIDE 1.2 ///< m: half the width, at most, over which the section ahead is taken. Chosen
/// Layers of particles: a column that an edge has left behind is cut again only where it stands so much higher than the
/// edge went. Chosen: less than a cut that had to wait, more than the bend of the edge's way.
#define WAITED        0.3
#define FALL_PIECE    0.5 ///< m: two such pieces of ground say by how much it falls. Chosen: more than its roughness
#define LEAST_SECTION 0.03 ///< m of depth: below it the surface says nothing of where the soil fails. Chosen
/// Nominal radii: a particle that has moved so far has failed below. Chosen; see `validate run blade`.
#define MOVED 0.1F
/// Share of the edge's speed: what has come to rest does not fail. Chosen; see `validate run slot`.
#define MOVES 0.1
/// Share of a bond's strength: from there on the ground below it may be where the soil fails. Chosen; see above.
#define NEAR_FAILURE 0.7
/// rad: an edge whose rake is larger trails behind its plate, as a blade that is drawn backwards. It smooths loose
/// soil; undisturbed ground bears the back of the plate. Chosen: 20 degrees beyond upright.
#define TRAILING 1.92
/// m of depth for a metre of the edge's way, at most, by which the wedge is freed: soil fails by strain, not at once.
/// Chosen: a wedge of 0.3 m is whole after 2 mm; slower, drafts in loam rise. See `validate run blade`.
#define LOOSENS 150.0
/// Layers of particles for a metre of the edge's way, at most, by which the wedge deepens where it is asked to. Chosen;
/// see `validate run same`.
#define DEEPENS 600.0
/// Layers of particles that are freed at least, SLOW_TIMES_A_SECOND, however slow the edge is. Chosen: 0.1 m/s.
#define LEAST_LOOSENED 0.2

/// The way from the edge along the plate that ends in it, tool frame, not of unit length: to the middle of the piece
/// that is nearest.
static Vec3 plate_behind_edge(const ToolShape *shape)
{
    double nearest = HUGE_VAL;
    Vec3 plate = vec3(0.0, 0.0, 1.0);
    for (int k = 0; k < shape->piece_count; k++) {
        const ToolPiece *piece = &shape->pieces[k];
        double away = HUGE_VAL, x = 0.0, z = 0.0;
        for (int c = 0; c < piece->corner_count; c++) {
            double dx = piece->corners[c][0] - shape->edge[0], dz = piece->corners[c][1] - shape->edge[1];
            away = fmin(away, dx * dx + dz * dz);
            x += dx / piece->corner_count;
            z += dz / piece->corner_count;
        }
        double width = piece->y_max - piece->y_min;
        if (away < nearest && width > 0.5 * shape->edge_width) {
            nearest = away;
            plate = vec3(x, 0.0, z);
        }
    }
    return plate;
}

/// Rise a metre of what follows behind the edge, seen along its level way: the flattest line from the edge to a corner
/// of a piece as wide as the edge. UPRIGHT where nothing is behind, as of a bucket that goes down a wall with its plate
/// along it.
static double belly_slope(const SoilTool *tool, const Vec3 *ahead)
{
    const ToolShape *shape = tool->shape;
    double flattest = UPRIGHT;
    for (int k = 0; k < shape->piece_count; k++) {
        const ToolPiece *piece = &shape->pieces[k];
        bool wide = piece->y_max - piece->y_min > 0.5 * shape->edge_width;
        for (int c = 0; wide && c < piece->corner_count; c++) {
            Vec3 from_edge = vec3(piece->corners[c][0] - shape->edge[0], 0.0, piece->corners[c][1] - shape->edge[1]);
            Vec3 corner = mat3_mul(&tool->motion.frame.rotation, from_edge);
            double behind = -vec3_dot(corner, *ahead);
            if (behind * UPRIGHT > corner.z && behind > 0.0) {
                flattest = fmin(flattest, fmax(corner.z, 0.0) / behind);
            }
        }
    }
    return flattest;
}

/// rad between the plate and the way it comes, 0..pi.
static double rake_of(const Vec3 *plate, const Vec3 *velocity)
{
    double size = vec3_length(*plate) * vec3_length(*velocity);
    double cosine = size > 0.0 ? -vec3_dot(*plate, *velocity) / size : 0.0;
    return same_acos(fmax(-1.0, fmin(1.0, cosine)));
}

/// Rise of the deepest plane below a level surface.
static double deepest_slope(const SoilParams *params, double rake)
{
    double steep = fmax(0.0, fmin(1.0, 1.0 - 2.0 * same_cos(rake))); // 0 up to 60 degrees .. 1 from 90 on
    return (ROOM_FLAT + steep * (ROOM_STEEP - ROOM_FLAT)) * same_tan(0.25 * M_PI - 0.5 * params->friction_angle);
}

/// Tangent of the angle at which a plane rises, that is `slope` above a level way, when the way itself rises: rake and
/// plane turn with it. Soil that is lifted off breaks along an upright plane.
static double turned_slope(double slope, const Vec3 *velocity)
{
    double rise = same_atan2(fmax(0.0, velocity->z), sqrt(velocity->x * velocity->x + velocity->y * velocity->y));
    return same_tan(fmin(same_atan(slope) + rise, STEEPEST));
}

/// The horizontal part of a vector, of unit length; zero when it is shorter than `least`.
static Vec3 level_direction(Vec3 v, double least)
{
    double length = sqrt(v.x * v.x + v.y * v.y);
    return length > least ? vec3(v.x / length, v.y / length, 0.0) : vec3(0.0, 0.0, 0.0);
}

/// The column that a point of an edge digs in. Between side plates that is one that is cut: at the ends of the edge it
/// lies a column further in, for the one that they pass through may stand.
static void dug_column(const CutEdge *edge, const Ground *ground, Vec3 at, int *row, int *column)
{
    double aside = (at.x - edge->middle_x) * edge->side_x + (at.y - edge->middle_y) * edge->side_y;
    double beyond = fmax(0.0, fabs(aside) + 2.0 * edge->half_column - edge->half_width);
    double in = copysign(fmin(beyond, fabs(aside)), -aside);
    ground_column_at(ground, at.x + in * edge->side_x, at.y + in * edge->side_y, row, column);
}

static void add_seed(CutEdge *edge, const Ground *ground, const SoilTool *tool, Vec3 at, Vec3 velocity, double rake,
                     double room, double dt)
{
    int row, column;
    dug_column(edge, ground, at, &row, &column);
    const SoilParams *params = &ground->soils[ground_top_soil(ground, row, column)];
    double speed = sqrt(velocity.x * velocity.x + velocity.y * velocity.y);
    Vec3 ahead = level_direction(velocity, SOIL_STILL_SPEED);
    Seed seed = {.at = at, .direction_x = ahead.x, .direction_y = ahead.y, .reach = MOST_REACH};
    seed.slope_ahead = seed.slope_deepest = seed.slope_behind =
        same_tan(STEEPEST); // what is only lifted breaks upright
    seed.plunges = velocity.z < -PLUNGE * speed;
    if (speed > SOIL_STILL_SPEED) {
        seed.sinks = fmax(0.0, -velocity.z / speed);
        double depth = (double)ground->height[ground_index(ground, row, column)] - at.z;
        seed.slope_deepest = deepest_slope(params, rake);
        seed.slope_ahead = turned_slope(fmax(seed.slope_deepest, rupture_slope_level(params, rake, depth)), &velocity);
        seed.slope_deepest = turned_slope(seed.slope_deepest, &velocity);
        seed.slope_behind = edge->half_width < HUGE_VAL ? fmax(BEHIND_BETWEEN, belly_slope(tool, &ahead)) : BEHIND_FREE;
        seed.room = ROOM * room;
        if (rake > TRAILING) {
            seed.slope_ahead = seed.slope_deepest = 1.0;
            seed.plunges |= !ground_top_is_loose(ground, row, column);
        }
    }
    edge->seeds[edge->count++] = seed;
    if (speed * dt > WITHIN * ground->spacing) {
        seed.at.x += 2.0 * dt * velocity.x;
        seed.at.y += 2.0 * dt * velocity.y;
        seed.next = true;
        edge->seeds[edge->count++] = seed;
    }
}

/// A point of an edge, and its velocity.
static Vec3 edge_point(const SoilTool *tool, double y, Vec3 *velocity)
{
    Vec3 at = pose_apply(&tool->motion.frame, vec3(tool->shape->edge[0], y, tool->shape->edge[1]));
    *velocity = vec3_add(tool->motion.velocity, vec3_cross(tool->motion.spin, vec3_sub(at, tool->motion.center)));
    return at;
}

/// True when any of an edge's points lies below the surface, where it is or where it goes in this tick.
static bool is_in_ground(const Ground *ground, const SoilTool *tool, int points, const Vec3 *along, double dt)
{
    for (int k = 0; k < points; k++) {
        Vec3 velocity, at = edge_point(tool, tool->shape->edge_width * ((double)k / (points - 1) - 0.5), &velocity);
        Vec3 within = vec3_madd(velocity, -vec3_dot(velocity, *along), *along); // as an edge between side plates goes
        if (ground_height(ground, at.x, at.y) > at.z ||
            ground_height(ground, at.x + 2.0 * dt * velocity.x, at.y + 2.0 * dt * velocity.y) > at.z ||
            ground_height(ground, at.x + 2.0 * dt * within.x, at.y + 2.0 * dt * within.y) > at.z) {
            return true;
        }
    }
    return false;
}

void spawn_seed_edge(const Ground *ground, const SoilTool *tool, double room, double dt, CutEdge *edge)
{
    const ToolShape *shape = tool->shape;
    const Mat3 *turn = &tool->motion.frame.rotation;
    int points = (int)(shape->edge_width / ground->spacing) + 1;
    points = points > SEEDS_PER_EDGE ? SEEDS_PER_EDGE : points < 2 ? 2 : points;
    bool sided = tool_has_side_plates(shape);
    Vec3 plate = mat3_mul(turn, plate_behind_edge(shape)), along = vec3(turn->m[0][1], turn->m[1][1], turn->m[2][1]);
    Vec3 middle = pose_apply(&tool->motion.frame, vec3(shape->edge[0], 0.0, shape->edge[1]));
    Vec3 side = level_direction(along, 0.0);
    memset(edge, 0, offsetof(CutEdge, seeds)); // seeds are written as they are counted
    edge->middle_x = middle.x;
    edge->middle_y = middle.y;
    edge->side_x = side.x;
    edge->side_y = side.y;
    edge->half_column = 0.5 * ground->spacing * (fabs(side.x) + fabs(side.y));
    edge->half_edge = fmax(0.5 * shape->edge_width, 3.0 * edge->half_column); // a tine breaks more than it passes
    edge->half_width = sided ? edge->half_edge : HUGE_VAL;
    if (!is_in_ground(ground, tool, points, &along, dt)) {
        return;
    }
    double fastest = 0.0;
    for (int k = 0; k < points; k++) {
        Vec3 velocity, now = edge_point(tool, shape->edge_width * ((double)k / (points - 1) - 0.5), &velocity);
        if (sided) {
            velocity = vec3_madd(velocity, -vec3_dot(velocity, along), along);
        }
        fastest = fmax(fastest, vec3_length(velocity));
        if (k == points / 2) {
            edge->velocity = velocity;
            edge->rake = rake_of(&plate, &velocity);
        }
        add_seed(edge, ground, tool, now, velocity, rake_of(&plate, &velocity), room, dt);
    }
    edge->count = fastest > SOIL_STILL_SPEED ? edge->count : 0;
    edge->speed = fastest;
    edge->step = LOOSENS * fastest * dt;
}

/// m along the edge, from its middle.
static double place_along(const CutEdge *edge, double x, double y)
{
    return (x - edge->middle_x) * edge->side_x + (y - edge->middle_y) * edge->side_y;
}

double spawn_share_of_column(const CutEdge *edge, double x, double y)
{
    double at = place_along(edge, x, y), half = edge->half_column;
    double over = lesser_of(at + half, edge->half_edge) - greater_of(at - half, -edge->half_edge);
    return half > 0.0 ? greater_of(0.0, lesser_of(1.0, 0.5 * over / half)) : 1.0;
}

double spawn_shared_floor(const Ground *ground, const CutEdge *edge, double x, double y, double share, double floor)
{
    double out = copysign(2.0 * edge->half_column, place_along(edge, x, y));
    double beside = ground_height(ground, x + out * edge->side_x, y + out * edge->side_y);
    return share < 1.0 ? floor + (1.0 - share) * fmax(0.0, beside - floor) : floor;
}

double spawn_seed_floor(const Seed *seed, double x, double y, bool deepest)
{
    double dx = x - seed->at.x, dy = y - seed->at.y;
    double distance = sqrt(dx * dx + dy * dy);
    double ahead = dx * seed->direction_x + dy * seed->direction_y;
    double share = distance > 0.0 ? fmax(0.0, ahead / distance) : 1.0; // 1 ahead .. 0 beside and behind
    double slope_ahead = deepest ? seed->slope_deepest : seed->slope_ahead;
    double slope = seed->slope_behind + (slope_ahead - seed->slope_behind) * share;
    double below = deepest ? 0.0 : seed->room * share;
    return seed->at.z - seed->fall * ahead + fmax(0.0, slope * distance - below);
}

/// True when the surface at the edge hangs on a column: that surface must not rise above the edge. Columns that the
/// edge has just passed count too, should their cut have had to wait. Distances are along the edge and across it.
static bool passes(const CutEdge *edge, const Seed *seed, double x, double y, double spacing)
{
    double dx = x - seed->at.x, dy = y - seed->at.y;
    double back = -(dx * seed->direction_x + dy * seed->direction_y);
    double across = fabs(dx * edge->side_y - dy * edge->side_x), beside = fabs(dx * edge->side_x + dy * edge->side_y);
    bool moves =
        fabs(seed->direction_x) + fabs(seed->direction_y) > 0.0; // an edge that only rises has nothing behind it
    return beside <= 0.75 * spacing && (across < spacing || (moves && back >= 0.0 && back < 1.5 * spacing));
}

/// The columns around an edge that its wedge may reach.
typedef struct Window {
    int row_low, row_high, column_low, column_high;
} Window;

static Window wedge_window(const Ground *ground, const CutEdge *edge)
{
    double low_x = HUGE_VAL, low_y = HUGE_VAL, high_x = -HUGE_VAL, high_y = -HUGE_VAL, reach = 0.0;
    for (int k = 0; k < edge->count; k++) {
        const Seed *seed = &edge->seeds[k];
        double depth = ground_height(ground, seed->at.x, seed->at.y) - seed->at.z + 0.5;
        low_x = fmin(low_x, seed->at.x);
        high_x = fmax(high_x, seed->at.x);
        low_y = fmin(low_y, seed->at.y);
        high_y = fmax(high_y, seed->at.y);
        reach = fmax(reach, depth / seed->slope_deepest);
    }
    reach = fmin(reach, MOST_REACH);
    Window window;
    ground_column_at(ground, low_x - reach, low_y - reach, &window.row_low, &window.column_low);
    ground_column_at(ground, high_x + reach, high_y + reach, &window.row_high, &window.column_high);
    return window;
}

/// Share of what its bond with the ground holds that a particle asks of it: of its tension or of its shear, as of the
/// last substep.
static double bond_use(const Soil *soil, int32_t i)
{
    const Particles *p = &soil->state.particles;
    ContactMaterial m = contact_material(&soil->model, CONTACT_GROUND, p->soil[i], p->soil[i], (double)p->radius[i]);
    double h =
        1.0 / ((double)soil->model.scene.rates.tick_rate * soil->model.scene.rates.substeps * soil->model.pieces);
    Vec3 lambda = vec3((double)p->ground_lambda_x[i], (double)p->ground_lambda_y[i], (double)p->ground_lambda_z[i]);
    Vec3 force = vec3_scale(lambda, 1.0 / (h * h)), normal;
    ground_surface(soil->state.grounds.site, p->x[i], p->y[i], &normal);
    double pressing = vec3_dot(force, normal);
    double shear = vec3_length(vec3_madd(force, -pressing, normal));
    double shear_hold = m.friction * fmax(0.0, pressing) + m.adhesion;
    return fmax(m.adhesion > 0.0 ? -pressing / m.adhesion : 0.0, shear_hold > 0.0 ? shear / shear_hold : 0.0);
}

/// True when a particle asks for more room below it: it moves over the ground that it was cut from, not by far slower
/// than the edge, or its bond with that is about to fail. Loose soil that slides over the ground does not ask.
static bool asks(const Soil *soil, const CutEdge *edge, int32_t i)
{
    const Particles *p = &soil->state.particles;
    if (!p->ground_near[i] || particle_is_disturbed(p, i, soil->model.particle_radius)) {
        return false;
    }
    double square = p->vx[i] * p->vx[i] + p->vy[i] * p->vy[i] + p->vz[i] * p->vz[i], least = MOVES * edge->speed;
    return (p->path[i] > MOVED * (float)soil->model.particle_radius && square > least * least) ||
           bond_use(soil, i) > NEAR_FAILURE;
}

/// What a window's columns hold, row by row.
typedef struct WindowColumns {
    uint8_t *asked; ///< 1: a particle on it asks for more room
    float *top; ///< m: highest ground or particle
    int rows, columns;
} WindowColumns;

size_t spawn_scratch_bytes(int rows, int columns, double spacing)
{
    int side = (int)((WIDEST_EDGE + 2.0 * MOST_REACH) / spacing) + 4;
    size_t count = (size_t)(rows < side ? rows : side) * (size_t)(columns < side ? columns : side);
    size_t window = zeroed_room(count, sizeof(float)) + zeroed_room(count, sizeof(uint8_t));
    size_t edge = zeroed_room(2 * ((size_t)rows + (size_t)columns), sizeof(float));
    return window > edge ? window : edge;
}

static WindowColumns look_at_window(Soil *soil, const CutEdge *edge, const Window *window)
{
    const Ground *ground = soil->state.grounds.site;
    const Particles *p = &soil->state.particles;
    WindowColumns seen = {.rows = window->row_high - window->row_low + 1,
                          .columns = window->column_high - window->column_low + 1};
    size_t count = (size_t)seen.rows * (size_t)seen.columns;
    seen.top = scratch_take(&soil->scratch.memory, "tops of columns", count, sizeof *seen.top);
    seen.asked = scratch_take(&soil->scratch.memory, "columns asked to deepen", count, sizeof *seen.asked);
    memset(seen.asked, 0, count);
    for (int row = 0; row < seen.rows; row++) {
        memcpy(seen.top + (size_t)row * (size_t)seen.columns,
               &ground->height[ground_index(ground, window->row_low + row, window->column_low)],
               (size_t)seen.columns * sizeof *seen.top);
    }
    for (int32_t i = 0; i < p->count; i++) {
        int row, column;
        if (ground_find_column(ground, p->x[i], p->y[i], &row, &column) && row >= window->row_low &&
            row <= window->row_high && column >= window->column_low && column <= window->column_high) {
            int k = (row - window->row_low) * seen.columns + column - window->column_low;
            float top = (float)p->z[i] + p->radius[i];
            seen.top[k] = top > seen.top[k] ? top : seen.top[k];
            seen.asked[k] |= asks(soil, edge, i);
        }
    }
    return seen;
}

/// A place `ahead` m of an edge's middle, on one of three lines along its way: -1, 0, 1.
static void place_ahead(const CutEdge *edge, const Seed *middle, double ahead, int line, double *x, double *y)
{
    double aside = line * 0.5 * fmin(edge->half_width, SECTION_ASIDE);
    *x = middle->at.x + ahead * middle->direction_x + aside * edge->side_x;
    *y = middle->at.y + ahead * middle->direction_y + aside * edge->side_y;
}

/// The section ahead of the edge's middle, mean of three lines along its way.
static RuptureProfile section_ahead(const Soil *soil, const CutEdge *edge, const Seed *middle, const Window *window,
                                    const WindowColumns *seen)
{
    const Ground *ground = soil->state.grounds.site;
    RuptureProfile profile = {.pitch = MOST_REACH / RUPTURE_REACH};
    for (; profile.count < RUPTURE_REACH; profile.count++) {
        double sum = 0.0;
        for (int line = -1; line <= 1; line++) {
            double x, y;
            int row, column;
            place_ahead(edge, middle, profile.count * profile.pitch, line, &x, &y);
            ground_column_at(ground, x, y, &row, &column);
            row = row < window->row_low ? window->row_low : row > window->row_high ? window->row_high : row;
            column = column < window->column_low    ? window->column_low
                     : column > window->column_high ? window->column_high
                                                    : column;
            int k = (row - window->row_low) * seen->columns + column - window->column_low;
            sum += (double)seen->top[k] / 3.0;
        }
        profile.top[profile.count] = sum - middle->at.z;
    }
    return profile;
}

/// Heights over a plane that falls by `fall` m a metre from the edge on.
static void lift_profile(RuptureProfile *profile, double fall)
{
    for (int k = 0; k < profile->count; k++) {
        profile->top[k] += fall * k * profile->pitch;
    }
}

/// m a metre by which the ground falls that the edge comes to next, as far as its way falls, too. It is read beyond the
/// wedge, for what lies on that is heaped up; where less of it falls, as before an edge, the flatter half counts.
static double fall_ahead(const Soil *soil, const CutEdge *edge, const Seed *middle, const RuptureProfile *profile)
{
    const Ground *ground = soil->state.grounds.site;
    double speed = sqrt(edge->velocity.x * edge->velocity.x + edge->velocity.y * edge->velocity.y);
    double fall = fmax(0.0, fmin(-edge->velocity.z, PLUNGE * speed)) / speed;
    if (fall == 0.0) {
        return 0.0;
    }
    RuptureProfile over = *profile;
    lift_profile(&over, fall);
    double out = rupture_exit(&over, middle->slope_ahead) + ground->spacing, heights[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < 3; k++) {
        for (int line = -1; line <= 1; line++) {
            double x, y;
            place_ahead(edge, middle, out + k * FALL_PIECE, line, &x, &y);
            heights[k] += ground_height(ground, x, y) / 3.0;
        }
    }
    double falls = fmin(heights[0] - heights[1], heights[1] - heights[2]) / FALL_PIECE;
    return fmax(0.0, fmin(fall, falls));
}

/// The wedge rises over ground that falls, not over a level plane: below a level plane it would come out of the soil so
/// soon that the edge passes over what it should cut.
static void turn_down(CutEdge *edge, double fall, double dt)
{
    Vec3 v = edge->velocity;
    double ahead = 2.0 * dt * sqrt(v.x * v.x + v.y * v.y);
    for (int k = 0; k < edge->count; k++) {
        Seed *seed = &edge->seeds[k];
        seed->fall = fall;
        seed->at.z -= seed->next ? fall * ahead : 0.0;
    }
}

/// Where the soil before the edge rises, its plane is steeper than below a level surface: a chip at the foot of a high
/// face comes out before the face. Nor does the wedge deepen to planes that take, of what the best takes, more than the
/// deepest does below a level surface.
static void fit_to_section(const Soil *soil, CutEdge *edge, const Window *window, const WindowColumns *seen, double dt)
{
    const Ground *ground = soil->state.grounds.site;
    const Seed *middle = &edge->seeds[edge->count / 2];
    if (edge->rake > TRAILING || (middle->direction_x == 0.0 && middle->direction_y == 0.0)) {
        return;
    }
    RuptureProfile profile = section_ahead(soil, edge, middle, window, seen);
    double fall = fall_ahead(soil, edge, middle, &profile);
    turn_down(edge, fall, dt);
    lift_profile(&profile, fall);
    if (profile.top[0] < LEAST_SECTION) {
        return;
    }
    int row, column;
    ground_column_at(ground, middle->at.x, middle->at.y, &row, &column);
    const SoilParams *params = &ground->soils[ground_top_soil(ground, row, column)];
    RuptureProfile level = rupture_level(profile.top[0], profile.pitch);
    RuptureBlade blade = rupture_blade(params, edge->rake);
    PlaneForces on_level, here;
    try_planes(&blade, &level, &on_level);
    try_planes(&blade, &profile, &here);
    double slope = weakest_slope(params, &on_level), room = deepest_slope(params, edge->rake);
    double excess = rupture_force(params, edge->rake, &level, room) / rupture_force(params, edge->rake, &level, slope);
    double steeper = fmax(1.0, weakest_slope(params, &here) / slope);
    double closer = fmax(steeper, flattest_slope(&here, fmax(excess, 1.0)) / room);
    double upright = same_tan(STEEPEST);
    for (int k = 0; k < edge->count; k++) {
        Seed *seed = &edge->seeds[k];
        seed->slope_ahead = fmin(steeper * seed->slope_ahead, fmax(seed->slope_ahead, upright));
        seed->slope_deepest = fmin(closer * seed->slope_deepest, seed->slope_ahead);
        seed->reach = rupture_exit(&profile, seed->slope_deepest) + ground->spacing;
    }
}

/// True when a seed neither passes a column, at a distance whose square is `square`, nor has a floor below its height;
/// `ahead`: m of the distance along its way.
static bool leaves(const Seed *seed, double ahead, double square, double height, double spacing)
{
    if (square <= 3.0 * spacing * spacing) {
        return false; // passes() reaches 1.5 columns along and 0.75 aside
    }
    double flattest = seed->slope_behind < seed->slope_ahead ? seed->slope_behind : seed->slope_ahead;
    flattest = seed->slope_deepest < flattest ? seed->slope_deepest : flattest;
    double above = height - seed->at.z + seed->fall * ahead, most = above + seed->room;
    return above <= 0.0 || (flattest > 0.0 && square * flattest * flattest > most * most * (1.0 + 1e-9));
}

/// What holds for all seeds of an edge: most columns of its window are found with it to lie beyond all of them.
typedef struct WedgeBounds {
    double low_along, high_along, low_across, high_across; ///< m: places along the edge and across it
    double low_z; ///< m: of the lowest
    double flattest; ///< least of all slopes
    double room, fall; ///< greatest
} WedgeBounds;

static WedgeBounds bound_wedge(const CutEdge *edge)
{
    WedgeBounds bounds = {HUGE_VAL, -HUGE_VAL, HUGE_VAL, -HUGE_VAL, HUGE_VAL, HUGE_VAL, 0.0, 0.0};
    for (int k = 0; k < edge->count; k++) {
        const Seed *seed = &edge->seeds[k];
        double along = seed->at.x * edge->side_x + seed->at.y * edge->side_y;
        double across = seed->at.y * edge->side_x - seed->at.x * edge->side_y;
        bounds.low_along = fmin(bounds.low_along, along);
        bounds.high_along = fmax(bounds.high_along, along);
        bounds.low_across = fmin(bounds.low_across, across);
        bounds.high_across = fmax(bounds.high_across, across);
        bounds.low_z = fmin(bounds.low_z, seed->at.z);
        bounds.flattest = fmin(bounds.flattest, fmin(seed->slope_behind, fmin(seed->slope_ahead, seed->slope_deepest)));
        bounds.room = fmax(bounds.room, seed->room);
        bounds.fall = fmax(bounds.fall, seed->fall);
    }
    return bounds;
}

/// True when leaves() holds for every seed of an edge, with more than what the bounds lose by rounding.
static bool all_leave(const WedgeBounds *bounds, const CutEdge *edge, double x, double y, double height, double spacing)
{
    const double rounding = 1e-6; // m
    double along = x * edge->side_x + y * edge->side_y, across = y * edge->side_x - x * edge->side_y;
    double before = bounds->low_along - along, behind = along - bounds->high_along;
    double left = bounds->low_across - across, right = across - bounds->high_across;
    double beside = greater_of(greater_of(before, behind), 0.0), off = greater_of(greater_of(left, right), 0.0);
    double square = beside * beside + off * off;
    if (square <= 3.0 * spacing * spacing + rounding) {
        return false;
    }
    double far_along = greater_of(-before, -behind), far_across = greater_of(-left, -right);
    double falls = bounds->fall > 0.0 ? bounds->fall * sqrt(far_along * far_along + far_across * far_across) : 0.0;
    double above = height - bounds->low_z + falls + rounding, most = above + bounds->room;
    return above <= 0.0 ||
           (bounds->flattest > 0.0 && square * bounds->flattest * bounds->flattest > most * most * (1.0 + 1e-6));
}

/// Marks a column to be cut where an edge passes it, where the law's wedge has it, or a layer deeper where it is asked.
static void mark_column(Soil *soil, const CutEdge *edge, const WedgeBounds *bounds, const Crowding *crowding, int row,
                        int column, bool asked)
{
    const Ground *ground = soil->state.grounds.site;
    double x = ground->origin_x + column * ground->spacing, y = ground->origin_y + row * ground->spacing;
    double height = (double)ground->height[ground_index(ground, row, column)], lowest = HUGE_VAL, deepest = HUGE_VAL;
    if (all_leave(bounds, edge, x, y, height, ground->spacing)) {
        return;
    }
    double share = spawn_share_of_column(edge, x, y);
    bool passed = false;
    if (share < LEAST_SHARE && edge->half_width < HUGE_VAL) {
        return;
    }
    for (int k = 0; k < edge->count; k++) {
        const Seed *seed = &edge->seeds[k];
        double dx = x - seed->at.x, dy = y - seed->at.y, square = dx * dx + dy * dy;
        double ahead = dx * seed->direction_x + dy * seed->direction_y;
        if (leaves(seed, ahead, square, height, ground->spacing)) {
            continue;
        }
        bool here = share >= LEAST_SHARE && passes(edge, seed, x, y, ground->spacing);
        double distance = sqrt(square);
        double cosine = distance > 0.0 ? ahead / distance : 1.0;
        if (!here && (ahead > seed->reach || distance > crowding_wedge_reach(crowding, cosine))) {
            continue;
        }
        double edge_height = seed->at.z + (ahead > 0.0 ? -seed->fall : -seed->sinks) * ahead;
        if (here && ahead < -0.5 * ground->spacing && height - edge_height < WAITED * soil->model.layer_height) {
            continue;
        }
        lowest = fmin(lowest, here ? edge_height : spawn_seed_floor(seed, x, y, false));
        deepest = fmin(deepest, here ? edge_height : spawn_seed_floor(seed, x, y, true));
        passed |= here;
    }
    if (asked && !passed) {
        double deeper = DEEPENS * edge->speed * model_tick(&soil->model) * soil->model.layer_height;
        lowest = fmin(lowest, fmax(deepest, height - deeper));
    }
    lowest = passed ? lowest : fmax(lowest, height - edge->step);
    if (!passed && share < WHOLE_SHARE && edge->half_width < HUGE_VAL) {
        return;
    }
    if (passed || edge->half_width < HUGE_VAL) {
        lowest = spawn_shared_floor(ground, edge, x, y, share, lowest);
    }
    if (lowest < height && !ground_is_covered(ground, row, column)) { // what bears a tool is pushed away, not cut
        cut_mark(soil, row, column, lowest, passed);
    }
}

static void mark_wedge(Soil *soil, CutEdge *edge, double dt)
{
    Window window = wedge_window(soil->state.grounds.site, edge);
    WindowColumns seen = look_at_window(soil, edge, &window);
    Crowding crowding = crowding_measure(soil);
    fit_to_section(soil, edge, &window, &seen, dt);
    WedgeBounds bounds = bound_wedge(edge);
    for (int row = window.row_low, k = 0; row <= window.row_high; row++) {
        for (int column = window.column_low; column <= window.column_high; column++, k++) {
            mark_column(soil, edge, &bounds, &crowding, row, column, seen.asked[k]);
        }
    }
    scratch_give_back(&soil->scratch.memory, seen.asked);
    scratch_give_back(&soil->scratch.memory, seen.top);
}

bool spawn_is_in_tool(const SolverBody *bodies, int body_count, Vec3 at, double room)
{
    for (int b = 0; b < body_count; b++) {
        const SoilTool *tool = &bodies[b].tool;
        double bound = bodies[b].reach + room;
        Vec3 local = pose_apply_inverse(&tool->motion.frame, at), to = vec3_sub(local, bodies[b].middle);
        if (vec3_dot(to, to) < bound * bound && tool_is_within(tool->shape, local, room)) {
            return true;
        }
    }
    return false;
}

int spawn_particle(Soil *soil, Vec3 at, int soil_index, int64_t mass, double nominal)
{
    Particles *p = &soil->state.particles;
    int i = particles_add(p);
    uint32_t id = p->id[i];
    double jitter = 0.03 * soil->model.particle_radius;
    p->x[i] = at.x + jitter * (2.0 * random_unit(soil->model.seed, 11, id) - 1.0);
    p->y[i] = at.y + jitter * (2.0 * random_unit(soil->model.seed, 12, id) - 1.0);
    p->z[i] = at.z + jitter * (2.0 * random_unit(soil->model.seed, 13, id) - 1.0);
    double size = packing_cube_root((double)mass / nominal), vary = 0.90 + 0.10 * random_unit(soil->model.seed, 14, id);
    p->radius[i] = (float)(soil->model.particle_radius * vary * fmax(0.7, fmin(1.0, size)));
    p->mass[i] = (int32_t)mass;
    p->soil[i] = (uint8_t)soil_index;
    p->newborn[i] = PARTICLE_BORN;
    p->path[i] = PARTICLE_LOOSE;
    soil->derived.counters.spawned++;
    return i;
}

int spawn_loose_particle(Particles *p, Vec3 at, Vec3 velocity, double radius, int soil_index, double mass)
{
    int i = particles_add(p);
    if (i >= 0) {
        p->x[i] = at.x;
        p->y[i] = at.y;
        p->z[i] = at.z;
        p->vx[i] = velocity.x;
        p->vy[i] = velocity.y;
        p->vz[i] = velocity.z;
        p->radius[i] = (float)radius;
        p->soil[i] = (uint8_t)soil_index;
        p->path[i] = -1.0F;
        p->mass[i] = (int32_t)(mass / SOIL_QUANTUM + 0.5);
    }
    return i;
}

/// An edge that plunges cuts nothing: the ground bears it, until it gives way (bearing.c). Returns how many seeds are
/// left.
static int keep_cutting(Seed *seeds, int count)
{
    int kept = 0;
    for (int k = 0; k < count; k++) {
        if (!seeds[k].plunges) {
            seeds[kept++] = seeds[k];
        }
    }
    return kept;
}

static void note_strip(Soil *soil, const CutEdge *edge, double half_inside)
{
    if (edge->half_width < HUGE_VAL) {
        soil->scratch.strips[soil->scratch.strip_count++] = (SoilStrip){.middle_x = edge->middle_x,
                                                                        .middle_y = edge->middle_y,
                                                                        .side_x = edge->side_x,
                                                                        .side_y = edge->side_y,
                                                                        .half_edge = edge->half_edge,
                                                                        .half_inside = half_inside,
                                                                        .half_column = edge->half_column};
    }
}

void spawn_ahead(Soil *soil, double dt)
{
    for (int b = 0; b < soil->derived.body_count; b++) {
        const SoilTool *tool = &soil->derived.bodies[b].tool;
        if (!tool->cuts) {
            continue;
        }
        CutEdge edge;
        spawn_seed_edge(soil->state.grounds.site, tool, soil->model.layer_height, dt, &edge);
        edge.count = keep_cutting(edge.seeds, edge.count);
        if (model_times(&soil->model, soil->state.tick, SLOW_TIMES_A_SECOND) > 0) {
            edge.step = fmax(edge.step, LEAST_LOOSENED * soil->model.layer_height);
        }
        bool deep = false;
        for (int k = 0; k < edge.count; k++) {
            deep |=
                ground_height(soil->state.grounds.site, edge.seeds[k].at.x, edge.seeds[k].at.y) > edge.seeds[k].at.z;
        }
        if (deep) {
            mark_wedge(soil, &edge, dt);
            note_strip(soil, &edge, 0.5 * tool->shape->inside_width);
        }
    }
    overflow_mark(soil);
    brink_mark(soil);
    cut_marked(soil);
    soil->scratch.strip_count = 0;
}
