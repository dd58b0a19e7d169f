// MessagePack through msgpack-cxx.
#include "harness/core/codec.h"

#include <fmt/format.h>

#include <limits>
#include <msgpack.hpp>

namespace tare::core {

namespace {

constexpr std::size_t kMaxDepth = 100;                   // our messages nest less than 10 deep
constexpr std::size_t kMaxItems = std::size_t{1} << 26;  // a damaged length must not allocate the machine's memory

using Packer = msgpack::packer<msgpack::sbuffer>;

void pack(Packer& packer, const Value& value) {
    struct Visitor {
        Packer& packer;
        void operator()(std::monostate) const { packer.pack_nil(); }
        void operator()(bool v) const { packer.pack(v); }
        void operator()(std::int64_t v) const { packer.pack(v); }
        void operator()(double v) const { packer.pack(v); }
        void operator()(const std::string& v) const { packer.pack(v); }
        void operator()(const List& v) const {
            packer.pack_array(static_cast<std::uint32_t>(v.size()));
            for (const Value& item : v) pack(packer, item);
        }
        void operator()(const Map& v) const {
            packer.pack_map(static_cast<std::uint32_t>(v.size()));
            for (const auto& [key, item] : v) {
                packer.pack(key);
                pack(packer, item);
            }
        }
    };
    std::visit(Visitor{packer}, value.data());
}

Expected<Value> unpack(const msgpack::object& object) {
    switch (object.type) {
        case msgpack::type::NIL:
            return Value();
        case msgpack::type::BOOLEAN:
            return Value(object.via.boolean);
        case msgpack::type::POSITIVE_INTEGER:
            if (object.via.u64 > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
                return Value(static_cast<double>(object.via.u64));
            return Value(static_cast<std::int64_t>(object.via.u64));
        case msgpack::type::NEGATIVE_INTEGER:
            return Value(object.via.i64);
        case msgpack::type::FLOAT32:
        case msgpack::type::FLOAT64:
            return Value(object.via.f64);
        case msgpack::type::STR:
            return Value(std::string(object.via.str.ptr, object.via.str.size));
        case msgpack::type::BIN:
            return Value(std::string(object.via.bin.ptr, object.via.bin.size));
        case msgpack::type::EXT:
            return Value();
        case msgpack::type::ARRAY: {
            List list;
            list.reserve(object.via.array.size);
            for (std::uint32_t i = 0; i < object.via.array.size; ++i) {
                Expected<Value> item = unpack(object.via.array.ptr[i]);
                if (!item) return item;
                list.push_back(*std::move(item));
            }
            return Value(std::move(list));
        }
        case msgpack::type::MAP: {
            Map map;
            for (std::uint32_t i = 0; i < object.via.map.size; ++i) {
                const msgpack::object_kv& pair = object.via.map.ptr[i];
                if (pair.key.type != msgpack::type::STR)
                    return fail(ErrorCode::kData, "a message has a map key that is no text");
                Expected<Value> item = unpack(pair.val);
                if (!item) return item;
                map.insert_or_assign(std::string(pair.key.via.str.ptr, pair.key.via.str.size), *std::move(item));
            }
            return Value(std::move(map));
        }
    }
    return fail(ErrorCode::kData, "a message has an item of unknown type");
}

}  // namespace

std::string encode(const Value& value) {
    msgpack::sbuffer buffer;
    Packer packer(buffer);
    pack(packer, value);
    return {buffer.data(), buffer.size()};
}

Expected<Value> decode(std::string_view bytes) {
    try {
        std::size_t offset = 0;
        const msgpack::unpack_limit limit(kMaxItems, kMaxItems, kMaxItems, kMaxItems, kMaxItems, kMaxDepth);
        const msgpack::object_handle handle =
            msgpack::unpack(bytes.data(), bytes.size(), offset, nullptr, nullptr, limit);
        if (offset != bytes.size())
            return fail(ErrorCode::kData,
                        fmt::format("{} bytes follow a message of {}", bytes.size() - offset, offset));
        return unpack(handle.get());
    } catch (const std::exception& e) {
        return fail(ErrorCode::kData,
                    fmt::format("a message of {} bytes is no MessagePack: {}", bytes.size(), e.what()));
    }
}

}  // namespace tare::core
