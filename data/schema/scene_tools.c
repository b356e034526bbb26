/// Tools that stand on a scene's site: keys and rules.
#include <math.h>

#include "data/core/constants.h"
#include "data/core/elementary.h"
#include "data/schema/scene_check.h"

#define TOOL_HALF                                                                                                      \
    1.0 ///< m about the first pin that is to lie on the site; chosen: what the bucket of a 22-t machine takes

static const DataKey tool_keys[] = {
    ROW_TEXT("attachment", SceneTool, attachment, "name of the file of an attachment"),
    ROW_NUMBER("x", SceneTool, x, -100, 100, 1, "m: under the pin that the hook takes, to the east"),
    ROW_NUMBER("y", SceneTool, y, -100, 100, 1, "m: under the pin that the hook takes, to the north"),
    ROW_NUMBER("heading_deg", SceneTool, heading, -360, 360, UNIT_DEG,
               "deg: to where its edge looks, from east to north"),
    ROW_END,
};
const DataKey scene_tools_item = ROW_ITEM(SceneTool, tool_keys);

bool scene_check_tools(Document *document, const SceneParams *scene, Status *status)
{
    if (scene->exercise.tools_count > 0 && scene->machine.coupler[0] == '\0') {
        return document_fail_at(document, "exercise.tools", status,
                                "the machine cannot take them, allowed with machine.coupler");
    }
    if (scene->exercise.tools_count > 0 && scene->rocks_count > 0) {
        return document_fail_at(document, "exercise.tools", status,
                                "rocks know the tool of the start alone, allowed in scenes without rocks");
    }
    for (int i = 0; i < scene->exercise.tools_count; i++) {
        const SceneTool *tool = &scene->exercise.tools[i];
        if (!scene_check_rectangle(document, &scene->ground, document_path("exercise.tools.%d", i).text,
                                   (double[]){tool->x, tool->y}, tool->heading, (double[]){-TOOL_HALF, TOOL_HALF},
                                   TOOL_HALF, status)) {
            return false;
        }
    }
    return true;
}

bool scene_check_tools_start(Document *document, const SceneParams *scene, const MachineParams *machine, Status *status)
{
    if (scene->exercise.tools_count > 0 && machine->lock.mouth <= 0.0) {
        return document_fail_at(document, "machine.coupler", status,
                                "%s takes no tools from the cab (it has no lock), allowed one with a lock where there "
                                "are tools",
                                machine->coupler);
    }
    const MachineTracks *tracks = &machine->tracks;
    double least = TOOL_HALF + same_hypot(0.5 * tracks->length, 0.5 * (tracks->gauge + tracks->shoe_width));
    for (int i = 0; i < scene->exercise.tools_count; i++) {
        const SceneTool *tool = &scene->exercise.tools[i];
        double distance = same_hypot(tool->x - scene->machine.x, tool->y - scene->machine.y);
        if (!(distance >= least)) {
            return document_fail_at(document, document_path("exercise.tools.%d", i).text, status,
                                    "the machine starts on it: %.4g m from the middle of its tracks, allowed from "
                                    "%.4g m on",
                                    distance, least);
        }
    }
    return true;
}
