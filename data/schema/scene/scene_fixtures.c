/// The keys of a scene's fixtures and the rules between them.
#include "data/schema/scene/scene_fixtures.h"

#include "data/core/units.h"
#include "data/schema/scene/scene_check.h"

static const KeyChoice shapes[] = {{"box", SCENE_FIXTURE_BOX}, {"post", SCENE_FIXTURE_POST}, {NULL, 0}};

static const DataKey fixture_keys[] = {
    ROW_TEXT("name", SceneFixture, name),
    ROW_CHOICE_OPTIONAL("shape", SceneFixture, shape, shapes),
    ROW_NUMBER("x", SceneFixture, x, -100, 100, 1),
    ROW_NUMBER("y", SceneFixture, y, -100, 100, 1),
    ROW_NUMBER_OR("heading_deg", SceneFixture, heading, -360, 360, UNIT_DEG, 0),
    ROW_NUMBER_OR("length", SceneFixture, length, 0.05, 50, 1, 0),
    ROW_NUMBER_OR("width", SceneFixture, width, 0.05, 50, 1, 0),
    ROW_NUMBER_OR("radius", SceneFixture, radius, 0.02, 5, 1, 0),
    ROW_NUMBER_OR("bottom", SceneFixture, bottom, -5, 30, 1, -0.5),
    ROW_NUMBER("top", SceneFixture, top, -5, 30, 1),
    ROW_END,
};
const DataKey scene_fixtures_item = ROW_ITEM(SceneFixture, fixture_keys);

/// Keys that a shape needs are there, and those that mean nothing to it are not.
static bool check_sizes(Document *document, const SceneFixture *fixture, int index, Status *status)
{
    static const char *const sizes[3] = {"length", "width", "radius"};
    bool post = fixture->shape == SCENE_FIXTURE_POST;
    for (int k = 0; k < 3; k++) {
        DocumentPath path = document_path("fixtures.%d.%s", index, sizes[k]);
        bool there = document_find(document, path.text) != NULL, wanted = (k == 2) == post;
        if (there != wanted) {
            return document_fail_at(document, path.text, status, "%s: a %s %s",
                                    wanted ? "the key is missing" : "the key does not belong here",
                                    post ? "post" : "box", post ? "has a radius" : "has a length and a width");
        }
    }
    return true;
}

bool scene_check_fixtures(Document *document, const SceneParams *scene, Status *status)
{
    for (int i = 0; i < scene->fixtures_count; i++) {
        const SceneFixture *fixture = &scene->fixtures[i];
        bool post = fixture->shape == SCENE_FIXTURE_POST;
        double along = post ? fixture->radius : 0.5 * fixture->length;
        if (!check_sizes(document, fixture, i, status) ||
            !scene_check_rectangle(document, &scene->ground, document_path("fixtures.%d", i).text,
                                   (double[]){fixture->x, fixture->y}, fixture->heading, (double[]){-along, along},
                                   post ? along : 0.5 * fixture->width, status)) {
            return false;
        }
        if (!(fixture->bottom < fixture->top)) {
            return document_fail_at(document, document_path("fixtures.%d.top", i).text, status,
                                    "read %.6g, allowed more than bottom (%.6g)", fixture->top, fixture->bottom);
        }
    }
    return true;
}
