/// Whether a window can be opened, and how fast pictures are drawn for it.
#include <string.h>

#include "trainer/cli/findings_internal.h"

#define SMOOTH 30.0 ///< pictures a second, 1/s, that a moving bucket is followed by with ease. Chosen

static const char *const quality_names[SETTINGS_QUALITY_COUNT] = {
    [SETTINGS_QUALITY_AUTO] = "auto",
    [SETTINGS_QUALITY_HIGH] = "high",
    [SETTINGS_QUALITY_MEDIUM] = "medium",
    [SETTINGS_QUALITY_LOW] = "low",
};

/// Renderers that have the processors draw.
static bool is_software(const char *renderer)
{
    static const char *const names[] = {"llvmpipe", "softpipe", "swrast", "Software Rasterizer", "SwiftShader"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        if (strstr(renderer, names[k]) != NULL) {
            return true;
        }
    }
    return false;
}

static void judge_displays(const DrawingFacts *drawing, DoctorReport *report)
{
    if (!drawing->display) {
        DoctorFinding *finding = finding_add(report, "display", "display", DOCTOR_MISSING, "none: %s",
                                             drawing->display_fault[0] != '\0' ? drawing->display_fault : "no answer");
        finding_advise(finding, "open the program from a desktop (X11 or Wayland), or by ssh -X; without a display: "
                                "--headless, with --shot OUT.png for a picture");
        finding_flag(finding, "there", false);
    }
    for (int k = 0; drawing->display && k < drawing->display_count; k++) {
        const DisplayFacts *display = &drawing->displays[k];
        char rate[32] = "";
        if (display->refresh > 0) {
            snprintf(rate, sizeof rate, " at %d Hz", display->refresh);
        }
        bool rare = display->refresh > 0 && display->refresh < (int)SMOOTH;
        DoctorFinding *finding = finding_add(report, "display", "display", rare ? DOCTOR_SLOW : DOCTOR_GOOD,
                                             "%d of %d: %d x %d%s, %s (%s)", k + 1, drawing->display_count,
                                             display->width, display->height, rate, display->name, drawing->driver);
        finding_flag(finding, "there", true);
        finding_text(finding, "name", display->name);
        finding_count(finding, "width", display->width);
        finding_count(finding, "height", display->height);
        finding_number(finding, "refresh_hz", display->refresh);
        finding_text(finding, "driver", drawing->driver);
        if (rare) {
            finding_advise(finding, "choose a higher refresh rate, or a smaller size, in the settings of the desktop");
        }
    }
}

static void advise_software(const DrawingFacts *drawing, DoctorFinding *finding)
{
    if (drawing->card && drawing->card_closed) {
        finding_advise(finding, "there is a graphics card that this user may not use: usermod -aG video,render USER, "
                                "and log in anew");
    } else if (drawing->card) {
        finding_advise(finding,
                       "there is a graphics card that OpenGL does not use: install its driver (Mesa: apt "
                       "install libgl1-mesa-dri; NVIDIA: apt install nvidia-driver); until then --quality low");
    } else {
        finding_advise(finding, "there is no graphics card: --quality low");
    }
}

static void judge_opengl(const DrawingFacts *drawing, DoctorReport *report)
{
    if (!drawing->context) {
        DoctorFinding *finding = finding_add(report, "opengl", "OpenGL", DOCTOR_MISSING, "3.3 cannot be had: %s",
                                             drawing->context_fault[0] != '\0' ? drawing->context_fault : "no answer");
        finding_advise(finding, "apt install libgl1 libegl1 libegl-mesa0 libglx-mesa0 libgl1-mesa-dri, which draw in "
                                "software, too; for a graphics card its driver");
        return;
    }
    bool software = is_software(drawing->renderer);
    DoctorFinding *finding =
        finding_add(report, "opengl", "OpenGL", software ? DOCTOR_SLOW : DOCTOR_GOOD, "%s, %s%s", drawing->version,
                    drawing->renderer, software ? ": the processors draw, which the soil needs" : "");
    finding_text(finding, "version", drawing->version);
    finding_text(finding, "renderer", drawing->renderer);
    finding_text(finding, "vendor", drawing->vendor);
    finding_flag(finding, "software", software);
    if (software) {
        advise_software(drawing, finding);
    }
}

/// The highest quality that is smooth, else the fastest that was measured.
static SettingsQuality choose_quality(const DrawingFacts *drawing)
{
    static const SettingsQuality all[] = {SETTINGS_QUALITY_HIGH, SETTINGS_QUALITY_MEDIUM, SETTINGS_QUALITY_LOW};
    SettingsQuality best = SETTINGS_QUALITY_LOW;
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
        if (drawing->frames[all[k]] >= SMOOTH) {
            return all[k];
        }
        best = drawing->frames[all[k]] > drawing->frames[best] ? all[k] : best;
    }
    return best;
}

static void judge_pictures(const DrawingFacts *drawing, DoctorReport *report)
{
    SettingsQuality first = drawing->asked == SETTINGS_QUALITY_AUTO ? SETTINGS_QUALITY_HIGH : drawing->asked;
    double frames = drawing->frames[first];
    if (!drawing->context || frames <= 0.0) {
        return; // why is told by what is missing
    }
    DoctorFinding *finding = finding_add(report, "pictures", "pictures", frames >= SMOOTH ? DOCTOR_GOOD : DOCTOR_SLOW,
                                         "%.*f a second at quality %s, from the cab, %d x %d", frames < 10.0 ? 1 : 0,
                                         frames, quality_names[first], DOCTOR_WIDTH, DOCTOR_HEIGHT);
    finding_text(finding, "asked", quality_names[drawing->asked]);
    finding_text(finding, "quality", quality_names[first]);
    finding_number(finding, "per_second", frames);
    for (int k = SETTINGS_QUALITY_HIGH; k < SETTINGS_QUALITY_COUNT; k++) {
        finding_number(finding, quality_names[k], drawing->frames[k]);
    }
    if (frames >= SMOOTH) {
        return;
    }
    SettingsQuality best = choose_quality(drawing);
    if (best == first) {
        finding_advise(finding, "a smaller window is drawn faster; the drive itself keeps its time, and some pictures "
                                "are left out");
    } else {
        finding_advise(finding, "--quality %s gives %.0f a second (window: {quality: %s} in the settings keeps it)%s",
                       quality_names[best], drawing->frames[best], quality_names[best],
                       drawing->asked == SETTINGS_QUALITY_AUTO ? "; by itself a window goes there after a while" : "");
    }
}

void rules_drawing(const DoctorFacts *facts, DoctorReport *report)
{
    judge_displays(&facts->drawing, report);
    judge_opengl(&facts->drawing, report);
    judge_pictures(&facts->drawing, report);
}
