#pragma once
#include "build/magnets/sampling.h"
#include "model/soft_table.h"

// Soft bodies as cells that fields magnetise.
namespace ls {

// R m R^T: a tensor in axes of orientation q, in the axes that q is relative to.
Sym3 turned(const Sym3& m, const Quat<double>& q);

// The demagnetising factor of a body that is magnetised uniformly, its mean over the body, in the shape's axes: closed
// forms of balls, boxes and round cylinders; of others from the tensors of some hundred cells.
Sym3 shape_factor(const RigidShape& shape);

// A piece of a body in the body's own axes, where it is not of a rod.
SoftCell soft_cell(const SoftMatter& matter, const Vec3<double>& middle, double volume, const Sym3& factor);

// The length of a rod that a node stands for; its axes are the rod's, z along it. i1, i2: m^4, second moments of area
// about x and y; spacing: m, between nodes.
SoftCell rod_cell(const SoftMatter& matter, double area, double i1, double i2, double length, double spacing);

// All of a rigid body in the shape's axes: in one cell, or in those of a grid.
SoftBody soft_body(const SoftMatter& matter, const RigidShape& shape);
SoftBody soft_body(const SoftMatter& matter, const RigidShape& shape, const SampleGrid& grid);

}  // namespace ls
