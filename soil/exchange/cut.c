/// Columns of ground become particles.
///
/// Ground is a piece of one endless random packing (packing.h). Where its surface is lowered, the spheres appear whose
/// centres lay under the old surface and lie above the new one. What they weigh together is what the columns lost in
/// the tick, shared by their volume: no quantum is lost, whatever the borders of columns do to single spheres. Contacts
/// made at birth hold no force (pair_update.c).
#include <math.h>
#include <string.h>

#include "soil/exchange/exchange.h"
#include "soil/exchange/spawn.h"

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
#define ROOM 0.5

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
        double z =
            packing_next(&soil->model.packing, walk->column * side + a, walk->row * side + b, walk->units, &sphere);
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
    int index = ground_index(soil->state.grounds.site, row, column), mark = soil->scratch.marks[index];
    return mark > 0 ? (double)soil->scratch.cuts[mark - 1].floor : (double)soil->state.grounds.site->height[index];
}

/// Height of the surface after the cuts, bilinear as ground_height.
static double surface_after(const Soil *soil, double x, double y)
{
    const Ground *ground = soil->state.grounds.site;
    double u = (x - ground->origin_x) / ground->spacing, v = (y - ground->origin_y) / ground->spacing;
    u = !(u > 0.0) ? 0.0 : u > ground->columns - 1.001 ? ground->columns - 1.001 : u;
    v = !(v > 0.0) ? 0.0 : v > ground->rows - 1.001 ? ground->rows - 1.001 : v;
    int column = (int)u, row = (int)v;
    double h00 = height_after(soil, row, column), h10 = height_after(soil, row, column + 1);
    double h01 = height_after(soil, row + 1, column), h11 = height_after(soil, row + 1, column + 1);
    double low = h00 + (u - column) * (h10 - h00), high = h01 + (u - column) * (h11 - h01);
    return low + (v - row) * (high - low);
}

/// Notes the spheres of a column that lie under the surface as it is and above the new one. Their places are written
/// behind the living particles.
static int note_spheres(Soil *soil, int row, int column, int noted)
{
    Particles *p = &soil->state.particles;
    Ground *ground = soil->state.grounds.site;
    double low = HUGE_VAL, high = -HUGE_VAL; // the surface in a column lies between the heights around it
    for (int r = row - 1; r <= row + 1; r++) {
        for (int c = column - 1; c <= column + 1; c++) {
            if (r >= 0 && r < ground->rows && c >= 0 && c < ground->columns) {
                low = fmin(low, height_after(soil, r, c));
                high = fmax(high, (double)ground->height[ground_index(ground, r, c)]);
            }
        }
    }
    Walk walk = walk_from(soil, row, column, low);
    for (walk_up(&walk); walk.z <= high && p->count + noted < p->capacity; walk_up(&walk)) {
        double x = walk.at.x, y = walk.at.y;
        if (walk.z <= ground_height(ground, x, y) && walk.z > surface_after(soil, x, y) &&
            !spawn_is_in_tool(soil->derived.bodies, soil->derived.body_count, walk.at,
                              ROOM * soil->model.particle_radius)) {
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

void overflow_mark(Soil *soil)
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
