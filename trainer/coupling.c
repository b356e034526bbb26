#include "trainer/coupling.h"

#include <math.h>

void coupling_tool(const Machine *machine, const MachineState *state, SoilTool *tool)
{
    MachineTool from;
    machine_get_tool(machine, state, &from);
    *tool = (SoilTool){.shape = &machine_params(machine)->tool,
                       .frame = from.frame,
                       .center = from.center,
                       .velocity = from.velocity,
                       .spin = from.spin,
                       .inverse_mass = 1.0 / from.mass,
                       .inertia_inverse = from.inertia_inverse,
                       .cuts = true,
                       .steel_friction = 1.0};
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

MachineWrench coupling_wrench(const SoilWrench *wrench)
{
    return (MachineWrench){wrench->force, wrench->moment};
}
