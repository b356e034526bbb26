"""Messages of geometry_msgs that the node uses."""
from rclpy.message import Message


class Vector3(Message):
    FIELDS = {"x": float, "y": float, "z": float}


class Point(Vector3):
    pass


class Quaternion(Message):
    FIELDS = {"x": float, "y": float, "z": float, "w": float}


class Pose(Message):
    FIELDS = {"position": Point, "orientation": Quaternion}


class Twist(Message):
    FIELDS = {"linear": Vector3, "angular": Vector3}


class PoseWithCovariance(Message):
    FIELDS = {"pose": Pose, "covariance": [float]}


class TwistWithCovariance(Message):
    FIELDS = {"twist": Twist, "covariance": [float]}
