/// The same settled spheres as bodies of ODE, stepped by QuickStep (10 iterations, 1/60 s), beside the soil's solver.
///
/// Both are given the same places, radii, masses and friction; ODE's frame, too, includes its neighbour search. Its
/// spheres roll, the soil's do not: ODE's heap flattens slowly and loses contacts, so it is not left to run for long.
/// Of the soil, contacts a particle count the near pairs of its lists too, of ODE those that touch.
#include <math.h>
#include <ode/ode.h>
#include <stdlib.h>

#include "tests/bench/ode_frame.h"
#include "tests/bench/pile.h"

enum { WARM_FRAMES = 20, BLOCK_FRAMES = 10, TRIAL_FRAMES = 3, ODE_PARTICLES = 10000, ITERATIONS = 10 };

#define ODE_SECONDS 1.0
#define FRAME       (1.0 / 60.0) ///< s

typedef struct OdePile {
    dWorldID world;
    dSpaceID space;
    dGeomID ground;
    dJointGroupID contacts;
    dThreadingImplementationID threading; ///< or NULL
    dThreadingThreadPoolID pool; ///< or NULL
    double friction;
    int contact_count;
} OdePile;

static void meet(void *data, dGeomID a, dGeomID b)
{
    OdePile *pile = data;
    dContact contact;
    if (dCollide(a, b, 1, &contact.geom, sizeof contact) == 0) {
        return;
    }
    contact.surface = (dSurfaceParameters){.mode = dContactApprox1, .mu = (dReal)pile->friction};
    dJointID joint = dJointCreateContact(pile->world, pile->contacts, &contact);
    dJointAttach(joint, dGeomGetBody(a), dGeomGetBody(b));
    pile->contact_count++;
}

/// Hash space: one level of cells as wide as a sphere. Sweep and prune: along x and y.
static dSpaceID make_space(bool hash)
{
    if (!hash) {
        return dSweepAndPruneSpaceCreate(NULL, dSAP_AXES_XYZ);
    }
    dSpaceID space = dHashSpaceCreate(NULL);
    dHashSpaceSetLevels(space, -3, -3); // 1/8 m
    return space;
}

static void ode_create(OdePile *pile, const Soil *soil, double friction, bool hash, int threads)
{
    *pile = (OdePile){.friction = friction};
    pile->world = dWorldCreate();
    pile->space = make_space(hash);
    pile->contacts = dJointGroupCreate(0);
    pile->ground = dCreatePlane(pile->space, 0, 0, 1, 0);
    dWorldSetGravity(pile->world, 0, 0, -STANDARD_GRAVITY);
    dWorldSetQuickStepNumIterations(pile->world, ITERATIONS);
    SoilParticleView view = soil_get_particles(soil);
    for (int i = 0; i < view.count; i++) {
        dBodyID body = dBodyCreate(pile->world);
        dMass mass;
        dMassSetSphereTotal(&mass, view.mass[i] * SOIL_QUANTUM, (dReal)view.radius[i]);
        dBodySetMass(body, &mass);
        dBodySetPosition(body, view.x[i], view.y[i], view.z[i]);
        dGeomSetBody(dCreateSphere(pile->space, (dReal)view.radius[i]), body);
    }
    if (threads > 1) {
        pile->threading = dThreadingAllocateMultiThreadedImplementation();
        pile->pool = dThreadingAllocateThreadPool((unsigned)threads, 0, dAllocateFlagBasicData, NULL);
    }
    if (pile->threading != NULL && pile->pool != NULL) {
        dThreadingThreadPoolServeMultiThreadedImplementation(pile->pool, pile->threading);
        dWorldSetStepThreadingImplementation(pile->world, dThreadingImplementationGetFunctions(pile->threading),
                                             pile->threading);
    }
}

static void ode_destroy(OdePile *pile)
{
    if (pile->world == NULL) {
        return;
    }
    dWorldSetStepThreadingImplementation(pile->world, NULL, NULL);
    if (pile->threading != NULL) {
        dThreadingImplementationShutdownProcessing(pile->threading);
    }
    if (pile->pool != NULL) {
        dThreadingFreeThreadPool(pile->pool);
    }
    if (pile->threading != NULL) {
        dThreadingFreeImplementation(pile->threading);
    }
    dJointGroupDestroy(pile->contacts);
    dSpaceDestroy(pile->space);
    dWorldDestroy(pile->world);
    *pile = (OdePile){0};
}

/// `collide_ms`, when not NULL, receives the neighbour search's share.
static BenchSample ode_frame(OdePile *pile, BenchTimes *collide_ms)
{
    BenchSample start = bench_now();
    pile->contact_count = 0;
    dSpaceCollide(pile->space, pile, meet);
    BenchSample collided = bench_since(start);
    dWorldQuickStep(pile->world, FRAME);
    dJointGroupEmpty(pile->contacts);
    if (collide_ms != NULL) {
        bench_times_add(collide_ms, collided.wall_ms);
    }
    return bench_since(start);
}

/// The faster of ODE's spaces for this pile.
static bool hash_is_faster(const Soil *soil, double friction)
{
    double fastest[2] = {HUGE_VAL, HUGE_VAL};
    for (int hash = 0; hash < 2; hash++) {
        OdePile pile;
        ode_create(&pile, soil, friction, hash == 1, 1);
        for (int k = 0; k < TRIAL_FRAMES; k++) {
            fastest[hash] = fmin(fastest[hash], ode_frame(&pile, NULL).cpu_ms);
        }
        ode_destroy(&pile);
    }
    return fastest[1] < fastest[0];
}

/// One thread and as many as asked for, of both; index 0 = as asked.
typedef struct Contest {
    int n, count, threads[2];
    SceneParams scene;
    Soil *soil[2];
    OdePile ode[2];
    BenchSteps soil_steps[2], ode_steps[2];
    BenchTimes collide_ms[2];
} Contest;

/// One frame of one side; only those that count are kept.
static void step_soil(Contest *self, int k, bool counts)
{
    BenchSample sample = pile_frame(self->soil[k], &self->scene, NULL, 0);
    if (counts) {
        bench_steps_add(&self->soil_steps[k], sample);
    }
}

static void step_ode(Contest *self, int k, bool counts)
{
    BenchSample sample = ode_frame(&self->ode[k], counts ? &self->collide_ms[k] : NULL);
    if (counts) {
        bench_steps_add(&self->ode_steps[k], sample);
    }
}

/// Blocks of frames in turn, so that what disturbs the computer disturbs both, and each block has the caches to itself.
static void contest_run(Contest *self, int frames)
{
    for (int block = -WARM_FRAMES; block < frames; block += BLOCK_FRAMES) {
        int end = block + BLOCK_FRAMES < frames ? block + BLOCK_FRAMES : frames;
        for (int k = 0; k < self->count; k++) {
            for (int frame = block; frame < end; frame++) {
                step_soil(self, k, frame >= 0);
            }
            for (int frame = block; frame < end; frame++) {
                step_ode(self, k, frame >= 0);
            }
        }
    }
}

static void contest_report(Contest *self, const BenchOptions *options, bool hash, BenchReport *report)
{
    double best = HUGE_VAL; // ODE is compared at its best: its threads do not always help it
    for (int k = 0; k < self->count; k++) {
        best = fmin(best, bench_times_median(&self->ode_steps[k].wall));
    }
    for (int k = 0; k < self->count; k++) {
        json_t *row = bench_report_steps(report, "solve", self->n, self->threads[k], bench_solver_name(options->solver),
                                         &self->soil_steps[k]);
        bench_report_extra(row, "contacts_per_particle", (double)soil_get_counters(self->soil[k]).contacts / self->n);
        bench_report_extra(row, "ode_over_soil",
                           bench_times_median(&self->ode_steps[k].wall) /
                               bench_times_median(&self->soil_steps[k].wall));
        bench_report_extra(row, "cpu_ode_over_soil",
                           bench_times_median(&self->ode_steps[k].cpu) / bench_times_median(&self->soil_steps[k].cpu));
        bench_report_extra(row, "best_ode_over_soil", best / bench_times_median(&self->soil_steps[k].wall));
        bench_report_end(report, row);
        row = bench_report_steps(report, "ode", self->n, self->threads[k], "quickstep", &self->ode_steps[k]);
        bench_report_extra(row, "contacts_per_particle", (double)self->ode[k].contact_count / self->n);
        bench_report_extra(row, "ms_collide", bench_times_median(&self->collide_ms[k]));
        json_object_set_new(row, "space", json_string(hash ? "hash" : "sweep-and-prune"));
        bench_report_end(report, row);
    }
}

static bool contest_create(Contest *self, const Pile *pile, const BenchOptions *options, bool *hash, Status *status)
{
    *self = (Contest){.n = pile->n,
                      .count = options->threads > 1 ? 2 : 1,
                      .threads = {options->threads, 1},
                      .scene = pile_scene(pile, options->solver)};
    double friction = pile->scene.soils[0].contact_friction;
    for (int k = 0; k < self->count; k++) {
        self->soil[k] = pile_soil(pile, options->solver, self->threads[k], status);
        if (self->soil[k] == NULL) {
            return false;
        }
        if (k == 0) {
            *hash = hash_is_faster(self->soil[0], friction);
        }
        ode_create(&self->ode[k], self->soil[k], friction, *hash, self->threads[k]);
    }
    return true;
}

static void contest_destroy(Contest *self)
{
    for (int k = 0; k < 2; k++) {
        soil_destroy(self->soil[k]);
        ode_destroy(&self->ode[k]);
        bench_steps_free(&self->soil_steps[k]);
        bench_steps_free(&self->ode_steps[k]);
        bench_times_free(&self->collide_ms[k]);
    }
}

bool bench_ode(const BenchOptions *options, BenchReport *report, Status *status)
{
    if (dInitODE2(0) == 0) {
        return status_fail(status, STATUS_LACKING, "ODE cannot be started");
    }
    Pile pile;
    Contest contest = {0};
    bool hash = true;
    int n = options->n > 0 ? options->n : ODE_PARTICLES;
    bool good = pile_make(&pile, PILE_HEAP, n, options->threads, report, status) &&
                contest_create(&contest, &pile, options, &hash, status);
    if (good) {
        contest_run(&contest, bench_step_count(options, ODE_SECONDS, FRAME));
        contest_report(&contest, options, hash, report);
    }
    contest_destroy(&contest);
    pile_free(&pile);
    dCloseODE();
    return good;
}

/// ---- the frame as a measure ----------------------------------------------------------------------------------------

enum { MEASURE_WARM = 5, MEASURE_FRAMES = 10 };

struct OdeFrame {
    Pile pile;
    Soil *soil; ///< the settled heap, where each measurement begins
    bool hash;
    int threads; ///< as many as asked for, or one: what is faster
};

/// ms of a frame, the median of a few; the heap begins settled, and has no time to flatten.
static double measure_frame(const OdeFrame *self, int threads)
{
    OdePile pile;
    BenchTimes times = {0};
    ode_create(&pile, self->soil, self->pile.scene.soils[0].contact_friction, self->hash, threads);
    for (int k = -MEASURE_WARM; k < MEASURE_FRAMES; k++) {
        BenchSample sample = ode_frame(&pile, NULL);
        if (k >= 0) {
            bench_times_add(&times, sample.wall_ms);
        }
    }
    ode_destroy(&pile);
    double median = bench_times_median(&times);
    bench_times_free(&times);
    return median;
}

OdeFrame *ode_frame_create(const BenchOptions *options, const BenchReport *report, Status *status)
{
    OdeFrame *self = calloc(1, sizeof *self);
    if (self == NULL || dInitODE2(0) == 0) {
        free(self);
        status_fail(status, STATUS_LACKING, "ODE cannot be started");
        return NULL;
    }
    if (!pile_make(&self->pile, PILE_HEAP, ODE_PARTICLES, options->threads, report, status) ||
        (self->soil = pile_soil(&self->pile, SOIL_SOLVER_DEFAULT, 1, status)) == NULL) {
        ode_frame_destroy(self);
        return NULL;
    }
    self->hash = hash_is_faster(self->soil, self->pile.scene.soils[0].contact_friction);
    self->threads = 1;
    if (options->threads > 1 && measure_frame(self, options->threads) < measure_frame(self, 1)) {
        self->threads = options->threads;
    }
    return self;
}

double ode_frame_measure(const OdeFrame *self)
{
    return measure_frame(self, self->threads);
}

void ode_frame_destroy(OdeFrame *self)
{
    if (self != NULL) {
        soil_destroy(self->soil);
        pile_free(&self->pile);
        dCloseODE();
        free(self);
    }
}
