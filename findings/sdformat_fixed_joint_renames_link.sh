#!/bin/sh
# sdformat 12.3.0 gives a merged link of a URDF the name of its parent, even where the parent is the one without a mass.
# One would guess: of links joined by a fixed joint the heavy one lends its name, or both names stay as frames, and the option
# preserveFixedJoint keeps the joint it names. What happens: base_link, 1000 kg, becomes "base_footprint" after its empty parent; the link
# at the bucket's tip is gone, and no frame remains of either; preserveFixedJoint keeps a joint only where the child has a mass: for an
# empty tip_link it is ignored, and only the debug log in ~/.sdformat mentions it. Who meets it: a user who loads an exported machine in
# Gazebo and asks for the pose of base_link or tip_link. Seen 2026-11-29 with libsdformat12-12 12.3.0+ds-2 of Debian 12.
#   sh sdformat_fixed_joint_renames_link.sh    needs Debian 12 with its package lists, g++; ends with 1 when the behaviour changes
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
sdformat=12.3.0+ds-2 math=6.10.0+ds3-7+b4
apt-get download -qq libsdformat12-12=$sdformat libsdformat-dev=$sdformat sdformat-sdf=$sdformat libignition-math6-6=$math \
    libignition-math-dev=$math libignition-utils-dev=1.2.0+ds-1 libtinyxml2-9=9.0.0+dfsg-3.1 libtinyxml2.6.2v5=2.6.2-6+deb12u1 \
    liburdfdom-model3.0=3.0.1-1 libconsole-bridge1.0=1.0.1+dfsg2-3+b1 2>log || { cat log && echo "cannot get the packages" && exit 4; }
for package in ./*.deb; do
    dpkg -x "$package" root
done

cat >names.cc <<'END'
#include <iostream>
#include <sdf/sdf.hh>
int main(int, char **words)
{
    sdf::Root root;
    for (const auto &error : root.Load(words[1])) std::cout << "error: " << error.Message() << "\n";
    const sdf::Model *model = root.Model();
    if (model == nullptr) return 3;
    std::cout << "sdformat " << SDF_VERSION_FULL << ", " << words[1] << ":";
    for (size_t k = 0; k < model->LinkCount(); k++)
        std::cout << " " << model->LinkByIndex(k)->Name() << " " << model->LinkByIndex(k)->Inertial().MassMatrix().Mass() << " kg,";
    std::cout << " " << model->JointCount() << " joints, " << model->FrameCount() << " frames\n";
}
END
folder=root/usr/lib/x86_64-linux-gnu
# shellcheck disable=SC2046
g++ -std=c++17 names.cc $(printf -- '-I%s ' root/usr/include/sdformat-* root/usr/include/ignition/*) -o names -L $folder \
    -l:libsdformat12.so.12 -l:libignition-math6.so.6 -Wl,--allow-shlib-undefined || exit 4
# inertial MASS, on standard output
inertial() {
    echo "<inertial><mass value='$1'/><inertia ixx='$1' iyy='$1' izz='$1' ixy='0' ixz='0' iyz='0'/></inertial>"
}
# machine INERTIAL_OF_THE_TIP OPTION, on standard output
machine() {
    cat <<END
<robot name="digger">
  <link name="base_footprint"/>
  <joint name="footprint_joint" type="fixed"><parent link="base_footprint"/><child link="base_link"/><origin xyz="0 0 1"/></joint>
  <link name="base_link">$(inertial 1000)</link>
  <joint name="bucket_joint" type="revolute"><parent link="base_link"/><child link="bucket_link"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <link name="bucket_link">$(inertial 50)</link>
  <joint name="tip_joint" type="fixed"><parent link="bucket_link"/><child link="tip_link"/><origin xyz="1 0 0"/></joint>
  <link name="tip_link">$1</link>
  $2
</robot>
END
}
keep='<gazebo reference="tip_joint"><preserveFixedJoint>true</preserveFixedJoint></gazebo>'
machine "" "" >empty_tip.urdf
machine "" "$keep" >empty_tip_preserved.urdf
machine "$(inertial 2)" "" >heavy_tip.urdf
machine "$(inertial 2)" "$keep" >heavy_tip_preserved.urdf
for file in empty_tip empty_tip_preserved heavy_tip heavy_tip_preserved; do
    HOME=$work LD_LIBRARY_PATH=$folder SDF_PATH=$work/root/usr/share/sdformat12 ./names $file.urdf
done >seen 2>&1
cat seen
cat >expected <<'END'
sdformat 12.3.0, empty_tip.urdf: base_footprint 1000 kg, bucket_link 50 kg, 1 joints, 0 frames
sdformat 12.3.0, empty_tip_preserved.urdf: base_footprint 1000 kg, bucket_link 50 kg, 1 joints, 0 frames
sdformat 12.3.0, heavy_tip.urdf: base_footprint 1000 kg, bucket_link 52 kg, 1 joints, 0 frames
sdformat 12.3.0, heavy_tip_preserved.urdf: base_footprint 1000 kg, bucket_link 50 kg, tip_link 2 kg, 2 joints, 0 frames
END
cmp -s seen expected && echo "as seen before" || { echo "ANOTHER BEHAVIOUR than was seen before" && exit 1; }
