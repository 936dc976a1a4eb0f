#include "base/widths.h"
#include "dipoles/tree/expansion_loops.h"
#include "dipoles/tree/near_loops.h"
#include "dipoles/tree/translation_loops.h"

namespace ls {

template <class R>
const NearLoops<R>& near_loops() {
  return widest<NearLoops<R>>();
}
template <class R>
const ExpansionLoops<R>& expansion_loops() {
  return widest<ExpansionLoops<R>>();
}
template <class R>
const TranslationLoops<R>& translation_loops() {
  return widest<TranslationLoops<R>>();
}
template const NearLoops<float>& near_loops<float>();
template const NearLoops<double>& near_loops<double>();
template const ExpansionLoops<float>& expansion_loops<float>();
template const ExpansionLoops<double>& expansion_loops<double>();
template const TranslationLoops<float>& translation_loops<float>();
template const TranslationLoops<double>& translation_loops<double>();

}  // namespace ls
