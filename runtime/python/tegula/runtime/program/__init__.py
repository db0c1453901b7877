"""What is launched: functions of `jit` as text, what their names mean, and what they are given beside tensors."""
