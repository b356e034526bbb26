/// A pipe's rest and its state: when it falls asleep and what wakes it, and the one list of its fields. Numbers are
/// chosen; see test_machine_lifting.
#include <math.h>

#include "machine/lifting.h"

#define STILL_SPEED 2e-3 ///< m/s, of its centre and of what is REACH from it: less is no motion
#define REACH       2.0 ///< m
#define STILL_TIME  0.5 ///< s without motion after which it sleeps
#define FARTHEST    1e4 ///< m of a place, m/s and rad/s of a motion in a restored state
#define STRONGEST   1e9 ///< N in a restored state

void hung_load_wake(HungLoad *load)
{
    load->asleep[0] = 0;
    load->still[0] = 0.0;
}

void hung_load_rest(bool moved, double dt, HungLoad *load)
{
    double *v = load->motion.velocity, *w = load->motion.spin;
    double speed = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), spin = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    bool still = !moved && load->hooked[0] == 0 && speed + REACH * spin < STILL_SPEED;
    load->still[0] = still ? load->still[0] + dt : 0.0;
    if (load->still[0] >= STILL_TIME && load->asleep[0] == 0) {
        load->asleep[0] = 1;
        for (int k = 0; k < 3; k++) {
            v[k] = w[k] = 0.0;
        }
    }
}

static bool all_within(const double *numbers, int count, double low, double high)
{
    bool good = true;
    for (int k = 0; k < count; k++) {
        good = good && numbers[k] >= low && numbers[k] <= high;
    }
    return good;
}

static bool is_possible(const HungLoad *load)
{
    const MachineBodyState *m = &load->motion;
    const double *q = m->quaternion;
    double norm = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    return all_within(m->position, 3, -FARTHEST, FARTHEST) && all_within(m->velocity, 3, -FARTHEST, FARTHEST) &&
           all_within(m->spin, 3, -FARTHEST, FARTHEST) && norm > 0.99 && norm < 1.01 &&
           all_within(load->tension, HUNG_LOAD_LEGS, 0.0, STRONGEST) && all_within(load->borne, 1, 0.0, STRONGEST) &&
           load->still[0] >= 0.0 && (load->asleep[0] == 0 || load->asleep[0] == 1) &&
           (load->hooked[0] == 0 || load->hooked[0] == 1) && !(load->hooked[0] == 1 && load->asleep[0] == 1);
}

bool hung_load_is_finite(const HungLoad *load)
{
    double sum = load->borne[0] + load->still[0] + load->tension[0] + load->tension[1] + load->motion.quaternion[0];
    for (int k = 0; k < 3; k++) {
        sum +=
            load->motion.position[k] + load->motion.velocity[k] + load->motion.spin[k] + load->motion.quaternion[1 + k];
    }
    return isfinite(sum);
}

void hung_load_visit(HungLoad *load, StateVisitor *visitor)
{
    state_visit_array(visitor, "load.position", load->motion.position, sizeof(double), 3);
    state_visit_array(visitor, "load.quaternion", load->motion.quaternion, sizeof(double), 4);
    state_visit_array(visitor, "load.velocity", load->motion.velocity, sizeof(double), 3);
    state_visit_array(visitor, "load.spin", load->motion.spin, sizeof(double), 3);
#define X(type, name, count) state_visit_array(visitor, "load." #name, load->name, sizeof(type), count);
    HUNG_LOAD_FIELDS(X)
#undef X
    if (visitor->restoring && !is_possible(load)) {
        *load = (HungLoad){.motion.quaternion = {1.0, 0.0, 0.0, 0.0}};
        visitor->failed = true;
    }
}
