/// The keys of a scene's fixtures and the rules between them.
#include "data/schema/scene_fixtures.h"

#include "data/core/units.h"
#include "data/schema/scene_fixture.h"
#include "data/schema/scene_check.h"

/// Of a column's side: so far at most is the next column's middle from a pipe's axis, whichever way that runs.
static const double least_radius = 0.75;

static const KeyChoice shapes[] = {
    {"box", SCENE_FIXTURE_BOX}, {"post", SCENE_FIXTURE_POST}, {"pipe", SCENE_FIXTURE_PIPE}, {NULL, 0}};

static const DataKey fixture_keys[] = {
    ROW_TEXT("name", SceneFixture, name, "what people are told of it"),
    ROW_CHOICE_OPTIONAL("shape", SceneFixture, shape, shapes, "what it is: a box, a round post or a level pipe"),
    ROW_NUMBER("x", SceneFixture, x, -100, 100, 1, "m: its middle, to the east"),
    ROW_NUMBER("y", SceneFixture, y, -100, 100, 1, "m: its middle, to the north"),
    ROW_NUMBER_OR("heading_deg", SceneFixture, heading, -360, 360, UNIT_DEG, 0,
                  "deg: where its length points, from east to north"),
    ROW_NUMBER_OR("length", SceneFixture, length, 0.05, 50, 1, 0, "m: along its heading; of a box and a pipe"),
    ROW_NUMBER_OR("width", SceneFixture, width, 0.05, 50, 1, 0, "m: across its heading; of a box"),
    ROW_NUMBER_OR("radius", SceneFixture, radius, 0.02, 5, 1, 0, "m: of a post and a pipe"),
    ROW_NUMBER_OR("z", SceneFixture, z, -5, 30, 1, 0,
                  "m: height of a pipe's axis over the level of the site; below 0 it is buried"),
    ROW_NUMBER_OR("bottom", SceneFixture, bottom, -5, 30, 1, -0.5,
                  "m: height of its lower side over the level of the site; of a box and a post"),
    ROW_NUMBER_OR("top", SceneFixture, top, -5, 30, 1, 0,
                  "m: height of its upper side over the level of the site; of a box and a post"),
    ROW_END,
};
const DataKey scene_fixtures_item = ROW_ITEM(SceneFixture, fixture_keys);

/// Keys of measures: which a shape needs (2), may have (1) and may not have (0).
static const struct {
    const char *key;
    int use[3]; ///< by SceneFixtureShape
} measures[] = {
    {"length", {2, 0, 2}}, {"width", {2, 0, 0}}, {"radius", {0, 2, 2}},
    {"z", {0, 0, 2}},      {"top", {2, 2, 0}},   {"bottom", {1, 1, 0}},
};

static const char *const descriptions[] = {"a box has a length and a width, and a top", "a post has a radius and a top",
                                           "a pipe has a length, a radius and the z of its axis"};

/// Keys that a shape needs are there, and those that mean nothing to it are not.
static bool check_sizes(Document *document, const SceneFixture *fixture, int index, Status *status)
{
    for (size_t k = 0; k < sizeof measures / sizeof measures[0]; k++) {
        DocumentPath path = document_path("fixtures.%d.%s", index, measures[k].key);
        bool there = document_find(document, path.text) != NULL;
        int use = measures[k].use[fixture->shape];
        if (there ? use == 0 : use == 2) {
            return document_fail_at(document, path.text, status, "%s: %s",
                                    there ? "the key does not belong here" : "the key is missing",
                                    descriptions[fixture->shape]);
        }
    }
    return true;
}

/// The lower side of a thing in the ground is above bedrock, and its upper side above its lower one.
static bool check_heights(Document *document, const SceneParams *scene, int index, Status *status)
{
    const SceneFixture *fixture = &scene->fixtures[index];
    if (fixture->shape != SCENE_FIXTURE_PIPE) {
        return fixture->bottom < fixture->top ||
               document_fail_at(document, document_path("fixtures.%d.top", index).text, status,
                                "read %.6g, allowed more than bottom (%.6g)", fixture->top, fixture->bottom);
    }
    double least = least_radius * scene->ground.column_spacing;
    if (fixture->radius < least) {
        return document_fail_at(document, document_path("fixtures.%d.radius", index).text, status,
                                "read %.6g, allowed for a pipe at least %.6g: three quarters of ground.column_spacing",
                                fixture->radius, least);
    }
    double deepest = fixture->radius - scene->ground.bedrock_depth;
    return fixture->z >= deepest ||
           document_fail_at(document, document_path("fixtures.%d.z", index).text, status,
                            "read %.6g, allowed at least %.6g: the pipe reaches bedrock (ground.bedrock_depth %.6g)",
                            fixture->z, deepest, scene->ground.bedrock_depth);
}

/// What is to be dug free is there.
static bool check_expose(Document *document, const SceneParams *scene, Status *status)
{
    const char *words = scene->exercise.expose;
    bool found = words[0] == '\0';
    for (int i = 0; i < scene->fixtures_count && !found; i++) {
        found = scene_is_to_expose(&scene->exercise, &scene->fixtures[i]);
    }
    return found || document_fail_at(document, "exercise.expose", status,
                                     "read %s, allowed words in the name of a fixture that is a pipe or a box", words);
}

bool scene_check_fixtures(Document *document, const SceneParams *scene, Status *status)
{
    for (int i = 0; i < scene->fixtures_count; i++) {
        const SceneFixture *fixture = &scene->fixtures[i];
        double along = fixture->shape == SCENE_FIXTURE_POST ? fixture->radius : 0.5 * fixture->length;
        double across = fixture->shape == SCENE_FIXTURE_BOX ? 0.5 * fixture->width : fixture->radius;
        if (!check_sizes(document, fixture, i, status) ||
            !scene_check_rectangle(document, &scene->ground, document_path("fixtures.%d", i).text,
                                   (double[]){fixture->x, fixture->y}, fixture->heading, (double[]){-along, along},
                                   across, status) ||
            !check_heights(document, scene, i, status)) {
            return false;
        }
    }
    return check_expose(document, scene, status);
}

void scene_complete_fixtures(SceneParams *scene)
{
    for (int i = 0; i < scene->fixtures_count; i++) {
        SceneFixture *fixture = &scene->fixtures[i];
        if (fixture->shape == SCENE_FIXTURE_PIPE) {
            fixture->bottom = fixture->z - fixture->radius;
            fixture->top = fixture->z + fixture->radius;
        }
    }
}
