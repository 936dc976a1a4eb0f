# cmake --install build --prefix DIR puts the program, the libraries and headers of all layers, and the CMake package
# `lodestone` there: find_package(lodestone), then link lodestone::lodestone (or a single layer, as lodestone::math).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_property(layers GLOBAL PROPERTY LODESTONE_LAYERS)
foreach(layer ${layers})
  string(REPLACE / _ layer ${layer})
  set_target_properties(lodestone_${layer} PROPERTIES EXPORT_NAME ${layer})
  install(TARGETS lodestone_${layer} EXPORT lodestone)
endforeach()
install(TARGETS lodestone)
# Headers of layers are found as they are in src/, as "math/vec.h"; the one for users is <lodestone/lodestone.h>.
install(DIRECTORY src/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/lodestone FILES_MATCHING PATTERN "*.h"
        PATTERN "test_*.h" EXCLUDE PATTERN src/lodestone EXCLUDE)
install(FILES src/lodestone/lodestone.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/lodestone)
install(DIRECTORY scenes validation DESTINATION ${CMAKE_INSTALL_DATADIR}/lodestone PATTERN "*.cpp" EXCLUDE
        PATTERN "*.h" EXCLUDE)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs FILES_MATCHING PATTERN "*.md" PATTERN "*.svg")

# What the program says of itself: the manual page, what bash completes, the schema of the scene file.
add_custom_command(TARGET lodestone POST_BUILD
                   COMMAND $<TARGET_FILE:lodestone> man > ${PROJECT_BINARY_DIR}/lodestone.1
                   COMMAND gzip -9nf ${PROJECT_BINARY_DIR}/lodestone.1
                   COMMAND $<TARGET_FILE:lodestone> completion > ${PROJECT_BINARY_DIR}/lodestone.bash VERBATIM)
install(FILES ${PROJECT_BINARY_DIR}/lodestone.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${PROJECT_BINARY_DIR}/lodestone.bash RENAME lodestone
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${PROJECT_BINARY_DIR}/scene.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/lodestone)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/lodestone)
install(EXPORT lodestone NAMESPACE lodestone:: FILE lodestoneTargets.cmake DESTINATION ${package})
configure_package_config_file(cmake/lodestoneConfig.cmake.in lodestoneConfig.cmake INSTALL_DESTINATION ${package})
# Before 1.0 a new minor version may change what headers promise.
write_basic_package_version_file(lodestoneConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/lodestoneConfig.cmake ${PROJECT_BINARY_DIR}/lodestoneConfigVersion.cmake
        DESTINATION ${package})
