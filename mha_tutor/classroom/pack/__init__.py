"""One folder with all that a room without internet needs.

``targets`` are the machines, ``markers`` say what each needs besides, ``pip`` fetches the wheels,
``wheel`` makes the program's own, ``packing`` puts all into the folder and ``trying`` installs from
it with the network cut.
"""
