#include "output/checkpoint.h"

#include "base/error.h"
#include "output/checkpoint_fields.h"
#include "output/files.h"
#include "output/folder/seal.h"
#include "output/hdf5_file.h"

#include <algorithm>
#include <concepts>
#include <cstring>
#include <fmt/format.h>
#include <type_traits>

namespace ls {

namespace {

const SealKind checkpoint_seal{"lodestone checkpoint", 9};  // another version with every change of checkpoint_fields.h

// The two archives that the fields of a checkpoint pass through. They know the same words:
//   attribute  a number, a truth value or a text, at a group
//   list       a vector of numbers
//   record     doubles that stand together: one of them, a vector, a wrench, a ledger
//   records    a vector of such, [entry][double]
//   column     the first values of a column, without its padding
//   bytes      populations, as the lattice laid them out
//   lengths    bytes by the name of a file
//   texts      a vector of texts, each ended by a zero
//   used       names and hashes of files

// Doubles and nothing else: then a record is its memory, and needs no list of its own members.
template <class T>
constexpr std::size_t doubles_in() {
  // NOLINTNEXTLINE(bugprone-sizeof-expression): T may be a double itself
  static_assert(std::is_trivially_copyable_v<T> && alignof(T) == alignof(double) && sizeof(T) % sizeof(double) == 0);
  return sizeof(T) / sizeof(double);  // NOLINT(bugprone-sizeof-expression): as above
}

class CheckpointWriter {
 public:
  explicit CheckpointWriter(Hdf5File& file) : file_(file) {}

  template <class T>
  void attribute(const std::string& object, const std::string& name, const T& value) {
    if (!object.empty()) file_.make_group(object);
    file_.set_attribute(object, name, value);
  }
  template <class T>
  void list(const std::string& name, const std::vector<T>& values) {
    file_.write(name, values);
  }
  void list(const std::string& name, const std::vector<std::uint64_t>& values) {
    file_.write(name, std::vector<std::int64_t>(values.begin(), values.end()));
  }
  template <class T>
  void record(const std::string& name, const T& value) {
    file_.write(name, std::span<const double>(reinterpret_cast<const double*>(&value), doubles_in<T>()));
  }
  template <class T>
  void records(const std::string& name, const std::vector<T>& values) {
    constexpr std::size_t width = doubles_in<T>();
    const auto* first = reinterpret_cast<const double*>(values.data());
    file_.write(name, std::span<const double>(first, values.size() * width), {values.size(), width});
  }
  void column(const std::string& name, const Column& values, int count) {
    file_.write(name, std::span<const double>(values.data(), static_cast<std::size_t>(count)));
  }
  void bytes(const std::string& name, const HugeBytes& values) {
    file_.write(name, std::span(reinterpret_cast<const std::uint8_t*>(values.data()), values.size()));
  }
  void lengths(const std::string& name, const FileLengths& values) {
    file_.make_group(name);
    for (const auto& [file, length] : values)
      file_.write(fmt::format("{}/{}", name, file), std::vector<std::int64_t>{length});
  }
  void texts(const std::string& name, const std::vector<std::string>& values) {
    std::vector<std::uint8_t> all;
    for (const std::string& text : values) {
      all.insert(all.end(), text.begin(), text.end());
      all.push_back(0);
    }
    file_.write(name, all);
  }
  void used(const std::string& name, const std::vector<UsedFile>& files) {
    std::vector<std::string> names;
    std::vector<std::uint64_t> hashes;
    for (const UsedFile& file : files) names.push_back(file.name), hashes.push_back(file.hash);
    texts(name + "_names", names);
    list(name + "_hashes", hashes);
  }

 private:
  Hdf5File& file_;
};

// Throws Error where something is missing, of another type or of another size than it can be.
class CheckpointReader {
 public:
  CheckpointReader(const Hdf5File& file, std::filesystem::path path) : file_(file), path_(std::move(path)) {}

  void attribute(const std::string& object, const std::string& name, std::string& value) {
    value = file_.string_attribute(object, name);
  }
  void attribute(const std::string& object, const std::string& name, double& value) {
    value = file_.double_attribute(object, name);
  }
  void attribute(const std::string& object, const std::string& name, std::integral auto& value) {
    value = static_cast<std::remove_reference_t<decltype(value)>>(file_.int_attribute(object, name));
  }
  template <class T>
  void list(const std::string& name, std::vector<T>& values) {
    values = file_.read<T>(name);
  }
  void list(const std::string& name, std::vector<std::uint64_t>& values) {
    const auto stored = file_.read<std::int64_t>(name);
    values.assign(stored.begin(), stored.end());
  }
  template <class T>
  void record(const std::string& name, T& value) {
    const auto stored = file_.read<double>(name);
    expect(name, stored.size() == doubles_in<T>());
    std::copy(stored.begin(), stored.end(), reinterpret_cast<double*>(&value));
  }
  template <class T>
  void records(const std::string& name, std::vector<T>& values) {
    const auto stored = file_.read<double>(name);
    expect(name, stored.size() % doubles_in<T>() == 0);
    values.resize(stored.size() / doubles_in<T>());
    std::copy(stored.begin(), stored.end(), reinterpret_cast<double*>(values.data()));
  }
  void column(const std::string& name, Column& values, int count) {
    const auto stored = file_.read<double>(name);
    expect(name, stored.size() == static_cast<std::size_t>(count));
    std::copy(stored.begin(), stored.end(), values.begin());
  }
  void bytes(const std::string& name, HugeBytes& values) {
    const auto stored = file_.read<std::uint8_t>(name);
    values = HugeBytes(stored.size());
    if (!stored.empty()) std::memcpy(values.data(), stored.data(), stored.size());
  }
  void lengths(const std::string& name, FileLengths& values) {
    for (const std::string& file : file_.names(name)) {
      const auto stored = file_.read<std::int64_t>(fmt::format("{}/{}", name, file));
      expect(name, stored.size() == 1 && stored[0] >= 0);
      values[file] = stored[0];
    }
  }
  void texts(const std::string& name, std::vector<std::string>& values) {
    const auto stored = file_.read<std::uint8_t>(name);
    expect(name, stored.empty() || stored.back() == 0);
    for (auto first = stored.begin(); first != stored.end();) {
      const auto last = std::find(first, stored.end(), 0);
      values.emplace_back(first, last);
      first = last + 1;
    }
  }
  void used(const std::string& name, std::vector<UsedFile>& files) {
    std::vector<std::string> names;
    std::vector<std::uint64_t> hashes;
    texts(name + "_names", names);
    list(name + "_hashes", hashes);
    expect(name, names.size() == hashes.size());
    for (std::size_t i = 0; i < names.size(); ++i) files.push_back({names[i], hashes[i]});
  }

 private:
  void expect(const std::string& name, bool is_right) const {
    if (!is_right)
      throw Error(fmt::format("{}: damaged checkpoint: wrong size of {}", path_.string(), name), Fault::io);
  }

  const Hdf5File& file_;
  std::filesystem::path path_;
};

}  // namespace

void write_checkpoint(const std::filesystem::path& path, const Checkpoint& c, const std::filesystem::path& before) {
  AtomicPath atomic(path);
  auto file = Hdf5File::create(atomic.temporary(), seal_size);
  file.set_attribute("", "format", checkpoint_seal.format);
  file.set_attribute("", "version", checkpoint_seal.version);
  CheckpointWriter archive(file);
  fields(archive, c);
  file.close();
  seal(atomic.temporary(), checkpoint_seal);
  atomic.commit_durably(before);
}

Checkpoint read_checkpoint(const std::filesystem::path& path) {
  check_seal(path, checkpoint_seal);
  const auto file = Hdf5File::open(path);
  Checkpoint c;
  CheckpointReader archive(file, path);
  fields(archive, c);
  return c;
}

}  // namespace ls
