"""Names for gymnasium.make: "Spadework/Dig-v0", "Spadework/Load-v0" ..., one for each task that the package ships."""

from . import spaces, tasks


def register():
    """Registers the tasks where Gymnasium can be imported; done when the package is imported. Returns their names."""
    register_one = getattr(spaces.gymnasium, "register", None)
    names = [f"Spadework/{name.capitalize()}-v0" for name in tasks.names()]
    if register_one is None:
        return []
    for name, task in zip(names, tasks.names()):
        if name not in getattr(spaces.gymnasium, "registry", {}):
            register_one(
                id=name,
                entry_point="spadework.env:Env",
                vector_entry_point="spadework.vector:VectorEnv",
                kwargs={"task": task},
            )
    return names
