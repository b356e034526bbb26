/// The meshes of pictures for a model of a machine (trainer/report/model.h). Any thread.
#ifndef SPADEWORK_TRAINER_MACHINE_DRAWING_H
#define SPADEWORK_TRAINER_MACHINE_DRAWING_H

#include "trainer/report/report.h"

/// A painter of models, without a context.
extern const ModelPainter machine_drawing_painter;

#endif
