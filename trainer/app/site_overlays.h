/// What a picture shows over the site: an exercise's marks, staffs, stakes and depth boards; the grade display of
/// machine control and the section of the ground under the arm; and the debug view of the soil.
#ifndef SPADEWORK_TRAINER_SITE_OVERLAYS_H
#define SPADEWORK_TRAINER_SITE_OVERLAYS_H

#include "render/render.h"
#include "trainer/sim/sim.h"

/// ---- marks of an exercise ------------------------------------------------------------------------------------------

/// Lines that mark where to dig, how deep, and where the soil goes.

/// Writes at most `capacity` lines (world, m), laid a little over the ground. Returns how many were written.
int exercise_marks(Session *session, RenderLine *lines, int capacity);

/// ---- staffs, stakes and boards -------------------------------------------------------------------------------------

/// Staffs, stakes and depth boards that stand where an exercise marks something: so that depths and heights can be read
/// from the picture.

/// Writes at most RENDER_MAX_STAFFS staffs. Returns how many were written. The same session gives the same staffs
/// always: they do not follow the ground.
int exercise_staffs(Session *session, RenderStaff staffs[RENDER_MAX_STAFFS]);

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

/// ---- debug view ----------------------------------------------------------------------------------------------------

/// What the debug view draws, in memory that lasts.
typedef struct DebugView DebugView;
DebugView *debug_view_create(void);
void debug_view_destroy(DebugView *own);
/// Fills view->debug and tints the particles that touch the tool; pointers hold until the next call.
void debug_view_fill(DebugView *own, Session *session, RenderView *view);

#endif
