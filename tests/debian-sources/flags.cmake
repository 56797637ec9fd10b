# For CMAKE_PROJECT_INCLUDE: what a project would say itself, for all its targets.
find_package(Warpalloc REQUIRED)
link_libraries(Warpalloc::Flags)
