#pragma once

namespace ls {

// Whether a sanitizer watches this build, which makes it ten to thirty times slower: long tests take less of everything
// then, since it is the paths of the code that a sanitizer looks at, not figures.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)  // GCC
inline constexpr bool is_sanitized = true;
#elif defined(__has_feature)  // clang
inline constexpr bool is_sanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
inline constexpr bool is_sanitized = false;
#endif

}  // namespace ls
