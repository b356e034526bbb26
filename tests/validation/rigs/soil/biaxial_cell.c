/// The biaxial cell itself.
#include "tests/validation/rigs/soil/biaxial_cell.h"

#include <math.h>
#include <string.h>

#include "tests/validation/rigs/soil/apparatus.h"
#include "tests/validation/rigs/soil/packing.h"
#include "tests/validation/rigs/soil/pressed_plate.h"

/// The plates, in the order in which the soil knows them.
enum { CELL_FLOOR, CELL_LID, CELL_FACES, CELL_WEST, CELL_EAST, CELL_TOOLS };

#define DAMPING 0.05 ///< of the plates, of critical: walls that give way hold the pressure within a few per cent
#define AT_REST 0.002 ///< m/s, root mean square of the grains; of plates half of it

/// A cell at work.
typedef struct Press {
    const BiaxialCell *cell;
    SceneParams scene;
    Soil *soil;
    Grains grains;
    ToolShape shapes[CELL_TOOLS];
    SoilTool tools[CELL_TOOLS];
    double length, width, height; ///< m
    PressedPlate lid, wall;
    bool lid_loaded, walls_loaded; ///< they carry the pressure; else they move at the speed that they have
    double force[CELL_TOOLS]; ///< N that pushes a plate outwards, mean of the last tick
} Press;

/// Walls and faces reach so far beyond the block that no gap opens while it bulges.
static void build_press(Press *press)
{
    double l = 0.5 * press->length, w = 0.5 * press->width, h = press->height, t = press->length;
    memset(press->shapes, 0, sizeof press->shapes);
    ToolPiece *floor = press->shapes[CELL_FLOOR].pieces, *lid = press->shapes[CELL_LID].pieces;
    ToolPiece *faces = press->shapes[CELL_FACES].pieces, *west = press->shapes[CELL_WEST].pieces,
              *east = press->shapes[CELL_EAST].pieces;
    *floor = block_piece(-l - t, l + t, -w - t, w + t, -t, 0.0);
    *lid = block_piece(-l - t, l + t, -w, w, 0.0, t);
    faces[0] = block_piece(-l - t, l + t, w, w + t, 0.0, 4.0 * h);
    faces[1] = block_piece(-l - t, l + t, -w - t, -w, 0.0, 4.0 * h);
    *west = block_piece(-t, 0.0, -w, w, 0.0, 4.0 * h);
    *east = block_piece(0.0, t, -w, w, 0.0, 4.0 * h);
    for (int k = 0; k < CELL_TOOLS; k++) {
        press->shapes[k].piece_count = k == CELL_FACES ? 2 : 1;
        press->shapes[k].edge_width = 1.0;
        press->tools[k] = still_tool(&press->shapes[k], vec3(0.0, 0.0, 0.0));
        press->tools[k].steel_friction = 0.0;
    }
    press->tools[CELL_WEST].motion.frame.position.x = press->tools[CELL_WEST].motion.center.x = -l;
    press->tools[CELL_EAST].motion.frame.position.x = press->tools[CELL_EAST].motion.center.x = l;
}

static double length_of(const Press *press)
{
    return press->tools[CELL_EAST].motion.frame.position.x - press->tools[CELL_WEST].motion.frame.position.x;
}

static double height_of(const Press *press)
{
    return press->tools[CELL_LID].motion.frame.position.z;
}

/// The plates follow what they bear.
static void move_plates(Press *press, const Wrench wrenches[CELL_TOOLS], double h)
{
    SoilTool *tools = press->tools;
    for (int k = 0; k < CELL_TOOLS; k++) {
        tools[k].motion.frame.position = vec3_madd(tools[k].motion.frame.position, h, tools[k].motion.velocity);
        tools[k].motion.center = tools[k].motion.frame.position;
    }
    if (press->lid_loaded) {
        double *up = &tools[CELL_LID].motion.velocity.z;
        *up = pressed_plate_speed(&press->lid, *up, wrenches[CELL_LID].force.z, h);
    }
    if (press->walls_loaded) {
        double *east = &tools[CELL_EAST].motion.velocity.x, *west = &tools[CELL_WEST].motion.velocity.x;
        *east = pressed_plate_speed(&press->wall, *east, wrenches[CELL_EAST].force.x, h);
        *west = -pressed_plate_speed(&press->wall, -*west, -wrenches[CELL_WEST].force.x, h);
    }
}

static void tick(Press *press, double pressure)
{
    const SceneRates *rates = &press->scene.rates;
    double dt = 1.0 / rates->tick_rate, h = dt / rates->substeps;
    memset(press->force, 0, sizeof press->force);
    press->lid.load = pressure * length_of(press) * press->width;
    press->wall.load = pressure * height_of(press) * press->width;
    soil_begin_tick(press->soil, press->tools, CELL_TOOLS, dt);
    for (int k = 0; k < rates->substeps; k++) {
        Wrench wrenches[CELL_TOOLS];
        soil_substep(press->soil, press->tools, CELL_TOOLS, h, wrenches);
        press->force[CELL_LID] += wrenches[CELL_LID].force.z / rates->substeps;
        press->force[CELL_EAST] += wrenches[CELL_EAST].force.x / rates->substeps;
        press->force[CELL_WEST] -= wrenches[CELL_WEST].force.x / rates->substeps;
        move_plates(press, wrenches, h);
    }
    soil_end_tick(press->soil, press->tools, CELL_TOOLS);
}

/// At least `least` s, at most `most`, until all rests.
static void settle(Press *press, double pressure, double least, double most)
{
    int rate = press->scene.rates.tick_rate;
    bool rests = false;
    for (int k = 0; k < (int)(most * rate) && !(rests && k >= (int)(least * rate)); k++) {
        tick(press, pressure);
        double fastest =
            fmax(fabs(press->tools[CELL_LID].motion.velocity.z), fmax(fabs(press->tools[CELL_EAST].motion.velocity.x),
                                                                      fabs(press->tools[CELL_WEST].motion.velocity.x)));
        rests = packing_speed(press->soil, -HUGE_VAL) < AT_REST && fastest < 0.5 * AT_REST;
    }
}

/// Fills the cell dry, with the friction that makes it as dense as undisturbed soil, and puts the lid on.
static bool pour(Run *run, Press *press, BiaxialTest *test)
{
    SceneParams dry = press->scene;
    SoilParams *soil = &dry.soils[0];
    soil->contact_adhesion = 0.0;
    soil->contact_friction = fmin(soil->contact_friction, soil->contact_bond_friction);
    press->soil = run_create_soil(run, &dry);
    if (press->soil == NULL) {
        return false;
    }
    PackingSpace space = {.length = press->length, .width = press->width, .scattered = true};
    test->particles = packing_count(&press->grains, press->length * press->width * press->height);
    double above = 4.0 * press->height;
    press->tools[CELL_LID].motion.frame.position.z = press->tools[CELL_LID].motion.center.z = above;
    packing_pour(press->soil, &dry, press->tools, CELL_TOOLS, &press->grains, &space, test->particles,
                 press->cell->seed, 4.0);
    double top = packing_top(press->soil) + press->grains.radius * (1.0 + press->grains.spread);
    press->tools[CELL_LID].motion.frame.position.z = press->tools[CELL_LID].motion.center.z = top;
    return true;
}

/// The contacts get their true parameters; the springs carry the same load again.
static bool exchange_soil(Run *run, Press *press)
{
    Soil *dry = press->soil, *own = run_create_soil(run, &press->scene);
    if (own == NULL) {
        return false;
    }
    packing_copy(own, dry, -HUGE_VAL, 0.0);
    soil_destroy(dry);
    press->soil = own;
    return true;
}

static bool prepare(Run *run, Press *press, double pressure, BiaxialTest *test)
{
    if (!pour(run, press, test)) {
        return false;
    }
    press->lid_loaded = true;
    settle(press, pressure, 1.0, 6.0);
    if (!exchange_soil(run, press)) {
        return false;
    }
    soil_set_gravity(press->soil, 0.0);
    press->walls_loaded = true;
    settle(press, pressure, 1.0, 6.0);
    if (press->cell->soil.contact_adhesion > 0.0) {
        soil_bond(press->soil);
        settle(press, pressure, 0.2, 1.0);
    }
    double grains = test->particles * packing_grain_mass(&press->grains) / press->grains.solid_density;
    test->solid = grains / (length_of(press) * press->width * height_of(press));
    return true;
}

static void compress(Press *press, double pressure, BiaxialTest *test)
{
    const BiaxialCell *cell = press->cell;
    double dt = 1.0 / press->scene.rates.tick_rate, height = height_of(press), volume = height * length_of(press);
    int ticks = (int)(cell->strain / (cell->rate * dt) + 0.5), done = 0;
    press->lid_loaded = false;
    press->tools[CELL_LID].motion.velocity.z = -cell->rate * height;
    for (int s = 0; s < BIAXIAL_SAMPLES; s++) {
        int end = (int)((int64_t)(s + 1) * ticks / BIAXIAL_SAMPLES), first = done;
        BiaxialSample *sample = &test->samples[s];
        for (; done < end; done++) {
            tick(press, pressure);
            double share = 1.0 / (end - first), now = height_of(press), area = press->width * now;
            sample->strain += share * (1.0 - now / height);
            sample->volume_strain += share * (1.0 - now * length_of(press) / volume);
            sample->axial += share * press->force[CELL_LID] / (press->width * length_of(press));
            sample->lateral += share * 0.5 * (press->force[CELL_EAST] + press->force[CELL_WEST]) / area;
        }
    }
}

bool biaxial_test(Run *run, const BiaxialCell *cell, double pressure, BiaxialTest *test)
{
    double d = 2.0 * cell->radius;
    Press press = {.cell = cell, .length = cell->length * d, .width = cell->width * d, .height = cell->height * d};
    memset(test, 0, sizeof *test);
    press.grains = packing_grains(&cell->soil, cell->radius);
    press.scene =
        run_scene(run, &cell->soil, packing_count(&press.grains, press.length * press.width * press.height), 1.0);
    press.scene.soils[0].steel_adhesion = 0.0;
    if (option_number(run, "substeps") >= 1.0) {
        press.scene.rates.substeps = (int)option_number(run, "substeps");
    }
    packing_fit_scene(&press.scene, &press.grains);
    press.lid = pressed_plate(&cell->soil, press.length * press.width, press.height, DAMPING);
    press.wall = pressed_plate(&cell->soil, press.height * press.width, press.length, DAMPING);
    build_press(&press);
    bool good = prepare(run, &press, pressure, test);
    if (good) {
        compress(&press, pressure, test);
    }
    soil_destroy(press.soil);
    return good;
}
