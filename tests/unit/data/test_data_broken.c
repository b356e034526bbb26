/// Broken files: one change to a good text each, and the line, column and words of the error it must give.
// test: sanitized

#include "data/schema/load.h"
#include "tests/support/broken.h"
#include "tests/support/test.h"

static const char *const scene_text = "kind: scene\n"
                                      "title: A test\n"
                                      "description: Dig.\n"
                                      "seed: 3\n"
                                      "rates: {tick_rate: 60, substeps: 8}\n"
                                      "machine: {file: excavator-22t, x: -5, y: 0, heading_deg: 0}\n"
                                      "ground:\n"
                                      "  size_x: 40\n"
                                      "  size_y: 30\n"
                                      "  column_spacing: 0.1\n"
                                      "  bedrock_depth: 4\n"
                                      "  layers:\n"
                                      "    - {soil: topsoil, thickness: 0.2}\n"
                                      "    - {soil: loam}\n"
                                      "  mounds:\n"
                                      "    - {soil: sand, x: 1, y: 2, height: 1.5}\n"
                                      "  patches:\n"
                                      "    - {soil: gravel, x: 3, y: -4, length: 6, width: 4, heading_deg: 30,\n"
                                      "      thickness: 1}\n"
                                      "    - {soil: sand, x: 8, y: 8, radius: 3, top: 0.5, thickness: 1.5}\n"
                                      "  earthworks:\n"
                                      "    - {shape: bank, x: -12, y: -8, length: 5, width: 3, height: 1.5,\n"
                                      "      start_slope_deg: 15, soil: loam, compacted: no, slope_deg: 30}\n"
                                      "    - {shape: cut, x: 12, y: -11, length: 3, width: 2, height: -2}\n"
                                      "particles: {budget: 20000, per_column_side: 1, iterations: 2}\n"
                                      "rocks:\n"
                                      "  - {x: -12, y: 10, size: 0.4, largest: 0.9, count: 40, spread: 2}\n"
                                      "  - {x: 14, y: 0.5, size: 1.2, shape: slab, z: -0.2, density: 2700}\n"
                                      "fixtures:\n"
                                      "  - {name: wall, x: 0, y: 12, length: 8, width: 0.3, top: 3}\n"
                                      "  - {name: mast, shape: post, x: 18, y: -9, radius: 0.2, top: 6}\n"
                                      "  - {name: main, shape: pipe, x: 2, y: 9, z: -1.5, length: 5, radius: 0.25}\n"
                                      "persons:\n"
                                      "  - {name: banksman, x: 6, y: -9, radius: 0.3, height: 1.75, zone: 2.5}\n"
                                      "exercise:\n"
                                      "  kind: trench\n"
                                      "  time_limit: 1200\n"
                                      "  par_time: 600\n"
                                      "  trench: {x: 0, y: 0, heading_deg: 0, length: 4, width: 2, depth: 1.5,\n"
                                      "    tolerance: 0.1, dump_x: -5, dump_y: -7, dump_radius: 2}\n"
                                      "  rules:\n"
                                      "    - {event: person_hit, fail: yes}\n"
                                      "    - {event: touch, thing: wall, energy_kj: 1, limit: 2, points: 5}\n"
                                      "weather: {time: 14, clouds: 0.4, visibility: 2000, rain: 1.5}\n";

static const char *const soil_text = "kind: soil\n"
                                     "title: Loam\n"
                                     "bank_density: 1540\n"
                                     "swell: 0.25\n"
                                     "friction_angle_deg: 30\n"
                                     "cohesion_kpa: 5\n"
                                     "steel_friction_angle_deg: 20\n"
                                     "steel_adhesion_kpa: 1\n"
                                     "repose_angle_deg: 37\n"
                                     "contact_friction: 0.3\n"
                                     "contact_stiffness: 2e5\n"
                                     "contact_damping: 0.5\n"
                                     "contact_adhesion_kpa: 5\n"
                                     "color_fresh: [0.1, 0.2, 0.3]\n"
                                     "color_weathered: [0.1, 0.2, 0.3]\n";

static const char *const joysticks_text =
    "kind: controls\n"
    "title: Test\n"
    "pattern: iso\n"
    "devices:\n"
    "  - {id: left, name: stick}\n"
    "  - {id: feet, usb: 044f:b10a}\n"
    "bindings:\n"
    "  - {source: joystick_axis, input: 'left:1', axis: swing, scale: 1, low: -0.9, rest: 0, high: 0.9}\n"
    "  - {source: joystick_button, input: 'feet:up', axis: horn, scale: 1, modifier: 'left:2'}\n"
    "rumble: {tool: 0.5}\n"
    "actions:\n"
    "  - {name: pause, joystick: 'left:127'}\n"
    "  - {name: camera, joystick: 'left:hat4-left'}\n";

static const char *const controls_text = "kind: controls\n"
                                         "title: Test\n"
                                         "pattern: iso\n"
                                         "bindings:\n"
                                         "  - {source: pad_axis, input: leftx, axis: swing, scale: 1}\n"
                                         "curves:\n"
                                         "  swing: {dead_zone: 0.1, exponent: 2, rate: 5}\n"
                                         "actions:\n"
                                         "  - {name: pause, pad: back, key: P}\n";

static const char *const truck_text =
    "kind: truck\n"
    "title: A truck\n"
    "tare_mass: 20000\n"
    "payload: 24000\n"
    "bed: {length: 5, width: 2.8, height: 1.4, tail_height: 0.5, floor_height: 1.5, capacity: 15}\n"
    "front: 5\n"
    "rear_axle: -1\n"
    "wheelbase: 5\n"
    "wheel_diameter: 1.1\n"
    "chassis: {front_share: 0.42, center_height: 1.25, inertia_size: [7.4, 2.4, 1.8], gauge: 2.1,\n"
    "  front_stiffness: 5.0e5, rear_stiffness: 1.5e6, damping_ratio: 0.3, tyre_stiffness: 8.0e5, tyre_friction: 0.6,\n"
    "  front_limit: 14000, rear_limit: 33000}\n"
    "drive: {speed_empty_kmh: 20, speed_loaded_kmh: 15, speed_reverse_kmh: 6, acceleration: 0.7, braking: 0.9,\n"
    "  cornering: 0.9, turning_radius: 8}\n"
    "tip: {angle_deg: 55, raise_time: 12, lower_time: 9}\n";

static const char *const haul_text = "kind: scene\n"
                                     "title: A test\n"
                                     "description: Load.\n"
                                     "seed: 3\n"
                                     "machine: {file: excavator-22t, x: 0, y: 0, heading_deg: 0}\n"
                                     "ground:\n"
                                     "  size_x: 60\n"
                                     "  size_y: 48\n"
                                     "  bedrock_depth: 3\n"
                                     "  layers:\n"
                                     "    - {soil: loam}\n"
                                     "  mounds:\n"
                                     "    - {soil: loam, x: 8, y: 0, height: 1.5}\n"
                                     "exercise:\n"
                                     "  kind: truck-loading\n"
                                     "  time_limit: 1200\n"
                                     "  par_time: 600\n"
                                     "  truck: {file: truck-25t, x: 0, y: 6.5, heading_deg: 0, target_mass: 16000,\n"
                                     "    dig_x: 8, dig_y: 0}\n"
                                     "  haul:\n"
                                     "    trucks: 2\n"
                                     "    load_mass: 8000\n"
                                     "    out:\n"
                                     "      - {x: 13, y: 6.5, heading_deg: 0}\n"
                                     "    turn: {x: 22, y: 15.5, heading_deg: 90}\n"
                                     "    dump: {x: 22, y: -10, heading_deg: 90}\n"
                                     "    wait: {x: 12, y: 16, heading_deg: 90}\n";

static const Broken broken_scenes[] = {
    {"column_spacing: 0.1", "column_spacing: |0.9", "ground.column_spacing: read 0.9, allowed 0.05 to 0.5"},
    {"column_spacing: 0.1", "column_spacing: |.nan", "ground.column_spacing: read .nan, allowed a number, 0.05 to 0.5"},
    {"column_spacing: 0.1", "column_spacing: |nan", "read nan, allowed a number"},
    {"column_spacing: 0.1", "column_spacing: |inf", "read inf, allowed a number"},
    {"column_spacing: 0.1", "column_spacing: |1e999", "read 1e999, allowed 0.05 to 0.5"},
    {"column_spacing: 0.1", "column_spacing: |-1e999", "read -1e999, allowed 0.05 to 0.5"},
    {"column_spacing: 0.1", "column_spacing: |0x1p-3", "read 0x1p-3, allowed a number"},
    {"column_spacing: 0.1", "column_spacing: |0.1m", "read 0.1m, allowed a number"},
    {"column_spacing: 0.1", "column_spacing:|", "ground.column_spacing: read nothing, allowed a number"},
    {"column_spacing: 0.1", "column_spacing: |[0.1]", "read a list, allowed a number"},
    {"column_spacing: 0.1", "column_spacing: |{a: 1}", "read keys and values, allowed a number"},
    {"column_spacing: 0.1", "|colum_spacing: 0.1", "ground.colum_spacing: unknown key, allowed size_x, size_y"},
    {"size_x: 40\n  ", "|", "ground.size_x: the key is missing"},
    {"  size_y: 30", "  size_y: 30\n  |size_x: 41", "size_x: the key stands twice (first in line 8)"},
    {"seed: 3", "seed: |-1", "seed: read -1, allowed a whole number, 0 to 9223372036854775807"},
    {"seed: 3", "seed: |9223372036854775808", "seed: read 9223372036854775808"},
    {"seed: 3", "seed: |99999999999999999999999", "seed: read 99999999999999999999999"},
    {"seed: 3", "seed: |3.5", "seed: read 3.5"},
    {"seed: 3", "seed: |010", "seed: read 010"},
    {"tick_rate: 60", "tick_rate: |60.5", "rates.tick_rate: read 60.5, allowed a whole number, 30 to 240"},
    {"time: 14", "time: |24.5", "weather.time: read 24.5, allowed 0 to 24"},
    {"time: 14", "time: |dawn", "weather.time: read dawn, allowed a number"},
    {"clouds: 0.4", "clouds: |1.1", "weather.clouds: read 1.1, allowed 0 to 1"},
    {"visibility: 2000", "visibility: |19", "weather.visibility: read 19, allowed 20 to 50000"},
    {"rain: 1.5", "rain: |-1", "weather.rain: read -1, allowed 0 to 50"},
    {"rain: 1.5", "|snow: 1", "weather.snow: "},
    {"tick_rate: 60", "tick_rate: |29", "rates.tick_rate: read 29"},
    {"substeps: 8", "substeps: |33", "rates.substeps: read 33, allowed a whole number, 1 to 32"},
    {"title: A test", "title: |''", "title: read nothing, allowed a text of 1 to 95 bytes"},
    {"title: A test", "title: |\"\\e[2J\"", "title: read a control character (0x1B)"},
    {"title: A test", "title: |\"a\\0b\"", "a value with a NUL character"},
    {"title: A test", "title: |\"a\\x9b2Jb\"", "title: read a control character (0x9B), allowed one line of letters"},
    {"title: A test", "title: |\"a\\u202Eb\"", "title: read U+202E, which turns the direction of writing"},
    {"title: A test", "title: |a\xe2\x81\xa6 b", "title: read U+2066, which turns the direction of writing"},
    {"title: A test", "title: |\"  \"", "title: read blanks alone, allowed one line of letters"},
    {"kind: scene", "kind: |sene", "kind: read sene, allowed scene, machine, soil, controls"},
    {"kind: scene\n", "|", "kind: the key is missing"},
    {"kind: trench", "kind: |trenching", "exercise.kind: read trenching, allowed free, trench, truck-loading, tasks"},
    {"kind: trench", "kind: |1", "exercise.kind: read 1, allowed free"},
    {"{soil: loam}", "|loam", "ground.layers.1: read loam, allowed keys and values"},
    {"soil: loam", "soil: |lam", "ground.layers.1.soil: no soil named lam in"},
    {"soil: sand", "soil: |../x", "ground.mounds.0.soil: "},
    {"file: excavator-22t", "file: |excavator", "machine.file: no machine named excavator in"},
    {"file: excavator-22t", "file: excavator-22t, attachment: |spoon", "machine.attachment: no attachment named spoon"},
    {"file: excavator-22t", "file: dozer-20t, attachment: |grading-bucket-1800", "dozer-20t takes no attachment"},
    {"{soil: topsoil, thickness: 0.2", "|{soil: topsoil", "ground.layers.0.thickness: the key is missing"},
    {"thickness: 0.2", "thickness: |0.01", "ground.layers.0.thickness: read 0.01, allowed 0.05 to 20"},
    {"thickness: 0.2", "thickness: |0", "ground.layers.0.thickness: read 0, allowed 0.05 to 20"},
    {"thickness: 0.2", "thickness: |-1", "ground.layers.0.thickness: read -1, allowed 0.05 to 20"},
    {"thickness: 0.2", "thickness: |.inf", "ground.layers.0.thickness: read .inf, allowed a number, 0.05 to 20"},
    {"soil: loam", "soil: |lam", "clay, fissured-loam, gravel, hard-clay, loam, sand, topsoil, wet-clay"},
    {"bedrock_depth: 4", "bedrock_depth: 4\n  wet: |maybe", "ground.wet: read maybe, allowed no, yes"},
    {"soil: gravel", "soil: |grit", "ground.patches.0.soil: no soil named grit in"},
    {"thickness: 1}", "thickness: |0}", "ground.patches.0.thickness: read 0, allowed 0.05 to 20"},
    {"thickness: 1}", "thickness: |-1}", "ground.patches.0.thickness: read -1, allowed 0.05 to 20"},
    {"thickness: 1}", "thickness: |1e999}", "ground.patches.0.thickness: read 1e999, allowed 0.05 to 20"},
    {"thickness: 1}", "thickness: |4.5}",
     "ground.patches.0.thickness: 4.5 reaches bedrock: with top and roughness that is 4.5 m, allowed up to "
     "ground.bedrock_depth (4)"},
    {"top: 0.5, thickness: 1.5", "top: 2.6, thickness: |1.5", "ground.patches.1.thickness: 1.5 reaches bedrock"},
    {"top: 0.5", "top: |-0.5", "ground.patches.1.top: read -0.5, allowed 0 to 20"},
    {"radius: 3", "radius: |0", "ground.patches.1.radius: read 0, allowed 0.5 to 100"},
    {"radius: 3", "radius: |nan", "ground.patches.1.radius: read nan, allowed a number"},
    {"{soil: sand, x: 8, y: 8, radius: 3", "|{soil: sand, x: 8, y: 8, radius: 3, length: 2",
     "ground.patches.1: read radius beside length or width, allowed length and width (a rectangle) or radius"},
    {"{soil: sand, x: 8, y: 8, radius: 3", "|{soil: sand, x: 8, y: 8", "read none of length, width and radius"},
    {"{soil: sand, x: 8, y: 8, radius: 3", "|{soil: sand, x: 8, y: 8, width: 3", "read only one of length and width"},
    {"{soil: sand, x: 8, y: 8, radius: 3", "|{soil: sand, x: 8, y: 13, radius: 3",
     "ground.patches.1: its corner at 5, 16 lies outside the site of 40 x 30 m"},
    {"{soil: gravel, x: 3, y: -4", "|{soil: gravel, x: 18, y: -4", "ground.patches.0: its corner at "},
    {"z: -1.5, length", "z: |-3.8, length",
     "fixtures.2.z: read -3.8, allowed at least -3.75: the pipe reaches bedrock"},
    {"z: -1.5, length", "z: -1.5, top: |-1, length",
     "fixtures.2.top: the key does not belong here: a pipe has a length"},
    {" z: -1.5, length", " length", "fixtures.2.z: the key is missing: a pipe has a length, a radius and the z of its"},
    {"length: 5, radius: 0.25}", "length: 5, radius: |0.05}",
     "fixtures.2.radius: read 0.05, allowed for a pipe at least 0.075: three quarters of ground.column_spacing"},
    {"top: 6}", "top: 6, z: |2}", "fixtures.1.z: the key does not belong here: a post has a radius and a top"},
    {"length: 5, radius: 0.25}", "length: 5, radius: 0.25, utility: {medium: |steam}}",
     "fixtures.2.utility.medium: read steam, allowed water, gas, cable"},
    {"length: 5, radius: 0.25}", "length: 5, radius: 0.25, utility: {medium: water, pressure_kpa: |5}}",
     "fixtures.2.utility.pressure_kpa: read 5, allowed 10 to 2000"},
    {"length: 5, radius: 0.25}", "length: 5, radius: 0.25, utility: {medium: water, leak_time: |0}}",
     "fixtures.2.utility.leak_time: read 0, allowed 1 to 600"},
    {"length: 5, radius: 0.25}", "length: 5, radius: 0.08, utility: {medium: water, wall_mm: |90}}",
     "fixtures.2.utility.wall_mm: read 90, allowed less than the radius (80 mm)"},
    {"top: 6}", "top: 6, utility: |{medium: gas}}",
     "fixtures.1.utility: the key does not belong here, allowed with shape: pipe alone"},
    {"top: 6}", "top: 6, damage_kj: |[1, 3, 2]}",
     "fixtures.1.damage_kj: read 2 after 3, allowed energies that do not fall"},
    {"top: 6}", "top: 6, damage_kj: [0.1, 1, |2e6]}", "fixtures.1.damage_kj.2: read 2e6, allowed 0.001 to 100000"},
    {"  time_limit: 1200", "  time_limit: 1200\n  truck_dent: |101", "exercise.truck_dent: read 101, allowed 0 to 100"},
    {"  time_limit: 1200", "  time_limit: 1200\n  fixture_fall: |-1",
     "exercise.fixture_fall: read -1, allowed 0 to 100"},
    {"  time_limit: 1200", "  time_limit: 1200\n  expose: |mast",
     "exercise.expose: read mast, allowed words in the name of a fixture that is a pipe or a box"},
    {"shape: bank", "shape: |hill", "ground.earthworks.0.shape: read hill, allowed bank, cut"},
    {"height: 1.5,\n", "height: |-0.1,\n",
     "ground.earthworks.0.height: read -0.1, allowed more than 0: nothing of the site lies lower than this bank"},
    {"height: 1.5,\n", "height: |.nan,\n", "ground.earthworks.0.height: read .nan, allowed a number, -20 to 20"},
    {"height: -2}", "height: |2}",
     "ground.earthworks.1.height: read 2, allowed less than 1.5: nothing of the site lies higher than this cut"},
    {"height: -2}", "height: |-3.95}", "ground.earthworks.1.height: read -3.95, allowed at least -3.9: "},
    {"height: -2}", "height: -2, soil: |clay}", "ground.earthworks.1.soil: the key does not belong to a cut"},
    {"height: -2}", "height: -2, compacted: |no}", "ground.earthworks.1.compacted: the key does not belong to a cut"},
    {"height: -2}", "height: -2, slope_deg: |0}", "ground.earthworks.1.slope_deg: read 0, allowed 1 to 90"},
    {"soil: loam, compacted", "soil: |lam, compacted", "ground.earthworks.0.soil: no soil named lam in"},
    {" soil: loam, compacted", " compacted", "ground.earthworks.0.soil: the key is missing: a bank is of a soil"},
    {"compacted: no, slope_deg: 30", "compacted: no, slope_deg: |40",
     "ground.earthworks.0.slope_deg: 40 is steeper than loam that is not compacted lies, allowed up to 32"},
    {"{shape: cut, x: 12", "|{shape: cut, x: 19", "ground.earthworks.1: its corner at 20.5, -12 lies outside the site"},
    {"x: -12, y: -8, length: 5", "x: -5, y: 2, length: 5", "machine: its tracks do not lie on the ground: "},
    {"x: -5", "x: |-21", "machine.x: -21 lies outside the site, allowed -20 to 20"},
    {"y: 2, height", "y: |15.5, height", "ground.mounds.0.y: 15.5 lies outside the site, allowed -15 to 15"},
    {"y: 2, height: ", "y: 14, height: |",
     "ground.mounds.0.height: 1.5 reaches 1.27 m beyond the edge of the site, allowed up to 0.661 at 1, 14"},
    {"y: 2, height: ", "y: -15, height: |",
     "ground.mounds.0.height: 1.5 at 1, -15 is too near to the edge of the site: its foot lies 2.27 m around it, "},
    {"size: 0.4, largest: 0.9", "size: |0.1, largest: 0.9", "rocks.0.size: read 0.1, allowed 0.2 to 1.5"},
    {"size: 0.4, largest", "size: |.nan, largest", "rocks.0.size: read .nan, allowed a number, 0.2 to 1.5"},
    {"{x: -12, y: 10, size: 0.4, ", "|{x: -12, y: 10, ", "rocks.0.size: the key is missing"},
    {"largest: 0.9", "largest: |2", "rocks.0.largest: read 2, allowed 0.2 to 1.5"},
    {"largest: 0.9", "largest: |0.3", "rocks.0.largest: read 0.3, allowed from size (0.4) to 1.5"},
    {"count: 40", "count: |0", "rocks.0.count: read 0, allowed a whole number, 1 to 200"},
    {"count: 40", "count: |201", "rocks.0.count: read 201, allowed a whole number, 1 to 200"},
    {"count: 40", "count: |4.5", "rocks.0.count: read 4.5, allowed a whole number"},
    {"count: 40, spread: 2}\n  - {", "count: 200, spread: 2}\n  - |{",
     "rocks.1: with it there are 201 rocks, allowed at most 200 in all"},
    {"spread: 2", "spread: |-1", "rocks.0.spread: read -1, allowed 0 to 20"},
    {"spread: 2", "spread: |9", "rocks.0.spread: 9 reaches off the site of 40 x 30 m"},
    {"shape: slab", "shape: |cube", "rocks.1.shape: read cube, allowed angular, rounded, slab"},
    {"z: -0.2", "z: |-2", "rocks.1.z: read -2, allowed -1 to 20"},
    {"density: 2700", "density: |900", "rocks.1.density: read 900, allowed 1500 to 4000"},
    {"density: 2700", "work_index: |60", "rocks.1.work_index: read 60, allowed 5 to 30"},
    {"{x: 14, y: 0.5", "{x: |21, y: 0.5", "rocks.1.x: 21 lies outside the site, allowed -20 to 20"},
    {"{x: 14, y: 0.5", "{x: 14, y: |.inf", "rocks.1.y: read .inf, allowed a number"},
    {"{x: 14, y: 0.5", "{x: 14, yy: 1, y: 0.5", "rocks.1.yy: unknown key, allowed x, y, z, size"},
    {"{x: 14, y: 0.5", "|{x: -4, y: 0.5",
     "rocks.1: the machine starts in them: its tracks are 0 m from their middle, allowed from 1.2 m on"},
    {"length: 8, width: 0.3", "length: |0, width: 0.3", "fixtures.0.length: read 0, allowed 0.05 to 50"},
    {"length: 8, width: 0.3", "width: 0.3", "fixtures.0.length: the key is missing: a box has a length and a width"},
    {"width: 0.3, top", "width: 0.3, radius: |1, top",
     "fixtures.0.radius: the key does not belong here: a box has a length and a width"},
    {"radius: 0.2, top: 6", "radius: 0.2, width: |1, top: 6",
     "fixtures.1.width: the key does not belong here: a post has a radius"},
    {"radius: 0.2, top: 6", "radius: |.nan, top: 6", "fixtures.1.radius: read .nan, allowed a number, 0.02 to 5"},
    {"top: 3", "top: |-0.5", "fixtures.0.top: read -0.5, allowed more than bottom (-0.5)"},
    {"{name: wall, x: 0, y: 12", "|{name: wall, x: 17, y: 12", "fixtures.0: its corner at 21, "},
    {"shape: post", "shape: |ball", "fixtures.1.shape: read ball, allowed box, post"},
    {"radius: 0.3, height", "radius: |0, height", "persons.0.radius: read 0, allowed 0.1 to 1"},
    {"height: 1.75", "height: |0.5", "persons.0.height: read 0.5, allowed from twice the radius (0.3) on"},
    {"height: 1.75", "height: |.nan", "persons.0.height: read .nan, allowed a number, 0.5 to 2.5"},
    {"zone: 2.5", "zone: 2.5, soil_energy: |0", "persons.0.soil_energy: read 0, allowed 1 to 10000"},
    {"zone: 2.5", "zone: |0.2", "persons.0.zone: read 0.2, allowed 0 (none) or more than the radius (0.3)"},
    {"zone: 2.5", "zone: |31", "persons.0.zone: read 31, allowed 0 to 30"},
    {"{name: banksman, x: 6", "{name: banksman, x: |21", "persons.0.x: 21 lies outside the site, allowed -20 to 20"},
    {"{name: banksman, x: 6, y: -9", "|{name: banksman, x: 2, y: 12.2", "persons.0: stands in fixtures.0 (wall): its "},
    {"{name: banksman, x: 6, y: -9", "|{name: banksman, x: 18.4, y: -9",
     "persons.0: stands in fixtures.1 (mast): its "},
    {"event: person_hit", "event: |person_hurt", "exercise.rules.0.event: read person_hurt, allowed one of "},
    {"fail: yes", "fail: |maybe", "exercise.rules.0.fail: read maybe, allowed no, yes"},
    {"- {event: person_hit, fail: yes}", "- |{event: person_hit}",
     "exercise.rules.0: read neither points nor fail, allowed points above 0 or fail: yes, one of the two"},
    {"fail: yes}", "fail: yes}\n    - |{event: slam, fail: yes, points: 3}",
     "exercise.rules.1: read both points and fail, allowed"},
    {"points: 5", "points: |101", "exercise.rules.1.points: read 101, allowed 0 to 100"},
    {"energy_kj: 1", "energy_kj: |-1", "exercise.rules.1.energy_kj: read -1, allowed 0 to 1000"},
    {"event: person_hit, fail: yes", "event: person_hit, fail: yes, energy_kj: |2",
     "exercise.rules.0.energy_kj: read 2 for person_hit, allowed above 0 for touch alone"},
    {"event: person_hit, fail: yes", "event: tipped_over, fail: yes, thing: |wall",
     "exercise.rules.0.thing: read wall for tipped_over, allowed nothing: it is of the machine alone"},
    {"limit: 2", "limit: |1.5", "exercise.rules.1.limit: read 1.5, allowed a whole number"},
    {"height: 1.5", "height: |11", "ground.mounds.0.height: read 11, allowed 0.1 to 10"},
    {"per_column_side: 1", "per_column_side: |5", "particles.per_column_side: read 5"},
    {"machine: {file: excavator-22t, x: -5", "machine: |{file: excavator-22t, x: -19", "machine: its corner at -20."},
    {"machine: {file: excavator-22t, x: -5, y: 0, heading_deg: 0",
     "machine: |{file: excavator-22t, x: -5, y: 13.5, heading_deg: 90", "machine: its corner at "},
    {"{soil: sand, x: 1, y: 2, height: 1.5", "|{soil: sand, x: -5, y: 0, height: 1.5",
     "ground.mounds.0: the machine starts in it: its tracks are 0 m from its middle, allowed from 2.2"},
    {"{soil: sand, x: 1, y: 2, height: 1.5", "|{soil: sand, x: -1.5, y: 0, height: 1.5",
     "ground.mounds.0: the machine starts in it"},
    {"budget: 20000", "budget: |0", "particles.budget: read 0, allowed a whole number, 100 to 400000"},
    {"budget: 20000", "most_awake: |-1", "particles.most_awake: read -1, allowed a whole number, 0 to 400000"},
    {"budget: 20000", "most_awake: |400001", "particles.most_awake: read 400001, allowed a whole number, 0 to 400000"},
    {"budget: 20000", "most_awake: |2.5", "particles.most_awake: read 2.5, allowed a whole number, 0 to 400000"},
    {"budget: 20000", "budget: |-1", "particles.budget: read -1, allowed a whole number, 100 to 400000"},
    {"budget: 20000", "budget: |99", "particles.budget: read 99, allowed a whole number, 100 to 400000"},
    {"par_time: 600", "par_time: |1201", "exercise.par_time: read 1201, allowed up to the time_limit (1200)"},
    {"substeps: 8}", "substeps: |2}", "rates.substeps: 2 x 60 ticks a second are too few"},
    {"bedrock_depth: 4\n  layers:\n    - {soil: topsoil, thickness: 0.2}",
     "bedrock_depth: |4\n  layers:\n    - {soil: topsoil, thickness: 5}",
     "ground.bedrock_depth: 4 is less than the layers above the last one"},
    {"depth: 1.5", "depth: |4", "exercise.trench.depth: 4 reaches bedrock"},
    {"{x: 0, y: 0, heading_deg: 0, length: 4", "|{x: 18, y: 0, heading_deg: 0, length: 4",
     "exercise.trench: its corner at 22, "},
    {"kind: trench\n  time_limit: 1200\n  par_time: 600\n  trench: {x: 0, y: 0, heading_deg: 0, length: 4, width: 2, "
     "depth: 1.5,\n    tolerance: 0.1, dump_x: -5, dump_y: -7, dump_radius: 2}",
     "kind: truck-loading\n  time_limit: 1200\n  par_time: 600\n  truck: |{x: -5, y: 4, heading_deg: 90, bed_length: "
     "6, "
     "bed_width: 2.5,\n    bed_height: 1, floor_height: 1, target_mass: 8000, dig_x: 1, dig_y: 2}",
     "exercise.truck: the machine starts in it: read a bed of 6 x 2.5 m at -5, 4, allowed beside the tracks"},
    {"dump_x: -5", "dump_x: |-25", "exercise.trench.dump_x: -25 lies outside the site"},
    {"kind: trench", "kind: free", "exercise.trench: does not belong to this exercise kind"},
    {"kind: trench", "kind: truck-loading", "exercise.trench: does not belong to this exercise kind"},
    {"title: A test", "title: |&a A test", "an anchor (&name)"},
    {"title: A test", "title: |*a", "an alias (*name)"},
    {"title: A test", "title: |!!str A test", "a tag (!name)"},
    {"title: A test", "title: [[[[[[[[[[[|[[[[[a]]]]]]]]]]]]]]]]", "nested too deeply"},
    {"  par_time: 600", "  par_time: 600\n---\na: 1", "a second document"},
    {"{tick_rate", "{|[a]: 1, tick_rate", "a key that is not a plain word"},
    {"  size_x: 40", "\tsize_x: 40", "not valid YAML: "},
    {"rates: {tick_rate: 60, substeps: 8}", "rates: {tick_rate: 60", "not valid YAML: "},
};

static const Broken broken_soils[] = {
    {"swell: 0.25", "swell: |0.81", "swell: read 0.81, allowed 0 to 0.8"},
    {"bank_density: 1540", "bank_density: |1.540", "bank_density: read 1.540, allowed 800 to 3000"},
    {"friction_angle_deg: 30", "friction_angle_deg: |51", "friction_angle_deg: read 51, allowed 0 to 50"},
    {"friction_angle_deg: 30", "|friction_angle: 0.5", "friction_angle: unknown key, allowed kind, title"},
    {"cohesion_kpa: 5", "cohesion_kpa: |5000", "cohesion_kpa: read 5000, allowed 0 to 200"},
    {"contact_damping: 0.5", "contact_damping: 0.5\ncontact_ductility: |0",
     "contact_ductility: read 0, allowed 0.001 to 10"},
    {"contact_damping: 0.5", "contact_damping: 0.5\ncontact_ground_adhesion_kpa: |51",
     "contact_ground_adhesion_kpa: read 51, allowed 0 to 50"},
    {"contact_damping: 0.5", "contact_damping: 0.5\ncontact_bond_distance: |1.6",
     "contact_bond_distance: read 1.6, allowed 0 to 1.5"},
    {"swell: 0.25", "swell: 0.25\ntension_crack: |1.1", "tension_crack: read 1.1, allowed 0 to 1"},
    {"swell: 0.25", "swell: 0.25\nsoft_cohesion_kpa: |-1", "soft_cohesion_kpa: read -1, allowed 0 to 200"},
    {"swell: 0.25", "swell: 0.25\nstanding_time_min: |-1", "standing_time_min: read -1, allowed 0 to 100000"},
    {"swell: 0.25", "swell: 0.25\nsoaking_time_min: |2e5", "soaking_time_min: read 2e5, allowed 0 to 100000"},
    {"contact_damping: 0.5", "contact_damping: 0.5\ncontact_kneaded: |1.1",
     "contact_kneaded: read 1.1, allowed 0 to 1"},
    {"contact_damping: 0.5", "contact_damping: 0.5\ncontact_rebonded_strength: |1.1",
     "contact_rebonded_strength: read 1.1, allowed 0 to 1"},
    {"swell: 0.25", "swell: 0.25\ncompression_index: |-0.1", "compression_index: read -0.1, allowed 0 to 2"},
    {"swell: 0.25", "swell: 0.25\nsinkage_cohesive: |-1", "sinkage_cohesive: read -1, allowed 0 to 2000"},
    {"swell: 0.25", "swell: 0.25\nsinkage_frictional: |0", "sinkage_frictional: read 0, allowed 1 to 1000000"},
    {"swell: 0.25", "swell: 0.25\nsinkage_exponent: |5", "sinkage_exponent: read 5, allowed 0.05 to 2"},
    {"contact_damping: 0.5", "contact_damping: 0.5\ncontact_bond_friction: |-0.1",
     "contact_bond_friction: read -0.1, allowed 0 to 2"},
    {"[0.1, 0.2, 0.3]", "|[0.1, 0.2]", "color_fresh: read 2 items, allowed a list of 3 numbers"},
    {"[0.1, 0.2, 0.3]", "[0.1, |1.2, 0.3]", "color_fresh.1: read 1.2, allowed 0 to 1"},
    {"[0.1, 0.2, 0.3]", "|red", "color_fresh: read red, allowed a list of 3 numbers"},
};

static const Broken broken_controls[] = {
    {"scale: 1", "scale: |2", "bindings.0.scale: read 2, allowed -1 to 1"},
    {"axis: swing", "axis: |swng", "bindings.0.axis: read swng, allowed one of 26 names, of which swing is nearest"},
    {"source: pad_axis", "source: |mouse", "bindings.0.source: read mouse, allowed pad_axis, pad_button, key"},
    {"input: leftx", "input: |a-name-much-too-long-for-any-input", "bindings.0.input: read a-name-much"},
    {"dead_zone: 0.1", "dead_zone: |0.6", "curves.swing.dead_zone: read 0.6, allowed 0 to 0.5"},
    {"  swing: {", "  |arm: {", "curves.arm: unknown key"},
    {"name: pause", "name: |jump", "actions.0.name: read jump, allowed camera, look, pause"},
    {"key: P}", "key: P}\n  - {name: |pause, pad: b}", "actions.1.name: read pause, which stands twice"},
    {"pattern: iso", "pattern: |sae", "pattern: read sae, allowed iso, bhl, h, handler, dozer"},
    {"input: leftx", "input: |left", "bindings.0.input: read left, allowed leftx, lefty, rightx"},
    {"input: leftx", "input: |'left:0'", "bindings.0.input: read left:0, allowed leftx, lefty, rightx"},
    {"source: pad_axis, input: leftx", "source: key, input: |Hyper",
     "bindings.0.input: read Hyper, allowed SDL key names"},
    {"source: pad_axis, input: leftx", "source: joystick_axis, input: |'left:0'",
     "DEVICE one of (this map has no devices)"},
    {"scale: 1}", "scale: 1, modifier: |ctrl}", "bindings.0.modifier: read ctrl, allowed a, b, x, y"},
    {"pad: back", "pad: |start button", "actions.0.pad: read start button, allowed a, b, x, y"},
    {"key: P", "key: |Pp", "actions.0.key: read Pp, allowed SDL key names"},
    {"pattern: iso", "pattern: iso\ngears: [|0.04, 1]", "gears.0: read 0.04, allowed 0.05 to 1"},
    {"pattern: iso", "pattern: iso\ngears: [0.5, |0.5]", "gears.1: read 0.5, allowed more than 0.5, the gear before"},
    {"pattern: iso", "pattern: iso\ngears: [0.5, |1.5]", "gears.1: read 1.5, allowed 0.05 to 1"},
    {"pattern: iso", "pattern: iso\ngears: |[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]",
     "gears: read 7 items, allowed a list of 1 to 6"},
};

static const Broken broken_joysticks[] = {
    {"id: left", "id: |le:ft", "devices.0.id: read le:ft, allowed letters, digits, - and _"},
    {"id: feet", "id: |left", "devices.1.id: read left, which stands twice"},
    {"usb: 044f:b10a", "usb: |44f:b10a", "devices.1.usb: read 44f:b10a, allowed vendor:product"},
    {"usb: 044f:b10a", "usb: |044f-b10a", "devices.1.usb: read 044f-b10a, allowed vendor:product"},
    {"{id: left, name: stick}", "|{id: left}", "devices.0: read no name, usb, serial or port"},
    {"usb: 044f:b10a", "serial: |'no 7'", "devices.1.serial: read no 7, allowed letters, digits and signs of ASCII"},
    {"usb: 044f:b10a", "port: |'usb-1 2'", "devices.1.port: read usb-1 2, allowed letters, digits and signs of ASCII"},
    {"usb: 044f:b10a", "port: |usb-0000:00:14.0-1.2.3.4.5.6.7.8.9.1.2.3.4.5.6.7.8.9.1.2.3.4.5.6.7.8.9",
     "devices.1.port: read usb-0000:00:14.0-1.2.3"},
    {"  - {id: left, name: stick}\n  - {id: feet, usb: 044f:b10a}\n", "  |[]\n", "devices: read"},
    {"'left:1'", "|'left:16'",
     "bindings.0.input: read left:16, allowed DEVICE:AXIS, DEVICE one of left, feet, AXIS 0 to 15"},
    {"'left:1'", "|'left:-1'", "bindings.0.input: read left:-1, allowed DEVICE:AXIS"},
    {"'left:1'", "|'left:up'", "bindings.0.input: read left:up, allowed DEVICE:AXIS"},
    {"'left:1'", "|'right:1'", "bindings.0.input: read right:1, allowed DEVICE:AXIS"},
    {"'left:1'", "|leftx", "bindings.0.input: read leftx, allowed DEVICE:AXIS"},
    {"'feet:up'", "|'feet:128'",
     "bindings.1.input: read feet:128, allowed DEVICE:BUTTON, DEVICE one of left, feet, BUTTON 0 to 127"},
    {"'feet:up'", "|'feet:hat5-up'", "bindings.1.input: read feet:hat5-up, allowed DEVICE:BUTTON"},
    {"'left:2'", "|'left:02'", "bindings.1.modifier: read left:02, allowed DEVICE:BUTTON"},
    {"'left:2'", "|Left Shft", "bindings.1.modifier: read Left Shft, allowed a, b, x, y"},
    {"'left:127'", "|'left'", "actions.0.joystick: read left, allowed DEVICE:BUTTON"},
    {"rest: 0", "rest: |1.5", "bindings.0.rest: read 1.5, allowed -1 to 1"},
    {"{source: joystick_axis, input: 'left:1', axis: swing, scale: 1, low: -0.9, rest: 0,",
     "|{source: joystick_axis, input: 'left:1', axis: swing, scale: 1, low: -0.9, rest: 0.95,",
     "bindings.0: read low -0.9, rest 0.95, high 0.9, allowed low <= rest <= high"},
    {"{source: joystick_axis, input: 'left:1', axis: swing, scale: 1, low: -0.9, rest: 0, high: 0.9}",
     "|{source: joystick_axis, input: 'left:1', axis: swing, scale: 1, low: 0, rest: 0, high: 0}",
     "bindings.0: read low 0, rest 0, high 0, allowed"},
    {"tool: 0.5", "tool: |1.5", "rumble.tool: read 1.5, allowed 0 to 1"},
};

static const Broken broken_trucks[] = {
    {"payload: 24000", "payload: |0", "payload: read 0, allowed 500 to 500000"},
    {"payload: 24000", "payload: |nan", "payload: read nan, allowed a number"},
    {"payload: 24000", "payload: |90000",
     "payload: read 90000, allowed 4500 to 60000: the heaped bed would weigh 6000 kg"},
    {"tare_mass: 20000", "tare_mass: |2000", "tare_mass: read 2000, allowed from "},
    {"tare_mass: 20000\n", "", "tare_mass: the key is missing"},
    {"tare_mass: 20000", "|tare: 20000", "tare: unknown key, allowed kind, title, tare_mass"},
    {"capacity: 15", "capacity: |40", "bed.capacity: read 40, allowed up to 31.36: a bed of 5 x 2.8 x 1.4 m"},
    {"tail_height: 0.5", "tail_height: |1.5", "bed.tail_height: read 1.5, allowed up to height (1.4)"},
    {"floor_height: 1.5", "floor_height: |-1", "bed.floor_height: read -1, allowed 0.5 to 3"},
    {"front: 5", "front: |2.4", "front: read 2.4, allowed more than half of bed.length (2.5)"},
    {"rear_axle: -1", "rear_axle: |-3", "rear_axle: read -3, allowed -2.5 to 2.5 (under the bed)"},
    {"wheelbase: 5", "wheelbase: |6.5", "wheelbase: read 6.5, allowed up to 6: the front axle"},
    {"wheel_diameter: 1.1", "wheel_diameter: |1.6",
     "wheel_diameter: read 1.6, allowed less than bed.floor_height (1.5)"},
    {"front_share: 0.42", "front_share: |0.9", "chassis.front_share: read 0.9, allowed 0.2 to 0.8"},
    {"center_height: 1.25", "center_height: |-1", "chassis.center_height: read -1, allowed 0.3 to 4"},
    {"inertia_size: [7.4, 2.4, 1.8]", "inertia_size: [|0, 2.4, 1.8]", "chassis.inertia_size.0: read 0, allowed 0.5 to"},
    {"gauge: 2.1", "gauge: |2.9", "chassis.gauge: read 2.9, allowed up to bed.width (2.8)"},
    {"front_stiffness: 5.0e5", "front_stiffness: |4.5e7",
     "chassis.front_stiffness: read 4.5e+07, allowed up to 4.2e+07: 4200 kg on it would swing too fast"},
    {"rear_stiffness: 1.5e6", "rear_stiffness: |0", "chassis.rear_stiffness: read 0, allowed 10000 to 50000000"},
    {"damping_ratio: 0.3", "damping_ratio: |0", "chassis.damping_ratio: read 0, allowed 0.05 to 1"},
    {"tyre_stiffness: 8.0e5", "tyre_stiffness: |nan", "chassis.tyre_stiffness: read nan, allowed a number"},
    {"tyre_friction: 0.6", "tyre_friction: |3", "chassis.tyre_friction: read 3, allowed 0.1 to 2"},
    {"front_limit: 14000", "front_limit: |8000",
     "chassis.front_limit: read 8000, allowed more than its share of tare_mass (8400)"},
    {"  front_limit: 14000, rear_limit: 33000", "  front_limit: 14000", "chassis.rear_limit: the key is missing"},
    {"speed_loaded_kmh: 15", "speed_loaded_kmh: |25",
     "drive.speed_loaded_kmh: read 25, allowed up to speed_empty_kmh (20)"},
    {"acceleration: 0.7", "acceleration: |5", "drive.acceleration: read 5, allowed 0.1 to 2"},
    {"turning_radius: 8", "turning_radius: |3.5", "drive.turning_radius: read 3.5, allowed at least 4"},
    {"turning_radius: 8}\n", "turning_radius: 8}\ndamage: {scratch_kj: 1, dent_kj: |0.5, wreck_kj: 9}\n",
     "damage.dent_kj: read 0.5, allowed at least scratch_kj (1)"},
    {"turning_radius: 8}\n", "turning_radius: 8}\ndamage: {scratch_kj: 1, dent_kj: 5, wreck_kj: |4}\n",
     "damage.wreck_kj: read 4, allowed at least dent_kj (5)"},
    {"turning_radius: 8}\n", "turning_radius: 8}\ndriver: {uneven_share: |0, refuse_share: 0.1, delay: 15}\n",
     "driver.uneven_share: read 0, allowed 0.02 to 1"},
    {"angle_deg: 55", "angle_deg: |90", "tip.angle_deg: read 90, allowed 20 to 75"},
    {"raise_time: 12", "raise_time: |0", "tip.raise_time: read 0, allowed 3 to 120"},
};

static const Broken broken_hauls[] = {
    {"trucks: 2", "trucks: |3", "exercise.haul.trucks: read 3, allowed a whole number, 1 to 2"},
    {"trucks: 2", "trucks: |0", "exercise.haul.trucks: read 0"},
    {"load_mass: 8000", "load_mass: |24001",
     "exercise.haul.load_mass: read 24001, allowed up to the payload of truck-25t"},
    {"load_mass: 8000", "load_mass: |-1", "exercise.haul.load_mass: read -1, allowed 100 to 500000"},
    {"file: truck-25t", "file: |truck-99t", "exercise.truck.file: no truck named truck-99t in"},
    {"file: truck-25t", "file: |excavator-22t", "exercise.truck.file: "},
    {"{file: excavator-22t", "{file: |truck-25t", "machine.file: "},
    {"target_mass: 16000", "bed_length: |5, target_mass: 16000",
     "exercise.truck.bed_length: the truck's file states it, too"},
    {"{file: truck-25t, x", "|{x",
     "exercise.truck.bed_length: the key is missing (only a truck with a file may lack it)"},
    {"{file: truck-25t, x: 0", "{bed_length: 5, bed_width: 2.8, bed_height: 1.4, floor_height: 1.2, x: 0",
     "exercise.haul: nobody can drive a bed without a truck"},
    {"{file: truck-25t, x: 0, y: 6.5", "|{file: truck-25t, x: -28, y: 6.5", "exercise.truck: its corner at -30.65, "},
    {"    wait: {x: 12, y: 16, heading_deg: 90}\n", "", "exercise.haul.wait: the key is missing"},
    {"dump: {x: 22, y: -10", "dump: |{x: 22, y: -22",
     "exercise.haul.dump: the road to the dump leaves the site of 60 x 48 m: a corner of the truck is at"},
    {"exercise:\n", "  earthworks:\n    - {shape: cut, x: 22, y: 5, length: 3, width: 2, height: -1}\nexercise:\n",
     "exercise.haul.dump: the road to the dump runs over earthworks: the ground under a truck at "},
    {"exercise:\n",
     "  earthworks:\n    - {shape: bank, soil: loam, x: 0, y: 8, length: 3, width: 2, height: 1}\nexercise:\n",
     "exercise.truck: earthworks leave the ground under it at 1 m, allowed up to 0.05 m beside the level"},
    {"{soil: loam, x: 8, y: 0", "{soil: loam, x: 14, y: 6",
     "exercise.haul.dump: the road to the dump runs 1.95 m beside the middle of ground.mounds.0, allowed from 2.38"},
    {"{file: excavator-22t, x: 0, y: 0", "{file: excavator-22t, x: 14, y: 3",
     "exercise.haul.dump: the road to the dump runs "},
    {"wait: {x: 12, y: 16", "wait: {x: 20, y: 16",
     "exercise.haul.dump: the road to the dump runs where the other truck waits"},
    {"wait: {x: 12, y: 16, heading_deg: 90", "wait: |{x: 4, y: 0, heading_deg: 90",
     "exercise.haul.wait: the road back runs"},
    {"kind: truck-loading", "kind: free", "exercise.truck: does not belong to this exercise kind"},
    {"exercise:\n", "fixtures:\n  - |{name: wall, x: 0, y: 8, length: 3, width: 0.3, top: 3}\nexercise:\n",
     "fixtures.0: the truck stands in the wall: its bed's middle is at 0, 6.5"},
    {"exercise:\n", "fixtures:\n  - |{name: mast, shape: post, x: 13, y: 6.5, radius: 0.2, top: 6}\nexercise:\n",
     "fixtures.0: the road to the dump runs through the mast: a truck at "},
    {"exercise:\n", "fixtures:\n  - |{name: hedge, x: 12, y: 17, length: 3, width: 0.5, top: 1}\nexercise:\n",
     "fixtures.0: the road back runs through the hedge: a truck at "},
};

TEST(scenes)
{
    check_broken(scene_text, broken_scenes, sizeof broken_scenes / sizeof broken_scenes[0]);
}

TEST(soils)
{
    check_broken(soil_text, broken_soils, sizeof broken_soils / sizeof broken_soils[0]);
}

TEST(trucks)
{
    check_broken(truck_text, broken_trucks, sizeof broken_trucks / sizeof broken_trucks[0]);
    check_broken(haul_text, broken_hauls, sizeof broken_hauls / sizeof broken_hauls[0]);
}

TEST(controls)
{
    check_broken(controls_text, broken_controls, sizeof broken_controls / sizeof broken_controls[0]);
    check_broken(joysticks_text, broken_joysticks, sizeof broken_joysticks / sizeof broken_joysticks[0]);
}

TEST(sizes_that_do_not_fit_together)
{
    Status status;
    char *text = NULL;
    int line, column;
    // 200 m x 200 m in 0.05 m columns are 16 million.
    text = change(scene_text,
                  &(Broken){"size_x: 40\n  size_y: 30\n  column_spacing: 0.1",
                            "size_x: 200\n  size_y: 200\n  column_spacing: 0.05", ""},
                  &line, &column);
    assert_false(data_check_text("t", text, strlen(text), &status));
    assert_non_null(strstr(status.text, "t:10:19: ground.column_spacing: 0.05 makes 16000000 columns"));
    free(text);
    // Radius 0.05 / (2 x 4) = 6.25 mm.
    text = change(scene_text, &(Broken){"column_spacing: 0.1", "column_spacing: 0.05", ""}, &line, &column);
    char *fine = change(text, &(Broken){"per_column_side: 1", "per_column_side: 4", ""}, &line, &column);
    assert_false(data_check_text("t", fine, strlen(fine), &status));
    assert_non_null(strstr(status.text, "particles.per_column_side: 4 makes particles of radius 0.00625 m"));
    free(fine);
    free(text);
}

/// Layers that would not all fit into a column: refused at the patch or mound that is one too many.
TEST(more_layers_than_a_column_keeps)
{
    static const char *const soils[] = {"sand", "gravel", "topsoil", "clay"};
    char patches[512] = "  patches:\n";
    for (int k = 0; k < 4; ++k) {
        size_t at = strlen(patches);
        snprintf(patches + at, sizeof patches - at,
                 "    - {soil: %s, x: 8, y: 8, radius: %d, top: %g, thickness: 0.3}\n", soils[k], 3 - k / 2,
                 0.5 * (k + 1));
    }
    const char *start = strstr(scene_text, "  patches:\n"), *rest = strstr(scene_text, "particles:");
    char whole[4096];
    snprintf(whole, sizeof whole, "%.*s%s%s", (int)(start - scene_text), scene_text, patches, rest);
    Status status;
    assert_false(data_check_text("t", whole, strlen(whole), &status));
    if (!strstr(status.text, "ground.patches.") || !strstr(status.text, "layers lie on one another at ") ||
        !strstr(status.text, "allowed at most 5")) {
        fail_msg("%s", status.text);
    }
}

TEST(a_bomb_of_aliases_is_refused_at_once)
{
    char text[2048] = "a: &a [x, x, x, x, x, x, x, x, x]\n";
    for (int c = 'b'; c <= 'j'; ++c) {
        size_t at = strlen(text);
        int p = c - 1;
        snprintf(text + at, sizeof text - at, "%c: &%c [*%c, *%c, *%c, *%c, *%c, *%c, *%c, *%c, *%c]\n", c, c, p, p, p,
                 p, p, p, p, p, p);
    }
    Status status;
    assert_false(data_check_text("bomb", text, strlen(text), &status));
    assert_non_null(strstr(status.text, "bomb:1:4: an anchor"));
    static const char cycle[] = "a: &a [*a]\n";
    assert_false(data_check_text("cycle", cycle, sizeof cycle - 1, &status));
}

TEST_GROUP(NULL, NULL)
