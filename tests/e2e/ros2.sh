#!/bin/sh
# The example ROS 2 node (docs/examples/ros2_node.py) moves a machine and publishes OperaSim's topics, with stand-ins of ROS.
#   BUILD_DIR  the build folder (default: build/release)
. "$(dirname "$0")/common.inc"
export SOURCE_DIR="$root" PYTHONDONTWRITEBYTECODE=1
export SPADEWORK_LIBRARY="${BUILD_DIR:-$root/build/release}/lib/libspadework.so.0"
python=python3 # Debian's, where another one is before it that has no numpy
"$python" -c 'import numpy' 2>/dev/null || python=/usr/bin/python3
PYTHONPATH="$root/tests/python/standin_ros:$root/trainer/python${PYTHONPATH:+:$PYTHONPATH}" \
    "$python" -m unittest discover -s "$root/tests/python" -p 'test_ros2_node.py' >out 2>err || wrong "$(tail -n 40 err)"
exit $result
