/// The soil never kicks the bucket: a free bucket, held by actuators of limited force as cylinders hold it, on the ways
/// that make other systems throw it back.
///
/// What soil can do to a tool. On each square metre of the tool that it meets it carries at most its bearing capacity,
/// that of a strip footing at the tool's depth d: q = c Nc + rho g d Nq + 0.5 rho g B Ngamma (Nq Prandtl, Nc Reissner,
/// Ngamma Vesic), to which the inertia of what is pushed aside adds rho v^2 and friction on the steel the factor sqrt(1
/// + tan^2 delta). What the tool carries weighs on it, and is accelerated by its way: m (g + a). So |F| < A (q + rho
/// v^2) sqrt(1 + tan^2 delta) + m (g + a). Grains held between the tool and something that does not give way pass on
/// what the actuators push with; let in suddenly, twice that. And soil that was pressed gives back no more than it was
/// given: the tool is never thrown back faster than its way ever asked. Thrown back is what moves against its way, or,
/// where it is to rest, the way the soil pushes it.
#include "data/schema/machine_params.h"
#include "tests/support/soil_fixture.h"

#include "data/schema/load.h"
#include "tests/support/tool_columns.h"

enum { SUBSTEPS = 8 };

#define REACH       1.01 ///< m
#define BUCKET_MASS 900.0 ///< kg, of the 22-t machine
#define BUCKET_TURN 169.0 ///< kg m2 about its centre, across
#define STRENGTH    100e3 ///< N: most that the actuators push with
#define TORQUE      120e3 ///< N m
#define HOLDING     50.0 ///< rad/s: how stiffly the actuators follow

/// A place on the bucket's way: of its pin, and its pitch (positive turns the edge up).
typedef struct Knot {
    double time; ///< s
    double x, y, z; ///< m
    double pitch; ///< degrees
} Knot;

/// A free bucket that turns about its y axis alone.
typedef struct Bucket {
    ToolShape shape;
    Vec3 middle; ///< m: centre of mass in the shape's frame
    SoilTool tool;
    double pitch, rate; ///< rad, rad/s
    const Knot *knots;
    int knot_count;
} Bucket;

/// A way, and what the soil may do on it.
typedef struct Way {
    const char *name, *soil;
    double area; ///< m2 of the bucket that may face ground it moves against, or presses on
    double depth; ///< m: deepest below the surface
    double passed_on; ///< N: of the actuators' force, through grains that something holds
    bool rock; ///< a block of 1 x 2 m in the ground, its face at x = -1, from 0.5 m below the surface to 1 m above
    int knot_count;
    Knot knots[6];
} Way;

/// What a way showed.
typedef struct Kick {
    double force, tick_force; ///< N: largest of a substep, largest mean over a tick
    double back; ///< m/s: fastest against its way, or, where it is to rest, the way the soil pushes it
    double payload; ///< kg: most that it carried
    double risen; ///< m: largest rise of ground that neither particles nor the bucket in the ground came near
} Kick;

static void target_of(const Bucket *bucket, double time, Knot *at, Knot *rate)
{
    int k = 0;
    while (k < bucket->knot_count - 2 && time >= bucket->knots[k + 1].time) {
        k++;
    }
    const Knot *from = &bucket->knots[k], *to = &bucket->knots[k + 1];
    double span = to->time - from->time, part = fmin(1.0, (time - from->time) / span); // least jerk
    double share = part * part * part * (10.0 + part * (6.0 * part - 15.0));
    double moving = 30.0 * part * part * (1.0 - part) * (1.0 - part) / span;
    *at = (Knot){time, from->x + share * (to->x - from->x), from->y + share * (to->y - from->y),
                 from->z + share * (to->z - from->z), from->pitch + share * (to->pitch - from->pitch)};
    *rate = (Knot){0, moving * (to->x - from->x), moving * (to->y - from->y), moving * (to->z - from->z),
                   moving * (to->pitch - from->pitch)};
}

/// The tool as the soil sees it, from the centre's place and the pitch.
static void pose(Bucket *bucket)
{
    double c = cos(bucket->pitch), s = sin(bucket->pitch);
    bucket->tool.motion.frame.rotation = (Mat3){{{c, 0, -s}, {0, 1, 0}, {s, 0, c}}};
    bucket->tool.motion.frame.position =
        vec3_sub(bucket->tool.motion.center, mat3_mul(&bucket->tool.motion.frame.rotation, bucket->middle));
    bucket->tool.motion.spin = vec3(0, -bucket->rate, 0);
}

static double limited(double value, double most)
{
    return fmax(-most, fmin(most, value));
}

/// Where the centre is to be, and how fast, when the pin is on its way.
static void centre_target(const Bucket *bucket, double time, Vec3 *at, Vec3 *velocity, double *pitch, double *rate)
{
    Knot place, motion;
    target_of(bucket, time, &place, &motion);
    *pitch = radians(place.pitch);
    *rate = radians(motion.pitch);
    double c = cos(*pitch), s = sin(*pitch);
    Vec3 arm = vec3(c * bucket->middle.x - s * bucket->middle.z, 0, s * bucket->middle.x + c * bucket->middle.z);
    *at = vec3_add(vec3(place.x, place.y, place.z), arm);
    *velocity = vec3_add(vec3(motion.x, motion.y, motion.z), vec3_cross(vec3(0, -*rate, 0), arm));
}

/// One substep of the bucket's own motion under actuators and soil; its weight is balanced.
static void move(Bucket *bucket, const Wrench *wrench, double time, double h)
{
    Vec3 at, velocity;
    double pitch, rate;
    centre_target(bucket, time, &at, &velocity, &pitch, &rate);
    SoilTool *tool = &bucket->tool;
    Vec3 pull = vec3_madd(vec3_scale(vec3_sub(at, tool->motion.center), HOLDING * HOLDING), 1.4 * HOLDING,
                          vec3_sub(velocity, tool->motion.velocity));
    double size = BUCKET_MASS * vec3_length(pull), most = size > STRENGTH ? STRENGTH / size : 1.0;
    tool->motion.velocity =
        vec3_madd(tool->motion.velocity, h, vec3_madd(vec3_scale(pull, most), 1.0 / BUCKET_MASS, wrench->force));
    tool->motion.center = vec3_madd(tool->motion.center, h, tool->motion.velocity);
    double twist = BUCKET_TURN * (HOLDING * HOLDING * (pitch - bucket->pitch) + 1.4 * HOLDING * (rate - bucket->rate));
    bucket->rate += h / BUCKET_TURN * (limited(twist, TORQUE) - wrench->moment.y);
    bucket->pitch += h * bucket->rate;
    pose(bucket);
}

static void start(Bucket *bucket, const Knot *knots, int count)
{
    MachineParams machine;
    Status status;
    memset(bucket, 0, sizeof *bucket);
    assert_true(data_load_machine("excavator-22t", &machine, NULL, &status));
    bucket->shape = machine.tool[0].shape;
    const double *center = machine.body[EXCAVATOR_BUCKET].center;
    bucket->middle = vec3(center[0], center[1], center[2]);
    bucket->knots = knots;
    bucket->knot_count = count;
    SoilTool *tool = &bucket->tool;
    centre_target(bucket, 0.0, &tool->motion.center, &tool->motion.velocity, &bucket->pitch, &bucket->rate);
    tool->motion.velocity = vec3(0, 0, 0);
    bucket->rate = 0.0;
    tool->shape = &bucket->shape;
    tool->motion.inverse_mass = 1.0 / BUCKET_MASS;
    tool->motion.inertia_inverse.m[1][1] = 1.0 / BUCKET_TURN;
    tool->cuts = true;
    tool->steel_friction = 1.0;
    pose(bucket);
}

/// Largest rise of the ground in columns more than REACH away from all that particles or the pressing bucket were over:
/// what the bucket pushes aside is heaved up to half a metre beside it, and slides half a metre on.
static double rise_elsewhere(const Soil *soil, const uint8_t *visited)
{
    SoilGridView grid = soil_get_grid(soil);
    int reach = (int)(REACH / grid.spacing);
    double most = 0.0;
    for (int k = 0; k < grid.rows * grid.columns; k++) {
        bool near = (double)grid.height[k] <= most; // level ground at 0
        for (int r = k / grid.columns - reach; !near && r <= k / grid.columns + reach; r++) {
            for (int c = k % grid.columns - reach; c <= k % grid.columns + reach; c++) {
                near |= r >= 0 && r < grid.rows && c >= 0 && c < grid.columns && visited[r * grid.columns + c];
            }
        }
        most = near ? most : (double)grid.height[k];
    }
    return most;
}

static void visit_columns(const Soil *soil, const SoilTool *bucket, uint8_t *visited)
{
    SoilParticleView p = soil_get_particles(soil);
    SoilGridView grid = soil_get_grid(soil);
    for (int k = 0; k < p.count; k++) {
        int column = column_under(&grid, p.x[k], p.y[k]);
        if (column >= 0) {
            visited[column] = 1;
        }
    }
    mark_tool_columns(soil, bucket, 0.02, visited);
}

/// One tick; `tools[0]` is the bucket.
static void tick_bucket(Soil *soil, Bucket *bucket, SoilTool *tools, int count, int tick, Kick *kick)
{
    const double dt = 1.0 / 60.0, h = dt / SUBSTEPS;
    Vec3 sum = vec3(0, 0, 0);
    tools[0] = bucket->tool;
    soil_begin_tick(soil, tools, count, dt);
    for (int k = 0; k < SUBSTEPS; k++) {
        Wrench wrenches[2];
        Vec3 at, velocity;
        double pitch, rate, time = tick * dt + k * h;
        tools[0] = bucket->tool;
        soil_substep(soil, tools, count, h, wrenches);
        move(bucket, &wrenches[0], time, h);
        kick->force = fmax(kick->force, vec3_length(wrenches[0].force));
        sum = vec3_madd(sum, 1.0 / SUBSTEPS, wrenches[0].force);
        centre_target(bucket, time + h, &at, &velocity, &pitch, &rate);
        Vec3 over = vec3_sub(bucket->tool.motion.velocity, velocity);
        double asked = vec3_length(velocity);
        double pushed = vec3_length(wrenches[0].force);
        double thrown = pushed > 0.0 ? vec3_dot(over, wrenches[0].force) / pushed : 0.0;
        kick->back =
            fmax(kick->back, asked > 1e-3 ? -vec3_dot(bucket->tool.motion.velocity, velocity) / asked : thrown);
    }
    tools[0] = bucket->tool;
    soil_end_tick(soil, tools, count);
    kick->tick_force = fmax(kick->tick_force, vec3_length(sum));
    kick->payload = fmax(kick->payload, soil_get_payload(soil, &bucket->tool, NULL));
}

static Kick go(const Way *way, SoilParams *params)
{
    SceneParams scene = loam_scene();
    Status status;
    assert_true(data_load_soil(way->soil, &scene.soils[0], NULL, &status));
    *params = scene.soils[0];
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    Bucket bucket;
    start(&bucket, way->knots, way->knot_count);
    ToolShape block;
    memset(&block, 0, sizeof block);
    block.piece_count = 1;
    block.pieces[0] =
        (ToolPiece){.corner_count = 4, .corners = {{-2, -0.5}, {-1, -0.5}, {-1, 1}, {-2, 1}}, .y_min = -1, .y_max = 1};
    SoilTool tools[2] = {bucket.tool, box_tool(&block, vec3(0, 0, 0))};
    uint8_t *visited = calloc(80 * 80, sizeof *visited);
    assert_non_null(visited);
    Kick kick = {0};
    int ticks = (int)(60.0 * (way->knots[way->knot_count - 1].time + 0.5));
    int64_t total = soil_get_ledger(soil).total;
    for (int tick = 0; tick < ticks; tick++) {
        tick_bucket(soil, &bucket, tools, way->rock ? 2 : 1, tick, &kick);
        visit_columns(soil, &bucket.tool, visited);
        kick.risen = fmax(kick.risen, rise_elsewhere(soil, visited));
        assert_true(soil_get_ledger(soil).total == total);
    }
    free(visited);
    soil_destroy(soil);
    return kick;
}

/// The fastest that the edge is asked to be on a way, m/s, and its largest acceleration, m/s2: least jerk, 15/8 L/T,
/// 10/sqrt(3) L/T^2.
static void asked_of(const Way *way, double *fastest, double *quickest)
{
    *fastest = *quickest = 0.0;
    for (int k = 1; k < way->knot_count; k++) {
        const Knot *a = &way->knots[k - 1], *b = &way->knots[k];
        double time = b->time - a->time, reach = 1.5; // m, from the pin to the edge
        double length = vec3_length(vec3(b->x - a->x, b->y - a->y, b->z - a->z));
        length += reach * radians(fabs(b->pitch - a->pitch));
        *fastest = fmax(*fastest, 1.875 * length / time);
        *quickest = fmax(*quickest, 5.77 * length / (time * time));
    }
}

/// Most that the soil can do on a way, N: the law at the head of this file.
static double most_force(const Way *way, const SoilParams *soil, double payload)
{
    double phi = soil->friction_angle, weight = soil->bank_density * STANDARD_GRAVITY, fastest, quickest;
    double nq = exp(M_PI * tan(phi)) * pow(tan(0.25 * M_PI + 0.5 * phi), 2.0), nc = (nq - 1.0) / tan(phi);
    double ngamma = 2.0 * (nq + 1.0) * tan(phi), footing = 0.3; // m, B
    double q = soil->cohesion * nc + weight * way->depth * nq + 0.5 * weight * footing * ngamma;
    asked_of(way, &fastest, &quickest);
    double rub = sqrt(1.0 + pow(tan(soil->steel_friction_angle), 2.0));
    return way->area * (q + soil->bank_density * fastest * fastest) * rub + payload * (STANDARD_GRAVITY + quickest) +
           way->passed_on;
}

static void check_way(const Way *way)
{
    SoilParams soil;
    Kick kick = go(way, &soil);
    double most = most_force(way, &soil, kick.payload), fastest, quickest;
    asked_of(way, &fastest, &quickest);
    print_message(
        "%s in %s: %.0f kN in a substep, %.0f over a tick, at most %.0f; thrown back with %.2f m/s, asked for %.2f; "
        "ground elsewhere rose by %.1f mm\n",
        way->name, way->soil, kick.force / 1e3, kick.tick_force / 1e3, most / 1e3, kick.back, fastest,
        1e3 * kick.risen);
    assert_true(kick.force < most);
    assert_true(kick.back < fastest);
    assert_true(kick.risen < 1e-3);
}

TEST(flat_digging)
{
    // The leading plate and what heaps up before it, 1.3 m wide.
    check_way(&(Way){.name = "flat digging",
                     .soil = "loam",
                     .area = 1.3 * 0.6,
                     .depth = 0.2,
                     .knot_count = 3,
                     .knots = {{0, 2, 0, 1.7, -100}, {0.8, 1.5, 0, 1.25, -100}, {3.0, -0.8, 0, 1.25, -100}}});
}

TEST(back_dragging)
{
    // The floor slides backwards over the ground, 1.3 m wide and 0.5 m long, 0.1 m deep.
    check_way(&(Way){.name = "back-dragging",
                     .soil = "loam",
                     .area = 1.3 * 0.6,
                     .depth = 0.15,
                     .knot_count = 3,
                     .knots = {{0, -1, 0, 1.7, -80}, {0.8, -1, 0, 1.35, -80}, {3.0, 1.2, 0, 1.35, -80}}});
}

TEST(digging_in_sand)
{
    check_way(&(Way){.name = "sand, deep and fast",
                     .soil = "sand",
                     .area = 1.3 * 0.9,
                     .depth = 0.4,
                     .knot_count = 3,
                     .knots = {{0, 2, 0, 1.8, -100}, {0.8, 1.5, 0, 1.05, -100}, {2.3, -0.8, 0, 1.05, -100}}});
}

TEST(pressed_straight_down)
{
    // What is below the surface at 0.4 m depth, seen from below: 1.3 m wide, 0.45 m long.
    check_way(&(Way){.name = "pressed down",
                     .soil = "clay",
                     .area = 1.3 * 0.45,
                     .depth = 0.4,
                     .knot_count = 3,
                     .knots = {{0, 0, 0, 1.7, -90}, {1.5, 0, 0, 1.07, -90}, {2.5, 0, 0, 1.07, -90}}});
}

TEST(dragged_sideways)
{
    // A side plate, 0.4 m deep and 0.5 m long there, and what heaps up before it.
    check_way(&(Way){.name = "dragged sideways",
                     .soil = "loam",
                     .area = 0.8 * 0.7,
                     .depth = 0.35,
                     .knot_count = 3,
                     .knots = {{0, 0, -1, 1.8, -90}, {1.2, 0, -1, 1.12, -90}, {3.0, 0, 0.8, 1.12, -90}}});
}

TEST(closed_on_a_rock)
{
    // The edge digs towards the rock and presses the grains between against it.
    check_way(&(Way){
        .name = "closed on a rock",
        .soil = "gravel",
        .area = 1.3 * 0.6,
        .depth = 0.25,
        .rock = true,
        .passed_on = 2.0 * STRENGTH,
        .knot_count = 4,
        .knots = {
            {0, 1.5, 0, 1.7, -100}, {0.8, 1.2, 0, 1.2, -100}, {2.5, -0.6, 0, 1.2, -100}, {3.5, -0.6, 0, 1.2, -150}}});
}

TEST(dumping)
{
    check_way(&(Way){.name = "filled and dumped",
                     .soil = "wet-clay",
                     .area = 1.3 * 0.8,
                     .depth = 0.35,
                     .knot_count = 6,
                     .knots = {{0, 2, 0, 1.7, -100},
                               {0.7, 1.7, 0, 1.1, -100},
                               {2.5, -0.5, 0, 1.1, -100},
                               {4.0, -0.5, 0, 1.3, -180},
                               {5.0, -0.5, 0, 2.3, -180},
                               {5.7, -0.5, 0, 2.3, -45}}});
}

TEST_GROUP(NULL, NULL)
