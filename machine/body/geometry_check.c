/// What only geometry can tell about a machine's params: over each joint's range the cylinder reaches, the linkage
/// closes and the lever arm keeps its sign. Refusing here means that no step has to ask. The four numbers are chosen;
/// see test_machine_params. Each failure is "MACHINE: KEY: what is wrong".
#include <math.h>
#include <stdio.h>

#include "machine/body/machine_internal.h"
#include "machine/cylinder.h"

// Poses looked at over each joint's range.
#define CHECK_STEPS 240
// Beyond the range by this much (rad) the geometry must still work: a stop gives a little before it holds.
#define CHECK_MARGIN 0.01
// Least lever arm of a cylinder, m.
#define LEAST_ARM 0.02
// Tolerance of cylinder lengths, m.
#define LENGTH_TOLERANCE 1e-3

static bool check_bodies(const MachineParams *params, Status *status)
{
    for (int i = 0; i < params->body_count; i++) {
        const MachineBodyParams *body = &params->body[i];
        if (!(body->mass > 0.0) || !isfinite(body->mass)) {
            return status_fail(status, STATUS_BAD_FILE, "%s: bodies.%s.mass: %g kg; it must be positive", params->name,
                               body->name, body->mass);
        }
        for (int k = 0; k < 3; k++) {
            if (!(body->inertia_size[k] > 0.0) || !isfinite(body->inertia_size[k])) {
                return status_fail(status, STATUS_BAD_FILE, "%s: bodies.%s.inertia_size: %g m; it must be positive",
                                   params->name, body->name, body->inertia_size[k]);
            }
        }
    }
    return true;
}

static bool check_tracks(const MachineParams *params, Status *status)
{
    int patches = params->tracks.patches;
    if (patches < 3 || 2 * patches > MACHINE_MAX_PATCHES) {
        return status_fail(status, STATUS_BAD_FILE, "%s: tracks.patches: %d; allowed is 3..%d", params->name, patches,
                           MACHINE_MAX_PATCHES / 2);
    }
    return true;
}

static bool check_size(const MachineParams *params, const char *name, const MachineCylinder *cylinder, Status *status)
{
    if (!(cylinder->bore > 0.0) || !(cylinder->rod >= 0.0) || cylinder->rod >= cylinder->bore) {
        return status_fail(status, STATUS_BAD_FILE,
                           "%s: %s_cylinder.rod_mm: %g mm; it must be less than the bore, %g mm", params->name, name,
                           1e3 * cylinder->rod, 1e3 * cylinder->bore);
    }
    if (cylinder->count < 1 || !(cylinder->relief > 0.0)) {
        return status_fail(status, STATUS_BAD_FILE,
                           "%s: %s_cylinder: a count of at least 1 and a positive relief are needed", params->name,
                           name);
    }
    return true;
}

/// False, with the keys that an angle is impossible by.
static bool fail_linkage(const MachineParams *params, int joint, double angle, Status *status)
{
    const char *name = params->joint[joint].name;
    char cylinder[2 * MACHINE_NAME_SIZE];
    snprintf(cylinder, sizeof cylinder, "%s_cylinder", name);
    bool linkage = params->joint[joint].linkage.rocker_length > 0.0;
    return status_fail(status, STATUS_BAD_FILE, "%s: %s: the linkage cannot close at a %s angle of %.1f deg",
                       params->name, linkage ? "linkage" : cylinder, name, angle * 180.0 / M_PI);
}

static bool check_pose(const MachineParams *params, int joint, double angle, double *length, double *arm,
                       Status *status)
{
    const char *name = params->joint[joint].name;
    const MachineCylinder *cylinder = function_cylinder(params, joint);
    double angle_deg = angle * 180.0 / M_PI;
    if (!cylinder_length(&params->joint[joint], angle, length, arm)) {
        return fail_linkage(params, joint, angle, status);
    }
    double low = cylinder->closed, high = cylinder->closed + cylinder->stroke;
    if (!(*length >= low - LENGTH_TOLERANCE && *length <= high + LENGTH_TOLERANCE)) {
        return status_fail(
            status, STATUS_BAD_FILE,
            "%s: %s_cylinder: it would be %.0f mm long at a %s angle of %.1f deg; closed_mm and stroke_mm "
            "allow %.0f..%.0f mm",
            params->name, name, 1e3 * *length, name, angle_deg, 1e3 * low, 1e3 * high);
    }
    return true;
}

static bool check_joint(const MachineParams *params, int joint, DriveRange *range, Status *status)
{
    const double *limits = params->joint[joint].range;
    const char *name = params->joint[joint].name;
    if (!(limits[0] < limits[1])) {
        return status_fail(status, STATUS_BAD_FILE, "%s: %s_range_deg: it is empty (%g..%g rad)", params->name, name,
                           limits[0], limits[1]);
    }
    double first_arm = 0.0;
    for (int i = 0; i <= CHECK_STEPS; i++) {
        double angle = limits[0] + (limits[1] - limits[0]) * i / CHECK_STEPS, length, arm;
        if (!check_pose(params, joint, angle, &length, &arm, status)) {
            return false;
        }
        first_arm = i == 0 ? arm : first_arm;
        if (fabs(arm) < LEAST_ARM || arm * first_arm < 0.0) {
            return status_fail(
                status, STATUS_BAD_FILE,
                "%s: %s_cylinder: it has no lever arm at a %s angle of %.1f deg (%.0f mm; at least %.0f mm "
                "of one sign)",
                params->name, name, name, angle * 180.0 / M_PI, 1e3 * arm, 1e3 * LEAST_ARM);
        }
        range->shortest = i == 0 ? length : fmin(range->shortest, length);
        range->longest = i == 0 ? length : fmax(range->longest, length);
    }
    // A stop gives a little before it holds: there the linkage must close too.
    double length, arm;
    for (int end = 0; end < 2; end++) {
        double beyond = limits[end] + (end == 0 ? -CHECK_MARGIN : CHECK_MARGIN);
        if (!cylinder_length(&params->joint[joint], beyond, &length, &arm)) {
            return fail_linkage(params, joint, beyond, status);
        }
    }
    range->lever_sign = params->joint[joint].control_sign * first_arm > 0.0 ? 1.0 : -1.0;
    return true;
}

bool geometry_check(const MachineParams *params, DriveRange range[MACHINE_MAX_JOINTS], Status *status)
{
    if (!check_bodies(params, status) || !check_tracks(params, status)) {
        return false;
    }
    for (int joint = 0; joint < params->joint_count; joint++) {
        if (!function_cylinder(params, joint)) {
            range[joint].lever_sign = params->joint[joint].control_sign;
            continue;
        }
        if (!check_size(params, params->joint[joint].name, function_cylinder(params, joint), status) ||
            !check_joint(params, joint, &range[joint], status)) {
            return false;
        }
    }
    return status_good(status);
}
