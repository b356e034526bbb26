/// Settings that a program changes: comments and all else stay, a file with a fault is left alone.
// test: sanitized
#include <sys/stat.h>
#include <unistd.h>

#include "data/schema/settings_params.h"
#include "tests/support/test.h"

static char folder[64], path[96];

static void begin(const char *text)
{
    snprintf(folder, sizeof folder, "/tmp/spadework-settings-XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/settings.yaml", folder);
    if (text != NULL) {
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fputs(text, file);
        fclose(file);
    }
}

static void expect_text(const char *wanted)
{
    char text[512];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t size = fread(text, 1, sizeof text - 1, file);
    text[size] = '\0';
    fclose(file);
    assert_string_equal(text, wanted);
}

/// Nothing but the file lies there: no part of one.
static void end(void)
{
    char command[240];
    snprintf(command, sizeof command, "test \"$(ls '%s')\" = settings.yaml && rm -r '%s'", folder, folder);
    assert_int_equal(system(command), 0);
}

static void refuse(const char *value, const char *told)
{
    Status status = {0};
    assert_false(settings_edit(path, &value, 1, &status));
    if (strstr(status.text, told) == NULL) {
        fail_msg("told: %s; wanted: %s", status.text, told);
    }
}

TEST(a_file_is_made)
{
    static const char *const values[] = {"window.gauges=all", "controls=bhl", "window.keys=no"};
    Status status = {0};
    begin(NULL);
    assert_good(settings_edit(path, values, 3, &status), status);
    expect_text("controls: bhl\nwindow: {keys: no, gauges: all}\nkind: settings\n");
    end();
}

TEST(comments_and_order_stay)
{
    static const char *const values[] = {"sound.volume=0.3", "window.quality=low", "language=de"};
    Status status = {0};
    begin("# mine\nkind: settings\nlanguage: es # at work\nwindow:\n  # slow computer\n  quality: auto\n");
    assert_int_equal(chmod(path, 0640), 0);
    assert_good(settings_edit(path, values, 3, &status), status);
    expect_text("# mine\nsound: {volume: 0.3}\nkind: settings\nlanguage: de # at work\nwindow:\n  # slow computer\n"
                "  quality: low\n");
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
    end();
}

TEST(a_link_stays_one)
{
    char real[96];
    const char *value = "language=de";
    Status status = {0};
    struct stat info;
    begin("kind: settings\n");
    snprintf(real, sizeof real, "%s.real", folder);
    assert_int_equal(rename(path, real), 0);
    assert_int_equal(symlink(real, path), 0);
    assert_good(settings_edit(path, &value, 1, &status), status);
    assert_int_equal(lstat(path, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    expect_text("language: de\nkind: settings\n");
    assert_int_equal(unlink(real), 0);
    end();
}

TEST(what_is_wrong_is_left_alone)
{
    begin("kind: settings\nwindow: {quality: auto}\n");
    refuse("window.quality=best", ":2:19: window.quality: read best, allowed auto, high, medium, low");
    refuse("sound.volume=2", "sound.volume: read 2, allowed 0 to 1");
    refuse("window.colour=red", "window.colour");
    refuse("language", "allowed KEY=VALUE");
    expect_text("kind: settings\nwindow: {quality: auto}\n");
    end();
    begin("kind: settings\nmine: 3\n");
    refuse("language=de", ":2:1: mine");
    expect_text("kind: settings\nmine: 3\n");
    end();
    begin("kind: scene\n");
    refuse("language=de", ":1:7: kind: read scene, allowed settings");
    end();
}

TEST(a_folder_that_is_not_there_is_told)
{
    begin("kind: settings\n");
    char before[96];
    snprintf(before, sizeof before, "%s", path);
    snprintf(path, sizeof path, "%s/none/settings.yaml", folder);
    refuse("language=de", "settings.yaml: cannot be written: No such file");
    snprintf(path, sizeof path, "%s", before);
    end();
}

TEST_GROUP(NULL, NULL)
