// Feeds the fuzz target without libFuzzer: so many mutations of valid inputs, from a seed. A crash is found again
// with the same seed. fuzz_readers INPUTS SEED FILE...: the first byte of what is fed says what FILE is.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr std::size_t kReaders = 7;

std::vector<std::string> valid_inputs(int count, char** files) {
    std::vector<std::string> inputs = {
        "_ZN8__main__1fB2v1B38c8tJTIeFIjyBB1PQAkyVlQGdkIBsdpgJLeBFP8fgkQE5ArrayIdLi1E1C7mutable7alignedE",
        "foo.constprop.0.isra.0.cold", "1000 20 f\n1040 8 g with blanks\n",
        "layer allocation libc (malloc|free) f.*\ndecides python allocation\nunresolved numpy _multiarray_umath\n"};
    for (int i = 0; i < count; ++i) {
        std::ifstream file(files[i], std::ios::binary);
        inputs.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    return inputs;
}

void mutate(std::string& bytes, std::mt19937_64& random) {
    const auto place = [&] { return static_cast<std::ptrdiff_t>(random() % std::max<std::size_t>(bytes.size(), 1)); };
    for (std::uint64_t i = 0; i < 1 + random() % 8 && !bytes.empty(); ++i) switch (random() % 5) {
            case 0:
                bytes[static_cast<std::size_t>(place())] = static_cast<char>(random());
                break;
            case 1:
                bytes[static_cast<std::size_t>(place())] ^= static_cast<char>(1U << random() % 8);
                break;
            case 2:
                bytes.resize(static_cast<std::size_t>(place()) + 1);
                break;
            case 3:
                bytes.erase(bytes.begin() + place());
                break;
            default:
                bytes.insert(bytes.begin() + place(), random() % 2 == 0 ? '\xff' : '\0');
        }
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 3) {
        std::fputs("fuzz_readers INPUTS SEED FILE...\n", stderr);
        return 2;
    }
    const std::uint64_t wanted = std::strtoull(arguments[1], nullptr, 10);
    std::mt19937_64 random(std::strtoull(arguments[2], nullptr, 10));
    const std::vector<std::string> inputs = valid_inputs(count - 3, arguments + 3);
    for (std::uint64_t fed = 0; fed < wanted; ++fed) {
        std::string bytes = inputs[random() % inputs.size()];
        mutate(bytes, random);
        bytes.insert(bytes.begin(), static_cast<char>(random() % kReaders));
        LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    }
    std::printf("%llu inputs from seed %s\n", static_cast<unsigned long long>(wanted), arguments[2]);
    return wanted > 0 ? 0 : 2;  // else nothing was tried
}
