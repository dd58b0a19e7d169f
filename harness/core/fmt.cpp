// The functions of fmt that its headers only declare, and those of its templates that they do not instantiate.
#include <fmt/format-inl.h>

#if FMT_VERSION < 90000
#error "fmt 9 or newer is needed"
#endif

namespace fmt {

template std::locale detail::locale_ref::get<std::locale>() const;

namespace detail {

template thousands_sep_result<char> thousands_sep_impl(locale_ref);
template char decimal_point_impl(locale_ref);

}  // namespace detail
}  // namespace fmt
