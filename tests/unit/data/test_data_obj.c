/// OBJ texts: what is read, and the line and words of each refusal.
// test: sanitized

#include <unistd.h>

#include "data/files/obj.h"
#include "data/schema/load.h"
#include "tests/support/test.h"

#define TETRAHEDRON "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
#define FACES       "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"

static bool parse(const char *text, ObjMesh *mesh, Status *status)
{
    return obj_parse("t.obj", text, strlen(text), mesh, status);
}

static void assert_parses(const char *text, int vertices, int triangles)
{
    Status status;
    ObjMesh mesh;
    assert_good(parse(text, &mesh, &status), status);
    assert_int_equal(mesh.vertex_count, vertices);
    assert_int_equal(mesh.triangle_count, triangles);
    obj_free(&mesh);
}

TEST(every_form_of_a_face_is_read)
{
    assert_parses(TETRAHEDRON FACES, 4, 4);
    assert_parses(TETRAHEDRON "f 1/1 3/2 2/3\nf 1//1 2//1 4//1\nf 2/1/1 3/1/1 4/1/1\nf -4 -1 -2\n", 4, 4);
    // Windows line ends, comments, tabs, a fourth number, the last line without an end, what is passed over.
    assert_parses(
        "# title\r\nmtllib a.mtl\r\no thing\r\nv\t0 0 0 1\r\nv 1 0 0 # here\r\nv 0 1 0\r\nv 0 0 1e0\r\nvn 0 0 1\r\n"
        "vt 0 0\r\ng all\r\ns off\r\nusemtl b\r\n\r\nf 1 3 2\r\nf 1 2 4\r\nf 2 3 4\r\nf 1 4 3",
        4, 4);
    // A cube of squares, each with corners of its own, as programs write that split vertices at edges.
    assert_parses(
        "v 0 0 0\nv 0 1 0\nv 1 1 0\nv 1 0 0\nf -4 -3 -2 -1\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nf -4 -3 -2 -1\n"
        "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf -4 -3 -2 -1\nv 0 1 0\nv 0 1 1\nv 1 1 1\nv 1 1 0\nf -4 -3 -2 -1\n"
        "v 0 0 0\nv 0 0 1\nv 0 1 1\nv 0 1 0\nf -4 -3 -2 -1\nv 1 0 0\nv 1 1 0\nv 1 1 1\nv 1 0 1\nf -4 -3 -2 -1\n",
        24, 12);
}

TEST(numbers_arrive_where_they_belong)
{
    Status status;
    ObjMesh mesh;
    assert_true(parse("v 0 0 0\nv 2.5 0 0\nv 0 -1e-1 0\nv 0 0 7\n" FACES, &mesh, &status));
    assert_true(mesh.vertices[1][0] == 2.5 && mesh.vertices[2][1] == -0.1 && mesh.vertices[3][2] == 7.0);
    assert_int_equal(mesh.triangles[2][0], 1);
    assert_int_equal(mesh.triangles[2][1], 2);
    assert_int_equal(mesh.triangles[2][2], 3);
    obj_free(&mesh);
}

TEST(what_is_wrong_is_told_with_line_and_column)
{
    static const struct {
        const char *text, *says;
    } broken[] = {
        {"", "t.obj:1:1: no face up to here: the mesh is empty"},
        {TETRAHEDRON, "t.obj:4:1: no face up to here: the mesh is empty"},
        {"v 0 0\n", "t.obj:1:6: a vertex with 2 numbers"},
        {"# ä\nv\t0  0   ä # x\n", "t.obj:2:10: read ä,"},
        {"v 0 0 nan\n", "t.obj:1:7: read nan, allowed a number, -10000 to 10000"},
        {"v 0 0 inf\n", "t.obj:1:7: read inf"},
        {"v 0 0 0x10\n", "t.obj:1:7: read 0x10"},
        {"v 0 0 1e5\n", "t.obj:1:7: read 1e5, allowed a number, -10000 to 10000"},
        {"v 0 0 1e999\n", "t.obj:1:7: read 1e999"},
        {"v 0 0 1..2\n", "t.obj:1:7: read 1..2"},
        {TETRAHEDRON "f 1 2 5\n", "t.obj:5:7: vertex 5, there are 4 before this line"},
        {TETRAHEDRON "f 1 2 0\n", "t.obj:5:7: vertex 0, there are 4"},
        {TETRAHEDRON "f 1 2 -5\n", "t.obj:5:7: vertex -5, there are 4"},
        {TETRAHEDRON "f 1 2 99999999999999999999\n", "t.obj:5:7: vertex 999"},
        {TETRAHEDRON "f 1 2 x\n", "t.obj:5:7: read x, allowed numbers of vertices"},
        {TETRAHEDRON "f 1 2 3.5\n", "t.obj:5:7: read 3.5, allowed numbers of vertices"},
        {TETRAHEDRON "f 1 2\n", "t.obj:5:6: a face with 2 corners"},
        {TETRAHEDRON "f 1 2 2\n", "t.obj:5:7: a face comes to vertex 2 twice"},
        {TETRAHEDRON "f 1 3 2\nf 1 2 4\nf 2 3 4\n",
         "the surface is open: the edge between vertices 1 and 3 has 1 face"},
        {TETRAHEDRON FACES "f 1 2 3\n",
         "t.obj:9:1: the surface is open: the edge between vertices 1 and 2 has 3 faces"},
        {"kind: scene\n", "t.obj:1:1: read kind:, allowed v and f"},
        {TETRAHEDRON FACES "curv 1 2\n", "t.obj:9:1: read curv, allowed v and f"},
    };
    for (size_t k = 0; k < sizeof broken / sizeof broken[0]; k++) {
        Status status;
        ObjMesh mesh;
        if (parse(broken[k].text, &mesh, &status)) {
            fail_msg("%s is accepted", broken[k].says);
        }
        assert_int_equal(status.code, STATUS_BAD_FILE);
        assert_contains(status.text, broken[k].says);
    }
    Status status;
    ObjMesh mesh;
    assert_false(obj_parse("t.obj", "v 0 0\0 0\n", 9, &mesh, &status));
    assert_contains(status.text, "t.obj:1:6: read a NUL byte (0x00), allowed text");
    char longest[5000];
    memset(longest, ' ', sizeof longest);
    assert_false(obj_parse("t.obj", longest, sizeof longest, &mesh, &status));
    assert_contains(status.text, "t.obj:1:4096: a line of 5000 bytes");
}

typedef struct Folder {
    char path[64], scene[96], mesh[96];
} Folder;

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void make_folder(Folder *folder, const char *grains, const char *mesh)
{
    snprintf(folder->path, sizeof folder->path, "/tmp/spadework-obj-XXXXXX");
    assert_non_null(mkdtemp(folder->path));
    snprintf(folder->scene, sizeof folder->scene, "%s/mine.yaml", folder->path);
    snprintf(folder->mesh, sizeof folder->mesh, "%s/thing.obj", folder->path);
    char text[1024];
    snprintf(text, sizeof text,
             "kind: scene\ntitle: t\ndescription: d\nseed: 3\n"
             "machine: {file: excavator-22t, x: 0, y: 0, heading_deg: 90}\n"
             "ground: {size_x: 20, size_y: 20, bedrock_depth: 3, layers: [{soil: loam}]}\n"
             "exercise: {kind: free, time_limit: 60, par_time: 60}\n"
             "grains:\n%s",
             grains);
    write_text(folder->scene, text);
    write_text(folder->mesh, mesh);
}

static void remove_folder(const Folder *folder)
{
    unlink(folder->scene);
    unlink(folder->mesh);
    rmdir(folder->path);
}

TEST(a_scene_keeps_its_mesh_verbatim)
{
    static SceneParams scene, again;
    static MachineParams machine;
    static const char mesh[] = "# odd  \r\n" TETRAHEDRON FACES;
    Folder folder;
    DataFiles files = {0};
    Status status;
    make_folder(&folder,
                "  - {obj: ./thing.obj, soil: sand, x: 1, y: 2, z: 3, scale: 2}\n"
                "  - {obj: ./thing.obj, soil: loam, radius: 0.04, x: -1, y: 2, z: 3}\n"
                "  - {box: [1, 2, 3], soil: gravel, x: 5, y: 2, z: 0}\n",
                mesh);
    assert_good(data_load_scene(folder.scene, NULL, 0, &scene, &machine, &files, &status), status);
    assert_int_equal(scene.grains_count, 3);
    assert_string_equal(scene.grains[0].obj, "thing");
    assert_string_equal(scene.soils[scene.grains[0].soil_index].name, "sand");
    assert_true(scene.grains[0].scale == 2.0 && scene.grains[1].scale == 1.0 && scene.grains[1].radius == 0.04);
    assert_true(scene.grains[2].box[2] == 3.0 && scene.grains[2].text == NULL);
    int meshes = 0;
    for (int k = 0; k < files.count; k++) {
        if (strcmp(files.files[k].kind, "meshes") == 0) {
            meshes++;
            assert_string_equal(files.files[k].name, "thing");
            assert_string_equal(files.files[k].text, mesh);
        }
    }
    assert_int_equal(meshes, 1); // read once, kept once
    remove_folder(&folder);
    // From the kept texts alone, as a recording does.
    assert_good(data_load_scene_from_files(&files, &again, &machine, &status), status);
    assert_memory_equal(&again.grains, &scene.grains, sizeof scene.grains);
    data_files_free(&files);
}

TEST(a_scene_without_files_has_no_mesh_text)
{
    static SceneParams scene;
    static MachineParams machine;
    Status status;
    assert_true(data_load_scene("dam-break", NULL, 0, &scene, &machine, NULL, &status));
    assert_true(scene.grains_count > 0);
    for (int k = 0; k < scene.grains_count; k++) {
        assert_null(scene.grains[k].text);
    }
}

TEST(wrong_grains_are_told_with_their_place)
{
    static const struct {
        const char *grains, *mesh, *says[2];
    } broken[] = {
        {"  - {obj: ./thing.obj, soil: sand, x: 0, y: 0, z: 0}\n",
         TETRAHEDRON "f 1 2 9\n",
         {"mine.yaml:9:11: grains.0.obj: ", "thing.obj:5:7: vertex 9"}},
        {"  - {obj: nosuch, soil: sand, x: 0, y: 0, z: 0}\n",
         "",
         {"mine.yaml:9:11: grains.0.obj: ", "no mesh named nosuch in"}},
        {"  - {obj: ./none.obj, soil: sand, x: 0, y: 0, z: 0}\n", "", {"mine.yaml:9:11: grains.0.obj: ", "none.obj: "}},
        {"  - {obj: vase, box: [1, 1, 1], soil: sand, x: 0, y: 0, z: 0}\n",
         "",
         {"mine.yaml:9:11: grains.0.obj: ", "either obj or box"}},
        {"  - {soil: sand, x: 0, y: 0, z: 0}\n", "", {"grains.0", "either obj or box"}},
        {"  - {box: [1, 1], soil: sand, x: 0, y: 0, z: 0}\n", "", {"grains.0.box", "allowed a list of 3 numbers"}},
        {"  - {box: [1, 1, nan], soil: sand, x: 0, y: 0, z: 0}\n", "", {"grains.0.box.2", "read nan"}},
        {"  - {box: [1, 1, 1], soil: sand, radius: 0.06, x: 0, y: 0, z: 0}\n",
         "",
         {"grains.0.radius", "0.06 is more than the scene's particles have"}},
        {"  - {box: [1, 1, 1], soil: sand, x: 11, y: 0, z: 0}\n", "", {"grains.0.x", "outside the site"}},
        {"  - {box: [1, 1, 1], soil: mud, x: 0, y: 0, z: 0}\n", "", {"grains.0.soil", "no soil named mud"}},
    };
    static SceneParams scene;
    static MachineParams machine;
    for (size_t k = 0; k < sizeof broken / sizeof broken[0]; k++) {
        Folder folder;
        Status status;
        make_folder(&folder, broken[k].grains, broken[k].mesh);
        assert_false(data_load_scene(folder.scene, NULL, 0, &scene, &machine, NULL, &status));
        assert_contains(status.text, broken[k].says[0]);
        assert_contains(status.text, broken[k].says[1]);
        remove_folder(&folder);
    }
}

TEST(shipped_meshes_are_good_and_listed)
{
    Status status;
    static DataListEntry entries[64];
    int count = data_list("meshes", entries, 64, &status);
    assert_true(count >= 1);
    for (int k = 0; k < count; k++) {
        char path[512];
        snprintf(path, sizeof path, "%.400s/meshes/%.63s.obj", SPADEWORK_DATA_DIR, entries[k].name);
        assert_good(data_check_file(path, NULL, NULL, &status), status);
        assert_true(entries[k].title[0] != '\0');
    }
}

TEST_GROUP(NULL, NULL)
