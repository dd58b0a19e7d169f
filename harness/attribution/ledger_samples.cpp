// Writes ledgers that are made up in all formats, for ledger_formats_test.py: ledger_samples FOLDER.
#include <fstream>
#include <iostream>

#include "harness/attribution/ledger_for_test.h"
#include "harness/attribution/ledger_formats.h"

namespace {

using tare::core::Ledger;

bool write(const std::string& path, const std::string& text) {
    return static_cast<bool>(std::ofstream(path, std::ios::binary) << text);
}

bool write_all(const std::string& path, const std::vector<Ledger>& ledgers, const std::string& title) {
    return write(path + ".folded", tare::attribution::folded(ledgers)) &&
           write(path + ".callgrind", tare::attribution::callgrind(ledgers)) &&
           write(path + ".speedscope.json", tare::attribution::speedscope(ledgers)) &&
           write(path + ".svg", tare::attribution::flame_graph(ledgers, title));
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 2) {
        std::cerr << "ledger_samples FOLDER\n";
        return 2;
    }
    const std::string folder = std::string(arguments[1]) + '/';
    const Ledger small = tare::attribution::small_ledger();
    const Ledger hostile = tare::attribution::hostile_ledger();
    const bool is_written = write_all(folder + "small", {small}, "instructions of x + y") &&
                            write_all(folder + "two", {small, hostile}, "two cases") &&
                            write_all(folder + "hostile", {hostile}, "<script>\"&]]>\x01") &&
                            write_all(folder + "empty", {}, "nothing");
    return is_written ? 0 : 1;
}
