"""The example ROS 2 node, with stand-ins of ROS: topics and types are OperaSim's, commands move the machine, and what is
published is what the session shows."""

import math
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ["SOURCE_DIR"], "docs/examples"))
import ros2_node  # noqa: E402
from com3_msgs.msg import FluidPressureArray, JointCmd  # noqa: E402
from geometry_msgs.msg import Twist, Vector3  # noqa: E402
from nav_msgs.msg import Odometry  # noqa: E402
from rclpy.node import Node  # noqa: E402
from sensor_msgs.msg import Imu, JointState  # noqa: E402
from std_msgs.msg import Bool, Float64  # noqa: E402

JOINTS = ["bucket_joint", "arm_joint", "boom_joint", "swing_joint", "right_track", "left_track"]


class Ros2Node(unittest.TestCase):
    def setUp(self):
        Node.given = {"machine": "digger", "scene": "free", "rate": 20.0}
        self.node = ros2_node.Excavator()
        self.addCleanup(self.node.site.close)

    def send(self, topic, message):
        kind, callback = self.node.subscriptions_of["/digger/" + topic]
        self.assertIs(type(message), kind)
        callback(message)

    def fire(self, times):
        for _ in range(times):
            self.node.timers_of[0][1]()

    def last(self, topic):
        return self.node.publishers_of["/digger/" + topic].messages[-1]

    def joint(self, name, field="position"):
        state = self.last("joint_state")
        return getattr(state, field)[state.name.index(name)]

    def test_topics(self):
        self.assertEqual({topic: kind for topic, (kind, _) in self.node.subscriptions_of.items()}, {
            "/digger/front_cmd": JointCmd, "/digger/track_cmd": JointCmd, "/digger/cmd_vel": Twist,
            "/digger/emg_stop_cmd": Bool})
        self.assertEqual({topic: publisher.kind for topic, publisher in self.node.publishers_of.items()}, {
            "/digger/joint_state": JointState, "/digger/odom_pose": Odometry, "/digger/upper_body_rot": Imu,
            "/digger/main_fluid_pressure": FluidPressureArray, "/digger/soil_volume": Float64})
        self.assertAlmostEqual(self.node.timers_of[0][0], 0.05)
        self.fire(3)
        for publisher in self.node.publishers_of.values():
            self.assertEqual(len(publisher.messages), 3)
        state, pressures = self.last("joint_state"), self.last("main_fluid_pressure")
        self.assertEqual(state.name, JOINTS)
        self.assertEqual({len(state.position), len(state.velocity), len(state.effort)}, {len(JOINTS)})
        self.assertEqual(state.header.stamp.nanosec, 150000000)
        self.assertEqual([port.header.frame_id for port in pressures.array][::5],
                         ["boom_up_main_pressure", "bucket_dump_main_pressure", "left_track_forward_main_prs",
                          "assist_b_main_pressure"])
        self.assertEqual(len(pressures.array), 16)
        self.assertGreater(max(port.fluid_pressure for port in pressures.array), 1e5)

    def test_angles_are_reached(self):
        self.fire(20)
        wanted = {"boom_joint": 0.6, "arm_joint": -1.2, "bucket_joint": -0.5, "swing_joint": 0.4}
        self.send("front_cmd", JointCmd(joint_name=list(wanted), control_type=0, position=list(wanted.values())))
        self.fire(160)
        for name, angle in wanted.items():
            self.assertAlmostEqual(self.joint(name), angle, delta=0.06, msg=name)
        # the swing goes to the left, and the house with it
        house = self.last("upper_body_rot").orientation
        self.assertAlmostEqual(2 * math.atan2(house.z, house.w) - self.node.seen["yaw"], 0.4, delta=0.08)

    def test_speeds_and_levers(self):
        self.send("front_cmd", JointCmd(joint_name=["swing_joint", "tail"], control_type=1, velocity=[0.3, 1.0]))
        self.fire(40)
        self.assertAlmostEqual(self.joint("swing_joint", "velocity"), 0.3, delta=0.1)
        self.send("front_cmd", JointCmd(joint_name=["swing_joint", "boom_joint"], control_type=2, effort=[-1.0, 1.0]))
        before = self.joint("boom_joint")
        self.fire(30)
        self.assertLess(self.joint("swing_joint", "velocity"), -0.2)
        self.assertGreater(self.joint("boom_joint"), before + 0.05)
        self.send("front_cmd", JointCmd(joint_name=["boom_joint"], control_type=9))
        self.assertIn("control_type 9", self.node.logger.lines[0])
        self.send("front_cmd", JointCmd(joint_name=["boom_joint"], control_type=2, effort=[math.nan]))
        self.send("emg_stop_cmd", Bool(data=True))
        self.fire(60)
        self.assertAlmostEqual(self.joint("swing_joint", "velocity"), 0.0, delta=0.02)

    def test_tracks(self):
        self.fire(10)
        start = self.last("odom_pose").pose.pose.position.x
        self.send("cmd_vel", Twist(linear=Vector3(x=0.6)))
        self.fire(60)
        self.assertGreater(self.last("odom_pose").pose.pose.position.x, start + 0.8)
        self.assertGreater(self.last("odom_pose").twist.twist.linear.x, 0.2)
        self.assertGreater(self.joint("left_track"), 1.0)
        self.send("track_cmd", JointCmd(joint_name=["right_track", "left_track"], control_type=2, effort=[0.5, -0.5]))
        self.fire(60)
        self.assertGreater(self.last("odom_pose").twist.twist.angular.z, 0.05)  # to the left
        self.assertGreaterEqual(self.last("soil_volume").data, 0.0)

    def test_main_ends(self):
        ros2_node.main()


if __name__ == "__main__":
    unittest.main()
