# fmt as headers alone: Debian has no libfmt.a, and the guest's test program is linked statically.
if(NOT TARGET fmt::fmt)
    add_library(fmt::fmt INTERFACE IMPORTED)
    target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY)
endif()
