/// Notes what pressed on the tools, where the ground gave way and which columns were cut, for those who look on.
///
/// A tick and a substep write here and never read: what is shown has no part in what happens, and is no part of the
/// state.
#include "soil/tool/probe.h"

#include <stdlib.h>

bool probe_create(Probe *probe, int capacity)
{
    probe->contact_capacity = capacity;
    // Not cleared: most of it is never touched, and then costs no memory.
    probe->contacts = malloc((size_t)capacity * sizeof *probe->contacts);
    return probe->contacts != NULL;
}

void probe_destroy(Probe *probe)
{
    free(probe->contacts);
}

void probe_begin_tick(Probe *probe)
{
    probe_begin_substep(probe, 0, 0.0);
}

void probe_begin_substep(Probe *probe, int tool_count, double dt)
{
    probe->contact_count = probe->yield_count = 0;
    probe->tool_count = tool_count;
    probe->substep = dt;
}

void probe_forget(Probe *probe)
{
    probe_begin_tick(probe);
    probe->cut_count = 0;
}

static void add_contact(Probe *probe, const SoilToolContact *contact)
{
    bool presses = contact->force.x != 0.0 || contact->force.y != 0.0 || contact->force.z != 0.0;
    if (presses && contact->tool < probe->tool_count && probe->contact_count < probe->contact_capacity) {
        probe->contacts[probe->contact_count++] = *contact;
    }
}

void probe_note_bearing(Probe *probe, int body, Vec3 point, Vec3 normal, Vec3 force)
{
    add_contact(probe, &(SoilToolContact){.point = point,
                                          .normal = vec3_scale(normal, -1.0),
                                          .force = force,
                                          .particle = SOIL_NO_PARTICLE,
                                          .tool = body});
}

void probe_note_contact(Probe *probe, const SolverBody *bodies, const BodyContact *contact, uint32_t id,
                        Vec3 on_particle)
{
    const float *arm = contact->arm, *normal = contact->core.normal;
    Vec3 to_point = vec3((double)arm[0], (double)arm[1], (double)arm[2]);
    add_contact(probe, &(SoilToolContact){.point = vec3_add(bodies[contact->body].tool.motion.center, to_point),
                                          .normal = vec3((double)normal[0], (double)normal[1], (double)normal[2]),
                                          .force = vec3_scale(on_particle, -1.0),
                                          .particle = id,
                                          .tool = contact->body});
}

void probe_note_cut(Probe *probe, int64_t tick, int row, int column, double floor, double top)
{
    probe->cuts[probe->cut_count++ % PROBE_CUTS] = (ProbeCut){row, column, (float)floor, (float)top, tick};
}

void probe_note_yield(Probe *probe, Vec3 place)
{
    if (probe->yield_count < PROBE_YIELDS) {
        probe->yields[probe->yield_count++] = place;
    }
}
