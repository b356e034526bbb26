/// The user's settings: their keys, all of which may be missing, the list of further windows, and changes of single
/// values.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/core/constants.h"
#include "data/core/system_files.h"
#include "data/files/document.h"
#include "data/files/references.h"
#include "data/schema/schemas.h"
#include "data/schema/settings_params.h"

/// ---- further windows -----------------------------------------------------------------------------------------------

/// `--window VIEW[@DISPLAY]`, and the list of them in the settings.

enum { WORD = 16 };

static int find_camera(const char *text, size_t length)
{
    static const char *const names[CAMERA_COUNT] = {
#define X(id, name) name,
        CAMERAS(X)
#undef X
    };
    int k = 0;
    while (k < CAMERA_COUNT && !(strlen(names[k]) == length && strncmp(names[k], text, length) == 0)) {
        k++;
    }
    return k;
}

/// 0: it is no display.
static int read_display(const char *text)
{
    int display = 0;
    for (const char *digit = text; *digit != '\0'; digit++) {
        if (*digit < '0' || *digit > '9' || digit - text > 1) {
            return 0;
        }
        display = 10 * display + (*digit - '0');
    }
    return display <= SETTINGS_MOST_DISPLAYS ? display : 0;
}

bool sides_add(const char *text, SettingsSides *sides)
{
    size_t length = strcspn(text, "@");
    int camera = find_camera(text, length);
    int display = text[length] == '@' ? read_display(text + length + 1) : 0;
    if (camera == CAMERA_COUNT || (text[length] == '@' && display == 0) || sides->count == SETTINGS_MOST_SIDES) {
        return false;
    }
    sides->sides[sides->count++] = (SettingsSide){.camera = camera, .display = display};
    return true;
}

bool sides_read(const char *text, SettingsSides *sides)
{
    *sides = (SettingsSides){0};
    for (const char *at = text + strspn(text, ", "); *at != '\0'; at += strspn(at, ", ")) {
        char word[WORD] = "";
        size_t length = strcspn(at, ", ");
        if (length >= sizeof word) {
            return false;
        }
        memcpy(word, at, length);
        if (!sides_add(word, sides)) {
            return false;
        }
        at += length;
    }
    return true;
}

/// ---- keys ----------------------------------------------------------------------------------------------------------

#define GIGABYTE 1e9 ///< bytes

static const KeyChoice keeps[] = {{"newest", SETTINGS_KEEP_NEWEST}, {"best", SETTINGS_KEEP_BEST}, {NULL, 0}};

static const KeyChoice clears[] = {{"plain", SETTINGS_CLEAR_PLAIN}, {"any", SETTINGS_CLEAR_ANY}, {NULL, 0}};

static const DataKey recordings_keys[] = {
    ROW_NUMBER_OR("limit_gb", SettingsRecordings, limit, 0.1, 10000, GIGABYTE, 10,
                  "GB: most that the folder of automatic recordings may hold"),
    ROW_CHOICE_OPTIONAL("keep", SettingsRecordings, keep, keeps,
                        "which recordings are deleted last when there are too many"),
    ROW_CHOICE_OPTIONAL("clear", SettingsRecordings, clear, clears,
                        "which may be deleted: plain ones, or also those of experts, passed and marked ones"),
    ROW_END,
};

static const KeyChoice exercises[] = {
    {"in_order", SETTINGS_EXERCISES_IN_ORDER}, {"open", SETTINGS_EXERCISES_OPEN}, {NULL, 0}};

static const DataKey courses_keys[] = {
    ROW_CHOICE_OPTIONAL(
        "exercises", SettingsCourses, exercises, exercises,
        "which exercises the menu offers a trainee (in_order: one opens when the one before it is passed)"),
    ROW_END,
};

static const KeyChoice qualities[] = {{"auto", SETTINGS_QUALITY_AUTO},
                                      {"high", SETTINGS_QUALITY_HIGH},
                                      {"medium", SETTINGS_QUALITY_MEDIUM},
                                      {"low", SETTINGS_QUALITY_LOW},
                                      {NULL, 0}};
static const KeyChoice gauges[] = {
    {"strip", SETTINGS_GAUGES_STRIP}, {"all", SETTINGS_GAUGES_ALL}, {"none", SETTINGS_GAUGES_NONE}, {NULL, 0}};
static const KeyChoice units[] = {{"metric", TEXT_UNITS_METRIC}, {"imperial", TEXT_UNITS_IMPERIAL}, {NULL, 0}};
static const KeyChoice keys_shown[] = {{"yes", 0}, {"no", 1}, {NULL, 0}};
static const KeyChoice sides[] = {{"usual", 0}, {"swapped", 1}, {NULL, 0}};

static const KeyChoice rears[] = {
    {"off", SETTINGS_REAR_OFF}, {"auto", SETTINGS_REAR_AUTO}, {"on", SETTINGS_REAR_ON}, {NULL, 0}};
static const KeyChoice mirrors[] = {
    {"auto", SETTINGS_MIRRORS_AUTO}, {"off", SETTINGS_MIRRORS_OFF}, {"on", SETTINGS_MIRRORS_ON}, {NULL, 0}};
static const KeyChoice insets[] = {{"off", 0},
#define X(id, name) {name, 1 + CAMERA_##id},
                                   CAMERAS(X)
#undef X
                                       {NULL, 0}};
static const KeyChoice screens[] = {{"1", 1}, {"3", 3}, {NULL, 0}};
static const KeyChoice eyes[] = {{"1", 1}, {"2", 2}, {NULL, 0}};

static const DataKey window_keys[] = {
    ROW_CHOICE_OPTIONAL("quality", SettingsWindow, quality, qualities,
                        "how much is drawn; auto: high, and low once pictures take too long"),
    ROW_CHOICE_OPTIONAL("gauges", SettingsWindow, gauges, gauges, "which gauges are shown when a window opens (F2)"),
    ROW_CHOICE_OPTIONAL("units", SettingsWindow, units, units, "units of quantities on the screen"),
    ROW_CHOICE_OPTIONAL("keys", SettingsWindow, no_keys, keys_shown, "the list of keys is shown for a while (F1)"),
    ROW_CHOICE_OPTIONAL("score", SettingsWindow, panels.no_score, keys_shown,
                        "the panel of time, score and progress is shown (F12)"),
    ROW_CHOICE_OPTIONAL("map", SettingsWindow, panels.no_map, keys_shown, "the site from above is shown (M)"),
    ROW_CHOICE_OPTIONAL("signals", SettingsWindow, panels.no_signals, keys_shown,
                        "the word of the banksman's arm signal is shown below the task"),
    ROW_CHOICE_OPTIONAL("sides", SettingsWindow, panels.mirrored, sides,
                        "where panels stand; swapped: the left ones on the right"),
    ROW_NUMBER_OR("panel_scale", SettingsWindow, panels.scale, 0.75, 1.5, 1, 1,
                  "share: of the usual size of the panels over the picture"),
    ROW_CHOICE_OPTIONAL("rear", SettingsWindow, views.rear, rears,
                        "when the rear camera is shown in a corner; auto: while the machine goes back or swings (F9)"),
    ROW_CHOICE_OPTIONAL("inset", SettingsWindow, views.inset, insets, "which camera is shown in a corner (F10)"),
    ROW_CHOICE_OPTIONAL("mirrors", SettingsWindow, views.mirrors, mirrors,
                        "whether the cab's mirrors show what is behind; auto: at high quality"),
    ROW_CHOICE_OPTIONAL("screens", SettingsWindow, views.screens, screens,
                        "screens side by side that the window fills"),
    ROW_NUMBER_OR("screen_angle_deg", SettingsWindow, views.screen_angle, 15, 110, UNIT_DEG, 50,
                  "deg: angle of view of each of three screens"),
    ROW_CHOICE_OPTIONAL("eyes", SettingsWindow, views.eyes, eyes, "pictures side by side, one for each eye"),
    ROW_TEXT_OPTIONAL("windows", SettingsWindow, windows,
                      "further windows, up to three: a camera each, with @ and a number the display that it fills (N)"),
    ROW_END,
};

static const DataKey sound_keys[] = {
    ROW_NUMBER_OR("volume", SettingsSound, volume, 0, 1, 1, 0.7, "share: how loud the window is; 0: silent (--volume)"),
    ROW_END,
};

static const DataKey xapi_keys[] = {
    ROW_TEXT_OPTIONAL("home_page", SettingsXapi, home_page, "address of the accounts that results are sent under"),
    ROW_END,
};

static const DataKey keys[] = {
    ROW_KIND(),
    ROW_TEXT_OPTIONAL("controls", SettingsParams, controls,
                      "control map of the excavator, a name or a path (--controls)"),
    ROW_MAPPING_OPTIONAL("window", SettingsParams, window, window_keys, "layout of the window"),
    ROW_MAPPING_OPTIONAL("sound", SettingsParams, sound, sound_keys, "sound of the window"),
    ROW_MAPPING_OPTIONAL("recordings", SettingsParams, recordings, recordings_keys, "which recordings are kept"),
    ROW_MAPPING_OPTIONAL("courses", SettingsParams, courses, courses_keys, "how trainees go through the courses"),
    ROW_MAPPING_OPTIONAL("xapi", SettingsParams, xapi, xapi_keys, "how results are reported to learning platforms"),
    ROW_TEXT_OPTIONAL("shared_folder", SettingsParams, shared_folder,
                      "folder whose scenes, courses and controls are found by name at every station that names it"),
    ROW_TEXT_OPTIONAL("logo", SettingsParams, logo, "PNG file that is shown at the head of debriefs"),
    ROW_TEXT_OPTIONAL("language", SettingsParams, language, "language of texts for people: en, de, es"),
    ROW_END,
};

/// The home page of accounts is a web address; a language is a word.
static bool check(Document *document, const void *params, Status *status)
{
    const SettingsParams *settings = params;
    if (settings->window.views.screens == 3 && settings->window.views.eyes == 2) {
        return document_fail_at(document, "window.eyes", status, "read 2 beside screens: 3, allowed with one screen");
    }
    SettingsSides further;
    if (!sides_read(settings->window.windows, &further)) {
#define X(id, name) " " name
        return document_fail_at(document, "window.windows", status,
                                "read %s, allowed up to %d of" CAMERAS(X) ", each with @1 to @%d behind it or without",
                                settings->window.windows, SETTINGS_MOST_SIDES, SETTINGS_MOST_DISPLAYS);
#undef X
    }
    const char *page = settings->xapi.home_page, *language = settings->language;
    if (language[strspn(language, "abcdefghijklmnopqrstuvwxyz")] != '\0') {
        return document_fail_at(document, "language", status, "read %s, allowed letters a to z (en, de, es)", language);
    }
    if (settings->shared_folder[0] != '\0' && settings->shared_folder[0] != '/') {
        return document_fail_at(document, "shared_folder", status,
                                "read %.80s, allowed the whole path of a folder, which begins with /",
                                settings->shared_folder);
    }
    if (settings->logo[0] != '\0' && settings->logo[0] != '/') {
        return document_fail_at(document, "logo", status,
                                "read %.80s, allowed the whole path of a PNG file, which begins with /",
                                settings->logo);
    }
    return page[0] == '\0' || strncmp(page, "https://", 8) == 0 || strncmp(page, "http://", 7) == 0 ||
           document_fail_at(document, "xapi.home_page", status,
                            "read %.80s, allowed an address that begins with https:// or http://", page);
}

const DataSchema data_settings_schema = {.kind = "settings",
                                         .folder = "settings",
                                         .keys = keys,
                                         .size = sizeof(SettingsParams),
                                         .name_size = KEY_SIZE(SettingsParams, name),
                                         .check = check};

/// ---- changing values -----------------------------------------------------------------------------------------------

/// The same edits as those of --set, on the file's own text, which is checked before and after.

static const char empty_file[] = "kind: settings\n";

static bool check_document(Document *document, Status *status)
{
    SettingsParams unused = {0};
    const DocumentNode *kind = document_child(document->root, "kind");
    if (kind == NULL || strcmp(kind->text, "settings") != 0) {
        return document_fail_at(document, "kind", status, "read %.40s, allowed settings",
                                kind != NULL ? kind->text : "nothing");
    }
    return schema_read(&data_settings_schema, document, &unused, status);
}

/// Edits a text; what is to be written lies in the document, which the caller closes.
static bool edit_document(Document *document, const char *const *values, int count, Status *status)
{
    bool good = check_document(document, status);
    for (int k = 0; k < count && good; k++) {
        good = override_apply(document, values[k], status);
    }
    return good && check_document(document, status);
}

bool settings_edit(const char *path, const char *const *values, int count, Status *status)
{
    char *text = NULL;
    size_t size = sizeof empty_file - 1;
    if (access(path, F_OK) == 0 && !file_read(path, &text, &size, status)) {
        return false;
    }
    Document document;
    bool good = document_open(&document, path, text != NULL ? text : empty_file, size, status);
    if (good) {
        good =
            edit_document(&document, values, count, status) && write_whole(path, document.text, document.size, status);
        document_close(&document);
    }
    free(text);
    return good;
}
