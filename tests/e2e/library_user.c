/// A program of somebody else: ground with falling grains and an excavator that stands, from the installed headers
/// alone.
#include <math.h>
#include <stdio.h>

#include "data/schema/schema.h"
#include "machine/machine.h"
#include "machine/rocks.h"
#include "machine/truck.h"
#include "soil/soil.h"
#include "soil/soil_lab.h"

/// The level ground that the tracks stand on.
static void level_ground(const Machine *machine, const MachineState *state, MachineGround ground[MACHINE_MAX_PATCHES])
{
    Vec3 places[MACHINE_MAX_PATCHES];
    int count = machine_track_patches(machine, state, places);
    for (int k = 0; k < count; k++) {
        ground[k] = (MachineGround){
            .normal = vec3(0.0, 0.0, 1.0), .firmness = 1.0, .bearing = HUGE_VAL, .friction = 0.7, .cohesion = 1e4};
    }
}

int main(int count, char **arguments)
{
    Status status;
    SceneParams scene;
    MachineParams params;
    char path[1024];
    snprintf(path, sizeof path, "%s/scenes/trench.yaml", count > 1 ? arguments[1] : "data");
    if (!data_load_scene(path, NULL, 0, &scene, &params, NULL, &status)) {
        fprintf(stderr, "%s\n", status.text);
        return 1;
    }
    Soil *soil = soil_create(&scene, 1, SOIL_SOLVER_DEFAULT, 1, &status);
    Machine *machine = soil != NULL ? machine_create(&params, &status) : NULL;
    if (machine == NULL) {
        fprintf(stderr, "%s\n", status.text);
        soil_destroy(soil);
        return 1;
    }
    for (int k = 0; k < 10; k++) {
        soil_add_particle(soil, vec3(0.2 * k, 0.0, 2.0), vec3(0.0, 0.0, 0.0), 0.05, 0, 1.0);
    }
    MachineState state;
    machine_start(machine, 0.0, 0.0, 0.0, 0.0, &state);
    OperatorControls controls = control_neutral;
    MachineGround ground[MACHINE_MAX_PATCHES];
    int64_t before = soil_get_ledger(soil).total;
    for (int tick = 0; tick < 60; tick++) {
        soil_begin_tick(soil, NULL, 0, 1.0 / 60.0);
        for (int k = 0; k < 8; k++) {
            soil_substep(soil, NULL, 0, 1.0 / 480.0, NULL);
            level_ground(machine, &state, ground);
            machine_step(machine, &(MachineInputs){.controls = &controls, .ground = ground}, 1.0 / 480.0, &state);
        }
        soil_end_tick(soil, NULL, 0);
    }
    printf("soil mass %s, machine %s\n", soil_get_ledger(soil).total == before ? "constant" : "changed",
           machine_state_is_finite(&state) && fabs(state.body[0].velocity[2]) < 0.05 ? "at rest" : "moving");
    machine_destroy(machine);
    soil_destroy(soil);
    return 0;
}
