#pragma once

// Sums over the waves of an Ewald sum, as plain functions: each vector width has its own copy (wave_loops.cpp).
namespace ls {

// Waves along z side by side: (a, b, c) for c from `first` to `last`.
struct WaveRow {
  int a, b, first, last;
  int wave;       // where the first of them stands
  double kx, ky;  // 1/m
};

// Columns of `room` dipoles, in whole lanes: who is none has no moment.
struct WaveTables {
  int room;
  const double* cosine[3];  // [axis][wave number from 0 on][dipole] of 2 pi times number and place in the box
  const double* sine[3];
  const double* moment[3];  // [dipole]
  double kz;                // 1/m, of wave number 1 along z
};

struct WaveColumns {
  double* field[3];  // [dipole] to be set
  double* force[3];
};

struct WaveLoops {
  // totals: [wave][cosine and sine] of a row, sum (m.k) exp(i k.x); scratch: three columns.
  void (*find_totals)(const WaveTables&, const WaveRow&, double* scratch, double* totals);
  // What waves of these totals do to the dipoles of [begin, end), whole lanes.
  void (*read)(const WaveTables&, const WaveRow* rows, int count, const double* totals, int begin, int end,
               const WaveColumns& out);
};
const WaveLoops& wave_loops();

}  // namespace ls
