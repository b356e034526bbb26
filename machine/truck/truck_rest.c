/// A truck's rest and its state: when it falls asleep and what wakes it, and the one list of its fields. The numbers
/// below are chosen: what lies in the bed must feel nothing of a truck that stands; see test_machine_truck_body.
#include <math.h>

#include "machine/truck/truck_body.h"

#define STILL_SPEED 5e-4 ///< m/s, of its centre and of what is REACH from it: less is no motion
#define REACH       3.0 ///< m
#define STILL_TIME  0.5 ///< s without motion, longer than a swing on its springs, after which it sleeps
#define CRUMBS      20.0 ///< kg, and kg m of their moment: a load that changes by less does not wake it
#define HEAVIEST    2e6 ///< kg of a load in a restored state
#define STRONGEST   1e9 ///< N on a support in a restored state
#define LONGEST     10.0 ///< m of shear in a restored state
#define FARTHEST    1e4 ///< m of a place, m/s and rad/s of a motion in a restored state

void truck_body_wake(TruckBody *body)
{
    body->asleep[0] = 0;
    body->still[0] = 0.0;
}

void truck_body_carry(double load, Vec3 center, TruckBody *body)
{
    const double c[3] = {center.x, center.y, center.z};
    double change = fabs(load - body->load[0]);
    for (int k = 0; k < 3; k++) {
        change = fmax(change, fabs(load * c[k] - body->load[0] * body->load_center[k]));
    }
    if (body->asleep[0] && change < CRUMBS) {
        return;
    }
    body->load[0] = load;
    for (int k = 0; k < 3; k++) {
        body->load_center[k] = c[k];
    }
    if (body->asleep[0]) {
        truck_body_wake(body);
    }
}

void truck_body_rest(bool moved, double dt, TruckBody *body)
{
    MachineBodyState *motion = &body->motion;
    double *v = motion->velocity, *w = motion->spin;
    double speed = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), spin = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    body->still[0] = moved || speed + REACH * spin > STILL_SPEED ? 0.0 : body->still[0] + dt;
    if (body->still[0] >= STILL_TIME && body->asleep[0] == 0) {
        body->asleep[0] = 1;
        for (int k = 0; k < 3; k++) {
            v[k] = w[k] = 0.0;
        }
    }
}

/// ---- state ---------------------------------------------------------------------------------------------------------

static bool all_within(const double *numbers, int count, double low, double high)
{
    bool good = true;
    for (int k = 0; k < count; k++) {
        good = good && numbers[k] >= low && numbers[k] <= high;
    }
    return good;
}

static bool is_possible(const TruckBody *body)
{
    const MachineBodyState *m = &body->motion;
    const double *q = m->quaternion;
    double norm = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    return all_within(m->position, 3, -FARTHEST, FARTHEST) && all_within(m->velocity, 3, -FARTHEST, FARTHEST) &&
           all_within(m->spin, 3, -FARTHEST, FARTHEST) && norm > 0.99 && norm < 1.01 &&
           all_within(body->shear, 2 * TRUCK_PROBE_COUNT, -LONGEST, LONGEST) &&
           all_within(body->force, TRUCK_PROBE_COUNT, 0.0, STRONGEST) && all_within(body->load, 1, 0.0, HEAVIEST) &&
           all_within(body->load_center, 3, -FARTHEST, FARTHEST) && body->still[0] >= 0.0 &&
           (body->asleep[0] == 0 || body->asleep[0] == 1);
}

bool truck_body_is_finite(const TruckBody *body)
{
    double sum = body->still[0] + body->load[0];
    for (int k = 0; k < 3; k++) {
        sum += body->motion.position[k] + body->motion.velocity[k] + body->motion.spin[k] + body->load_center[k];
    }
    for (int k = 0; k < TRUCK_PROBE_COUNT; k++) {
        sum += body->motion.quaternion[k] + body->force[k] + body->shear[2 * k] + body->shear[2 * k + 1];
    }
    return isfinite(sum);
}

void truck_body_visit(TruckBody *body, StateVisitor *visitor)
{
    state_visit_array(visitor, "truck.body.position", body->motion.position, sizeof(double), 3);
    state_visit_array(visitor, "truck.body.quaternion", body->motion.quaternion, sizeof(double), 4);
    state_visit_array(visitor, "truck.body.velocity", body->motion.velocity, sizeof(double), 3);
    state_visit_array(visitor, "truck.body.spin", body->motion.spin, sizeof(double), 3);
#define X(type, name, count) state_visit_array(visitor, "truck.body." #name, body->name, sizeof(type), count);
    TRUCK_BODY_FIELDS(X)
#undef X
    if (visitor->restoring && !is_possible(body)) {
        *body = (TruckBody){.motion.quaternion = {1.0, 0.0, 0.0, 0.0}};
        visitor->failed = true;
    }
}
