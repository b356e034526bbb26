/// What the ground is made of where the section camera cuts it.
#ifndef SPADEWORK_TRAINER_SECTION_VIEW_H
#define SPADEWORK_TRAINER_SECTION_VIEW_H

#include "render/render.h"
#include "trainer/sim/sim.h"

/// Fills view->section from the session's ground, in the plane of the arm as the view has it: as wide as a section
/// `height` m high (0: 7) needs it in a wide picture. Never changes the session's state.
void section_view_fill(RenderView *view, Session *session, double height);

#endif
