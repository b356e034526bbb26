/// Makes the sample of a tick: where soil may lie, whether the ground has settled, and its figures.
///
/// Where it is judged  of a trench: the whole site but the dump, with the cut; of a truck: the site but the place to
///                     dig and the dump, and the bed.
/// Settled             no more than crumbs move there, and no tool is in the cut.
/// Where soil may lie  the cut; for a machine that pushes its load, the way from the cut to the dump; the dump with the
///                     foot of its heap; the place to dig.
#include "trainer/sim/session_exercise.h"

#include <math.h>
#include <stdlib.h>

#include "data/core/elementary.h"
#include "data/core/zeroed_memory.h"
#include "data/schema/schema.h"

/// ---- the density of fill -------------------------------------------------------------------------------------------
///
/// In each column that lay more than the tolerance below the design, soil between the first ground and the design
/// counts where it is dense enough; soil over the design does not count.

typedef struct FillColumn {
    int row, column;
    double start, design; ///< m, world: the ground before the start, and the design
} FillColumn;

struct FillSurvey {
    int count, capacity;
    FillColumn *columns; ///< [count]
    double asked; ///< m: sum of the heights to fill
};

/// False when memory is short.
static bool add_fill_column(FillSurvey *self, FillColumn column)
{
    if (self->count == self->capacity) {
        int capacity = self->capacity > 0 ? 2 * self->capacity : 256;
        FillColumn *grown = realloc(self->columns, (size_t)capacity * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        self->columns = grown;
        self->capacity = capacity;
    }
    self->columns[self->count++] = column;
    self->asked += column.design - column.start;
    return true;
}

static bool find_columns(FillSurvey *self, const DesignSurface *design, const SoilGridView *grid)
{
    for (int row = 0; row < grid->rows; row++) {
        for (int column = 0; column < grid->columns; column++) {
            double x = grid->origin_x + column * grid->spacing, y = grid->origin_y + row * grid->spacing, height;
            double start = (double)grid->height[row * grid->columns + column];
            // As of the surface, the outermost columns judge nothing.
            if (design_holds(design, x, y, grid->spacing) && design_height(design, x, y, &height) &&
                start < height - design_tolerance(design) &&
                !add_fill_column(self, (FillColumn){.row = row, .column = column, .start = start, .design = height})) {
                return false;
            }
        }
    }
    return true;
}

FillSurvey *fill_survey_create(const SceneParams *scene, const Soil *soil)
{
    FillSurvey *self = calloc(1, sizeof *self);
    if (self == NULL || !scene_has_part(&scene->exercise, METRIC_OF_COMPACTION)) {
        return self;
    }
    Status ignored; // the scene's files are checked when it is loaded
    DesignSurface *design = design_create(&scene->exercise, DESIGN_OF_SURFACE, NULL, &ignored);
    SoilGridView grid = soil_get_grid(soil);
    bool good = design != NULL && find_columns(self, design, &grid);
    design_destroy(design);
    if (!good) {
        fill_survey_destroy(self);
        return NULL;
    }
    return self;
}

void fill_survey_destroy(FillSurvey *self)
{
    if (self != NULL) {
        free(self->columns);
        free(self);
    }
}

double fill_survey_dense(const FillSurvey *self, const SceneParams *scene, const Soil *soil)
{
    double dense = 0.0, share = scene->exercise.surface.compaction;
    for (int k = 0; k < self->count; k++) {
        const FillColumn *column = &self->columns[k];
        dense += soil_get_dense_thickness(soil, column->row, column->column, column->start, column->design, share);
    }
    return self->count > 0 ? dense / self->asked : -1.0;
}

#define THIN       0.005 ///< m: columns that rose by less are crumbs, no spill
#define HEAP_FOOT  0.5 ///< m outside the dump circle: there lies the foot of the heap, no spill
#define CUT_RIM    0.5 ///< m outside the box: so far rises what a bucket presses (bearing.c), no spill
#define PATH_SIDE  0.5 ///< m on either side of the way on which a load is pushed: what runs off the blade
#define CRUMBS     10.0 ///< kg that may still move in ground that has settled: 0.01 m3, a few grains
#define TOOL_CLEAR 0.05 ///< m over the ground, now and before the start, from which on a tool is out of the cut
#define OUT_OF_CUT (-0.03) ///< m over the tracks' plane: the edge of a machine that does not swing cuts no more

enum { MAX_PLACES = 3 };

struct SessionExercise {
    int rip_rows, rip_columns; ///< of the points of what is to be ripped, across and along it
    float *rip_start; ///< m, [rip_rows][rip_columns]: the ground before the start; NULL: nothing is to be ripped
    FillSurvey *fill;
    float *heights; ///< m, [rows][columns] of the site, with what lies on it; NULL: neither trench nor surface
};

/// ---- what is to be ripped ------------------------------------------------------------------------------------------

/// A point of the rectangle; they lie in the middle of fields about a column wide.
static Vec3 rip_point(const SessionExercise *self, const SceneRip *rip, int row, int column)
{
    double along = rip->length * (column + 0.5) / self->rip_columns;
    double aside = rip->width * ((row + 0.5) / self->rip_rows - 0.5), c = same_cos(rip->heading),
           s = same_sin(rip->heading);
    return vec3(rip->x + along * c - aside * s, rip->y + along * s + aside * c, 0.0);
}

/// Remembers the ground that is to be ripped. False when memory is short.
static bool rip_start(SessionExercise *self, const SceneRip *rip, const Soil *soil, double spacing)
{
    if (rip->depth <= 0.0) {
        return true;
    }
    self->rip_rows = (int)ceil(rip->width / spacing);
    self->rip_columns = (int)ceil(rip->length / spacing);
    self->rip_start = malloc((size_t)self->rip_rows * (size_t)self->rip_columns * sizeof *self->rip_start);
    for (int k = 0; self->rip_start != NULL && k < self->rip_rows * self->rip_columns; k++) {
        Vec3 at = rip_point(self, rip, k / self->rip_columns, k % self->rip_columns);
        self->rip_start[k] = (float)soil_get_firm_height(soil, at.x, at.y);
    }
    return self->rip_start != NULL;
}

/// How much of what is to be ripped is broken, or gone, by whatever tool: what is intact no longer reaches up to where
/// it did.
static ExerciseRipping sample_ripping(const SessionExercise *self, const SessionSight *sight)
{
    const SceneRip *rip = &sight->scene->exercise.rip;
    ExerciseRipping figures = {.seen = self->rip_start != NULL && sight->tick % exercise_look_interval(sight->dt) == 0};
    int count = self->rip_rows * self->rip_columns;
    for (int k = 0; figures.seen && k < count; k++) {
        Vec3 at = rip_point(self, rip, k / self->rip_columns, k % self->rip_columns);
        double broken = fmax(0.0, (double)self->rip_start[k] - soil_get_firm_height(sight->soil, at.x, at.y));
        figures.depth += broken / count;
        figures.share += fmin(broken / rip->depth, 1.0) / count;
    }
    if (dozer_has_ripper(sight->machine)) {
        figures.point = dozer_ripper_height(sight->machine, sight->readout->angle[DOZER_JOINT_RIPPER]);
        figures.blade_up = sight->readout->tip_height > OUT_OF_CUT;
    }
    return figures;
}

SessionExercise *session_exercise_create(const SceneParams *scene, const Soil *soil)
{
    SessionExercise *self = calloc(1, sizeof *self);
    SoilGridView grid = soil_get_grid(soil);
    bool trench = scene->exercise.kind == EXERCISE_TRENCH;
    bool heights = trench || scene_has_part(&scene->exercise, METRIC_OF_SURFACE);
    if (self == NULL) {
        return NULL;
    }
    if (heights) {
        self->heights = zeroed_alloc((size_t)grid.rows * (size_t)grid.columns, sizeof *self->heights);
    }
    self->fill = fill_survey_create(scene, soil);
    if ((heights && self->heights == NULL) || self->fill == NULL ||
        !rip_start(self, &scene->exercise.rip, soil, grid.spacing)) {
        session_exercise_destroy(self);
        return NULL;
    }
    return self;
}

void session_exercise_destroy(SessionExercise *self)
{
    if (self != NULL) {
        zeroed_free(self->heights);
        free(self->rip_start);
        fill_survey_destroy(self->fill);
        free(self);
    }
}

/// ---- places --------------------------------------------------------------------------------------------------------

static SoilPlace dump_place(const SceneTrench *trench)
{
    return (SoilPlace){.x = trench->dump_x, .y = trench->dump_y, .radius = trench->dump_radius + HEAP_FOOT};
}

static SoilPlace cut_place(const SceneTrench *trench)
{
    return (SoilPlace){.x = trench->x + 0.5 * trench->length * same_cos(trench->heading),
                       .y = trench->y + 0.5 * trench->length * same_sin(trench->heading),
                       .heading = trench->heading,
                       .length = trench->length + 2.0 * CUT_RIM,
                       .width = trench->width + 2.0 * CUT_RIM};
}

/// From the middle of the box to that of the dump.
static SoilPlace path_place(const SceneTrench *trench)
{
    SoilPlace cut = cut_place(trench);
    double dx = trench->dump_x - cut.x, dy = trench->dump_y - cut.y;
    return (SoilPlace){.x = cut.x + 0.5 * dx,
                       .y = cut.y + 0.5 * dy,
                       .heading = same_atan2(dy, dx),
                       .length = same_hypot(dx, dy),
                       .width = trench->width + 2.0 * PATH_SIDE};
}

static SoilPlace dig_place(const SceneExercise *exercise)
{
    return (SoilPlace){.x = exercise->truck.dig_x, .y = exercise->truck.dig_y, .radius = EXERCISE_DIG_RADIUS};
}

/// Where the scene marks that soil is cut. False: it marks no place.
static bool marked_cut(const SceneExercise *exercise, SoilPlace *place)
{
    if (exercise->kind == EXERCISE_TRENCH) {
        *place = cut_place(&exercise->trench);
    } else if (exercise->kind == EXERCISE_TRUCK_LOADING) {
        *place = dig_place(exercise);
    }
    return exercise->kind == EXERCISE_TRENCH || exercise->kind == EXERCISE_TRUCK_LOADING;
}

/// Where soil lies that has not been moved yet: the marked cut, and the way on which a machine without an arm pushes
/// it.
static int unmoved_places(const SessionSight *sight, SoilPlace places[MAX_PLACES])
{
    const SceneExercise *exercise = &sight->scene->exercise;
    int count = marked_cut(exercise, &places[0]) ? 1 : 0;
    if (exercise->kind == EXERCISE_TRENCH && sight->machine->swing_joint < 0) {
        places[count++] = path_place(&exercise->trench);
    }
    return count;
}

/// Where soil is delivered to: the dump of a trench, that of trucks.
static int delivery_places(const SceneExercise *exercise, SoilPlace places[MAX_PLACES])
{
    int count = 0;
    if (exercise->kind == EXERCISE_TRENCH) {
        places[count++] = dump_place(&exercise->trench);
    } else if (exercise->haul.trucks > 0) {
        const SceneHaul *haul = &exercise->haul;
        places[count++] = (SoilPlace){.x = haul->dump.x, .y = haul->dump.y, .radius = haul->dump_radius};
    }
    return count;
}

static void add_gain(ExerciseMoved *sum, SoilGain gain)
{
    sum->mass += (double)gain.quanta * SOIL_QUANTUM;
    sum->bank_volume += gain.bank_volume;
}

/// What lies where it was delivered to and did not lie before.
static ExerciseMoved delivered_soil(const SessionSight *sight, SoilGrains grains)
{
    SoilPlace places[MAX_PLACES];
    SoilGainQuery query = {.places = places, .inside = true, .grains = grains};
    query.count = delivery_places(&sight->scene->exercise, places);
    ExerciseMoved sum = {0};
    add_gain(&sum, soil_get_gain(sight->soil, &query));
    return sum;
}

/// What lies neither in the cut nor where it was delivered to, and did not lie before.
/// least  m of loose soil that a column must have gained
static ExerciseMoved strayed_soil(const SessionSight *sight, double least, SoilGrains grains)
{
    SoilPlace places[MAX_PLACES];
    SoilGainQuery query = {.places = places, .least = least, .grains = grains};
    query.count = delivery_places(&sight->scene->exercise, places);
    query.count += unmoved_places(sight, places + query.count);
    ExerciseMoved sum = {0};
    add_gain(&sum, soil_get_gain(sight->soil, &query));
    return sum;
}

/// What was delivered, what trays hold, and what strayed.
static ExerciseMoved moved_soil(const SessionSight *sight, SoilGrains grains)
{
    ExerciseMoved sum = delivered_soil(sight, grains), strayed = strayed_soil(sight, 0.0, grains);
    for (int k = 0; k < SOIL_MAX_TRAYS; k++) {
        add_gain(&sum, soil_get_tray_gain(sight->soil, k));
    }
    return (ExerciseMoved){sum.mass + strayed.mass, sum.bank_volume + strayed.bank_volume};
}

/// ---- settled ground ------------------------------------------------------------------------------------------------

/// Where tools are searched: a place, or the design surface.
typedef struct WorkArea {
    SoilPlace place; ///< where `design` is NULL
    const DesignSurface *design;
    const SceneGround *ground; ///< as it was; NULL: no matter
} WorkArea;

static bool is_over(const WorkArea *area, Vec3 at)
{
    if (area->design != NULL) {
        return design_holds(area->design, at.x, at.y, 0.0);
    }
    const SoilPlace *cut = &area->place;
    if (cut->radius > 0.0) {
        return same_hypot(at.x - cut->x, at.y - cut->y) <= cut->radius;
    }
    double c = same_cos(cut->heading), s = same_sin(cut->heading), dx = at.x - cut->x, dy = at.y - cut->y;
    return fabs(c * dx + s * dy) <= 0.5 * cut->length && fabs(c * dy - s * dx) <= 0.5 * cut->width;
}

/// True when any corner of a tool is over the area and less than `clear` m over the ground as it is, and as it was
/// before the start.
static bool tool_in_area(const WorkArea *area, const Soil *soil, const SoilTool *tool, double clear)
{
    enum { ACROSS = 5 };
    for (int k = 0; k < tool->shape->piece_count; k++) {
        const ToolPiece *piece = &tool->shape->pieces[k];
        for (int n = 0; n < ACROSS * piece->corner_count; n++) {
            const double *corner = piece->corners[n / ACROSS];
            double y = piece->y_min + (piece->y_max - piece->y_min) * (n % ACROSS) / (ACROSS - 1);
            Vec3 at = pose_apply(&tool->motion.frame, vec3(corner[0], y, corner[1]));
            double was = area->ground != NULL ? scene_surface(area->ground, 0.0, at.x, at.y) : -HUGE_VAL;
            if (is_over(area, at) && at.z < fmax(was, soil_get_height(soil, at.x, at.y)) + clear) {
                return true;
            }
        }
    }
    return false;
}

/// What a blade has before it stands on the ground and slides there, however high its edge is held: to spread a layer,
/// that is over the ground by the whole layer. A bucket lifts its load off.
static bool pushes_soil(const SessionSight *sight)
{
    return sight->machine->swing_joint < 0 && sight->payload > CRUMBS;
}

/// True when a tool is in the box of a trench, or on ground that is to become a surface.
static bool tools_at_work(const SceneExercise *exercise, const SessionSight *sight)
{
    const WorkArea cut = {.place = cut_place(&exercise->trench), .ground = &sight->scene->ground};
    const WorkArea surface = {.design = sight->surface};
    bool work = false;
    for (int k = 0; k < sight->tool_count && !work; k++) {
        double clear = k == 0 && pushes_soil(sight) ? HUGE_VAL : TOOL_CLEAR;
        work = (exercise->kind == EXERCISE_TRENCH && tool_in_area(&cut, sight->soil, &sight->tools[k], clear)) ||
               (surface.design != NULL && tool_in_area(&surface, sight->soil, &sight->tools[k], clear));
    }
    return work;
}

static ExerciseGround classify_ground(const SessionSight *sight)
{
    const SceneExercise *exercise = &sight->scene->exercise;
    if (exercise->kind == EXERCISE_FREE || sight->tick % exercise_look_interval(sight->dt) != 0) {
        return EXERCISE_NOT_LOOKED;
    }
    SoilPlace places[MAX_PLACES];
    int count = 0;
    if (tools_at_work(exercise, sight)) {
        return sight->waited ? EXERCISE_WORKED : EXERCISE_STIRRED;
    }
    if (exercise->kind == EXERCISE_TRENCH) {
        places[count++] = dump_place(&exercise->trench);
    } else if (exercise->kind == EXERCISE_TRUCK_LOADING) {
        count = delivery_places(exercise, places);
        places[count++] = dig_place(exercise);
    }
    bool stirred = soil_is_stirred(sight->soil, places, count, (int64_t)(CRUMBS / SOIL_QUANTUM));
    return !stirred ? EXERCISE_SETTLED : sight->waited ? EXERCISE_CREEPING : EXERCISE_STIRRED;
}

/// ---- what is to be dug free ----------------------------------------------------------------------------------------

/// Height of the ground's column nearest to a place, m, world.
static double column_height(const SoilGridView *grid, double x, double y)
{
    int row = (int)lround((y - grid->origin_y) / grid->spacing);
    int column = (int)lround((x - grid->origin_x) / grid->spacing);
    row = row < 0 ? 0 : row >= grid->rows ? grid->rows - 1 : row;
    column = column < 0 ? 0 : column >= grid->columns ? grid->columns - 1 : column;
    return (double)grid->height[row * grid->columns + column];
}

/// True when a fixture is bare at a place of its length: no more than a film of soil stands over the middle of its
/// upper side, and over more than half of the columns across it; crumbs on the rest do not hide it.
/// u  m along it from its middle
static bool is_bare_at(const SceneFixture *fixture, const SoilGridView *grid, double u)
{
    double c = same_cos(fixture->heading), s = same_sin(fixture->heading);
    double half = fixture->shape == SCENE_FIXTURE_PIPE ? fixture->radius : 0.5 * fixture->width;
    int side = (int)(half / grid->spacing), bare = 0;
    bool crown = false;
    for (int k = -side; k <= side; k++) {
        double v = k * grid->spacing;
        double height = column_height(grid, fixture->x + u * c - v * s, fixture->y + u * s + v * c);
        bool film = height <= fixture->top + SCENE_EXPOSED_FILM;
        bare += film;
        crown = crown || (k == 0 && film);
    }
    return crown && 2 * bare > 2 * side;
}

/// Points of a fixture's length, 5 cm apart or less; `dug` of them are bare.
static void count_bare_points(const SceneFixture *fixture, const SoilGridView *grid, int *points, int *dug)
{
    const double apart = 0.05; // m
    int count = (int)ceil(fixture->length / apart);
    for (int k = 0; k < count; k++) {
        *dug += is_bare_at(fixture, grid, fixture->length * ((k + 0.5) / count - 0.5));
    }
    *points += count;
}

/// Share of the length of what is to be dug free that is bare, as the ground's columns are now; -1: there is nothing.
static double exposed_share(const SessionSight *sight)
{
    const SceneExercise *exercise = &sight->scene->exercise;
    if (exercise->expose[0] == '\0') {
        return -1.0;
    }
    SoilGridView grid = soil_get_grid(sight->soil);
    int points = 0, dug = 0;
    for (int k = 0; k < sight->scene->fixtures_count; k++) {
        if (scene_is_to_expose(exercise, &sight->scene->fixtures[k])) {
            count_bare_points(&sight->scene->fixtures[k], &grid, &points, &dug);
        }
    }
    return points > 0 ? (double)dug / points : -1.0;
}

/// ---- rocks ---------------------------------------------------------------------------------------------------------

#define ROCK_LIES 0.05 ///< m/s: a rock that is slower lies, where it is no higher over the ground than it is large

/// A rock lies with its middle in the circle: no tool holds it up.
static bool rock_is_placed(const SessionSight *sight, const RockView *view, double size)
{
    const struct SceneRockPlace *place = &sight->scene->exercise.rock_place;
    Vec3 at = view->motion.frame.position;
    double height = at.z - soil_get_height(sight->soil, at.x, at.y);
    return same_hypot(at.x - place->x, at.y - place->y) <= place->radius && height < size &&
           vec3_length(view->motion.velocity) < ROCK_LIES;
}

static ExerciseRocks sample_rocks(const SessionSight *sight)
{
    const double oversize = sight->scene->exercise.oversize;
    bool looks = sight->tick % exercise_look_interval(sight->dt) == 0;
    ExerciseRocks figures = {.seen = looks && oversize > 0.0,
                             .placing = looks && sight->scene->exercise.rock_place.radius > 0.0};
    for (int i = 0; (figures.seen || figures.placing) && i < session_rocks_count(sight->rocks); i++) {
        RockView view;
        double size = session_rocks_size(sight->rocks, i);
        if (rocks_get(session_rocks_get(sight->rocks), i, &view)) {
            figures.count++;
            figures.mass += view.mass;
            figures.largest = fmax(figures.largest, size);
            figures.oversize += size > oversize ? view.mass : 0.0;
            figures.placed += figures.placing && rock_is_placed(sight, &view, size) ? view.mass : 0.0;
        }
    }
    return figures;
}

/// ---- the sample ----------------------------------------------------------------------------------------------------

/// Figures of the ground that are measured in this tick.
static void sample_ground(SessionExercise *self, const SessionSight *sight, ExerciseSample *sample)
{
    SoilGridView grid = soil_get_grid(sight->soil);
    sample->rows = grid.rows;
    sample->columns = grid.columns;
    sample->spacing = grid.spacing;
    sample->origin_x = grid.origin_x;
    sample->origin_y = grid.origin_y;
    sample->heights = grid.height;
    bool starts = sample->tick == 0, judged = exercise_judges(sample->ground) || starts;
    SoilGrains grains = sample->ground == EXERCISE_WORKED     ? SOIL_GRAINS_ALL
                        : sample->ground == EXERCISE_CREEPING ? SOIL_GRAINS_LOOSE
                                                              : SOIL_GRAINS_LYING;
    sample->spilled.mass = sample->moved.mass = -1.0;
    if (judged && sight->scene->exercise.kind != EXERCISE_FREE) {
        sample->moved = moved_soil(sight, grains);
    }
    if (judged && scene_has_part(&sight->scene->exercise, METRIC_OF_WORK)) {
        sample->spilled = strayed_soil(sight, THIN, grains);
    }
    if (self->heights != NULL && (judged || sample->ground == EXERCISE_WORKED)) {
        soil_get_rest(sight->soil, grains, self->heights);
        sample->heights = self->heights;
    }
    if (judged && sight->scene->exercise.kind == EXERCISE_TRENCH) {
        sample->dump_mass = delivered_soil(sight, grains).mass;
    }
}

static void sample_operator(const SessionSight *sight, ExerciseSample *sample)
{
    const MachineParams *params = sight->machine;
    int lever = 0;
    for (int axis = 0; axis < CONTROL_COUNT; axis++) {
        if (machine_joint_of_control(params, (ControlAxis)axis) >= 0) {
            sample->levers[lever++] = control_value(sight->controls, (ControlAxis)axis);
            double speed = fabs(sight->readout->speed[machine_joint_of_control(params, (ControlAxis)axis)]);
            sample->joint_speed = fmax(sample->joint_speed, speed);
        }
    }
    if (params->swing_joint >= 0) {
        int bucket = machine_joint_of_control(params, CONTROL_BUCKET);
        sample->swing_speed = sight->readout->speed[params->swing_joint];
        sample->curl_speed = bucket >= 0 ? -sight->readout->speed[bucket] : 0.0;
    } else {
        sample->carries = sight->readout->tip_height > OUT_OF_CUT;
    }
}

/// The answer that is pressed, 1..; 0: none.
static int answer_of(const OperatorControls *controls)
{
    int answer = (int)lround(10.0 * control_value(controls, CONTROL_ANSWER));
    return answer > 0 ? answer : 0;
}

/// Heaped, of the top layer's soil, loose.
static double full_load(const SessionSight *sight)
{
    const SceneParams *scene = sight->scene;
    const SoilParams *soil = &scene->soils[scene->ground.layer_count > 0 ? scene->ground.layers[0].soil_index : 0];
    return sight->machine->tool[0].capacity * soil->bank_density / (1.0 + soil->swell);
}

void session_exercise_sample(SessionExercise *self, const SessionSight *sight, ExerciseSample *sample)
{
    const MachineReadout *readout = sight->readout;
    ExerciseGround ground = classify_ground(sight);
    SessionTruckSum trucks = session_trucks_sum(sight->trucks, sight->soil, ground != EXERCISE_NOT_LOOKED);
    *sample = (ExerciseSample){
        .tick = sight->tick,
        .dt = sight->dt,
        .tip = readout->tip,
        .base = readout->base,
        .heading = readout->yaw,
        .answer = answer_of(sight->controls),
        .payload = sight->payload,
        .full = full_load(sight),
        .tool_size = same_cbrt(sight->machine->tool[0].capacity),
        .swings = sight->machine->swing_joint >= 0,
        .belts = {sight->belts[0], sight->belts[1]},
        .fuel = readout->fuel,
        .limits = readout->limits,
        .slip = {readout->slip[0], readout->slip[1]},
        .delivered = trucks.delivered,
        .truck_loads = trucks.left,
        .truck_passes = trucks.passes,
        .left = (double)soil_get_left(sight->soil) * SOIL_QUANTUM,
        .exposed = exercise_judges(ground) ? exposed_share(sight) : -1.0,
        .compacted = exercise_judges(ground) ? fill_survey_dense(self->fill, sight->scene, sight->soil) : -1.0,
        .rocks = sample_rocks(sight),
        .ripping = sample_ripping(self, sight),
        .loads = sight->loads,
        .tools = sight->changes,
        .walk = sight->walk,
        .start_up = sight->start_up,
        .ground = ground};
    for (int k = 0; k < SCENE_MAX_TRUCKS; k++) {
        sample->beds[k] = trucks.beds[k];
    }
    sample->beds[0].mass += sight->tray_rocks;
    double over_ground = readout->tip.z - soil_get_height(sight->soil, readout->tip.x, readout->tip.y);
    sample->edge_clear = over_ground > 0.0;
    sample->edge_height = sample->swings ? over_ground : readout->tip_height;
    SoilPlace cut;
    sample->marked = marked_cut(&sight->scene->exercise, &cut);
    sample->in_cut = sample->marked && is_over(&(WorkArea){.place = cut}, readout->tip);
    sample_operator(sight, sample);
    sample_ground(self, sight, sample);
}
