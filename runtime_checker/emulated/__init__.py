"""The emulated device: torch's own CUDA code, on a machine without a GPU.

torch decides on the host whether it waits, in C++ of its CUDA build. That code runs anywhere once stubs stand in for
NVIDIA's libraries: `elf` reads which symbols torch wants, `plan` says which stub has which, `build` compiles and keeps
them, `load` brings them into the process before torch is imported. Memory of the device is memory of the host there,
and no kernel does anything, so `values` lets the CPU compute what the kernels would have.
"""
