/// What the tests of the machine share: the shipped excavator or dozer on a plane.
#ifndef SPADEWORK_TEST_MACHINE_FIXTURE_H
#define SPADEWORK_TEST_MACHINE_FIXTURE_H

#include <math.h>

#include "data/schema/schema.h"
#include "machine/machine.h"
#include "machine/solids.h"
#include "tests/support/test.h"

static const double step_time = 1.0 / 480.0;
static const double degree = M_PI / 180.0;

typedef struct Site {
    Machine *machine;
    MachineState state;
    OperatorControls controls;
    Wrench tool;
    MachineFaults faults;
    double slope; ///< rise of the ground per metre along x
    double friction; ///< of the ground
    double cohesion; ///< of the ground, Pa
} Site;

static inline MachineParams load_params(const char *path)
{
    MachineParams params;
    Status status;
    assert_good(data_load_machine(path, &params, NULL, &status), status);
    return params;
}

static inline MachineParams shipped_params(void)
{
    return load_params(SPADEWORK_DATA_DIR "/machines/excavator-22t.yaml");
}

static inline MachineParams dozer_params(void)
{
    return load_params(SPADEWORK_DATA_DIR "/machines/dozer-20t.yaml");
}

static inline Site site_of(const MachineParams *params)
{
    Site site = {.friction = 1.0, .faults = MACHINE_NO_FAULTS, .controls = control_neutral};
    Status status;
    site.machine = machine_create(params, &status);
    if (!site.machine) {
        fail_msg("%s", status.text);
    }
    machine_start(site.machine, 0.0, 0.0, 0.0, 0.0, &site.state);
    return site;
}

static inline Site site_create(void)
{
    MachineParams params = shipped_params();
    return site_of(&params);
}

static inline void site_destroy(Site *site)
{
    machine_destroy(site->machine);
}

static inline void site_step_by(Site *site, double dt)
{
    Vec3 points[MACHINE_MAX_PATCHES];
    MachineGround ground[MACHINE_MAX_PATCHES];
    int count = machine_track_patches(site->machine, &site->state, points);
    double length = sqrt(1.0 + site->slope * site->slope);
    for (int i = 0; i < count; i++) {
        ground[i] = (MachineGround){.height = site->slope * points[i].x,
                                    .normal = vec3(-site->slope / length, 0.0, 1.0 / length),
                                    .firmness = 1.0,
                                    .bearing = HUGE_VAL,
                                    .friction = site->friction,
                                    .cohesion = site->cohesion};
    }
    Wrench loads[MACHINE_MAX_BODIES] = {{{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}};
    loads[machine_params(site->machine)->tool[0].body] = site->tool;
    const MachineInputs inputs = {
        .controls = &site->controls, .faults = &site->faults, .ground = ground, .loads = loads};
    machine_step(site->machine, &inputs, dt, &site->state);
}

static inline void site_step(Site *site)
{
    site_step_by(site, step_time);
}

static inline void site_run(Site *site, double seconds)
{
    int steps = (int)(seconds / step_time + 0.5);
    for (int i = 0; i < steps; i++) {
        site_step(site);
    }
    assert_true(machine_state_is_finite(&site->state));
}

/// Tilts the ground in 3 s to `angle` (rad), so that the machine stands on the slope and does not fall onto it.
static inline void site_tilt(Site *site, double angle)
{
    const int steps = (int)(3.0 / step_time);
    for (int k = 1; k <= steps; k++) {
        site->slope = tan(angle * k / steps);
        site_step(site);
    }
}

static inline void site_lever(Site *site, ControlAxis axis, double value)
{
    site->controls.axis[axis] = control_quantise(value);
}

/// A machine at rest with its tool off the ground, heading `heading` degrees.
static inline Site raised_site(const MachineParams *params, double heading)
{
    Site site = site_of(params);
    machine_start(site.machine, 0.0, 0.0, 0.0, heading * degree, &site.state);
    site_lever(&site, CONTROL_BOOM, 0.6);
    site_run(&site, 1.0);
    site_lever(&site, CONTROL_BOOM, 0.0);
    site_run(&site, 1.0);
    return site;
}

static inline MachineReadout site_readout(const Site *site)
{
    MachineReadout readout;
    machine_get_readout(site->machine, &site->state, &readout);
    return readout;
}

static inline double total_mass(const MachineParams *params)
{
    double mass = 0.0;
    for (int i = 0; i < MACHINE_MAX_BODIES; i++) {
        mass += params->body[i].mass;
    }
    return mass;
}

#endif
