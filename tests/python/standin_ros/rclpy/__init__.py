"""A stand-in of rclpy with what docs/examples/ros2_node.py uses: no middleware, timers that the test fires, and every
message that is published, by its topic."""


def init(args=None):
    pass


def spin(node):
    raise KeyboardInterrupt  # the test fires the timers itself


def try_shutdown():
    pass
