/// The user's own settings: what is kept of what was driven, and under which name results go to a learning platform.
#ifndef SPADEWORK_DATA_SETTINGS_PARAMS_H
#define SPADEWORK_DATA_SETTINGS_PARAMS_H

/// Which recordings go last when there are too many.
typedef enum SettingsKeep {
    SETTINGS_KEEP_NEWEST,
    SETTINGS_KEEP_BEST, ///< each trainee's best attempt at a scene goes after all others
} SettingsKeep;

typedef struct SettingsRecordings {
    double
        limit; ///< bytes, 1e8..1e13, default 1e10: of the folder of recordings that were made without being asked for
    SettingsKeep keep;
} SettingsRecordings;

typedef struct SettingsXapi {
    char home_page[256]; ///< of the actors' accounts; "" = that of the program
} SettingsXapi;

typedef struct SettingsParams {
    char name[64]; ///< file name without .yaml
    SettingsRecordings recordings;
    SettingsXapi xapi;
    char language[8]; ///< of what people read: "en", "de", "es"; "" = as the environment says
} SettingsParams;

#endif
