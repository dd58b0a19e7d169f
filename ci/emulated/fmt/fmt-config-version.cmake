# What Debian 12 has, as find_package(fmt 9) asks.
set(PACKAGE_VERSION 9.1.0)
set(PACKAGE_VERSION_COMPATIBLE TRUE)
