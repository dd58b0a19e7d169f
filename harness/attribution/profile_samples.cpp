// Writes profiles that are made up in all formats, for profile_formats_test.py: profile_samples FOLDER.
#include <fstream>
#include <iostream>

#include "harness/attribution/profile_formats.h"
#include "harness/attribution/samples_for_test.h"

namespace {

namespace attribution = tare::attribution;

bool write(const std::string& path, const std::string& text) {
    return static_cast<bool>(std::ofstream(path, std::ios::binary) << text);
}

bool write_all(const std::string& path, const tare::core::Profile& profile) {
    return write(path + ".folded", attribution::folded(profile)) &&
           write(path + ".speedscope.json", attribution::speedscope(profile)) &&
           write(path + ".svg", attribution::flame_graph(profile, profile.program)) &&
           write(path + ".pb.gz", attribution::pprof(profile));
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 2) {
        std::cerr << "profile_samples FOLDER\n";
        return 2;
    }
    const std::string folder = std::string(arguments[1]) + '/';
    const bool is_written =
        write_all(folder + "profile", attribution::small_profile()) &&
        write_all(folder + "profile_threads", attribution::small_profile({.by_thread = true})) &&
        write_all(folder + "profile_python", attribution::small_profile({.view = attribution::FrameView::kPython})) &&
        write_all(folder + "profile_hostile", attribution::hostile_profile()) &&
        write_all(folder + "profile_empty", tare::core::Profile{});
    return is_written ? 0 : 1;
}
