#pragma once
// The library in one header: #include <lodestone/lodestone.h>, and in CMake find_package(lodestone) and
// target_link_libraries(... lodestone::lodestone).
//
//   ls::Plan plan = ls::read_scene("sag.toml");        // or read_text, of a string; values changed as by --set
//   ls::RunOptions options;
//   options.out = "out/sag";
//   const ls::RunReport report = ls::run(plan, options);
//   const ls::State end = ls::read_checkpoint(report.folder / "checkpoint.h5").state;
//
// plan.model is what was simulated (bodies, and which nodes are theirs), plan.start how it began. examples/sag.cpp is a
// whole program. Who needs no scene makes a Model and its first State with a Builder, and steps them: step_explicit,
// step_implicit, step_static.
//
// Bad input, and files that can't be read or written, throw ls::Error, whose what() is the message for a user. The
// library neither prints nor exits. Units are SI, axes those of the world. Before version 1.0 anything may change.

#include "base/error.h"
#include "build/builder.h"
#include "model/inputs.h"
#include "model/model.h"
#include "model/state.h"
#include "output/checkpoint.h"
#include "run/estimates/estimate.h"
#include "run/modes.h"
#include "run/run.h"
#include "scene/plan.h"
#include "scene/read/read_text.h"
#include "step/energy.h"
#include "step/explicit_step.h"
#include "step/newton/implicit_step.h"
#include "step/newton/static_step.h"
