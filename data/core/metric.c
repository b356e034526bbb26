/// Tables of the incidents and metrics: names, units and phrases.
#include "data/core/metric.h"

#include <string.h>

const char *const incident_names[INCIDENT_COUNT] = {
#define X(kind, name, phrase) [INCIDENT_##kind] = #name,
    INCIDENTS(X)
#undef X
};

const char *const incident_phrases[INCIDENT_COUNT] = {
#define X(kind, name, phrase) [INCIDENT_##kind] = (phrase),
    INCIDENTS(X)
#undef X
};

const MetricInfo metric_infos[METRIC_COUNT] = {
#define X(id, metric, unit_text, what, of, words)                                                                      \
    [METRIC_##id] = {                                                                                                  \
        .name = #metric, .unit = (unit_text), .phrase = (words), .kind = METRIC_IS_##what, .part = METRIC_OF_##of},
    METRICS(X)
#undef X
#define X(id, incident, words)                                                                                         \
    [METRIC_INCIDENT_##id] = {                                                                                         \
        .name = #incident "_count", .unit = "1", .phrase = (words), .kind = METRIC_IS_NUMBER, .part = METRIC_OF_ANY},
        INCIDENTS(X)
#undef X
};

Metric metric_named(const char *name)
{
    int found = 0;
    while (found < METRIC_COUNT && strcmp(metric_infos[found].name, name) != 0) {
        found++;
    }
    return (Metric)found;
}
