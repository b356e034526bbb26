/// The command `model`: writes a machine for other programs, as URDF and glTF.
#include <stdio.h>
#include <string.h>

#include "trainer/cli/cli_commands.h"

int cli_model(const CliOptions *options, const ModelPainter *painter)
{
    Status status = {STATUS_GOOD, ""};
    ModelSummary summary;
    ModelRequest request = {.machine = options->machine,
                            .attachment = options->attachment,
                            .coupler = options->coupler,
                            .urdf = options->urdf,
                            .package = options->package,
                            .gltf = options->gltf,
                            .painter = *painter};
    if (!model_export(&request, &summary, &status)) {
        return cli_fail(&status);
    }
    printf("%d bodies, %d joints, %.0f kg; %d drawn parts, %d triangles\n", summary.links, summary.joints, summary.mass,
           summary.meshes, summary.triangles);
    if (options->urdf != NULL) {
        printf("%s: %d convex pieces\n", summary.urdf, summary.hulls);
    }
    if (options->gltf != NULL) {
        puts(options->gltf);
    }
    return cli_flush();
}
