#pragma once
#include <cstddef>

// The hot loops of markers as plain functions on plain arrays, compiled once per vector width like those of rows.
namespace ls {

// The cells of a stencil, in a field of four numbers a cell. What is added to them is added to those planes across z
// whose bits are set: threads share the planes of the box.
struct CellBlock {
  double* values;               // four numbers each, on 32 bytes
  const std::ptrdiff_t* start;  // [slot] of cell 0 of a row
  const int (*slot)[4];         // [z][y]
  const double (*weight)[4];    // [axis][cell]
  int width, first;             // cells along each axis; the first one along x
};

// Markers that sit right on nodes, one after the other: a symmetric resistance each to moving through the fluid.
struct DragRun {
  int count;
  const double *velocity[3], *flow[3], *resistance[6];  // xx, yy, zz, yz, xz, xy
  double *force[3], *impulse[3];                        // added to; the latter by force times dt, unless null
  double dt;
};

struct MarkerLoops {
  // Sums of weights times numbers; `more` has one more number a cell, and its sum comes last.
  void (*read)(const CellBlock& cells, const double* more, double (&sum)[5]);
  void (*add)(const CellBlock& cells, unsigned planes, const double (&given)[4]);  // times weights
  void (*add_more)(const CellBlock& cells, unsigned planes, double given, double* more);
  void (*drag)(const DragRun& run);
};

const MarkerLoops& marker_loops();

}  // namespace ls
