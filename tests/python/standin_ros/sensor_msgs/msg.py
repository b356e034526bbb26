"""Messages of sensor_msgs that the node uses."""
from geometry_msgs.msg import Quaternion, Vector3
from rclpy.message import Header, Message


class JointState(Message):
    FIELDS = {"header": Header, "name": [str], "position": [float], "velocity": [float], "effort": [float]}


class FluidPressure(Message):
    FIELDS = {"header": Header, "fluid_pressure": float, "variance": float}


class Imu(Message):
    FIELDS = {"header": Header, "orientation": Quaternion, "angular_velocity": Vector3, "linear_acceleration": Vector3}
