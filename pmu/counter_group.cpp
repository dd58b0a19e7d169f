// Whether a group fits is asked of the kernel: an arm64 or x86 kernel refuses the member that is too many (EINVAL), but
// counters that others hold are seen only when the group is to run.
#include "pmu/counter_group.h"

#include <cassert>
#include <cerrno>
#include <utility>

namespace tare::pmu {

CounterGroup::CounterGroup(CounterGroup&& other) noexcept
    : kernel_(other.kernel_), descriptors_(std::exchange(other.descriptors_, {})) {}

CounterGroup& CounterGroup::operator=(CounterGroup&& other) noexcept {
    if (this == &other) return *this;
    close_all();
    kernel_ = other.kernel_;
    descriptors_ = std::exchange(other.descriptors_, {});
    return *this;
}

CounterGroup::~CounterGroup() {
    close_all();
}

void CounterGroup::close_all() noexcept {
    // The leader last: members without one would become groups of their own.
    while (!descriptors_.empty()) {
        kernel_->close(descriptors_.back());
        descriptors_.pop_back();
    }
}

tl::expected<void, JoinRefusal> CounterGroup::join(const core::CounterRequest& request) {
    const bool leads = descriptors_.empty();
    const tl::expected<int, int> opened = kernel_->open(request, leads ? -1 : descriptors_.front());
    if (!opened)
        return tl::unexpected(
            JoinRefusal{.errno_value = opened.error(), .because_of_group = !leads && opened.error() == EINVAL});
    descriptors_.push_back(*opened);
    // What the kernel itself counts is always scheduled.
    if (request.source == core::CounterSource::kSoftware || is_scheduled()) return {};
    kernel_->close(*opened);
    descriptors_.pop_back();
    return tl::unexpected(JoinRefusal{.errno_value = 0, .because_of_group = !leads});
}

int CounterGroup::enable() {
    return descriptors_.empty() ? 0 : kernel_->enable_group(descriptors_.front());
}

int CounterGroup::disable() {
    return descriptors_.empty() ? 0 : kernel_->disable_group(descriptors_.front());
}

bool CounterGroup::is_scheduled() {
    std::vector<std::uint64_t> first(reading_words());
    std::vector<std::uint64_t> second(reading_words());
    // Enabling schedules a pinned group at once, or puts it in error, where it stays until enabled again. Two readings,
    // because both times go on from an earlier trial.
    const bool readable = enable() == 0 && read(first) && read(second);
    (void)disable();
    return readable && second[1] - first[1] == second[2] - first[2];
}

bool CounterGroup::read(std::span<std::uint64_t> into) const noexcept {
    assert(into.size() == reading_words());
    if (descriptors_.empty()) return true;
    return kernel_->read(descriptors_.front(), into) == static_cast<std::ptrdiff_t>(into.size_bytes()) &&
           into[0] == descriptors_.size();
}

}  // namespace tare::pmu
