"""Messages of std_msgs that the node uses."""
from rclpy.message import Header, Message  # noqa: F401


class Bool(Message):
    FIELDS = {"data": bool}


class Float64(Message):
    FIELDS = {"data": float}
