/// Soil and machine name the same things differently and do not know each other: here a tool's pose, velocity and mass
/// go one way, and wrenches and the ground under the tracks the other.
#include "trainer/session/coupling.h"

#include <math.h>
#include <string.h>

static void find_tool(const Machine *machine, const MachineState *state, int index, SoilTool *tool)
{
    const MachineToolParams *own = &machine_params(machine)->tool[index];
    *tool = (SoilTool){.shape = &own->shape, .cuts = own->cuts, .steel_friction = 1.0};
    machine_get_body(machine, state, own->body, &tool->motion);
}

void coupling_tool(const Machine *machine, const MachineState *state, SoilTool *tool)
{
    find_tool(machine, state, 0, tool);
}

int coupling_tools(const Machine *machine, const MachineState *state, SoilTool tools[COUPLING_MAX_TOOLS])
{
    int count = machine_params(machine)->tool_count;
    for (int k = 0; k < count; k++) {
        find_tool(machine, state, k, &tools[k]);
    }
    return count;
}

void coupling_loads(const Machine *machine, const Wrench wrenches[COUPLING_MAX_TOOLS], Wrench loads[MACHINE_MAX_BODIES])
{
    const MachineParams *params = machine_params(machine);
    memset(loads, 0, MACHINE_MAX_BODIES * sizeof *loads);
    for (int k = 0; k < params->tool_count; k++) {
        loads[params->tool[k].body] = wrenches[k];
    }
}

// Loose soil has no bonds, and shears at a lower angle than the soil in place.
static void shear_strength(const SoilParams *soil, double looseness, MachineGround *ground)
{
    ground->friction = (1.0 - 0.2 * looseness) * tan(soil->friction_angle);
    ground->cohesion = (1.0 - looseness) * soil->cohesion;
}

/// The plane that lies best through the ground below a patch's shoes: height at its middle, and normal.
/// `c`, `s`: cosine and sine of where the track leads.
static void patch_plane(const Soil *soil, Vec3 at, double c, double s, double length, double width,
                        MachineGround *ground)
{
    enum { ALONG = 4, ACROSS = 3 };
    double sum = 0.0, by_u = 0.0, by_v = 0.0, uu = 0.0, vv = 0.0;
    for (int k = 0; k < ALONG * ACROSS; k++) {
        double u = ((k % ALONG + 0.5) / ALONG - 0.5) * length, v = ((k / ALONG + 0.5) / ACROSS - 0.5) * width;
        double height = soil_get_height(soil, at.x + u * c - v * s, at.y + u * s + v * c);
        sum += height;
        by_u += height * u;
        by_v += height * v;
        uu += u * u;
        vv += v * v;
    }
    double along = by_u / uu, across = by_v / vv;
    ground->height = sum / (ALONG * ACROSS);
    ground->normal = vec3_unit(vec3(across * s - along * c, -along * s - across * c, 1.0), vec3(0.0, 0.0, 1.0));
}

void coupling_ground(const Soil *soil, const SoilParams *soils, const MachineTracks *tracks, const Vec3 *positions,
                     int count, MachineGround *ground)
{
    Vec3 track = vec3_sub(positions[count / 2 - 1], positions[0]); // from the rear to the front
    double yaw = atan2(track.y, track.x), length = tracks->contact_length / tracks->patches;
    double c = cos(yaw), s = sin(yaw);
    for (int k = 0; k < count; k++) {
        SoilSurface surface = soil_get_surface(soil, positions[k].x, positions[k].y);
        patch_plane(soil, positions[k], c, s, length, tracks->shoe_width, &ground[k]);
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
