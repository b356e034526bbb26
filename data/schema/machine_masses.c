/// Checks that the masses of a machine make sense: bodies neither as light as foam nor denser than steel, joined
/// bodies of comparable mass, a whole that its tracks and its engine can carry. Without these rules a file with a slip
/// of a few digits loads, and the solver of the rigid bodies gets what it cannot solve.
#include "data/schema/machine_keys.h"

#include <math.h>
#include <stdio.h>

#include "data/core/constants.h"
#include "data/core/units.h"

/// kg/m3 of the box of equal inertia: shipped bodies have 440 (push frame) to 2700 (hammer); solid steel has 7850.
static const double least_density = 50.0, most_density = 7850.0;
/// Between two bodies that a joint joins; shipped: 1.6 to 17.8 (chassis and ripper). Chosen.
static const double most_ratio = 50.0;
/// Share of the machine that a tool weighs; shipped: 0.03 to 0.11 (blade). Makers carry up to 0.2 (demolition shears).
static const double most_tool = 0.2;
/// Pa under the tracks: swamp crawlers have 10 kPa, mining shovels 250 kPa; shipped: 34 to 60 kPa.
static const double least_pressure = 5e3, most_pressure = 300e3;
/// W/kg: mining shovels have 3, small dozers 10; shipped: 5.1 to 7.3.
static const double least_power = 1.5, most_power = 30.0;

bool machine_check_density(Document *document, const char *path, double mass, const double size[3], Status *status)
{
    double volume = size[0] * size[1] * size[2];
    return (mass >= least_density * volume && mass <= most_density * volume) ||
           document_fail_at(
               document, path, status,
               "read %.6g, allowed %.4g to %.4g kg: inertia_size is a box of %.4g m3, which has %.0f kg/m3 "
               "at least, and %.0f as solid steel",
               mass, least_density * volume, most_density * volume, volume, least_density, most_density);
}

bool machine_check_tool_mass(Document *document, const char *path, double mass, double machine, const char *of,
                             Status *status)
{
    return mass <= most_tool * machine ||
           document_fail_at(document, path, status, "read %.6g, allowed up to %.6g kg: %.6g of %s (%.6g kg)", mass,
                            most_tool * machine, most_tool, of, machine);
}

const MachineJointParams *machine_uneven_joint(const MachineParams *params, double *allowed)
{
    for (int k = 0; k < params->joint_count; k++) {
        const MachineJointParams *joint = &params->joint[k];
        double parent = params->body[joint->parent].mass, child = params->body[joint->child].mass;
        if (!(fmax(parent, child) <= most_ratio * fmin(parent, child))) {
            *allowed = most_ratio;
            return joint;
        }
    }
    return NULL;
}

double machine_mass(const MachineParams *params)
{
    double mass = 0.0;
    for (int k = 0; k < params->body_count; k++) {
        mass += params->body[k].mass;
    }
    return mass;
}

/// Every body by itself, and those that are joined.
static bool check_bodies(Document *document, const MachineParams *params, Status *status)
{
    for (int k = 0; k < params->body_count; k++) {
        const MachineBodyParams *body = &params->body[k];
        if (!machine_check_density(document, document_path("bodies.%s.mass", body->name).text, body->mass,
                                   body->inertia_size, status)) {
            return false;
        }
    }
    double allowed;
    const MachineJointParams *joint = machine_uneven_joint(params, &allowed);
    if (joint == NULL) {
        return true;
    }
    const MachineBodyParams *parent = &params->body[joint->parent], *child = &params->body[joint->child];
    return document_fail_at(
        document, document_path("bodies.%s.mass", child->name).text, status,
        "read %.6g, allowed %.6g to %.6g kg: at most %.6g times heavier or lighter than the %s that "
        "it hangs on",
        child->mass, parent->mass / allowed, parent->mass * allowed, allowed, parent->name);
}

bool machine_check_masses(Document *document, const MachineParams *params, Status *status)
{
    if (!check_bodies(document, params, status)) {
        return false;
    }
    double mass = machine_mass(params), shoes = 2.0 * params->tracks.contact_length * params->tracks.shoe_width;
    double pressure = mass * STANDARD_GRAVITY / shoes, power = params->engine.power / mass;
    if (!(pressure >= least_pressure && pressure <= most_pressure)) {
        return document_fail_at(
            document, "bodies", status,
            "%.6g kg in all, allowed %.4g to %.4g kg on these tracks (%.3g m2 of shoes bear %.0f to "
            "%.0f kPa)",
            mass, least_pressure * shoes / STANDARD_GRAVITY, most_pressure * shoes / STANDARD_GRAVITY, shoes,
            least_pressure / UNIT_KPA, most_pressure / UNIT_KPA);
    }
    if (!(power >= least_power && power <= most_power)) {
        return document_fail_at(document, "engine.power_kw", status,
                                "read %.6g, allowed %.4g to %.4g for a machine of %.6g kg (%.3g to %.3g kW a tonne)",
                                params->engine.power / UNIT_KW, least_power * mass / UNIT_KW,
                                most_power * mass / UNIT_KW, mass, least_power, most_power);
    }
    for (int k = 0; k < params->tool_count; k++) {
        const MachineBodyParams *body = &params->body[params->tool[k].body];
        if (!machine_check_tool_mass(document, document_path("bodies.%s.mass", body->name).text, body->mass, mass,
                                     "the machine", status)) {
            return false;
        }
    }
    return true;
}
