#pragma once
#include <cstddef>

// The hot loops of markers as plain functions on plain arrays, compiled once per vector width like those of rows.
namespace ls {

// The cells of a stencil, in a field of four numbers a cell and one more. What is added to them is added to those
// planes across z whose bits are set: threads share the planes of the box.
struct CellBlock {
  bool is_double;             // what the numbers are
  void* values;               // four of each, on as many bytes as they take
  void* more;                 // one of each
  const int (*row)[4];        // [z][y] where cell 0 of a row is
  const double (*weight)[4];  // [axis][cell]; 0 beyond the width
  int width, first;           // cells along each axis, 3 or 4; the first one along x
};

// Markers that sit right on nodes, one after the other: a symmetric resistance each to moving through the fluid.
struct MarkerDragRun {
  int count;
  const double *velocity[3], *flow[3], *resistance[6];  // xx, yy, zz, yz, xz, xy
  double *force[3], *impulse[3];                        // added to; the latter by force times dt, unless null
  double dt;
};

// resistance = unit (ease + along t t^T)^-1, where t is an axis of unit length that is turned: columns, one number a
// marker.
struct ResistanceRun {
  int count;
  double unit;
  const double *turn[4], *axis[3];  // quaternion w, x, y, z
  const double *ease, *along;
  double* resistance[6];
};

struct MarkerLoops {
  // Vectors are given by value: in memory, what was written as three numbers would have to wait before it can be read
  // as one register.
  // The first cell that a place (in cells) has a weight at, axis by axis and one more, and the weights of the smoothed
  // delta function of that width: see delta.h.
  void (*weigh)(int width, double x, double y, double z, int (&first)[4], double (&weight)[3][4]);
  // Sums of weights times numbers, `more` last. Of these, four in a row are read or written at once: behind a run there
  // is room for one.
  void (*read)(const CellBlock& cells, double (&sum)[5]);
  void (*add)(const CellBlock& cells, unsigned planes, double x, double y, double z);  // times weights; 0 to the fourth
  void (*add_more)(const CellBlock& cells, unsigned planes, double given);
  void (*resist)(const ResistanceRun& run);
  void (*drag)(const MarkerDragRun& run);
};

const MarkerLoops& marker_loops();

}  // namespace ls
