/// Intact ground that is too steep and too high fails as a wedge that falls.
///
/// Looked at are the steps of the surface between neighbouring columns, in eight directions, in tiles that have changed
/// since they were last found to stand and in those around them. What fails is found in all directions before any of it
/// falls. A step that rises steeper than a friction angle is the foot of a face; the section behind it is judged by
/// wedge.c. It is not judged again while nothing has touched the columns that were read and no particles lie on them:
/// the verdict would be the same. Feet side by side that cannot stand alone are one body: what drives all of them has
/// to overcome also the cohesion of the two sides by which the body hangs on its neighbours, c times the area of the
/// wedge's side there. A face from end to end of a site has no sides, and fails at Culmann's height; a narrow pit
/// stands deeper. A wall that is low on both sides may also fall over (thin walls).
///
/// What fails turns into particles down to the plane. They are bonded to each other, so that they fall in clods, but
/// not to the ground: along the plane the bond is what has failed. The new face has the plane's angle, at which soil
/// with cohesion stands, and soil without fails again until it lies at its friction angle. Wedges thinner than a
/// particle turn into loose soil where they are, and slide (ground.c). Particles that fill a pit hold its walls up to
/// where they reach; what lies on a wedge weighs on it, and so does a machine or truck that stands there (standing.h).
///
/// Soils that open in cracks behind a face, and those that weaken with time (face_age.h), are judged in each look for
/// as long as the face is there, since their verdict changes with nothing touched. Where a face would not stand with
/// 1 / WARNING of its cohesion, its crack is open at the surface, and can be seen.
///
/// Where the particle budget is too short for all that fails at a time, none of it becomes particles: it turns into
/// loose soil where it is, and slides. So it does not matter which wall of a pit is looked at first. Where a tool is in
/// the way, soil stays and is tried again.
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/zeroed_memory.h"
#include "soil/exchange/exchange.h"
#include "soil/exchange/face_age.h"
#include "soil/exchange/shoring.h"
#include "soil/exchange/standing.h"
#include "soil/ground/ground.h"
#include "soil/ground/wedge.h"

enum { LOOKS_A_SECOND = 4, DIRECTIONS = GROUND_STEPS, STRAIGHT_DIRECTIONS = 4 };
enum { MOST_SLICES = 4096 }; ///< columns of width of all that fails in a look
enum { MOST_BODIES = 256 }; ///< that fail in a look
enum { ROW_SIZE = GROUND_TILE + 4 }; ///< a tile's row, a column on either side, and two to make whole vectors

static const int step_row[DIRECTIONS] = {0, 1, 0, -1, 1, 1, -1, -1};
static const int step_column[DIRECTIONS] = {1, 0, -1, 0, 1, -1, -1, 1};

/// Layers of particles: unevenness below it is no face. Chosen; see test_soil_face_failure.
#define UNEVEN 0.1

/// m of rise from which on a step is a face that grows older. Chosen: twice a column of the shipped scenes
#define AGES 0.2
/// Safety against failure below which a crack opens at the surface. Chosen: less than what a cut is designed with (1.3)
#define WARNING 1.25

/// One column's width of a face that cannot stand by itself.
typedef struct Slice {
    int row, column; ///< of the foot
    Wedge wedge;
} Slice;

/// Feet side by side that cannot stand: they fail together.
typedef struct Body {
    int first, count; ///< of the slices
    int direction;
    int topples; ///< slices that fall over, less those that slide
    int sites; ///< particles that it may become at most
} Body;

/// Bits by direction and row, the lowest of a tile's column 0.
typedef uint32_t StepBits[DIRECTIONS][GROUND_TILE];

struct FaceFailure {
    double tangents[WEDGE_PLANES];
    double least_tangent; ///< of the friction angles of the site's soils
    bool weakens, cracks; ///< a soil of the site weakens with time; one cracks
    int32_t *at; ///< [budget] column that each particle weighs on; a piece of scratch memory during a look
    float *load; ///< [rows][columns] kg of particles on a column; 0 but during a look
    float *standing; ///< [rows][columns] kg/m2 of what stands on a column; 0 but during a look
    uint32_t *seen; ///< [rows][columns] the last look at a step
    uint32_t look; ///< number of the look
    int *due, due_count; ///< indices of the tiles that are due, ascending
    StepBits *steps; ///< [tiles] that rise too steeply for a slope, of those that are due
    WedgeProfile profile;
    int body_count;
    Body bodies[MOST_BODIES]; ///< that fail
    int first; ///< slice of the body that is looked at
    int slice_count; ///< of all of them
    Slice slices[MOST_SLICES];
};

/// A look in one direction.
typedef struct Look {
    Soil *soil;
    int direction;
    int row, column; ///< step of the direction
    double pitch; ///< m
    double width; ///< m of face that belongs to a foot
} Look;

bool face_failure_create(Soil *soil)
{
    const Ground *ground = soil->state.grounds.site;
    size_t cells = (size_t)ground->rows * (size_t)ground->columns;
    FaceFailure *self = calloc(1, sizeof *self);
    soil->scratch.face_failure = self;
    if (self == NULL) {
        return false;
    }
    self->load = zeroed_alloc(cells, sizeof *self->load);
    self->standing = zeroed_alloc(cells, sizeof *self->standing);
    self->seen = zeroed_alloc(cells, sizeof *self->seen);
    self->due = calloc((size_t)ground->tile_rows * (size_t)ground->tile_columns, sizeof *self->due);
    self->steps = zeroed_alloc((size_t)ground->tile_rows * (size_t)ground->tile_columns, sizeof *self->steps);
    wedge_trial_planes(self->tangents);
    self->least_tangent = HUGE_VAL;
    for (int k = 0; k < soil->model.scene.soil_count; k++) {
        if (soil->model.scene.soils[k].bank_density > 0.0) {
            self->least_tangent = fmin(self->least_tangent, soil->model.tan_friction[k]);
            self->cracks |= soil->model.scene.soils[k].tension_crack > 0.0;
        }
    }
    self->weakens = face_age_acts(&soil->model);
    return face_age_create(&soil->model, cells, &soil->state.face_age) && self->load != NULL &&
           self->standing != NULL && self->seen != NULL && self->due != NULL && self->steps != NULL;
}

void face_failure_give_back(Soil *soil)
{
    const Ground *ground = soil->state.grounds.site;
    const FaceFailure *self = soil->scratch.face_failure;
    size_t cells = (size_t)ground->rows * (size_t)ground->columns;
    zeroed_give_back(self->load, 0, cells * sizeof *self->load);
    zeroed_give_back(self->standing, 0, cells * sizeof *self->standing);
    zeroed_give_back(self->seen, 0, cells * sizeof *self->seen);
}

void face_failure_destroy(Soil *soil)
{
    if (soil->scratch.face_failure != NULL) {
        zeroed_free(soil->scratch.face_failure->load);
        zeroed_free(soil->scratch.face_failure->standing);
        zeroed_free(soil->scratch.face_failure->seen);
        zeroed_free(soil->scratch.face_failure->steps);
        free(soil->scratch.face_failure->due);
        free(soil->scratch.face_failure);
        face_age_destroy(&soil->state.face_age);
    }
}

/// Column that a particle lies over; of what lies beyond the edge, which weighs on none, the nearest.
static int column_of(const Soil *soil, int32_t i)
{
    int row, column;
    ground_column_at(soil->state.grounds.site, soil->state.particles.x[i], soil->state.particles.y[i], &row, &column);
    return ground_index(soil->state.grounds.site, row, column);
}

/// m: how high the particles on a column would stand as ground.
static double fill_height(const Soil *soil, int index)
{
    const SoilParams *params = &soil->model.scene.soils[soil->state.grounds.site->top_soil[index]];
    return (double)soil->scratch.face_failure->load[index] /
           (fmax(params->bank_density, 1.0) * soil->state.grounds.site->area);
}

/// kg that a particle weighs on the column that it lies over.
static float weight_on_column(const Soil *soil, int32_t i)
{
    const Particles *p = &soil->state.particles;
    bool on = ground_has_column(soil->state.grounds.site, p->x[i], p->y[i]);
    return on ? (float)(p->mass[i] * SOIL_QUANTUM) : 0.0F;
}

/// Weighs the particles that lie on the ground. Those above what the others of their column fill are in the air or in a
/// bucket.
static void weigh_particles(Soil *soil)
{
    const Particles *p = &soil->state.particles;
    float *load = soil->scratch.face_failure->load;
    int32_t *at = soil->scratch.face_failure->at; // the complement for those that do not count
    for (int32_t i = 0; i < p->count; i++) {
        at[i] = column_of(soil, i);
        load[at[i]] += weight_on_column(soil, i);
    }
    for (int32_t i = 0; i < p->count; i++) {
        double top = (double)soil->state.grounds.site->height[at[i]] + 1.5 * fill_height(soil, at[i]);
        at[i] = p->z[i] > top + 2.0 * soil->model.particle_radius ? ~at[i] : at[i];
    }
    for (int32_t i = 0; i < p->count; i++) {
        if (at[i] < 0) {
            at[i] = ~at[i];
            load[at[i]] -= weight_on_column(soil, i);
        }
    }
}

static void weigh_born(Soil *soil, int32_t i)
{
    int32_t *at = soil->scratch.face_failure->at;
    at[i] = column_of(soil, i);
    soil->scratch.face_failure->load[at[i]] += weight_on_column(soil, i);
}

static void forget_loads(Soil *soil)
{
    const int32_t *at = soil->scratch.face_failure->at;
    for (int32_t i = 0; i < soil->state.particles.count; i++) {
        soil->scratch.face_failure->load[at[i]] = 0.0F;
    }
}

static bool is_inside(const Ground *ground, int row, int column)
{
    return row >= 0 && row < ground->rows && column >= 0 && column < ground->columns;
}

/// m: depth of the crack that opens behind a face below a column's intact top, `share` of the depth to which the soil
/// of its layer k is pulled apart; of what lies over that layer only loose soil counts as a load.
static double crack_depth(const WedgeColumn *column, int k, double share)
{
    double weight = column->load + column->surcharge;
    for (int n = column->count - 1; n > k && column->loose[n]; n--) {
        weight += column->density[n] * (column->bottom[n + 1] - column->bottom[n]);
    }
    double t = column->tan_friction[k], held = 2.0 * column->cohesion[k] * (t + sqrt(1.0 + t * t)); // 2 c / sqrt(Ka)
    return share * fmax(0.0, held / STANDARD_GRAVITY - weight) / column->density[k];
}

/// `foot`: index of the column whose face it is a part of.
static void read_column(const Soil *soil, int row, int column, int foot, WedgeColumn *to)
{
    double share = 0.0;
    int cracked = 0; // the highest intact layer that cracks
    const Ground *ground = soil->state.grounds.site;
    ColumnLayers layers;
    ground_read_layers(ground, row, column, &layers);
    to->count = layers.count;
    to->bottom[0] = ground->base;
    for (int k = 0; k < layers.count; k++) {
        const SoilParams *params = &soil->model.scene.soils[layers.soil[k]];
        to->density[k] = (double)layers.density[k];
        to->bottom[k + 1] = to->bottom[k] + layers.mass[k] * SOIL_QUANTUM / (to->density[k] * ground->area);
        to->loose[k] = layers.loose[k] != 0;
        to->cohesion[k] = to->loose[k] ? 0.0 : face_age_cohesion(&soil->state.face_age, foot, params);
        if (!to->loose[k] && params->tension_crack > 0.0) {
            share = params->tension_crack;
            cracked = k;
        }
        to->tan_friction[k] = soil->model.tan_friction[layers.soil[k]];
    }
    to->load = (double)soil->scratch.face_failure->load[ground_index(ground, row, column)] / ground->area;
    to->surcharge = (double)soil->scratch.face_failure->standing[ground_index(ground, row, column)];
    to->crack = share > 0.0 ? crack_depth(to, cracked, share) : 0.0;
}

static double height_at(const Soil *soil, int row, int column)
{
    return (double)soil->state.grounds.site->height[ground_index(soil->state.grounds.site, row, column)];
}

/// m: surface of the ground and of what fills it up before a face, or holds it there.
static double toe_at(const Look *look, int row, int column)
{
    const Soil *soil = look->soil;
    double toe = height_at(soil, row, column) + fill_height(soil, ground_index(soil->state.grounds.site, row, column));
    return soil->derived.plate_count > 0 ? shoring_toe(soil, row, column, look->row, look->column, toe) : toe;
}

static bool rises_by(const Soil *soil, double rise, double pitch)
{
    return rise > pitch * soil->scratch.face_failure->least_tangent && rise > UNEVEN * soil->model.layer_height;
}

/// Rise of the surface from a foot to a neighbour is too steep for a slope.
static bool rises(const Look *look, double toe, int row, int column, double pitch)
{
    const Soil *soil = look->soil;
    if (!is_inside(soil->state.grounds.site, row, column)) {
        return false;
    }
    return rises_by(soil, height_at(soil, row, column) - toe, pitch);
}

/// The face over a foot grows older, in soils that weaken, and is looked at again; so is one that may crack.
static void grow_older(const Look *look, int row, int column)
{
    Soil *soil = look->soil;
    Ground *ground = soil->state.grounds.site;
    const FaceFailure *self = soil->scratch.face_failure;
    double low = height_at(soil, row, column);
    if (!(self->weakens || self->cracks) || height_at(soil, row + look->row, column + look->column) < low + AGES) {
        return;
    }
    int index = ground_index(ground, row, column);
    face_age_count(&soil->model, &soil->state.face_age, index, (float)low, ground->face_looks, 1.0 / LOOKS_A_SECOND);
    int slot;
    GroundTile *tile = ground->tiles[ground_tile_index(ground, row, column)];
    tile = tile != NULL ? tile : ground_touch(ground, row, column, &slot); // what its clocks say is kept with the tile
    tile->doubtful = GROUND_DOUBTFUL;
}

/// A column is the foot of a face that looks against the direction. A diagonal face has both or none of the columns
/// beside it. Particles that hold a face may go without a change of the ground: it is looked at again.
static bool is_foot(const Look *look, int row, int column)
{
    const Ground *ground = look->soil->state.grounds.site;
    if (!is_inside(ground, row, column)) {
        return false;
    }
    double low = height_at(look->soil, row, column);
    if (!rises(look, low, row + look->row, column + look->column, look->pitch)) {
        return false;
    }
    grow_older(look, row, column);
    double toe = toe_at(look, row, column);
    GroundTile *tile = ground->tiles[ground_tile_index(ground, row, column)];
    if (toe > low && tile != NULL) {
        tile->doubtful = GROUND_DOUBTFUL;
    }
    if (!rises(look, toe, row + look->row, column + look->column, look->pitch)) {
        return false;
    }
    return look->row == 0 || look->column == 0 ||
           rises(look, toe, row + look->row, column, ground->spacing) ==
               rises(look, toe, row, column + look->column, ground->spacing);
}

/// Height (m) below which no vertical face of a column's intact soil above the toe fails.
static double least_height(const WedgeColumn *column, double toe)
{
    double least = HUGE_VAL;
    for (int k = 0; k < column->count; k++) {
        if (!column->loose[k] && column->bottom[k + 1] > toe) {
            double t = column->tan_friction[k];
            double height = 4.0 * column->cohesion[k] * (t + sqrt(1.0 + t * t)); // i = 90: cos / (1 - sin)
            least = fmin(least, height / (column->density[k] * STANDARD_GRAVITY));
        }
    }
    return least;
}

/// True when the face at its foot is intact soil: loose soil slides by itself.
static bool is_intact(const WedgeColumn *face, double toe)
{
    for (int k = 0; k < face->count; k++) {
        if (face->bottom[k + 1] > toe) {
            return !face->loose[k];
        }
    }
    return false;
}

/// Reads the section from a foot on, as far as a wedge may reach. False when none can fail there: the face is loose, or
/// its height above the toe, with all that weighs on it, is less than half of what a level vertical face of its weakest
/// soil could have, and it is no thin wall. On such a face a surcharge q counts as soil of the height 2 q / rho, for
/// c = (rho H / 2 + q) g cos(theta) sin(theta - phi) / cos(phi).
static bool read_section(const Look *look, int row, int column)
{
    const Soil *soil = look->soil;
    WedgeProfile *profile = &soil->scratch.face_failure->profile;
    double relief = 0.0, surcharge = 0.0, least = HUGE_VAL, lowest = HUGE_VAL;
    const int foot_index = ground_index(soil->state.grounds.site, row, column);
    bool thin = false;
    profile->pitch = look->pitch;
    profile->toe = toe_at(look, row, column);
    profile->count = 0;
    while (profile->count < WEDGE_REACH &&
           profile->count * look->pitch * soil->scratch.face_failure->least_tangent <= relief) {
        bool held = ground_is_barred(soil->state.grounds.site, row, column, look->row, look->column);
        row += look->row;
        column += look->column;
        if (held || !is_inside(soil->state.grounds.site, row, column)) {
            break;
        }
        WedgeColumn *next = &profile->columns[profile->count++];
        read_column(soil, row, column, foot_index, next);
        if (profile->count == 1 && !is_intact(next, profile->toe)) {
            return false;
        }
        double top = next->bottom[next->count], foot = fmax(profile->toe, wedge_firm_top(next));
        thin |= profile->count > 1 && foot < lowest &&
                thin_wall_may_fall((profile->count - 1) * look->pitch, relief + profile->toe - foot);
        lowest = fmin(lowest, top);
        relief = fmax(relief, wedge_filled_top(next) - profile->toe);
        surcharge = fmax(surcharge, next->count > 0 ? 2.0 * next->surcharge / next->density[next->count - 1] : 0.0);
        least = fmin(least, least_height(next, profile->toe));
    }
    return profile->count > 0 && (thin || relief + surcharge > 0.5 * least);
}

/// The way in which a section fails, whether it slides or falls over. False when it stands.
static bool find_failure(FaceFailure *self, Wedge *wedge)
{
    Wedge over;
    bool slides = wedge_find(&self->profile, self->tangents, wedge);
    if (!thin_wall_find(&self->profile, &over) || (slides && wedge->excess >= over.excess)) {
        return slides;
    }
    *wedge = over;
    return true;
}

/// Notes the crack at the end of a wedge, if its plane ends in one.
static void note_crack(const Look *look, int row, int column, const Wedge *wedge)
{
    Soil *soil = look->soil;
    const FaceFailure *self = soil->scratch.face_failure;
    if (soil->derived.crack_count == SOIL_MAX_CRACKS || self->profile.columns[wedge->columns - 1].crack <= 0.0) {
        return;
    }
    const Ground *ground = soil->state.grounds.site;
    int last_row = row + wedge->columns * look->row, last_column = column + wedge->columns * look->column;
    double x = ground->origin_x + (last_column + 0.5 * look->column) * ground->spacing;
    double y = ground->origin_y + (last_row + 0.5 * look->row) * ground->spacing,
           z = height_at(soil, last_row, last_column);
    double along_x = -0.5 * look->row * ground->spacing, along_y = 0.5 * look->column * ground->spacing;
    soil->derived.cracks[soil->derived.crack_count++] =
        (SoilCrack){vec3(x - along_x, y - along_y, z), vec3(x + along_x, y + along_y, z)};
}

/// Finds where the crack behind a face is open that stands, but with 1 / WARNING of its cohesion would not.
static void find_crack(const Look *look, int row, int column)
{
    FaceFailure *self = look->soil->scratch.face_failure;
    Wedge wedge;
    for (int k = 0; k < self->profile.count; k++) {
        for (int layer = 0; layer < self->profile.columns[k].count; layer++) {
            self->profile.columns[k].cohesion[layer] /= WARNING;
        }
    }
    if (wedge_find(&self->profile, self->tangents, &wedge)) {
        note_crack(look, row, column, &wedge);
    }
}

/// Judges a step by the section behind it. True when its slice cannot stand by itself; it is then the last slice.
static bool judge_step(const Look *look, int row, int column)
{
    FaceFailure *self = look->soil->scratch.face_failure;
    Slice *slice = &self->slices[self->slice_count];
    *slice = (Slice){.row = row, .column = column};
    if (!read_section(look, row, column)) {
        return false;
    }
    if (!find_failure(self, &slice->wedge)) {
        if (self->cracks) {
            find_crack(look, row, column);
        }
        return false;
    }
    if (self->cracks) { // it may hang on the ground at its two sides for minutes
        note_crack(look, row, column, &slice->wedge);
    }
    int over_row = row + look->row, over_column = column + look->column;
    double tangent =
        look->soil->model.tan_friction[ground_top_soil(look->soil->state.grounds.site, over_row, over_column)];
    double rise = height_at(look->soil, over_row, over_column) - slice->wedge.toe - slice->wedge.first * tangent;
    if (rise < UNEVEN * look->soil->model.layer_height) {
        return false;
    }
    self->slice_count++;
    return true;
}

/// Columns from a foot on that were read to find that the step there stands; 0: the step is to be judged. NULL: nothing
/// is known, for nothing has touched the tile.
static uint8_t *known_to_stand(const Look *look, int row, int column)
{
    const Ground *ground = look->soil->state.grounds.site;
    GroundTile *tile = ground->tiles[ground_tile_index(ground, row, column)];
    return tile != NULL ? &tile->stands[ground_tile_slot(row, column)][look->direction] : NULL;
}

/// No particles lie on a column, nothing stands there, and nothing has touched it since a look.
static bool is_unchanged(const Soil *soil, int row, int column, uint32_t since)
{
    const Ground *ground = soil->state.grounds.site;
    const GroundTile *tile = ground->tiles[ground_tile_index(ground, row, column)];
    return soil->scratch.face_failure->load[ground_index(ground, row, column)] == 0.0F &&
           soil->scratch.face_failure->standing[ground_index(ground, row, column)] == 0.0F &&
           (tile == NULL || tile->touched[ground_tile_slot(row, column)] < since);
}

/// The same of all columns that the verdict on a step follows from: its foot, those that were read behind it, and of a
/// diagonal step those beside its foot.
static bool all_unchanged(const Look *look, int row, int column, int read, uint32_t since)
{
    bool same = is_unchanged(look->soil, row + look->row, column, since) &&
                is_unchanged(look->soil, row, column + look->column, since);
    for (int k = 0; k <= read && same; k++) {
        same = is_unchanged(look->soil, row + k * look->row, column + k * look->column, since);
    }
    return same;
}

/// A step was found to stand and would be found so again.
static bool still_stands(const Look *look, int row, int column)
{
    const Ground *ground = look->soil->state.grounds.site;
    const uint8_t *read = known_to_stand(look, row, column);
    const FaceFailure *self = look->soil->scratch.face_failure;
    return !self->weakens && !self->cracks && read != NULL && *read > 0 &&
           all_unchanged(look, row, column, *read, ground->tiles[ground_tile_index(ground, row, column)]->judged);
}

/// Remembers how many columns were read to find that a step stands. What something weighs on is judged in each look.
static void note_standing(const Look *look, int row, int column)
{
    int count = look->soil->scratch.face_failure->profile.count, read = count > 1 ? count : 1;
    uint8_t *known = known_to_stand(look, row, column);
    if (known != NULL && read <= UINT8_MAX && all_unchanged(look, row, column, read, UINT32_MAX)) {
        *known = (uint8_t)read;
    }
}

static void forget_standing(const Look *look, int row, int column)
{
    uint8_t *known = known_to_stand(look, row, column);
    if (known != NULL) {
        *known = 0;
    }
}

/// Looks at a foot for the first time in this look. True when its slice cannot stand by itself; it is then the last
/// slice.
static bool take_slice(const Look *look, int row, int column)
{
    FaceFailure *self = look->soil->scratch.face_failure;
    const Ground *ground = look->soil->state.grounds.site;
    if (!is_inside(ground, row, column)) {
        return false;
    }
    uint32_t *seen = &self->seen[ground_index(ground, row, column)];
    if (*seen == self->look) {
        return false;
    }
    bool full = self->slice_count == MOST_SLICES;
    if (still_stands(look, row, column)) {
        assert((full || !is_foot(look, row, column) || !judge_step(look, row, column)) && "judged again it stands too");
        return false;
    }
    forget_standing(look, row, column);
    if (full || !is_foot(look, row, column)) {
        return false;
    }
    *seen = self->look;
    look->soil->derived.counters.faces++;
    bool fails = judge_step(look, row, column);
    bool shored = look->soil->derived.plate_count > 0; // what a plate holds may fall when it has gone
    if (!fails && !shored) {
        note_standing(look, row, column);
    }
    return fails;
}

/// Adds the slices beside the last one, on one side, as far as they cannot stand; the face may shift by a column each
/// time.
static void take_side(const Look *look, int side)
{
    FaceFailure *self = look->soil->scratch.face_failure;
    bool more = self->slice_count > self->first;
    int row = self->slices[self->first].row, column = self->slices[self->first].column;
    while (more) {
        row -= side * look->column;
        column += side * look->row;
        more = take_slice(look, row, column) || take_slice(look, row + look->row, column + look->column) ||
               take_slice(look, row - look->row, column - look->column);
        if (more) {
            row = self->slices[self->slice_count - 1].row;
            column = self->slices[self->slice_count - 1].column;
        }
    }
}

/// N: cohesion between a slice's wedge and the ground on one side of it.
static double held_aside(const Look *look, const Slice *slice, int side)
{
    const Soil *soil = look->soil;
    double area = 0.0;
    for (int k = 0; k < slice->wedge.columns; k++) {
        int row = slice->row + (k + 1) * look->row, column = slice->column + (k + 1) * look->column;
        int beside_row = row - side * look->column, beside_column = column + side * look->row;
        if (is_inside(soil->state.grounds.site, beside_row, beside_column)) {
            double top = fmin(height_at(soil, row, column), height_at(soil, beside_row, beside_column));
            area += look->pitch * fmax(0.0, top - wedge_plane(&slice->wedge, look->pitch, k));
        }
    }
    return slice->wedge.cohesion * area;
}

static void drop_column(Soil *soil, int row, int column, double floor_height)
{
    if (is_inside(soil->state.grounds.site, row, column) && height_at(soil, row, column) > floor_height) {
        cut_mark(soil, row, column, floor_height, false);
    }
}

/// Particles that a slice may become at most; 0 when it is so thin that no column has a whole one above the plane.
static int count_sites(const Look *look, const Slice *slice)
{
    const Soil *soil = look->soil;
    int side = soil->model.scene.particles.per_column_side, sites = 0;
    bool whole = false;
    for (int k = 0; k < slice->wedge.columns; k++) {
        double top = height_at(soil, slice->row + (k + 1) * look->row, slice->column + (k + 1) * look->column);
        double low = wedge_plane(&slice->wedge, look->pitch, k);
        sites += top > low ? (int)((top - low) / soil->model.layer_height + 1.0) * side * side : 0;
        whole |=
            top - ceil(low / soil->model.layer_height) * soil->model.layer_height >= 0.8 * soil->model.layer_height;
    }
    return !whole ? 0 : look->row != 0 && look->column != 0 ? 2 * sites : sites;
}

/// A wedge thinner than a particle turns into loose soil where it is; without cohesion it lies down to its friction
/// angle at once.
static void loosen_slice(const Look *look, const Slice *slice)
{
    const Soil *soil = look->soil;
    Wedge flat = slice->wedge;
    if (flat.cohesion <= 0.0) {
        int row = slice->row + look->row, column = slice->column + look->column;
        flat.tan_angle =
            fmin(flat.tan_angle, soil->model.tan_friction[ground_top_soil(soil->state.grounds.site, row, column)]);
    }
    for (int k = 0; k < flat.columns; k++) {
        int row = slice->row + (k + 1) * look->row, column = slice->column + (k + 1) * look->column;
        ground_loosen(soil->state.grounds.site, row, column, wedge_plane(&flat, look->pitch, k));
    }
}

/// A slice falls. Between two diagonal ones lies a row of columns that belongs to the first.
static void drop_slice(const Look *look, const Slice *slice)
{
    Soil *soil = look->soil;
    const Wedge *wedge = &slice->wedge;
    if (count_sites(look, slice) == 0) {
        loosen_slice(look, slice);
        return;
    }
    for (int k = 0; k < wedge->columns; k++) {
        int row = slice->row + (k + 1) * look->row, column = slice->column + (k + 1) * look->column;
        drop_column(soil, row, column, wedge_plane(wedge, look->pitch, k));
        if (look->row != 0 && look->column != 0) {
            drop_column(soil, row, column - look->column, wedge_plane(wedge, look->pitch, k - 0.5));
        }
    }
}

/// What fell is in its first tick. A wall that falls over breaks up: its grains are loose.
static void begin_fall(Soil *soil, int32_t born, int topples)
{
    for (int32_t i = born; i < soil->state.particles.count; i++) {
        soil->state.particles.newborn[i] = PARTICLE_BORN_FALLING;
        soil->state.particles.path[i] = topples > 0 ? PARTICLE_LOOSE : soil->state.particles.path[i];
        weigh_born(soil, i);
    }
}

/// The slices that were taken fail together when they drive more than holds them on both sides. `middle`: those of one
/// side, with the first. Returns whether they do; they are then a body.
static bool judge(const Look *look, int middle)
{
    FaceFailure *self = look->soil->scratch.face_failure;
    const Slice *slices = &self->slices[self->first];
    int count = self->slice_count - self->first;
    Body body = {.first = self->first, .count = count, .direction = look->direction};
    double excess = 0.0;
    for (int k = 0; k < count; k++) {
        excess += look->width * slices[k].wedge.excess;
        body.topples += slices[k].wedge.topples ? 1 : -1;
        body.sites += count_sites(look, &slices[k]);
    }
    const Slice *end = &slices[middle > 1 ? middle - 1 : 0], *other_end = &slices[count > middle ? count - 1 : 0];
    if (excess <= held_aside(look, end, 1) + held_aside(look, other_end, -1)) {
        return false;
    }
    if (self->body_count == MOST_BODIES) { // the next look finds it
        const Ground *ground = look->soil->state.grounds.site;
        ground->tiles[ground_tile_index(ground, slices->row, slices->column)]->doubtful = GROUND_DOUBTFUL;
        return false;
    }
    self->bodies[self->body_count++] = body;
    return true;
}

/// Looks at one step.
static void look_at(const Look *look, int row, int column)
{
    FaceFailure *self = look->soil->scratch.face_failure;
    self->first = self->slice_count;
    if (!take_slice(look, row, column)) {
        return;
    }
    take_side(look, 1);
    int middle = self->slice_count - self->first;
    take_side(look, -1);
    if (!judge(look, middle)) {
        self->slice_count = self->first;
    }
}

static Look look_of(Soil *soil, int direction)
{
    double pitch = soil->state.grounds.site->spacing * (direction < STRAIGHT_DIRECTIONS ? 1.0 : sqrt(2.0));
    return (Look){soil, direction, step_row[direction], step_column[direction], pitch, pitch};
}

/// kg/m2 of loose soil on a column's intact ground.
static double spoil_on(const Ground *ground, int row, int column)
{
    ColumnLayers layers;
    ground_read_layers(ground, row, column, &layers);
    double spoil = 0.0;
    for (int k = layers.count - 1; k >= 0 && layers.loose[k]; k--) {
        spoil += layers.mass[k] * SOIL_QUANTUM / ground->area;
    }
    return spoil;
}

/// Describes a body that is about to fall, as grains or as loose soil.
static SoilFall describe(const Look *look, const Body *body)
{
    const Soil *soil = look->soil;
    const Ground *ground = soil->state.grounds.site;
    SoilFall fall = {.length = body->count * look->width};
    double crest = -HUGE_VAL, reach = 0.0, area = look->width * look->pitch;
    for (int k = 0; k < body->count; k++) {
        const Slice *slice = &soil->scratch.face_failure->slices[body->first + k];
        double x = ground->origin_x + slice->column * ground->spacing, low = slice->wedge.toe;
        double y = ground->origin_y + slice->row * ground->spacing;
        fall.foot = vec3_madd(fall.foot, 1.0 / body->count, vec3(x, y, low));
        for (int n = 1; n <= slice->wedge.columns; n++) {
            int row = slice->row + n * look->row, column = slice->column + n * look->column;
            double top = ground_firm_top(ground, row, column);
            fall.height = fmax(fall.height, top - low);
            crest = fmax(crest, top);
            double low_here = wedge_plane(&slice->wedge, look->pitch, n - 1);
            double weight = ground_profile_above(ground, row, column, low_here).weight;
            fall.mass += top > low_here ? area * weight / STANDARD_GRAVITY : 0.0;
            fall.spoil += spoil_on(ground, row, column) * area;
            fall.standing +=
                (double)soil->scratch.face_failure->standing[ground_index(ground, row, column)] * ground->area;
        }
        reach += 0.5 * slice->wedge.columns * ground->spacing / body->count;
    }
    fall.middle = vec3(fall.foot.x + reach * look->column, fall.foot.y + reach * look->row, crest);
    return fall;
}

/// Keeps what fell, for who asks: the heaviest of a tick.
static void note_fall(Soil *soil, SoilFall fall)
{
    SoilDerived *derived = &soil->derived;
    int place = derived->fall_count;
    while (place > 0 && derived->falls[place - 1].mass < fall.mass) {
        if (place < SOIL_MAX_FALLS) {
            derived->falls[place] = derived->falls[place - 1];
        }
        place--;
    }
    if (place < SOIL_MAX_FALLS && fall.mass > 0.0) {
        derived->falls[place] = fall;
        derived->fall_count += derived->fall_count < SOIL_MAX_FALLS;
    }
}

/// A body falls, as particles or (not `grains`) as loose soil that slides.
static void drop_body(Soil *soil, const Body *body, bool grains)
{
    const Slice *slices = &soil->scratch.face_failure->slices[body->first];
    const Look look = look_of(soil, body->direction);
    int32_t born = soil->state.particles.count;
    SoilFall fall = describe(&look, body);
    for (int k = 0; k < body->count && grains; k++) {
        drop_slice(&look, &slices[k]);
    }
    cut_marked(soil);
    for (int k = 0; k < body->count && soil->state.particles.count == born; k++) { // too little for a particle in any
        loosen_slice(&look, &slices[k]);
    }
    begin_fall(soil, born, body->topples);
    note_fall(soil, fall);
    soil->derived.counters.failed += body->count;
}

static void drop_bodies(Soil *soil)
{
    const FaceFailure *self = soil->scratch.face_failure;
    int sites = 0, room = soil->state.particles.capacity - soil->state.particles.count;
    for (int k = 0; k < self->body_count; k++) {
        sites += self->bodies[k].sites;
    }
    for (int k = 0; k < self->body_count; k++) {
        drop_body(soil, &self->bodies[k], sites < room);
    }
}

/// Makes a tile due, if it is not.
static void add_due(FaceFailure *self, int index)
{
    int place = self->due_count;
    while (place > 0 && self->due[place - 1] > index) {
        place--;
    }
    if (place > 0 && self->due[place - 1] == index) {
        return;
    }
    memmove(self->due + place + 1, self->due + place, (size_t)(self->due_count - place) * sizeof *self->due);
    self->due[place] = index;
    self->due_count++;
}

/// A tile and those beside it are due.
static void choose_around(Soil *soil, int index)
{
    const Ground *ground = soil->state.grounds.site;
    int row = index / ground->tile_columns, column = index % ground->tile_columns;
    for (int r = row - 1; r <= row + 1; r++) {
        for (int c = column - 1; c <= column + 1; c++) {
            if (r >= 0 && r < ground->tile_rows && c >= 0 && c < ground->tile_columns) {
                add_due(soil->scratch.face_failure, r * ground->tile_columns + c);
            }
        }
    }
}

/// A tile is due when it or one beside it has changed since the last look, or carries something; all are at the start
/// where faces that the scene begins with may crack or weaken.
static bool choose_tiles(Soil *soil)
{
    const Ground *ground = soil->state.grounds.site;
    FaceFailure *self = soil->scratch.face_failure;
    bool any = soil->state.tick * LOOKS_A_SECOND < soil->model.scene.rates.tick_rate && (self->weakens || self->cracks);
    for (int index = 0; any && index < ground->tile_rows * ground->tile_columns; index++) {
        add_due(self, index);
    }
    for (int n = 0; n < ground->live_count; n++) {
        GroundTile *tile = ground->tiles[ground->live[n]];
        if (tile->doubtful) {
            any = true;
            choose_around(soil, ground->live[n]);
            tile->doubtful = 0; // what fails sets it again
        }
    }
    for (int k = 0; k < soil->derived.standing_count; k++) {
        const SoilFootprint *on = &soil->derived.standing[k];
        if (on->pressure > 0.0 && ground_has_column(ground, on->middle.x, on->middle.y)) {
            int row, column;
            ground_column_at(ground, on->middle.x, on->middle.y, &row, &column);
            any = true;
            choose_around(soil, ground_tile_index(ground, row, column));
        }
    }
    return any;
}

/// Heights of a row from the column before a tile on. Beyond the site there is nothing that rises.
static void copy_row(const Ground *ground, int row, int first, float to[ROW_SIZE])
{
    int low = first > 0 ? first - 1 : 0, end = first + GROUND_TILE + 1;
    end = end < ground->columns ? end : ground->columns;
    for (int k = 0; k < ROW_SIZE && (low >= first || end <= first + GROUND_TILE); k++) {
        to[k] = -HUGE_VALF;
    }
    memcpy(to + (low - first + 1), &ground->height[ground_index(ground, row, low)], (size_t)(end - low) * sizeof *to);
}

/// m: how much higher the highest of its neighbours is than each column of a tile's row.
static void rises_of_row(const Ground *ground, int row, int first, float rise[GROUND_TILE])
{
    float here[ROW_SIZE] = {0}, highest[ROW_SIZE], beside[ROW_SIZE] = {0};
    copy_row(ground, row, first, here);
    memcpy(highest, here, sizeof highest);
    for (int r = row - 1; r <= row + 1; r += 2) {
        if (r >= 0 && r < ground->rows) {
            copy_row(ground, r, first, beside);
            for (int k = 0; k < ROW_SIZE; k++) {
                highest[k] = beside[k] > highest[k] ? beside[k] : highest[k];
            }
        }
    }
    for (int k = 0; k < GROUND_TILE; k++) {
        float side = highest[k] > highest[k + 2] ? highest[k] : highest[k + 2];
        rise[k] = (side > highest[k + 1] ? side : highest[k + 1]) - here[k + 1];
    }
}

/// Notes the directions in which the ground rises from a column too steeply for a slope.
static void note_steps(Soil *soil, int row, int column, StepBits *steps)
{
    double low = height_at(soil, row, column);
    const unsigned slot = (unsigned)column % GROUND_TILE;
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        const Look look = look_of(soil, direction);
        bool rising = rises(&look, low, row + look.row, column + look.column, look.pitch);
        (*steps)[direction][row % GROUND_TILE] |= (uint32_t)rising << slot;
    }
}

/// Notes the steps of a tile. Most columns have no neighbour that rises steeply, and are left out at once.
static void note_steps_of_tile(Soil *soil, int tile_row, int tile_column)
{
    const Ground *ground = soil->state.grounds.site;
    const FaceFailure *self = soil->scratch.face_failure;
    const int first_row = tile_row * GROUND_TILE, first = tile_column * GROUND_TILE;
    const double least = fmax(ground->spacing * self->least_tangent, UNEVEN * soil->model.layer_height);
    const float nearly = (float)(0.999 * least);
    StepBits *steps = &self->steps[tile_row * ground->tile_columns + tile_column];
    memset(*steps, 0, sizeof *steps);
    for (int row = first_row; row < first_row + GROUND_TILE && row < ground->rows; row++) {
        float rise[GROUND_TILE];
        rises_of_row(ground, row, first, rise);
        int steep = 0;
        for (int k = 0; k < GROUND_TILE; k++) {
            steep |= rise[k] > nearly;
        }
        for (int k = 0; k < GROUND_TILE && steep && first + k < ground->columns; k++) {
            if (rise[k] > nearly) {
                note_steps(soil, row, first + k, steps);
            }
        }
    }
}

/// Looks at the steps of a tile in one direction, row by row.
static void look_through_tile(const Look *look, int tile_row, int tile_column)
{
    const Ground *ground = look->soil->state.grounds.site;
    const FaceFailure *self = look->soil->scratch.face_failure;
    const uint32_t *steps = self->steps[tile_row * ground->tile_columns + tile_column][look->direction];
    for (int row = 0; row < GROUND_TILE; row++) {
        for (uint32_t left = steps[row]; left != 0; left &= left - 1) {
            look_at(look, tile_row * GROUND_TILE + row, tile_column * GROUND_TILE + __builtin_ctz(left));
        }
    }
}

static void look_through(Soil *soil, int direction)
{
    const Ground *ground = soil->state.grounds.site;
    FaceFailure *self = soil->scratch.face_failure;
    const Look look = look_of(soil, direction);
    self->look++;
    for (int n = 0; n < self->due_count; n++) {
        look_through_tile(&look, self->due[n] / ground->tile_columns, self->due[n] % ground->tile_columns);
    }
}

/// Finds what fails in the tiles that are due, which then are due no more.
static void find_bodies(Soil *soil)
{
    FaceFailure *self = soil->scratch.face_failure;
    Ground *ground = soil->state.grounds.site;
    ground->face_looks++;
    self->body_count = self->slice_count = 0;
    soil->derived.crack_count = 0;
    for (int n = 0; n < self->due_count; n++) {
        note_steps_of_tile(soil, self->due[n] / ground->tile_columns, self->due[n] % ground->tile_columns);
    }
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        look_through(soil, direction);
    }
    for (int n = 0; n < self->due_count; n++) {
        GroundTile *tile = ground->tiles[self->due[n]];
        if (tile != NULL) {
            tile->judged = ground->face_looks;
        }
    }
    self->due_count = 0;
}

void face_failure_step(Soil *soil)
{
    FaceFailure *self = soil->scratch.face_failure;
    soil->derived.counters.faces = soil->derived.counters.failed = 0;
    soil->derived.fall_count = 0;
    if (model_times(&soil->model, soil->state.tick, LOOKS_A_SECOND) == 0 || !choose_tiles(soil)) {
        return;
    }
    self->at = scratch_take(&soil->scratch.memory, "columns under particles", (size_t)soil->state.particles.capacity,
                            sizeof(int32_t));
    weigh_particles(soil);
    standing_add(soil, self->standing);
    find_bodies(soil);
    drop_bodies(soil);
    standing_clear(soil, self->standing);
    forget_loads(soil);
    scratch_give_back(&soil->scratch.memory, self->at);
}
