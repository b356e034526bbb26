/// Crops and names of surfaces, as all readers of survey files take them.
#include "data/files/survey_scan.h"

void survey_crop_sides(const SurveyCrop *crop, double low[2], double high[2])
{
    low[0] = crop->east - 0.5 * crop->length;
    high[0] = crop->east + 0.5 * crop->length;
    low[1] = crop->north - 0.5 * crop->width;
    high[1] = crop->north + 0.5 * crop->width;
}

bool survey_fail_crop(const char *label, TinPlace began, const SurveyCrop *crop, const double low[2],
                      const double high[2], Status *status)
{
    double from[2], to[2];
    survey_crop_sides(crop, from, to);
    return tin_fail_at(label, began, status,
                       "nothing of the surface lies in %s, east %.2f to %.2f and north %.2f to %.2f: it reaches "
                       "from east %.2f to %.2f and from north %.2f to %.2f; state an east and a north between those",
                       crop->called, from[0], to[0], from[1], to[1], low[0], high[0], low[1], high[1]);
}

bool survey_check_unnamed(const char *label, const SurveyWish *wish, const char *what, Status *status)
{
    return wish->choice != SURVEY_NAMED ||
           tin_fail_at(label, (TinPlace){1, 1}, status, "no surface named %s: %s has one without a name", wish->name,
                       what);
}
