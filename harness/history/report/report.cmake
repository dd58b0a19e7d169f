# The report: its parts are compiled in, so that one file of `bench` makes one file of HTML.
set(report_tools "${TARE_PYTHON_TOOLS}")
if(NOT report_tools)
    list(GET TARE_PYTHONS 0 report_tools)
endif()
set(TARE_PLOTLY_JS "" CACHE FILEPATH "plotly.min.js (default: that of the plotly package of TARE_PYTHON_TOOLS)")
if(NOT TARE_PLOTLY_JS)
    # Where an import would find it: the environment that builds a wheel has it on its path only.
    execute_process(COMMAND ${report_tools} -c "import importlib.util; print(importlib.util.find_spec('plotly').origin)"
        OUTPUT_VARIABLE package OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    cmake_path(GET package PARENT_PATH package)
    set(report_library ${package}/package_data/plotly.min.js)
else()
    set(report_library ${TARE_PLOTLY_JS})
endif()
if(NOT EXISTS ${report_library})
    message(FATAL_ERROR "the report's plotting library is missing: ${report_library}; run ci/test once (or: "
        "${report_tools} -m pip install -r ci/requirements-build.txt), or set TARE_PLOTLY_JS to a plotly.min.js")
endif()
cmake_path(GET report_library PARENT_PATH report_library_folder)
file(GLOB report_licence ${report_library_folder}/LICENSE* ${report_library_folder}/../../plotly-*.dist-info/licenses/LICENSE*)
if(NOT report_licence)
    message(FATAL_ERROR "no licence lies beside ${report_library}; put plotly's there as LICENSE")
endif()
list(GET report_licence 0 report_licence)
set(report_folder ${CMAKE_CURRENT_SOURCE_DIR}/report)
set(report_parts ${report_folder}/page.html ${report_folder}/style.css ${report_library} ${report_licence})
foreach(script data elements charts overview ledger case operation page)  # in this order in the page
    list(APPEND report_parts ${report_folder}/${script}.js)
endforeach()
add_custom_command(OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/report_assets.cpp
    COMMAND ${report_tools} -B ${report_folder}/embed.py ${CMAKE_CURRENT_BINARY_DIR}/report_assets.cpp
            ${report_parts}
    DEPENDS report/embed.py ${report_parts} VERBATIM)
target_sources(tare_history PRIVATE report.cpp report_page.cpp report_source.cpp
    ${CMAKE_CURRENT_BINARY_DIR}/report_assets.cpp)
tare_test(report_test SOURCES report_test.cpp report_page_test.cpp report_source_test.cpp LABELS unit
    LIBS tare_history nlohmann_json::nlohmann_json)
