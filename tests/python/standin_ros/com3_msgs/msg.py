"""Messages of com3_msgs (github.com/pwri-opera/com3_ros) that the node uses."""
from rclpy.message import Message
from sensor_msgs.msg import FluidPressure


class JointCmd(Message):
    FIELDS = {"joint_name": [str], "control_type": int, "position": [float], "velocity": [float], "effort": [float]}


class FluidPressureArray(Message):
    FIELDS = {"array": [FluidPressure]}
