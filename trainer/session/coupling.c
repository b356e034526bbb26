#include "trainer/session/coupling.h"

#include <math.h>
#include <string.h>

static SoilTool as_soil_tool(const MachineTool *from, const ToolShape *shape)
{
    return (SoilTool){.shape = shape,
                      .frame = from->frame,
                      .center = from->center,
                      .velocity = from->velocity,
                      .spin = from->spin,
                      .inverse_mass = 1.0 / from->mass,
                      .inertia_inverse = from->inertia_inverse,
                      .cuts = true,
                      .steel_friction = 1.0};
}

void coupling_tool(const Machine *machine, const MachineState *state, SoilTool *tool)
{
    MachineTool from;
    machine_get_tool(machine, state, &from);
    *tool = as_soil_tool(&from, &machine_params(machine)->tool);
}

int coupling_tools(const Machine *machine, const MachineState *state, SoilTool tools[COUPLING_MAX_TOOLS])
{
    const MachineParams *params = machine_params(machine);
    coupling_tool(machine, state, &tools[0]);
    if (params->type != MACHINE_DOZER) {
        return 1;
    }
    MachineTool ripper;
    machine_get_body(machine, state, (MachineBody)DOZER_RIPPER, &ripper);
    tools[1] = as_soil_tool(&ripper, &params->dozer.ripper);
    return 2;
}

MachineWrench coupling_wrench(const SoilWrench *wrench)
{
    return (MachineWrench){wrench->force, wrench->moment};
}

void coupling_loads(const Machine *machine, const SoilWrench wrenches[COUPLING_MAX_TOOLS],
                    MachineWrench loads[MACHINE_BODY_COUNT])
{
    memset(loads, 0, MACHINE_BODY_COUNT * sizeof *loads);
    loads[MACHINE_BUCKET] = coupling_wrench(&wrenches[0]);
    if (machine_params(machine)->type == MACHINE_DOZER) {
        loads[DOZER_RIPPER] = coupling_wrench(&wrenches[1]);
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
