#include "trainer/session/coupling.h"

#include <math.h>
#include <string.h>

static SoilTool body_tool(const Machine *machine, const MachineState *state, MachineBody body, const ToolShape *shape)
{
    SoilTool tool = {.shape = shape, .cuts = true, .steel_friction = 1.0};
    machine_get_body(machine, state, body, &tool.motion);
    return tool;
}

void coupling_tool(const Machine *machine, const MachineState *state, SoilTool *tool)
{
    *tool = body_tool(machine, state, MACHINE_BUCKET, &machine_params(machine)->tool);
}

int coupling_tools(const Machine *machine, const MachineState *state, SoilTool tools[COUPLING_MAX_TOOLS])
{
    const MachineParams *params = machine_params(machine);
    coupling_tool(machine, state, &tools[0]);
    if (params->type != MACHINE_DOZER) {
        return 1;
    }
    tools[1] = body_tool(machine, state, (MachineBody)DOZER_RIPPER, &params->dozer.ripper);
    return 2;
}

void coupling_loads(const Machine *machine, const Wrench wrenches[COUPLING_MAX_TOOLS], Wrench loads[MACHINE_BODY_COUNT])
{
    memset(loads, 0, MACHINE_BODY_COUNT * sizeof *loads);
    loads[MACHINE_BUCKET] = wrenches[0];
    if (machine_params(machine)->type == MACHINE_DOZER) {
        loads[DOZER_RIPPER] = wrenches[1];
    }
}

// Loose soil has no bonds, and shears at a lower angle than the soil in place.
static void shear_strength(const SoilParams *soil, double looseness, MachineGround *ground)
{
    ground->friction = (1.0 - 0.2 * looseness) * tan(soil->friction_angle);
    ground->cohesion = (1.0 - looseness) * soil->cohesion;
}

void coupling_ground(const Soil *soil, const SoilParams *soils, const Vec3 *positions, int count, MachineGround *ground)
{
    for (int k = 0; k < count; k++) {
        SoilSurface surface = soil_get_surface(soil, positions[k].x, positions[k].y);
        ground[k].height = surface.height;
        ground[k].normal = surface.normal;
        // Loose soil carries about a third of the pressure that firm soil does at the same sinkage.
        ground[k].firmness = 1.0 - 0.65 * surface.looseness;
        shear_strength(&soils[surface.soil], surface.looseness, &ground[k]);
    }
}

void coupling_ruts(Soil *soil, const Machine *machine, const MachineState *state)
{
    const MachineParams *params = machine_params(machine);
    Vec3 positions[MACHINE_MAX_PATCHES];
    MachineReadout readout;
    int count = machine_track_patches(machine, state, positions);
    machine_get_readout(machine, state, &readout);
    double length = params->tracks.contact_length / params->tracks.patches, width = params->tracks.shoe_width;
    for (int k = 0; k < count; k++) {
        double pressure = machine_patch_pressure(machine, state, k);
        if (pressure > 0.0) {
            soil_press(soil, positions[k].x, positions[k].y, readout.yaw, length, width, pressure);
        }
    }
}
