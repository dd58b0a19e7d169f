// The builder with the unwinder of this folder. A file of its own: who gives the builder another one links none.
#include <memory>
#include <string>
#include <utility>

#include "harness/attribution/profile_builder.h"
#include "harness/attribution/stack_unwinder.h"

namespace tare::attribution {

namespace {

class ElfUnwinder final : public StackUnwinder {
  public:
    void set_modules(const std::vector<core::CodeModule>& modules) override { unwinder_.set_modules(modules); }
    void add_compiled(const std::string& object) override { unwinder_.add_compiled(object); }
    NativeStack unwind(const core::StackSample& sample) override { return unwinder_.unwind(sample); }

  private:
    Unwinder unwinder_;
};

}  // namespace

ProfileBuilder::ProfileBuilder(const LayerTable& layers, ProfileChoice choice, ReadCode read_code)
    : ProfileBuilder(layers, choice, std::move(read_code), [] { return std::make_unique<ElfUnwinder>(); }) {}

}  // namespace tare::attribution
