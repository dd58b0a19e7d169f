// Requests: hello, facts, files, packages, load, count, sample, prepare, place, measure, step, names, jit, repeats,
// finish.
// Answers: a map, or {"error": {"code","what","hint"}}.
#include "harness/worker/server.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>

#include "benchmarks/native/blas_facts.h"
#include "harness/measure/worker_link.h"
#include "harness/worker/case_runner.h"
#include "harness/worker/case_stepper.h"
#include "harness/worker/identity.h"
#include "harness/worker/jit_objects.h"
#include "harness/worker/native_libraries.h"
#include "harness/worker/own_process.h"
#include "python/extension.h"
#include "python/session.h"

namespace tare::worker {

using core::Expected;
using core::Map;
using core::Value;

namespace {

Value error_answer(const core::Error& error) {
    return Map{{"error", Map{{"code", static_cast<int>(error.code)}, {"what", error.what}, {"hint", error.hint}}}};
}

std::string take_variable(const char* name) {
    const char* value = std::getenv(name);
    std::string text = value != nullptr ? value : "";
    unsetenv(name);
    return text;
}

class Server {
  public:
    explicit Server(const Launch& launch) : launch_(launch) {}

    [[nodiscard]] Expected<Value> answer(const Value& request) {
        const std::string& operation = request["op"].as_text();
        if (operation == "hello") return hello();
        if (!session_) return core::fail(core::ErrorCode::kUsage, "the first request to a worker is hello");
        if (operation == "load") return session_->load(request["suites"], request["expression"], request["cases"]);
        if (operation == "facts") return facts();
        if (operation == "files") return files();
        if (operation == "packages") return loaded();
        if (operation == "count") return counting_.open(request);
        if (operation == "sample") return runner_->sample(request);
        if (operation == "prepare") return runner_->prepare(request);
        if (operation == "place") return runner_->place_anew(request);
        if (operation == "measure") return runner_->measure(request);
        if (operation == "step") return CaseStepper(*session_).step(request);
        if (operation == "names") return names(request);
        if (operation == "jit") return jit(request);
        if (operation == "repeats") return session_->told_of_repeats(request["case"].as_text());
        if (operation == "finish") return runner_->finish();
        return core::fail(core::ErrorCode::kUsage, fmt::format("a worker has no operation '{}'", operation));
    }

  private:
    /// The first call opens the session; later ones repeat the answer.
    [[nodiscard]] Expected<Value> hello() {
        if (session_) return hello_;
        Expected<Identity> identity = running_identity();
        if (!identity) return tl::unexpected<core::Error>(identity.error());
        if (auto s = check_identity(*identity, launch_.expected_version_text, launch_.expected_build_id); !s)
            return tl::unexpected<core::Error>(s.error());
        const std::int64_t interpreter_bytes = resident_bytes();
        Expected<python::Session> session = python::Session::open(launch_.package_dir);
        if (!session) return tl::unexpected<core::Error>(session.error());
        session_ = *std::move(session);
        runner_.emplace(*session_, counting_, sampling_);
        hello_ = Map{{"pid", getpid()},
                     {"host", launch_.host},
                     {"version_text", identity->version_text},
                     {"code_path", identity->code_path},
                     {"code_build_id", identity->build_id},
                     {"interpreter_rss_bytes", interpreter_bytes},
                     {"rss_bytes", resident_bytes()}};
        return hello_;
    }

    [[nodiscard]] Expected<Value> facts() {
        Expected<Value> facts = session_->facts();
        if (!facts) return facts;
        Map all = facts->as_map();
        const std::string& module = (*facts)["numpy"]["multiarray_umath"].as_text();
        if (!module.empty()) all.insert_or_assign("blas", benchmarks::blas_facts(module));
        all.insert_or_assign("rss_bytes", resident_bytes());
        return Value(std::move(all));
    }

    /// {"mapped": files in the address space, "code": of these the ones with code to execute, "read": what modules and
    /// suites were made from}.
    [[nodiscard]] Expected<Value> files() {
        Expected<Value> read = session_->read_files();
        if (!read) return read;
        const auto listed = [](std::vector<std::string>& paths) {
            core::List list;
            for (std::string& path : paths) list.emplace_back(std::move(path));
            return list;
        };
        MappedFiles mapped = mapped_files();
        return Value(Map{{"mapped", listed(mapped.all)}, {"code", listed(mapped.code)}, {"read", *read}});
    }

    /// What Python's packages() says, and "libraries": {path: build-id}.
    [[nodiscard]] Expected<Value> loaded() {
        Expected<Value> packages = session_->loaded_packages();
        if (!packages) return packages;
        Map all = packages->as_map();
        Map libraries;
        for (const auto& [path, build_id] : native_libraries(own_folder())) libraries.insert_or_assign(path, build_id);
        all.insert_or_assign("libraries", std::move(libraries));
        return Value(std::move(all));
    }

    /// {"addresses": starts of functions, ascending} -> {"names": [[address, name], ...]}: what Python's tables call
    /// them.
    [[nodiscard]] Expected<Value> names(const Value& request) {
        std::vector<std::uint64_t> addresses;
        for (const Value& address : request["addresses"].as_list())
            addresses.push_back(static_cast<std::uint64_t>(address.as_int()));
        const Expected<std::vector<core::PythonName>> known = session_->names_of(addresses);
        if (!known) return tl::unexpected<core::Error>(known.error());
        core::List listed;
        for (const core::PythonName& name : *known)
            listed.emplace_back(core::List{static_cast<std::int64_t>(name.address), name.name});
        return Value(Map{{"names", std::move(listed)}});
    }

    /// {"descriptor": address of struct jit_descriptor; 0: there is none} -> {"objects": [{"bytes": ELF file}],
    /// "perf_map": text of /tmp/perf-<pid>.map; empty: there is none}.
    [[nodiscard]] static Expected<Value> jit(const Value& request) {
        core::List listed;
        if (const auto descriptor = static_cast<std::uint64_t>(request["descriptor"].as_int()); descriptor != 0) {
            OwnMemory memory;
            auto objects = jit_objects(descriptor, memory);
            if (!objects) return tl::unexpected<core::Error>(objects.error());
            for (std::string& bytes : *objects) listed.emplace_back(Map{{"bytes", std::move(bytes)}});
        }
        return Value(Map{{"objects", std::move(listed)}, {"perf_map", own_perf_map()}});
    }

    const Launch& launch_;
    std::optional<python::Session> session_;
    Counting counting_;
    Sampling sampling_;
    std::optional<CaseRunner> runner_;
    Value hello_;
};

}  // namespace

Launch take_launch_from_environment() {
    Launch launch;
    const std::string descriptor = take_variable("TARE_WORKER_FD");
    launch.channel_descriptor = descriptor.empty() ? -1 : std::atoi(descriptor.c_str());
    launch.host = take_variable("TARE_HOST");
    launch.package_dir = take_variable("TARE_PACKAGE");
    launch.expected_version_text = take_variable("TARE_EXPECT_VERSION");
    launch.expected_build_id = take_variable("TARE_EXPECT_BUILD_ID");
    launch.python = take_variable("TARE_SUBJECT");
    unsetenv("TARE_PADDING");
    return launch;
}

void serve(const Launch& launch) {
    core::Channel channel(launch.channel_descriptor);
    Server server(launch);
    const pid_t own = getpid();
    for (;;) {
        Expected<Value> request = channel.receive();
        if (!request) break;
        Expected<Value> answer = server.answer(*request);
        if (getpid() != own) _exit(0);  // a copy that the case forked: its answer would stand for the next request's
        if (!channel.send(answer ? *answer : error_answer(answer.error()))) break;
    }
    const bool lost = is_closed(launch.channel_descriptor);
    _exit(lost ? measure::kChannelLostStatus : 0);
}

}  // namespace tare::worker

namespace tare::python {

void worker_main() {
    worker::serve(worker::take_launch_from_environment());
}

}  // namespace tare::python
