#!/bin/sh
# MuJoCo 3.14.0 drops the base of a URDF machine with its mass, and refuses the file for a flat mesh that is only drawn.
# One would guess: the root link becomes a body with the mass of its <inertial>, and a mesh in <visual> needs no volume, since
# the link has its <inertial>. What happens: without a message the root, fixed to the world, is merged with the world, whose mass stays 0;
# the drawn meshes are left out too, and with discardvisual="false" a flat one (a pane, a plate) stops the loading: "mesh volume is too
# small". fusestatic="false" keeps the base; a mesh with a volume loads. Who meets it: a user who loads an exported machine to learn
# from it in MuJoCo, and compares its mass or wants to see its cab. Seen 2026-11-29 with npm's @mujoco/mujoco 3.14.0 (WebAssembly).
#   sh mujoco_urdf_base_and_flat_mesh.sh    needs node 20 and npm; ends with 1 when the behaviour changes
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --silent --no-audit --no-fund --prefix . @mujoco/mujoco@3.14.0 >log 2>&1 || { cat log && echo "cannot get @mujoco/mujoco" && exit 4; }

cat >machine.mjs <<'END'
import load from '@mujoco/mujoco'
const mujoco = await load()
console.log('MuJoCo', mujoco.mj_versionString())
const inertial = mass => `<inertial><mass value="${mass}"/>
  <inertia ixx="${mass}" iyy="${mass}" izz="${mass}" ixy="0" ixz="0" iyz="0"/></inertial>`
const machine = (compiler, drawn) => `<robot name="digger"><mujoco><compiler ${compiler}/></mujoco>
  <link name="base_link">${inertial(1000)}${drawn ? `<visual><geometry><mesh filename="${drawn}"/></geometry></visual>` : ''}</link>
  <joint name="boom_joint" type="revolute"><parent link="base_link"/><child link="boom_link"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <link name="boom_link">${inertial(50)}</link></robot>`
mujoco.FS.writeFile('/flat.obj', 'v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\n')
mujoco.FS.writeFile('/pyramid.obj', 'v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 4 3\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n')
function tell(compiler, drawn) {
    mujoco.FS.writeFile('/machine.urdf', machine(compiler, drawn))
    let seen
    try {
        const model = mujoco.MjModel.from_xml_path('/machine.urdf')
        const bodies = Array.from({length: model.nbody}, (_, body) => `${mujoco.mj_id2name(model, 1, body)} ${model.body_mass[body]} kg`)
        seen = `${bodies.join(', ')}; ${model.nmesh} meshes`
    } catch (error) {
        seen = error.message.split('\n')[0].replace('MuJoCo Error: Loading error: ', '')
    }
    console.log(`${compiler || 'defaults'}, ${drawn || 'nothing drawn'}: ${seen}`)
}
tell('', '')
tell('fusestatic="false"', '')
tell('', 'flat.obj')
tell('discardvisual="false"', 'flat.obj')
tell('discardvisual="false" inertiafromgeom="false"', 'flat.obj')
tell('discardvisual="false"', 'pyramid.obj')
tell('discardvisual="false" fusestatic="false"', 'pyramid.obj')
END
node machine.mjs >seen || exit 4
cat seen
cat >expected <<'END'
MuJoCo 3.14.0
defaults, nothing drawn: world 0 kg, boom_link 50 kg; 0 meshes
fusestatic="false", nothing drawn: world 0 kg, base_link 1000 kg, boom_link 50 kg; 0 meshes
defaults, flat.obj: world 0 kg, boom_link 50 kg; 0 meshes
discardvisual="false", flat.obj: Error: mesh volume is too small: flat . Try setting inertia to shell
discardvisual="false" inertiafromgeom="false", flat.obj: Error: mesh volume is too small: flat . Try setting inertia to shell
discardvisual="false", pyramid.obj: world 0 kg, boom_link 50 kg; 1 meshes
discardvisual="false" fusestatic="false", pyramid.obj: world 0 kg, base_link 1000 kg, boom_link 50 kg; 1 meshes
END
cmp -s seen expected && echo "as seen before" || { echo "ANOTHER BEHAVIOUR than was seen before" && exit 1; }
