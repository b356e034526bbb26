/// Warns of what cannot work: here of a trench that the tool does not fit, a dump on the trench and steps that go
/// backwards, in the files beside it (advice_parts.h) of places, rules and figures.
#include "data/schema/scene_advice.h"

#include <math.h>

#include "data/schema/advice_parts.h"
#include "data/core/elementary.h"

static void advise_trench(const Document *document, const SceneTrench *trench, const MachineParams *machine)
{
    double width = machine->tool_count > 0 ? machine->tool[0].shape.edge_width : 0.0;
    if (trench->width < width) {
        document_warn_at(document, "exercise.trench.width", "%.4g m is narrower than the tool's edge, %.4g m",
                         trench->width, width);
    }
    double dx = trench->dump_x - trench->x, dy = trench->dump_y - trench->y;
    double along = dx * same_cos(trench->heading) + dy * same_sin(trench->heading);
    double across = dy * same_cos(trench->heading) - dx * same_sin(trench->heading);
    double beyond = fmax(fmax(-along, along - trench->length), 0.0);
    double distance = same_hypot(beyond, fmax(fabs(across) - 0.5 * trench->width, 0.0));
    if (distance < trench->dump_radius) {
        document_warn_at(document, "exercise.trench.dump_radius",
                         "the dump lies on the trench: its middle is %.4g m from it, its radius is %.4g m", distance,
                         trench->dump_radius);
    }
}

/// A step that asks for less than one before it is done together with that one.
static void advise_steps(const Document *document, const SceneExercise *exercise)
{
    for (int k = 1; k < exercise->steps_count; k++) {
        const SceneStep *step = &exercise->steps[k];
        for (int before = 0; before < k; before++) {
            const SceneStep *other = &exercise->steps[before];
            bool both = step->least > -SCENE_NO_LIMIT && other->least > -SCENE_NO_LIMIT;
            if (both && step->metric == other->metric && step->least <= other->least) {
                document_warn_at(document, document_path("exercise.steps.%d.least", k).text,
                                 "%.6g is done with step %d, which asks for %.6g of the same figure", step->least,
                                 before + 1, other->least);
            }
        }
    }
}

void scene_advise(const Document *document, const SceneParams *scene, const MachineParams *machine)
{
    if (scene->exercise.kind == EXERCISE_TRENCH) {
        advise_trench(document, &scene->exercise.trench, machine);
    }
    advise_steps(document, &scene->exercise);
    advise_places(document, scene, machine);
    advise_rules(document, scene);
    advise_figures(document, scene);
}
