"""From the arguments and options of a launch to a kernel that runs."""
