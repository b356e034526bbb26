/// Looks (trainer/cli/isolate.h) that ask SDL and OpenGL.
#ifndef SPADEWORK_TRAINER_DOCTOR_PROBES_H
#define SPADEWORK_TRAINER_DOCTOR_PROBES_H

#include "trainer/cli/isolate.h"

/// drawing.c: displays, OpenGL, and pictures of the trial for up to ten seconds; of facts->drawing it reads `given` and
/// `asked`.
DoctorLook look_at_drawing;
DoctorLook look_at_devices; ///< devices.c: opens pads and joysticks as the window does, and asks the control maps
DoctorLook look_at_sound; ///< sound.c: opens the output as the window does, and plays nothing

#endif
