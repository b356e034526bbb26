/// Says which incidents a scene has no room for: without persons nobody is hit, without a truck none is overloaded.
#include <stdio.h>
#include <string.h>

#include "data/schema/advice_parts.h"

static bool has_zone(const SceneParams *scene)
{
    bool found = false;
    for (int k = 0; k < scene->persons_count; k++) {
        found = found || scene->persons[k].zone > 0.0;
    }
    return found;
}

const char *advise_why_not(const SceneParams *scene, Incident incident)
{
    bool truck = scene->exercise.kind == EXERCISE_TRUCK_LOADING;
    switch (incident) {
    case INCIDENT_TOUCH:
        return truck || scene->fixtures_count > 0 || scene->exercise.loads_count > 0
                   ? NULL
                   : "the scene has neither fixtures nor a truck";
    case INCIDENT_PERSON_HIT:
        return scene->persons_count > 0 ? NULL : "the scene has no persons";
    case INCIDENT_PERSON_ZONE:
    case INCIDENT_SWING_OVER_PERSON:
        return scene->persons_count == 0 ? "the scene has no persons"
               : has_zone(scene)         ? NULL
                                         : "no person of the scene has a zone";
    case INCIDENT_BUCKET_OVER_CAB:
    case INCIDENT_TRUCK_OVERLOAD:
    case INCIDENT_TRUCK_TIPPED:
        return truck ? NULL : "the scene has no truck";
    default:
        return NULL;
    }
}

/// Names that things of an incident may have: those of persons, of fixtures and trucks, or what the incident says.
static bool is_named(const SceneParams *scene, const SceneRule *rule)
{
    bool person = rule->incident == INCIDENT_PERSON_HIT || rule->incident == INCIDENT_PERSON_ZONE ||
                  rule->incident == INCIDENT_SWING_OVER_PERSON;
    bool truck = scene->exercise.kind == EXERCISE_TRUCK_LOADING && !person;
    bool found = false;
    for (int k = 0; k < scene->persons_count && person; k++) {
        found = found || strstr(scene->persons[k].name, rule->thing) != NULL;
    }
    for (int k = 0; k < scene->fixtures_count && rule->incident == INCIDENT_TOUCH; k++) {
        found = found || strstr(scene->fixtures[k].name, rule->thing) != NULL;
    }
    for (int k = 0; k < SCENE_MAX_TRUCKS && truck; k++) {
        char name[16];
        snprintf(name, sizeof name, "truck %d", k + 1);
        found = found || strstr(name, rule->thing) != NULL;
    }
    return found || (rule->incident == INCIDENT_SLAM && strstr("end stop", rule->thing) != NULL);
}

void advise_rules(const Document *document, const SceneParams *scene)
{
    for (int k = 0; k < scene->exercise.rules_count; k++) {
        const SceneRule *rule = &scene->exercise.rules[k];
        const char *why = advise_why_not(scene, rule->incident);
        if (why != NULL) {
            document_warn_at(document, document_path("exercise.rules.%d.event", k).text, "%s cannot happen: %s",
                             incident_names[rule->incident], why);
        } else if (rule->thing[0] != '\0' && !is_named(scene, rule)) {
            document_warn_at(document, document_path("exercise.rules.%d.thing", k).text,
                             "%s cannot happen with it: nothing of the scene is named so",
                             incident_names[rule->incident]);
        }
    }
}
