"""Programs to launch: functions of `jit` as text, the meaning of their names, and their values besides tensors."""
