/// Where things are read from and written to, and which other programs there are.
#include <string.h>

#include "trainer/cli/findings_internal.h"

/// A recording grows by 70 kB (trench) to 100 kB (dozing) a second: `bench run record`, `run dozing --record`.
#define RECORDED     1e5 ///< bytes/s
#define HOUR         3600.0 ///< s
#define HOURS_ENOUGH 5.0 ///< h: a day's training. Chosen
#define HOURS_LEAST  0.1 ///< h: hardly a drive. Chosen

static void judge_data(const FilesFacts *files, DoctorReport *report)
{
    bool good = files->data_fault[0] == '\0' && files->scenes > 0;
    DoctorFinding *finding = NULL;
    if (good) {
        finding = finding_add(report, "data", "data", DOCTOR_GOOD, "%d scenes in %s", files->scenes, files->data);
    } else {
        finding = finding_add(report, "data", "data", DOCTOR_MISSING, "%s: %s", files->data,
                              files->data_fault[0] != '\0' ? files->data_fault : "no scenes");
        finding_advise(finding, "install the program anew, or let SPADEWORK_DATA name the folder of its data");
    }
    finding_text(finding, "folder", files->data);
    finding_count(finding, "scenes", files->scenes);
}

static void judge_settings(const FilesFacts *files, DoctorReport *report)
{
    const char *fault = files->settings_fault, *file = files->settings;
    DoctorFinding *finding = NULL;
    if (fault[0] == '\0') {
        finding = finding_add(report, "settings", "settings", DOCTOR_GOOD, "%s%s", file,
                              files->settings_there ? "" : " is not there: all is as usual");
    } else {
        bool named = file[0] == '\0' || strstr(fault, file) != NULL; // what is wrong within a file names it
        finding = finding_add(report, "settings", "settings", DOCTOR_MISSING, "%s%s%s", named ? "" : file,
                              named ? "" : ": ", fault);
        finding_advise(finding, file[0] != '\0' ? "put that right (spadework reference settings), or remove the file"
                                                : "set HOME, or XDG_CONFIG_HOME, to a folder of yours");
    }
    finding_text(finding, "file", file);
    finding_flag(finding, "there", files->settings_there);
}

static void judge_folder(const FolderFacts *folder, const char *about, const char *title, const char *advice,
                         DoctorReport *report)
{
    DoctorFinding *finding = NULL;
    if (folder->writable) {
        finding = finding_add(report, about, title, DOCTOR_GOOD, "%s%s", folder->path,
                              folder->there ? "" : " (is made when it is needed)");
    } else {
        finding =
            finding_add(report, about, title, DOCTOR_MISSING, "%s%s%s", folder->path,
                        folder->path[0] != '\0' ? ": " : "", folder->fault[0] != '\0' ? folder->fault : "no answer");
        finding_advise(finding, "%s", advice);
    }
    finding_text(finding, "folder", folder->path);
    finding_flag(finding, "there", folder->there);
    finding_flag(finding, "writable", folder->writable);
}

static void judge_disk(const FolderFacts *folder, DoctorReport *report)
{
    if (folder->path[0] == '\0' || !folder->writable) {
        return; // told with the folder
    }
    double hours = folder->free / RECORDED / HOUR;
    DoctorFinding *finding =
        finding_add(report, "disk", "disk",
                    hours >= HOURS_ENOUGH  ? DOCTOR_GOOD
                    : hours >= HOURS_LEAST ? DOCTOR_SLOW
                                           : DOCTOR_MISSING,
                    "%.1f GB free for recordings: %.*f hours", 1e-9 * folder->free, hours < 10.0 ? 1 : 0, hours);
    finding_number(finding, "free_bytes", folder->free);
    finding_number(finding, "hours", hours);
    if (hours < HOURS_ENOUGH) {
        finding_advise(finding, "make room, lower recordings: {limit_gb: ...} in the settings, or let XDG_DATA_HOME "
                                "name a folder on another disk; a full disk ends a recording");
    }
}

static void judge_libraries(const SoftwareFacts *software, DoctorReport *report)
{
    if (software->count == 0) {
        return;
    }
    char text[DOCTOR_LINE] = "";
    for (int k = 0; k < software->count; k++) {
        size_t length = strlen(text);
        snprintf(text + length, sizeof text - length, "%s%s %s", k > 0 ? ", " : "", software->libraries[k].name,
                 software->libraries[k].version);
    }
    DoctorFinding *finding =
        finding_add(report, "libraries", "libraries", software->ode_double ? DOCTOR_GOOD : DOCTOR_MISSING, "%s%s", text,
                    software->ode_double ? "; ODE in double precision" : "; ODE in single precision");
    for (int k = 0; k < software->count; k++) {
        finding_text(finding, software->libraries[k].name, software->libraries[k].version);
    }
    finding_flag(finding, "ode_double", software->ode_double);
    if (!software->ode_double) {
        finding_advise(finding, "the program needs ODE in double precision: apt install libode-dev, and build it anew");
    }
}

static void judge_program(const char *about, const char *title, bool there, const char *what, const char *advice,
                          DoctorReport *report)
{
    DoctorFinding *finding = finding_add(report, about, title, there ? DOCTOR_GOOD : DOCTOR_MISSING, "%s%s",
                                         there ? "" : "not found; needed for ", what);
    finding_flag(finding, "there", there);
    if (!there) {
        finding_advise(finding, "%s", advice);
    }
}

static void judge_programs(const SoftwareFacts *software, DoctorReport *report)
{
    if (software->count == 0) {
        return;
    }
    DoctorFinding *fonts = finding_add(report, "fonts", "fonts", software->fonts > 0 ? DOCTOR_GOOD : DOCTOR_MISSING,
                                       "%d famil%s of letters", software->fonts, software->fonts == 1 ? "y" : "ies");
    finding_count(fonts, "families", software->fonts);
    if (software->fonts == 0) {
        finding_advise(fonts, "nothing in the window can be read without: apt install fonts-dejavu-core");
    }
    judge_program("ffmpeg", "ffmpeg", software->film, "films (export --video)", "apt install ffmpeg", report);
    judge_program("xdg-open", "xdg-open", software->browser, "opening a debrief in the browser from the window",
                  "apt install xdg-utils, or open REC.spade.html yourself", report);
}

static void judge_texts(const FilesFacts *files, DoctorReport *report)
{
    if (files->language[0] == '\0') {
        return;
    }
    DoctorFinding *finding = finding_add(
        report, "texts", "texts", files->utf8 ? DOCTOR_GOOD : DOCTOR_MISSING, "language %s; locale %s%s%s%s",
        files->language, files->locale[0] != '\0' ? files->locale : "not set", files->utf8 ? "" : ", no UTF-8",
        files->terminal ? "; terminal " : "; no terminal", files->terminal ? files->terminal_kind : "");
    finding_text(finding, "language", files->language);
    finding_text(finding, "locale", files->locale);
    finding_flag(finding, "utf8", files->utf8);
    finding_flag(finding, "terminal", files->terminal);
    finding_text(finding, "terminal_kind", files->terminal_kind);
    if (!files->utf8) {
        finding_advise(finding, "letters with accents may be wrong on the terminal, not in the window: export "
                                "LANG=C.UTF-8, or a language of yours (en_US.UTF-8)");
    }
}

void rules_files(const DoctorFacts *facts, DoctorReport *report)
{
    const FoldersFacts *folders = &facts->folders;
    judge_data(&facts->files, report);
    judge_settings(&facts->files, report);
    judge_folder(&folders->data, "folder_data", "results",
                 "drives can be made and are not kept: set HOME or XDG_DATA_HOME to a folder that you may write",
                 report);
    judge_folder(&folders->recordings, "folder_recordings", "recordings",
                 "drives can be made and are not kept: set HOME or XDG_DATA_HOME to a folder that you may write",
                 report);
    judge_folder(&folders->settings, "folder_settings", "settings kept",
                 "what is chosen in the menu is lost: set HOME or XDG_CONFIG_HOME to a folder that you may write",
                 report);
    judge_folder(&folders->temporary, "folder_temporary", "temporary",
                 "damaged recordings cannot be put right: let TMPDIR name a folder that you may write", report);
    judge_disk(&folders->recordings, report);
    judge_libraries(&facts->software, report);
    judge_programs(&facts->software, report);
    judge_texts(&facts->files, report);
}
