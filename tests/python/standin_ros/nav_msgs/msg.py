"""Messages of nav_msgs that the node uses."""
from geometry_msgs.msg import PoseWithCovariance, TwistWithCovariance
from rclpy.message import Header, Message


class Odometry(Message):
    FIELDS = {"header": Header, "child_frame_id": str, "pose": PoseWithCovariance, "twist": TwistWithCovariance}
