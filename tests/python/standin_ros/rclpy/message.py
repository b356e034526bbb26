"""Messages with the fields of their .msg files, and rclpy's checks: no other field, and only values of its type."""


class Message:
    FIELDS = {}  # name: float, int, bool, str, [type] of a list, or a class of messages

    def __init__(self, **values):
        for name, kind in self.FIELDS.items():
            object.__setattr__(self, name, [] if isinstance(kind, list) else kind())
        for name, value in values.items():
            setattr(self, name, value)

    def __setattr__(self, name, value):
        if name not in self.FIELDS:
            raise AttributeError(f"{type(self).__name__} has no field {name}")
        object.__setattr__(self, name, value)
        self.check_field(name)

    def check_field(self, name):
        kind, value = self.FIELDS[name], getattr(self, name)
        for one in value if isinstance(kind, list) else [value]:
            wanted = kind[0] if isinstance(kind, list) else kind
            if type(one) is not wanted:
                raise TypeError(f"{type(self).__name__}.{name}: {one!r} is no {wanted.__name__}")
            if isinstance(one, Message):
                one.check()

    def check(self):
        for name in self.FIELDS:
            self.check_field(name)


class Time(Message):
    FIELDS = {"sec": int, "nanosec": int}


class Header(Message):
    FIELDS = {"stamp": Time, "frame_id": str}
