/// Reports and exports of recordings: the debrief as HTML, PDF and text (report_pages.h), the plan of a scene (plan.h),
/// telemetry, events, particles and pictures (export.h, telemetry.h, stills.h), packets for a motion platform
/// (motion_stream.h), and scenes in the language of the reader (scene_language.h). Nothing here needs a window.
#ifndef SPADEWORK_TRAINER_REPORT_DOOR_H
#define SPADEWORK_TRAINER_REPORT_DOOR_H

#include "trainer/report/export.h"
#include "trainer/report/motion_stream.h"
#include "trainer/report/report_words.h"
#include "trainer/report/output_file.h"
#include "trainer/report/plan.h"
#include "trainer/report/report_pages.h"
#include "trainer/report/scene_language.h"
#include "trainer/report/seal_words.h"
#include "trainer/report/stills.h"
#include "trainer/report/telemetry.h"

#endif
