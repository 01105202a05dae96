"""The commands of the ``sidestep`` program, one file each."""
