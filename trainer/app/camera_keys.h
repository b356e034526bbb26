/// The keys that are held to look round and to fly. They are the same with every control map. Main thread only.
#ifndef SPADEWORK_TRAINER_CAMERA_KEYS_H
#define SPADEWORK_TRAINER_CAMERA_KEYS_H

#include "trainer/app/camera.h"

/// Reads what is held now.
/// levers  letters move levers: without them W A S D, Q and E fly the free camera, too
CameraKeys camera_keys_held(bool levers);

#endif
