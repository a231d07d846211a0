"""Inner loops in numba: serial, GIL-free, deterministic, arrays in and out."""
