// A countable event as its library describes it: values between the one who lists events and the one who prints them.
#pragma once

#include <string>
#include <vector>

namespace tare::core {

struct EventAttribute {
    std::string name;  ///< a unit mask, "ALL_BRANCHES"
    std::string description;
    bool operator==(const EventAttribute&) const = default;
};

struct EventDescription {
    std::string name;  ///< "skx::BR_MISP_RETIRED"
    std::string description;
    std::string equivalent;  ///< what it is another name for; mostly empty
    std::vector<EventAttribute> masks;
    bool operator==(const EventDescription&) const = default;
};

}  // namespace tare::core
