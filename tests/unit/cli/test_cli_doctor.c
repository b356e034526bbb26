/// The doctor's findings on made-up computers, and probes that hang or crash.
#include <signal.h>
#include <unistd.h>

#include "tests/support/test.h"
#include "trainer/pilot/drive.h"
#include "trainer/cli/doctor_findings.h"
#include "trainer/cli/doctor.h"

/// A computer that lacks nothing.
static DoctorFacts good_facts(void)
{
    DoctorFacts facts = {
        .computer = {"Fast", 8, 8, 0.0, 4000.0, true, false, 16e9, 12e9},
        .files = {.data = "/data",
                  .scenes = 27,
                  .settings = "/s.yaml",
                  .language = "de",
                  .locale = "de_DE.UTF-8",
                  .utf8 = true},
        .session = {.made = true, .scene = "trench", .threads = 8, .simulated = 5.0, .wall = 0.5, .tick = 1.0 / 60.0},
        .drawing = {.display = true,
                    .driver = "x11",
                    .display_count = 1,
                    .displays = {{"Left", 1920, 1080, 60}},
                    .context = true,
                    .version = "4.6",
                    .renderer = "Mesa Intel(R) UHD Graphics",
                    .vendor = "Intel",
                    .card = true,
                    .frames = {[SETTINGS_QUALITY_HIGH] = 120.0}},
        .devices = {.count = 1, .devices = {{.name = "Xbox pad", .usb = "045e:028e", .pad = true}}},
        .sound = {.open = true, .driver = "pipewire", .output = "Speaker", .rate = 48000},
        .folders = {{"/d", true, true, 1e12, ""},
                    {"/d/r", true, true, 1e12, ""},
                    {"/c", false, true, 1e12, ""},
                    {"/tmp", true, true, 1e12, ""}},
        .software = {.count = 1,
                     .libraries = {{"ODE", "0.16.2"}},
                     .ode_double = true,
                     .fonts = 8,
                     .film = true,
                     .browser = true},
    };
    for (int part = 0; part < DOCTOR_PART_COUNT; part++) {
        facts.ends[part] = (DoctorProbeEnd){.end = DOCTOR_ANSWERED, .limit = 5.0};
    }
    return facts;
}

static DoctorReport report;

/// Judges, and looks at one finding: its verdict, and a part of its text and of its advice ("": there is none).
static const DoctorFinding *expect(const DoctorFacts *facts, const char *about, DoctorVerdict verdict, const char *text,
                                   const char *advice)
{
    doctor_free(&report);
    doctor_judge(facts, &report);
    const DoctorFinding *finding = doctor_find(&report, about);
    if (finding == NULL) {
        fail_msg("nothing about %s", about);
        abort();
    }
    if (finding->verdict != verdict || strstr(finding->text, text) == NULL || strstr(finding->advice, advice) == NULL ||
        (advice[0] == '\0') != (finding->advice[0] == '\0')) {
        fail_msg("%s: verdict %d, \"%s\", advice \"%s\"", about, (int)finding->verdict, finding->text, finding->advice);
    }
    return finding;
}

TEST(a_good_computer_has_nothing_to_be_done)
{
    DoctorFacts facts = good_facts();
    expect(&facts, "real_time", DOCTOR_GOOD, "yes, 10.0 times", "");
    assert_true(report.window && report.headless && !report.slow);
    for (int k = 0; k < report.count; k++) {
        if (report.findings[k].verdict != DOCTOR_GOOD || report.findings[k].advice[0] != '\0') {
            fail_msg("%s: %s -> %s", report.findings[k].about, report.findings[k].text, report.findings[k].advice);
        }
    }
}

TEST(a_slow_processor_is_slow)
{
    DoctorFacts facts = good_facts();
    facts.session.wall = 7.0;
    const DoctorFinding *finding = expect(&facts, "real_time", DOCTOR_SLOW, "no, 0.7 times", "slower than the clock");
    assert_near(json_real_value(json_object_get(finding->values, "factor")), 5.0 / 7.0, 1e-9);
    assert_true(report.window && report.slow);
    facts.session.wall = 4.0; // 1.25 times: enough for the trench, not for a full scene
    expect(&facts, "real_time", DOCTOR_SLOW, "barely, 1.2 times", "may run slower");
    facts.session.wall = 5.0 / 1.5;
    expect(&facts, "real_time", DOCTOR_GOOD, "yes, 1.5 times", "");
}

TEST(processors_are_those_that_may_be_used)
{
    DoctorFacts facts = good_facts();
    facts.computer.processors = 1;
    expect(&facts, "processors", DOCTOR_SLOW, "1 of 8", "taskset");
    facts.computer.installed = 1;
    expect(&facts, "processors", DOCTOR_SLOW, "1 of 1", "virtual machine");
    facts = good_facts();
    facts.computer.quota = 1.5;
    expect(&facts, "processors", DOCTOR_SLOW, "1.5 of 8", "container");
    facts.computer.quota = 100.0;
    expect(&facts, "processors", DOCTOR_GOOD, "8 of 8: Fast, 4.0 GHz, AVX2", "");
    facts.computer.available = 0.4e9;
    expect(&facts, "memory", DOCTOR_SLOW, "0.4 GB available", "end other programs");
}

TEST(drawing_in_software_asks_for_low_quality)
{
    DoctorFacts facts = good_facts();
    DrawingFacts *drawing = &facts.drawing;
    snprintf(drawing->renderer, sizeof drawing->renderer, "llvmpipe (LLVM 15.0.6, 256 bits)");
    drawing->frames[SETTINGS_QUALITY_HIGH] = 2.0;
    drawing->frames[SETTINGS_QUALITY_LOW] = 35.0;
    expect(&facts, "opengl", DOCTOR_SLOW, "the processors draw", "does not use: install its driver");
    drawing->card_closed = true;
    expect(&facts, "opengl", DOCTOR_SLOW, "llvmpipe", "usermod -aG video,render");
    drawing->card = false;
    expect(&facts, "opengl", DOCTOR_SLOW, "llvmpipe", "no graphics card: --quality low");
    const DoctorFinding *finding =
        expect(&facts, "pictures", DOCTOR_SLOW, "2.0 a second at quality high", "--quality low gives 35");
    assert_non_null(strstr(finding->advice, "by itself"));
    assert_true(json_is_null(json_object_get(finding->values, "medium")));
    assert_true(report.window && report.slow);
    drawing->frames[SETTINGS_QUALITY_MEDIUM] = 31.0;
    expect(&facts, "pictures", DOCTOR_SLOW, "quality high", "--quality medium gives 31");
    drawing->asked = SETTINGS_QUALITY_LOW;
    expect(&facts, "pictures", DOCTOR_GOOD, "35 a second at quality low", "");
    assert_false(report.slow);
    drawing->frames[SETTINGS_QUALITY_LOW] = 5.0;
    drawing->frames[SETTINGS_QUALITY_MEDIUM] = drawing->frames[SETTINGS_QUALITY_HIGH] = 0.0;
    expect(&facts, "pictures", DOCTOR_SLOW, "5.0 a second", "smaller window");
}

TEST(without_a_display_commands_without_a_window_work)
{
    DoctorFacts facts = good_facts();
    facts.drawing = (DrawingFacts){.display_fault = "DISPLAY is not set", .context_fault = "no EGL"};
    expect(&facts, "display", DOCTOR_MISSING, "DISPLAY is not set", "--headless");
    expect(&facts, "opengl", DOCTOR_MISSING, "no EGL", "libgl1-mesa-dri");
    assert_null(doctor_find(&report, "pictures"));
    assert_true(!report.window && report.headless && !report.slow);
    facts.drawing.display = true; // without OpenGL there is no window either
    expect(&facts, "opengl", DOCTOR_MISSING, "no EGL", "apt install");
    assert_false(report.window);
}

TEST(pads_are_known_or_can_be_calibrated)
{
    DoctorFacts facts = good_facts();
    DeviceFacts *device = facts.devices.devices;
    expect(&facts, "device", DOCTOR_GOOD, "every control map drives with it", "");
    *device = (DeviceFacts){.name = "Levers", .usb = "16c0:05e1"};
    expect(&facts, "device", DOCTOR_MISSING, "named by a control map: it moves nothing", "spadework calibrate");
    snprintf(device->map, sizeof device->map, "my-cab");
    expect(&facts, "device", DOCTOR_GOOD, "the control map my-cab names it", "--controls my-cab");
    device->chosen = true;
    expect(&facts, "device", DOCTOR_GOOD, "my-cab", "");
    facts.devices.count = 0;
    expect(&facts, "device", DOCTOR_MISSING, "no pad or joystick", "keyboard");
    facts.devices.closed = 1;
    snprintf(facts.devices.closed_name, DOCTOR_NAME, "Shy\033pad");
    expect(&facts, "device", DOCTOR_MISSING, "1 joystick that this user may not read: Shy?pad", "60-spadework-pads");
    assert_true(report.window); // the keyboard drives
}

/// Of equal devices each is named with what tells it from the others, and whether its map goes by that.
TEST(equal_devices_are_told_apart)
{
    DoctorFacts facts = good_facts();
    DeviceFacts *device = facts.devices.devices;
    *device = (DeviceFacts){.name = "Twin", .usb = "044f:b10a", .alike = true, .port = "usb-0000:00:14.0-1/input0"};
    expect(&facts, "device_alike", DOCTOR_GOOD, "in the socket usb-0000:00:14.0-1/input0: another is equal", "");
    snprintf(device->serial, sizeof device->serial, "77");
    expect(&facts, "device_alike", DOCTOR_GOOD, "-1/input0, serial number 77", "");
    snprintf(device->map, sizeof device->map, "joysticks-iso");
    expect(&facts, "device_alike", DOCTOR_MISSING, "does not say which is which", "spadework calibrate writes socket");
    device->told_apart = true;
    expect(&facts, "device_alike", DOCTOR_GOOD, "another is equal", "");
    device->port[0] = device->serial[0] = '\0';
    expect(&facts, "device_alike", DOCTOR_MISSING, "neither a socket nor a serial number", "F4");
}

/// A box that only the kernel has is named beside levers that SDL lists, and instead of "no pad".
TEST(a_box_that_sdl_does_not_list_is_named)
{
    DoctorFacts facts = good_facts();
    facts.devices.unlisted = 1;
    facts.devices.boxes[0] = (BoxFacts){"Pedals", "16c0:05e1", "/dev/input/event7"};
    const DoctorFinding *finding =
        expect(&facts, "device_unlisted", DOCTOR_MISSING, "Pedals (16c0:05e1) at /dev/input/event7: the kernel has it",
               "60-spadework-pads");
    assert_string_equal(json_string_value(json_object_get(finding->values, "node")), "/dev/input/event7");
    assert_non_null(strstr(finding->advice, "SDL_JOYSTICK_DEVICE=/dev/input/event7"));
    expect(&facts, "device", DOCTOR_GOOD, "Xbox pad", "");
    facts.devices.count = 0;
    doctor_free(&report);
    doctor_judge(&facts, &report);
    assert_null(doctor_find(&report, "device")); // not: no pad
}

TEST(a_full_disk_is_told_in_hours)
{
    DoctorFacts facts = good_facts();
    facts.folders.recordings.free = 0.72e9;
    const DoctorFinding *finding = expect(&facts, "disk", DOCTOR_SLOW, "0.7 GB free for recordings: 2.0 hours", "room");
    assert_near(json_real_value(json_object_get(finding->values, "hours")), 2.0, 1e-9);
    facts.folders.recordings.free = 0.0;
    expect(&facts, "disk", DOCTOR_MISSING, "0.0 hours", "full disk");
    facts.folders.recordings = (FolderFacts){.path = "/r", .fault = "/r: Permission denied"};
    expect(&facts, "folder_recordings", DOCTOR_MISSING, "/r: Permission denied", "XDG_DATA_HOME");
    assert_null(doctor_find(&report, "disk"));
    facts.folders.recordings = (FolderFacts){.fault = "HOME is not set"};
    expect(&facts, "folder_recordings", DOCTOR_MISSING, "HOME is not set", "HOME");
    assert_true(report.window);
}

TEST(what_else_is_missing_is_told_with_its_package)
{
    DoctorFacts facts = good_facts();
    facts.software = (SoftwareFacts){.count = 1};
    facts.sound = (SoundFacts){.fault = "no such device"};
    facts.files.utf8 = false;
    facts.files.scenes = 0;
    snprintf(facts.files.settings_fault, DOCTOR_FAULT, "settings.yaml:2:3: colour: unknown");
    expect(&facts, "libraries", DOCTOR_MISSING, "single precision", "libode-dev");
    expect(&facts, "fonts", DOCTOR_MISSING, "0 families", "apt install fonts-dejavu-core");
    expect(&facts, "ffmpeg", DOCTOR_MISSING, "films", "apt install ffmpeg");
    expect(&facts, "xdg-open", DOCTOR_MISSING, "debrief", "xdg-utils");
    expect(&facts, "sound", DOCTOR_MISSING, "no such device", "silence");
    expect(&facts, "texts", DOCTOR_MISSING, "no UTF-8", "UTF-8");
    expect(&facts, "data", DOCTOR_MISSING, "no scenes", "SPADEWORK_DATA");
    expect(&facts, "settings", DOCTOR_MISSING, "settings.yaml:2:3", "reference settings");
}

TEST(nothing_known_is_no_crash)
{
    static const DoctorFacts nothing;
    expect(&nothing, "probe", DOCTOR_MISSING, "processors and memory", "ulimit");
    assert_true(!report.window && !report.headless);
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    doctor_print(&report, file);
    doctor_print_json(&report, file);
    fclose(file);
    assert_non_null(strstr(text, "Nothing can be driven here"));
    assert_non_null(strstr(text, "\"format\": 1"));
    free(text);
}

/// JSON is UTF-8, whatever devices and folders are called.
TEST(odd_bytes_make_good_json)
{
    DoctorFacts facts = good_facts();
    snprintf(facts.folders.data.path, DATA_PATH_LENGTH, "/home/J\xf6rg");
    snprintf(facts.devices.devices[0].name, DOCTOR_NAME, "Pad \xff\n\"");
    doctor_free(&report);
    doctor_judge(&facts, &report);
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    doctor_print_json(&report, file);
    fclose(file);
    json_error_t error;
    json_t *whole = json_loads(text, 0, &error);
    assert_non_null(whole);
    const json_t *row = NULL;
    size_t k = 0;
    bool folder = false;
    json_array_foreach(json_object_get(whole, "findings"), k, row)
    {
        const char *about = json_string_value(json_object_get(row, "about"));
        assert_non_null(json_string_value(json_object_get(row, "text")));
        folder |=
            about != NULL && strcmp(about, "folder_data") == 0 &&
            strcmp(json_string_value(json_object_get(json_object_get(row, "values"), "folder")), "/home/J?rg") == 0;
    }
    assert_true(folder);
    json_decref(whole);
    free(text);
}

/// ---- probes --------------------------------------------------------------------------------------------------------

static void probe_well(DoctorFacts *facts, DoctorSender *sender)
{
    (void)sender;
    facts->computer.processors++;
    printf("this is lost\n");
}

static void probe_and_hang(DoctorFacts *facts, DoctorSender *sender)
{
    facts->computer.processors = 5;
    doctor_send(sender, facts);
    facts->computer.processors = 6;
    for (;;) {
        pause();
    }
}

static void probe_and_crash(DoctorFacts *facts, DoctorSender *sender)
{
    facts->computer.processors = 7;
    doctor_send(sender, facts);
    signal(SIGSEGV, SIG_DFL); // a sanitizer's own
    raise(SIGSEGV);
}

static void probe_and_leave(DoctorFacts *facts, DoctorSender *sender)
{
    (void)facts;
    (void)sender;
    _exit(3);
}

TEST(a_look_takes_nothing_along)
{
    DoctorFacts facts = {.computer = {.processors = 1}};
    doctor_probe(&facts, DOCTOR_COMPUTER, probe_well, 10.0);
    assert_int_equal(facts.ends[DOCTOR_COMPUTER].end, DOCTOR_ANSWERED);
    assert_int_equal(facts.computer.processors, 2);
    double begin = drive_clock();
    doctor_probe(&facts, DOCTOR_SOUND, probe_and_hang, 0.3);
    assert_true(drive_clock() - begin < 5.0);
    assert_int_equal(facts.ends[DOCTOR_SOUND].end, DOCTOR_LATE);
    assert_int_equal(facts.computer.processors, 5); // what was sent counts, and nothing else
    doctor_probe(&facts, DOCTOR_DRAWING, probe_and_crash, 10.0);
    assert_int_equal(facts.ends[DOCTOR_DRAWING].end, DOCTOR_CRASHED);
    assert_int_equal(facts.ends[DOCTOR_DRAWING].signal, SIGSEGV);
    assert_int_equal(facts.computer.processors, 7);
    doctor_probe(&facts, DOCTOR_FILES, probe_and_leave, 10.0);
    assert_int_equal(facts.ends[DOCTOR_FILES].end, DOCTOR_CRASHED);
    assert_int_equal(facts.ends[DOCTOR_COMPUTER].end, DOCTOR_ANSWERED);
    expect(&facts, "probe", DOCTOR_MISSING, "data and settings: the look crashed", "up to date");
}

TEST(a_driver_that_crashes_opens_no_window)
{
    DoctorFacts facts = good_facts();
    facts.ends[DOCTOR_DRAWING] = (DoctorProbeEnd){DOCTOR_CRASHED, SIGSEGV, 20.0};
    expect(&facts, "probe", DOCTOR_MISSING, "display and graphics: the look crashed (signal 11)", "driver");
    assert_true(!report.window && report.headless);
    facts.ends[DOCTOR_DRAWING] = (DoctorProbeEnd){DOCTOR_LATE, 0, 20.0}; // it draws, if only in the end
    expect(&facts, "probe", DOCTOR_MISSING, "no answer within 20 s", "idle");
    assert_true(report.window);
}

/// This computer's own answers, whatever they are.
TEST(looks_find_this_computer)
{
    DoctorFacts facts = {0};
    doctor_probe(&facts, DOCTOR_COMPUTER, doctor_probes[DOCTOR_COMPUTER].probe, 20.0);
    doctor_probe(&facts, DOCTOR_FILES, doctor_probes[DOCTOR_FILES].probe, 20.0);
    doctor_probe(&facts, DOCTOR_FOLDERS, doctor_probes[DOCTOR_FOLDERS].probe, 20.0);
    doctor_probe(&facts, DOCTOR_SOFTWARE, doctor_probes[DOCTOR_SOFTWARE].probe, 60.0);
    assert_int_equal(facts.ends[DOCTOR_SOFTWARE].end, DOCTOR_ANSWERED);
    assert_true(facts.computer.processors >= 1 && facts.computer.installed >= facts.computer.processors);
    assert_true(facts.computer.memory >= facts.computer.available);
    assert_true(facts.files.scenes > 0);
    assert_true(facts.software.ode_double && facts.software.count >= 10);
}

TEST_GROUP(NULL, NULL)
