#include "machine/rock_world.h"

#include <ode/ode.h>
#include <stdlib.h>
#include <string.h>

#include "machine/ode_process.h"
#include "machine/ode_world.h"

#define ERROR_REDUCTION 0.2
#define SOFTNESS        1e-6
#define ITERATIONS      20
// m/s: rocks that overlap part no faster.
#define PARTING_SPEED 0.5
// m: overlap that is left alone, so that resting contacts last.
#define RESTING_DEPTH 2e-3
// m/s: slower impacts do not bounce.
#define BOUNCING_SPEED 0.5

struct RockWorld {
    dWorldID world;
    dJointGroupID contacts;
    dBodyID *body; ///< [budget]
    int budget;
    dSurfaceParameters surface;
};

RockWorld *rock_world_create(int budget, double friction, double restitution)
{
    if (!ode_process_begin()) {
        return NULL;
    }
    RockWorld *world = calloc(1, sizeof *world);
    dBodyID *bodies = calloc((size_t)budget, sizeof *bodies);
    if (!world || !bodies) {
        free(world);
        free(bodies);
        ode_process_end();
        return NULL;
    }
    *world = (RockWorld){.world = dWorldCreate(), .contacts = dJointGroupCreate(0), .body = bodies, .budget = budget};
    dWorldSetGravity(world->world, 0.0, 0.0, -MACHINE_GRAVITY);
    dWorldSetERP(world->world, ERROR_REDUCTION);
    dWorldSetCFM(world->world, SOFTNESS);
    dWorldSetQuickStepNumIterations(world->world, ITERATIONS);
    dWorldSetContactMaxCorrectingVel(world->world, PARTING_SPEED);
    dWorldSetContactSurfaceLayer(world->world, RESTING_DEPTH);
    dWorldSetAutoDisableFlag(world->world, 0);
    // One body a slot, made once: ODE's order of bodies is then that of the slots for good.
    for (int i = 0; i < budget; i++) {
        world->body[i] = dBodyCreate(world->world);
        dBodyDisable(world->body[i]);
    }
    world->surface = (dSurfaceParameters){
        .mode = dContactApprox1 | dContactBounce, .mu = friction, .bounce = restitution, .bounce_vel = BOUNCING_SPEED};
    return world;
}

void rock_world_destroy(RockWorld *world)
{
    if (world) {
        dJointGroupDestroy(world->contacts);
        dWorldDestroy(world->world);
        free(world->body);
        free(world);
        ode_process_end();
    }
}

void rock_world_set_mass(RockWorld *world, int rock, double mass, const double inertia[3][3])
{
    dMass m;
    dMassSetParameters(&m, mass, 0.0, 0.0, 0.0, inertia[0][0], inertia[1][1], inertia[2][2], inertia[0][1],
                       inertia[0][2], inertia[1][2]);
    dBodySetMass(world->body[rock], &m);
}

// The raw quaternion and the rotation that ODE derives from it, as in ode_world.c.
static void write_body(dBodyID body, RockBody state)
{
    dBodyEnable(body);
    dBodySetPosition(body, state.position[0], state.position[1], state.position[2]);
    dBodySetQuaternion(body, state.quaternion);
    memcpy((dReal *)dBodyGetQuaternion(body), state.quaternion, 4 * sizeof(double));
    dMatrix3 rotation;
    dQtoR(state.quaternion, rotation);
    memcpy((dReal *)dBodyGetRotation(body), rotation, sizeof rotation);
    dBodySetLinearVel(body, state.velocity[0], state.velocity[1], state.velocity[2]);
    dBodySetAngularVel(body, state.spin[0], state.spin[1], state.spin[2]);
    dBodySetForce(body, 0.0, 0.0, 0.0);
    dBodySetTorque(body, 0.0, 0.0, 0.0);
}

static void read_body(dBodyID body, RockBody state)
{
    memcpy(state.position, dBodyGetPosition(body), 3 * sizeof(double));
    memcpy(state.quaternion, dBodyGetQuaternion(body), 4 * sizeof(double));
    memcpy(state.velocity, dBodyGetLinearVel(body), 3 * sizeof(double));
    memcpy(state.spin, dBodyGetAngularVel(body), 3 * sizeof(double));
    dBodyDisable(body);
}

void rock_world_step(RockWorld *world, const int *active, int active_count, RockBody (*body)(void *owner, int rock),
                     void *owner, const RockTouch *touches, int touch_count, double dt)
{
    for (int k = 0; k < active_count; k++) {
        write_body(world->body[active[k]], body(owner, active[k]));
    }
    for (int k = 0; k < touch_count; k++) {
        const RockTouch *touch = &touches[k];
        dContact contact = {.surface = world->surface,
                            .geom = {.pos = {touch->point.x, touch->point.y, touch->point.z},
                                     .normal = {touch->normal.x, touch->normal.y, touch->normal.z},
                                     .depth = touch->depth}};
        dJointID joint = dJointCreateContact(world->world, world->contacts, &contact);
        bool moves = touch->b != ROCK_STANDS && dBodyIsEnabled(world->body[touch->b]);
        // A joint would wake a body that sleeps.
        dJointAttach(joint, world->body[touch->a], moves ? world->body[touch->b] : NULL);
    }
    ode_process_seed();
    dWorldQuickStep(world->world, dt);
    dJointGroupEmpty(world->contacts);
    for (int k = 0; k < active_count; k++) {
        read_body(world->body[active[k]], body(owner, active[k]));
    }
}
