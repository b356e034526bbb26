/// The grade display of machine control (edge, ground and design) and the section of the ground under the arm.
#ifndef SPADEWORK_TRAINER_GRADE_VIEW_H
#define SPADEWORK_TRAINER_GRADE_VIEW_H

#include "render/render.h"
#include "trainer/sim/sim.h"

/// ---- section camera ------------------------------------------------------------------------------------------------

/// What the ground is made of where the section camera cuts it.

/// Fills view->section from the session's ground, in the plane of the arm as the view has it: as wide as a section
/// `height` m high (0: 7) needs it in a wide picture. Never changes the session's state.
void section_view_fill(RenderView *view, Session *session, double height);

/// ---- grade display -------------------------------------------------------------------------------------------------

/// What it keeps from frame to frame: the map and the design under each column.
typedef struct GradeView GradeView;
/// Never fails. Free with grade_view_destroy; NULL is nothing.
GradeView *grade_view_create(void);
void grade_view_destroy(GradeView *own);
/// Fills `grade` for the session's last tick and makes it visible, where the exercise asks for a trench or a surface;
/// the map at most ten times a simulated second.
/// colors  with the design for the colours on the ground; its pointer holds until the next call
void grade_view_fill(GradeView *own, Session *session, bool colors, RenderGrade *grade);

#endif
