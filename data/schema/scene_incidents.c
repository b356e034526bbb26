/// The keys of persons on a site, of what incidents cost, and the rules between them.
#include "data/schema/scene_incidents.h"

#include <math.h>

#include "data/core/elementary.h"
#include "data/core/units.h"
#include "data/schema/scene_fixture.h"
#include "data/schema/scene_check.h"

static const DataKey person_keys[] = {
    ROW_TEXT("name", ScenePerson, name, "what people are told of: banksman"),
    ROW_NUMBER("x", ScenePerson, x, -100, 100, 1, "m: where the person stands, to the east"),
    ROW_NUMBER("y", ScenePerson, y, -100, 100, 1, "m: where the person stands, to the north"),
    ROW_NUMBER_OR("radius", ScenePerson, radius, 0.1, 1, 1, 0.25, "m: of the person"),
    ROW_NUMBER_OR("height", ScenePerson, height, 0.5, 2.5, 1, 1.8, "m: of the person"),
    ROW_NUMBER_OR("zone", ScenePerson, zone, 0, 30, 1, 0, "m: about the person that is to be kept clear"),
    ROW_END,
};
const DataKey scene_persons_item = ROW_ITEM(ScenePerson, person_keys);

/// Distance in plan, m, from a place to a fixture; 0 inside it.
static double distance_to(const SceneFixture *fixture, double x, double y)
{
    Vec3 points[SCENE_POST_SIDES];
    int corners = scene_fixture_outline(fixture, points);
    bool inside = true;
    double least = HUGE_VAL;
    for (int k = 0; k < corners; k++) {
        const Vec3 *a = &points[k], *b = &points[(k + 1) % corners];
        double ux = b->x - a->x, uy = b->y - a->y, px = x - a->x, py = y - a->y;
        double along = fmin(fmax((px * ux + py * uy) / (ux * ux + uy * uy), 0.0), 1.0);
        least = fmin(least, same_hypot(px - along * ux, py - along * uy));
        inside = inside && ux * py - uy * px >= 0.0;
    }
    return inside ? 0.0 : least;
}

static bool check_fixtures(Document *document, const SceneParams *scene, int index, Status *status)
{
    const ScenePerson *person = &scene->persons[index];
    for (int k = 0; k < scene->fixtures_count; k++) {
        const SceneFixture *fixture = &scene->fixtures[k];
        double distance = distance_to(fixture, person->x, person->y);
        if (distance < person->radius && fixture->bottom < person->height && fixture->top > 0.0) {
            return document_fail_at(document, document_path("persons.%d", index).text, status,
                                    "stands in fixtures.%d (%s): its middle is %.3g m from it, allowed from the radius "
                                    "(%.4g m) on",
                                    k, fixture->name, distance, person->radius);
        }
    }
    return true;
}

bool scene_check_persons(Document *document, const SceneParams *scene, Status *status)
{
    for (int i = 0; i < scene->persons_count; i++) {
        const ScenePerson *person = &scene->persons[i];
        if (!scene_check_place(document, &scene->ground, document_path("persons.%d.x", i).text, person->x,
                               document_path("persons.%d.y", i).text, person->y, status)) {
            return false;
        }
        if (person->height < 2.0 * person->radius) {
            return document_fail_at(document, document_path("persons.%d.height", i).text, status,
                                    "read %.6g, allowed from twice the radius (%.6g) on", person->height,
                                    person->radius);
        }
        if (person->zone > 0.0 && person->zone <= person->radius) {
            return document_fail_at(document, document_path("persons.%d.zone", i).text, status,
                                    "read %.6g, allowed 0 (none) or more than the radius (%.6g)", person->zone,
                                    person->radius);
        }
        if (!check_fixtures(document, scene, i, status)) {
            return false;
        }
    }
    return true;
}

/// ---- rules ---------------------------------------------------------------------------------------------------------

static const KeyChoice incidents[] = {
#define X(kind, name, phrase) {#name, INCIDENT_##kind},
    INCIDENTS(X)
#undef X
        {NULL, 0},
};

static const KeyChoice fails[] = {{"no", false}, {"yes", true}, {NULL, 0}};

static const DataKey rule_keys[] = {
    ROW_CHOICE("event", SceneRule, incident, incidents, "the incident"),
    ROW_TEXT_OPTIONAL("thing", SceneRule, thing, "words that the name of what was met holds; left out: whatever it is"),
    ROW_NUMBER_OR("energy_kj", SceneRule, energy, 0, 1000, 1e3, 0, "kJ: touches that take up less are let pass"),
    ROW_INTEGER_OR("limit", SceneRule, limit, 0, 1000, 0, "so many are let pass"),
    ROW_NUMBER_OR("points", SceneRule, points, 0, 100, 1, 0, "points: off the score for each that is not let pass"),
    ROW_CHOICE_OPTIONAL("fail", SceneRule, fail, fails, "the first that is not let pass ends the attempt"),
    ROW_END,
};
const DataKey scene_rules_item = ROW_ITEM(SceneRule, rule_keys);

/// Incidents of the machine alone meet no thing.
static bool has_thing(Incident incident)
{
    switch (incident) {
    case INCIDENT_TIP_BEGINS:
    case INCIDENT_TIP_ENDS:
    case INCIDENT_TIPPED_OVER:
    case INCIDENT_LIFTED:
    case INCIDENT_FELL_INTO_HOLE:
    case INCIDENT_TRACK_OFF_EDGE:
    case INCIDENT_SITE_LEFT:
        return false;
    default:
        return true;
    }
}

bool scene_check_rules(Document *document, const SceneExercise *exercise, Status *status)
{
    for (int k = 0; k < exercise->rules_count; k++) {
        const SceneRule *rule = &exercise->rules[k];
        if (rule->fail == (rule->points > 0.0)) {
            return document_fail_at(document, document_path("exercise.rules.%d", k).text, status,
                                    "read %s, allowed points above 0 or fail: yes, one of the two",
                                    rule->fail ? "both points and fail" : "neither points nor fail");
        }
        if (rule->energy > 0.0 && rule->incident != INCIDENT_TOUCH) {
            return document_fail_at(document, document_path("exercise.rules.%d.energy_kj", k).text, status,
                                    "read %.6g for %s, allowed above 0 for touch alone", 1e-3 * rule->energy,
                                    incident_names[rule->incident]);
        }
        if (rule->thing[0] != '\0' && !has_thing(rule->incident)) {
            return document_fail_at(document, document_path("exercise.rules.%d.thing", k).text, status,
                                    "read %s for %s, allowed nothing: it is of the machine alone", rule->thing,
                                    incident_names[rule->incident]);
        }
    }
    return true;
}
