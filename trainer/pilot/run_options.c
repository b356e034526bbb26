/// Joins what the command line says about views with the user's settings.
#include "trainer/pilot/run_options.h"

static void override(int given, int *value)
{
    *value = given > 0 ? given - 1 : *value;
}

SettingsViews run_views(const RunViews *given, const SettingsViews *settings)
{
    SettingsViews views = settings != NULL ? *settings : (SettingsViews){0};
    int rear = (int)views.rear, mirrors = (int)views.mirrors;
    override(given->rear, &rear);
    override(given->mirrors, &mirrors);
    override(given->inset, &views.inset);
    override(given->screens, &views.screens);
    override(given->eyes, &views.eyes);
    views.rear = (SettingsRear)rear;
    views.mirrors = (SettingsMirrors)mirrors;
    if (views.screens == 3 && views.eyes == 2) {
        views.screens = given->eyes > 0 ? 1 : 3;
        views.eyes = given->eyes > 0 ? 2 : 1;
    }
    return views;
}
