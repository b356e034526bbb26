/// Places lamps and mirrors. Lamps stand where makers of the classes put them: two over the windscreen, two on the boom
/// of an excavator, two over a dozer's rear window. A mirror is turned so that the law of reflection holds between the
/// driver's eye and what the mirror shows; the places that are shown are chosen by eye.
#include "render/meshes/fittings.h"

#include "data/schema/excavator_params.h"
#include "render/meshes/machine_mesh.h"
#include "render/meshes/truck_mesh.h"

/// Unit vector ahead (ahead = 1) or back (-1), turned to the left by `aside` and down by `down` rad.
static Vec3 beam(double ahead, double aside, double down)
{
    return vec3(ahead * cos(down) * cos(aside), cos(down) * sin(aside), -sin(down));
}

int machine_lamps(const MachineParams *params, FittingLamp lamps[FITTINGS_MAX_LAMPS])
{
    const MachineCab *cab = &params->cab;
    double front = cab->corner[0] + cab->size[0] - 0.268, roof = cab->corner[2] + cab->size[2] + 0.075;
    double middle = cab->corner[1] + 0.5 * cab->size[1], apart = 0.5 * cab->size[1] - 0.16;
    for (int k = 0; k < FITTINGS_MAX_LAMPS; k++) {
        double side = k % 2 == 0 ? 1.0 : -1.0;
        lamps[k].body = params->cab_body;
        if (k < 2) {
            lamps[k].at = vec3(front, middle + side * apart, roof);
            lamps[k].direction = beam(1.0, 0.12 * side, 0.30);
        } else if (params->type == MACHINE_EXCAVATOR) {
            double share = 0.36, x = share * excavator_boom_length(params) + 0.118;
            lamps[k].body = EXCAVATOR_BOOM;
            lamps[k].at =
                vec3(x, side * (excavator_boom_half_width(params) + 0.067), excavator_boom_line(params, share) + 0.01);
            lamps[k].direction = beam(1.0, 0.05 * side, 0.70);
        } else {
            lamps[k].at = vec3(cab->corner[0] + 0.02, middle + side * apart, roof);
            lamps[k].direction = beam(-1.0, 0.12 * side, 0.40);
        }
    }
    return FITTINGS_MAX_LAMPS;
}

int truck_lamps(const TruckParams *truck, FittingLamp lamps[FITTINGS_MAX_LAMPS])
{
    for (int k = 0; k < 2; k++) {
        double side = k == 0 ? 1.0 : -1.0, y = 0.5 * truck_cab_width(truck) - 0.24;
        lamps[k] = (FittingLamp){.at = vec3(truck->front + 0.01, side * y, 0.64), .direction = beam(1.0, 0.0, 0.05)};
    }
    return 2;
}

/// The frame at `at` whose x axis is the unit vector `x` and whose y axis is level.
static Pose level_frame(Vec3 at, Vec3 x)
{
    Vec3 y = vec3_unit(vec3_cross(vec3(0.0, 0.0, 1.0), x), vec3(0.0, 1.0, 0.0));
    Vec3 z = vec3_cross(x, y);
    return (Pose){at, {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}}};
}

Pose fitting_lamp_pose(const FittingLamp *lamp)
{
    return level_frame(lamp->at, lamp->direction);
}

/// A mirror at `at` in which the eye sees `shown`.
static FittingMirror mirror(const MachineParams *params, Vec3 at, Vec3 shown, double width, double height)
{
    const double *seat = params->cab.eye;
    Vec3 back = vec3(-1.0, 0.0, 0.0);
    Vec3 to_eye = vec3_unit(vec3_sub(vec3(seat[0], seat[1], seat[2]), at), back);
    Vec3 to_shown = vec3_unit(vec3_sub(shown, at), back);
    return (FittingMirror){.body = params->cab_body,
                           .glass = level_frame(at, vec3_unit(vec3_add(to_eye, to_shown), back)),
                           .width = width,
                           .height = height,
                           .shown = shown};
}

int machine_mirrors(const MachineParams *params, FittingMirror mirrors[FITTINGS_MAX_MIRRORS])
{
    const MachineCab *cab = &params->cab;
    double front = cab->corner[0] + cab->size[0], top = cab->corner[2] + cab->size[2];
    if (params->type != MACHINE_EXCAVATOR) {
        double middle = cab->corner[1] + 0.5 * cab->size[1];
        mirrors[0] = mirror(params, vec3(front - 0.42, middle, top - 0.22),
                            vec3(-params->tail_radius - 1.0, middle, 0.8), 0.34, 0.12);
        return 1;
    }
    double half = 0.5 * params->upper_width, back = -params->tail_radius - 1.0,
           ground = -excavator_swing_height(params);
    double left = cab->corner[1] + cab->size[1], houses[3];
    excavator_house_factors(params, houses);
    mirrors[0] =
        mirror(params, vec3(front + 0.07, left + 0.30, top - 0.55), vec3(back, half + 0.7, 0.5 * ground), 0.18, 0.33);
    Vec3 right = vec3(1.62 * houses[0], -half - 0.04, 1.30 * houses[2]);
    mirrors[1] = mirror(params, right, vec3(back, -half - 0.7, 0.5 * ground), 0.20, 0.30);
    return 2;
}
