/// The plan of a scene: site, soils, heaps, grains, rocks, work, targets, persons, things, trucks with their roads, and
/// machine, drawn to scale with a bar and an arrow to the north.
#ifndef SPADEWORK_TRAINER_PLAN_H
#define SPADEWORK_TRAINER_PLAN_H

#include <cairo/cairo.h>

#include "data/schema/machine_params.h"
#include "data/schema/scene_params.h"
#include "data/schema/settings_params.h"

/// Draws from the cairo's origin, over what is there, in the reader's language. Reads the scene alone.
/// units          that heights and the bar are written in
/// width, height  1..1e5 points, of the room for it
void plan_draw(cairo_t *cairo, const SceneParams *scene, TextUnits units, double width, double height);
/// The same with the machine's own measures, and a circle for how far its tool gets.
/// machine        NULL: a box
/// width, height  1..1e5 points
void plan_draw_machine(cairo_t *cairo, const SceneParams *scene, const MachineParams *machine, TextUnits units,
                       double width, double height);

#endif
