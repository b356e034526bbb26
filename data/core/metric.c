/// Names, units and phrases of the figures that exercises measure.
#include "data/core/metric.h"

#include <string.h>

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
