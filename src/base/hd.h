#pragma once

// Functions marked LS_HD also compile for the GPU.
#ifdef __CUDACC__
#define LS_HD __host__ __device__
#else
#define LS_HD
#endif

// The headers that the hot loops include (base/hd.h, math/, physics/) live in `namespace ls::inline LS_ISA`. The build
// compiles those loops once per vector width, each in a namespace of its own: else the linker, which keeps one copy of
// an inline function, may keep the AVX-512 one, and the program dies on an older CPU.
#ifndef LS_ISA
#define LS_ISA portable
#endif
