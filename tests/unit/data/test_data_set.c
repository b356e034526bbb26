/// --set KEY=VALUE: one value replaced, comments and lines kept; errors name the argument.
// test: sanitized

#include "data/schema/load.h"
#include "tests/support/test.h"

static SceneParams scene;
static MachineParams machine;

static void assert_close(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance)) {
        fail_msg("%.17g is not %.17g", a, b);
    }
}

static bool load(const char *first, const char *second, DataFiles *files, Status *status)
{
    const char *const set[] = {first, second};
    return data_load_scene("truck-loading", set, second ? 2 : 1, &scene, &machine, files, status);
}

TEST(values_are_replaced)
{
    Status status;
    assert_true(load("ground.size_x=44", "ground.mounds.1.height=1.25", NULL, &status));
    assert_close(scene.ground.size_x, 44.0, 0.0);
    assert_close(scene.ground.mounds[1].height, 1.25, 0.0);
    assert_true(load("machine.x=-1.5", "ground.layers.0.soil=wet-clay", NULL, &status));
    assert_close(scene.machine.x, -1.5, 0.0);
    assert_string_equal(scene.soils[0].name, "wet-clay");
    assert_true(load("title=Two words: \"quoted\" # and all\\", NULL, NULL, &status));
    assert_string_equal(scene.title, "Two words: \"quoted\" # and all\\");
    assert_true(load("title=Gr\xC3\xBC\xC3\x9F", "description=\xC3\xA4", NULL, &status));
    assert_string_equal(scene.title, "Gr\xC3\xBC\xC3\x9F");
    assert_string_equal(scene.description, "\xC3\xA4");
}

TEST(missing_keys_are_added)
{
    Status status;
    assert_true(load("particles.budget=5000", "particles.iterations=3", NULL, &status));
    assert_int_equal(scene.particles.budget, 5000);
    assert_int_equal(scene.particles.iterations, 3);
    assert_int_equal(scene.particles.per_column_side, 1);
    assert_true(load("ground.layers.0.thickness=1.5", "rates.substeps=4", NULL, &status));
    assert_close(scene.ground.layers[0].thickness, 1.5, 0.0);
    assert_int_equal(scene.rates.substeps, 4);
    assert_int_equal(scene.rates.tick_rate, 60);
}

TEST(the_rest_of_the_text_stays)
{
    Status status;
    DataFiles plain = {0}, changed = {0};
    assert_true(data_load_scene("truck-loading", NULL, 0, &scene, &machine, &plain, &status));
    assert_true(load("exercise.truck.target_mass=8123", NULL, &changed, &status));
    const DataFile *a = &plain.files[plain.count - 1], *b = &changed.files[changed.count - 1];
    assert_string_equal(a->kind, "scenes");
    assert_string_equal(b->kind, "scenes");
    const char *value = strstr(b->text, "8123");
    assert_non_null(value);
    size_t before = (size_t)(value - b->text), old = strcspn(a->text + before, " \n");
    assert_memory_equal(a->text, b->text, before);
    assert_string_equal(a->text + before + old, value + 4);
    data_files_free(&plain);
    data_files_free(&changed);
}

TEST(bad_arguments_are_named)
{
    static const struct {
        const char *set, *says;
    } bad[] = {
        {"ground.size_x", "--set ground.size_x: allowed KEY=VALUE"},
        {"=5", "--set =5: allowed KEY=VALUE"},
        {"", "--set : allowed KEY=VALUE"},
        {"ground size=5", "allowed KEY=VALUE"},
        {"ground.size_x=5", "--set ground.size_x=5: "},
        {"ground.size_x=5", "ground.size_x: read 5, allowed 10 to 200"},
        {"ground.size_x=", "ground.size_x: read nothing, allowed a number"},
        {"ground.size_x=nan", "ground.size_x: read nan"},
        {"ground.sizex=50", "--set ground.sizex=50: "},
        {"ground.sizex=50", "ground.sizex: unknown key, allowed size_x"},
        {"grund.size_x=50", "grund: unknown key, allowed kind, title"},
        {"ground=50", "ground holds several values"},
        {"ground.layers=50", "ground.layers holds several values"},
        {"ground.layers.7.thickness=1", "has no place for ground.layers.7.thickness"},
        {"ground.size_x.y=1", "has no place for ground.size_x.y"},
        {"ground..size_x=1", "has no place for ground..size_x"},
        {"ground.=1", "--set ground.=1: "},
        {"exercise.kind=trench", "--set exercise.kind=trench: "},
        {"title=\xFF", "--set title=?: "},
        {"title=\x1b[0m", "title: read a control character"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        Status status;
        DataFiles files = {0};
        if (load(bad[i].set, NULL, &files, &status)) {
            fail_msg("--set %s is accepted", bad[i].set);
        }
        assert_int_equal(files.count, 0);
        if (status.code != STATUS_BAD_USAGE || !strstr(status.text, bad[i].says)) {
            fail_msg("--set %s gives \"%s\", expected \"%s\"", bad[i].set, status.text, bad[i].says);
        }
    }
}

/// A file that is missing or wrong is a bad file, also when --set names it.
TEST(bad_files_that_set_names_are_bad_files)
{
    static const struct {
        const char *set, *says;
    } bad[] = {
        {"ground.layers.0.soil=mud", "--set ground.layers.0.soil=mud: "},
        {"ground.layers.0.soil=mud", "no soil named mud"},
        {"ground.layers.0.soil=./no.yaml", "no.yaml: cannot be read"},
        {"machine.file=loam", "no machine named loam"},
        {"machine.file=../soils/loam.yaml", "loam.yaml:1:7: kind: read soil"},
        {"machine.attachment=../soils/loam.yaml", "loam.yaml:1:7: kind: read soil"},
        {"exercise.expert=../soils/loam.yaml", "loam.yaml:1:7: kind: read soil"},
        {"exercise.expert=nobody", "no expert named nobody"},
        {"machine.attachment=hammer-400", "no attachment named hammer-400"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        Status status;
        DataFiles files = {0};
        char told[256];
        snprintf(told, sizeof told, "--set %s: ", bad[i].set);
        if (load(bad[i].set, NULL, &files, &status)) {
            fail_msg("--set %s is accepted", bad[i].set);
        }
        if (status.code != STATUS_BAD_FILE || !strstr(status.text, bad[i].says) || !strstr(status.text, told)) {
            fail_msg("--set %s gives %d, \"%s\", expected \"%s\"", bad[i].set, status.code, status.text, bad[i].says);
        }
    }
}

TEST_GROUP(NULL, NULL)
