/// The machine, a truck and fifty rocks as bodies of ODE, with its own geometry, collision and step: boxes for all,
/// hinges with motors for the arm, a plane for the ground.
#include "tests/bench/ode_site.h"

#include <assert.h>
#include <ode/ode.h>
#include <stdlib.h>

#include "data/core/constants.h"

enum { ITERATIONS = 20, CONTACTS = 8, LAYERS = 2, SIDE = 5 };

#define FRICTION 0.6
#define STEP     (1.0 / 480.0) ///< s
#define SETTLE   3.0 ///< s

struct OdeSite {
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    bool exact;
    int contact_count;
};

static void meet(void *data, dGeomID a, dGeomID b)
{
    OdeSite *site = data;
    dBodyID one = dGeomGetBody(a), other = dGeomGetBody(b);
    dContact contact[CONTACTS];
    if (one == other || (one != NULL && other != NULL && dAreConnected(one, other) != 0)) {
        return;
    }
    int count = dCollide(a, b, CONTACTS, &contact[0].geom, sizeof contact[0]);
    for (int k = 0; k < count; k++) {
        contact[k].surface = (dSurfaceParameters){
            .mode = dContactApprox1 | dContactSoftCFM, .mu = (dReal)FRICTION, .soft_cfm = (dReal)1e-7};
        dJointID joint = dJointCreateContact(site->world, site->contacts, &contact[k]);
        dJointAttach(joint, one, other);
        site->contact_count++;
    }
}

static dBodyID add_body(OdeSite *site, double mass, const double size[3], Vec3 at)
{
    dBodyID body = dBodyCreate(site->world);
    dMass inertia;
    dMassSetBoxTotal(&inertia, (dReal)mass, (dReal)size[0], (dReal)size[1], (dReal)size[2]);
    dBodySetMass(body, &inertia);
    dBodySetPosition(body, (dReal)at.x, (dReal)at.y, (dReal)at.z);
    return body;
}

static void add_box(OdeSite *site, dBodyID body, Vec3 low, Vec3 high)
{
    const dReal *at = dBodyGetPosition(body);
    dGeomID box = dCreateBox(site->space, (dReal)(high.x - low.x), (dReal)(high.y - low.y), (dReal)(high.z - low.z));
    dGeomSetBody(box, body);
    dGeomSetOffsetPosition(box, (dReal)(0.5 * (low.x + high.x)) - at[0], (dReal)(0.5 * (low.y + high.y)) - at[1],
                           (dReal)(0.5 * (low.z + high.z)) - at[2]);
}

/// Five bodies in a row along x: undercarriage, house, boom, stick and, with its floor at `floor` m, the bucket.
static void add_machine(OdeSite *site, const MachineParams *params, double floor)
{
    static const double ahead[MACHINE_MAX_BODIES] = {0.0, -0.4, 3.0, 6.2, 7.6};
    static const double pin[MACHINE_MAX_BODIES] = {0.0, 0.0, 0.3, 5.7, 7.2};
    const double up[MACHINE_MAX_BODIES] = {0.5, 1.6, 2.5, floor + 1.9, floor + 0.5};
    const double height[MACHINE_MAX_BODIES] = {0.0, 1.0, 1.9, floor + 2.6, floor + 1.0};
    dBodyID body[MACHINE_MAX_BODIES] = {NULL};
    assert(params->body_count == MACHINE_MAX_BODIES);
    for (int k = 0; k < MACHINE_MAX_BODIES; k++) {
        body[k] = add_body(site, params->body[k].mass, params->body[k].inertia_size, vec3(ahead[k], 0.0, up[k]));
        if (k > 0) {
            dJointID joint = dJointCreateHinge(site->world, NULL);
            dJointAttach(joint, body[k], body[k - 1]);
            dJointSetHingeAnchor(joint, (dReal)pin[k], 0, (dReal)height[k]);
            dJointSetHingeAxis(joint, 0, k == 1 ? 0 : 1, k == 1 ? 1 : 0);
            dJointSetHingeParam(joint, dParamFMax, (dReal)3e5);
        }
    }
    double gauge = 0.5 * params->tracks.gauge, width = 0.5 * params->tracks.shoe_width;
    double length = 0.5 * params->tracks.contact_length;
    add_box(site, body[0], vec3(-length, gauge - width, 0.0), vec3(length, gauge + width, 1.0));
    add_box(site, body[0], vec3(-length, -gauge - width, 0.0), vec3(length, -gauge + width, 1.0));
    add_box(site, body[1], vec3(-2.6, -1.3, 1.2), vec3(1.0, 1.3, 2.4));
    add_box(site, body[MACHINE_MAX_BODIES - 1], vec3(7.0, -0.6, floor), vec3(8.2, 0.6, floor + 0.1));
    add_box(site, body[MACHINE_MAX_BODIES - 1], vec3(8.1, -0.6, floor + 0.1), vec3(8.2, 0.6, floor + 1.0));
}

/// A chassis with four walls around its bed, whose floor lies `floor` m high.
static void add_truck(OdeSite *site, double mass, double floor)
{
    const double size[3] = {7.5, 2.8, 1.4};
    const double left = -1.4, right = 1.4, top = floor + 1.4;
    dBodyID body = add_body(site, mass, size, vec3(8.0, 0.0, 1.1));
    add_box(site, body, vec3(5.0, left, 0.0), vec3(12.5, right, floor - 0.01));
    add_box(site, body, vec3(5.0, left, floor), vec3(10.5, left + 0.1, top));
    add_box(site, body, vec3(5.0, right - 0.1, floor), vec3(10.5, right, top));
    add_box(site, body, vec3(10.4, left + 0.1, floor), vec3(10.5, right - 0.1, top));
    add_box(site, body, vec3(10.8, left, floor), vec3(12.5, right, top + 0.5));
}

/// Rocks of 0.3 to 0.7 m as boxes, which fall into a heap.
static void add_rocks(OdeSite *site, int count)
{
    for (int k = 0; k < count; k++) {
        double size = 0.3 + 0.4 * (k * 7 % 10) / 10.0;
        const double sizes[3] = {size, 0.8 * size, 0.9 * size};
        int layer = k / (SIDE * SIDE), cell = k % (SIDE * SIDE);
        Vec3 at = vec3(6.0 + 0.6 * (cell % SIDE) + 0.05 * layer, 8.0 + 0.6 * (cell / SIDE), 0.4 + 0.8 * layer);
        dBodyID body = add_body(site, 2600.0 * sizes[0] * sizes[1] * sizes[2], sizes, at);
        dGeomSetBody(dCreateBox(site->space, (dReal)sizes[0], (dReal)sizes[1], (dReal)sizes[2]), body);
    }
}

static void step(OdeSite *site)
{
    site->contact_count = 0;
    dSpaceCollide(site->space, site, meet);
    if (site->exact) {
        dWorldStep(site->world, (dReal)STEP);
    } else {
        dWorldQuickStep(site->world, (dReal)STEP);
    }
    dJointGroupEmpty(site->contacts);
}

OdeSite *ode_site_create(const MachineParams *machine, double truck_mass, double truck_floor, int rocks)
{
    OdeSite *site = calloc(1, sizeof *site);
    if (site == NULL) {
        return NULL;
    }
    site->world = dWorldCreate();
    site->space = dHashSpaceCreate(NULL);
    site->contacts = dJointGroupCreate(0);
    dWorldSetGravity(site->world, 0, 0, -STANDARD_GRAVITY);
    dWorldSetQuickStepNumIterations(site->world, ITERATIONS);
    dWorldSetERP(site->world, (dReal)0.2);
    dWorldSetCFM(site->world, (dReal)1e-9);
    dCreatePlane(site->space, 0, 0, 1, 0);
    add_machine(site, machine, truck_floor);
    add_truck(site, truck_mass, truck_floor);
    add_rocks(site, rocks);
    for (int k = 0; k < (int)(SETTLE / STEP); k++) {
        step(site);
    }
    return site;
}

void ode_site_destroy(OdeSite *site)
{
    if (site != NULL) {
        dJointGroupDestroy(site->contacts);
        dSpaceDestroy(site->space);
        dWorldDestroy(site->world);
        free(site);
    }
}

BenchSample ode_site_tick(OdeSite *site, bool exact, int *contacts)
{
    BenchSample start = bench_now();
    site->exact = exact;
    for (int k = 0; k < (int)(1.0 / 60.0 / STEP + 0.5); k++) {
        step(site);
    }
    *contacts = site->contact_count;
    return bench_since(start);
}
