/// Pressure of a tool on intact ground: its plates' corners against the heightfield.
///
/// Each sample point carries the pressure k_s p of a stiff foundation over its share of the plate, up to the bearing
/// capacity of a shallow strip, q = c Nc + 0.5 g rho B Ngamma (Terzaghi; Nq by Prandtl, Nc by Reissner, Ngamma by Vesic).
/// Beyond that the ground fails there: the place is noted and turns into particles at the next tick's start (spawn.c).
#include <math.h>

#include "soil/geometry.h"

#define FOUNDATION_MODULUS 2.0e7 ///< Pa/m: stiffness of intact ground under a plate
#define FOOTING_WIDTH      0.3 ///< m: B of the plates' edges
#define SLIP_SPEED         0.05 ///< m/s: friction is full above it

static double bearing_capacity(const SoilParams *soil)
{
    double phi = soil->friction_angle;
    double nq = exp(M_PI * tan(phi)) * pow(tan(0.25 * M_PI + 0.5 * phi), 2.0);
    double nc = phi > 1e-3 ? (nq - 1.0) / tan(phi) : M_PI + 2.0;
    double ngamma = 2.0 * (nq + 1.0) * tan(phi);
    return soil->cohesion * nc + 0.5 * SOIL_GRAVITY * soil->bank_density * FOOTING_WIDTH * ngamma;
}

/// Force of the ground on a body at one point with its share of area, m2.
static void press_point(Soil *soil, SolverBody *body, Vec3 point, double area, double h)
{
    const Ground *ground = soil->ground;
    Vec3 normal;
    double height = ground_surface(ground, point.x, point.y, &normal);
    double depth = (height - point.z) * normal.z;
    if (depth <= 0.0) {
        return;
    }
    int row, column;
    ground_column_at(ground, point.x, point.y, &row, &column);
    const SoilParams *params = &soil->scene.soils[ground_top_soil(ground, row, column)];
    double loose = ground_looseness(ground, row, column, 0.2);
    double capacity = bearing_capacity(params) * (1.0 - 0.7 * loose);
    double pressure = FOUNDATION_MODULUS * depth;
    if (pressure > capacity) {
        pressure = capacity;
        if (soil->yield_count < (int)(sizeof soil->yields / sizeof soil->yields[0]) &&
            depth > 0.5 * soil->layer_height) {
            soil->yields[soil->yield_count++] = point;
        }
    }
    Vec3 arm = vec3_sub(point, body->tool.center);
    Vec3 velocity = vec3_add(body->tool.velocity, vec3_cross(body->tool.spin, arm));
    double leaving = vec3_dot(velocity, normal);
    double push = pressure * area * (leaving > 0.0 ? fmax(0.0, 1.0 - leaving / 0.2) : 1.0); // soil does not spring back
    Vec3 slip = vec3_madd(velocity, -leaving, normal);
    double speed = vec3_length(slip);
    double rub = tan(params->steel_friction_angle) * push / fmax(speed, SLIP_SPEED);
    Vec3 force = vec3_madd(vec3_scale(normal, push), -rub, slip);
    soil_views_note_bearing(soil, body, point, normal, force);
    body->impulse = vec3_madd(body->impulse, h * h, force);
    body->moment = vec3_madd(body->moment, h * h, vec3_cross(arm, force));
}

void soil_bear(Soil *soil, double h)
{
    for (int b = 0; b < soil->body_count; b++) {
        SolverBody *body = &soil->bodies[b];
        const ToolShape *shape = body->tool.shape;
        if (!body->tool.cuts) {
            continue;
        }
        for (int k = 0; k < shape->piece_count; k++) {
            const ToolPiece *piece = &shape->pieces[k];
            for (int c = 0; c < piece->corner_count; c++) {
                const double *corner = piece->corners[c], *next = piece->corners[(c + 1) % piece->corner_count];
                // Only what faces down bears: the side's length times the downward share of its outward normal.
                Vec3 out = mat3_mul(&body->tool.frame.rotation, vec3(next[1] - corner[1], 0.0, corner[0] - next[0]));
                double side = -out.z;
                if (side <= 0.0) {
                    continue;
                }
                for (int row = 0; row < 3; row++) {
                    double y = piece->y_min + 0.5 * row * (piece->y_max - piece->y_min);
                    Vec3 local = vec3(0.5 * (corner[0] + next[0]), y, 0.5 * (corner[1] + next[1]));
                    double area = side * (piece->y_max - piece->y_min) * (row == 1 ? 0.5 : 0.25);
                    press_point(soil, body, pose_apply(&body->tool.frame, local), area, h);
                }
            }
        }
    }
}
