# `cpack` in the build folder makes lodestone_VERSION_ARCHITECTURE.deb of what `cmake --install` installs and of two
# components that are the package's own: `python`, where its module is built, and `debian`. tools/package builds what goes
# in first.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME lodestone)
set(CPACK_PACKAGE_VENDOR lodestone)
set(CPACK_PACKAGE_CONTACT "The lodestone authors <authors@lodestone.example>" CACHE STRING "Who answers for the package")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "simulator of magneto-elastic rods, shells and rigid bodies")
set(CPACK_PACKAGE_DESCRIPTION
    "Rods, shells, networks and rigid bodies in magnetic fields and those of each
other, with contact, joints, fluid, heat and fracture: explicit and implicit
dynamics, and equilibria with their stability. This package has the program,
its scenes and validations, and the libraries and headers for C++.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# For C++: what the installed CMake package looks for. For films and for Python: what they take where it is there.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS
    "g++, cmake, libfmt-dev, nlohmann-json3-dev, libhdf5-dev, chromium, ffmpeg, xdg-utils, python3-scipy, python3-pandas")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "bash-completion, man-db")
set(CPACK_INSTALL_CMAKE_PROJECTS "${PROJECT_BINARY_DIR};lodestone;ALL;/;${PROJECT_BINARY_DIR};lodestone;debian;/")

# Where Debian's Python looks for modules. It is made for one version of it.
if(TARGET lodestone_python)
  set(modules lib/python3/dist-packages)
  install(TARGETS lodestone_python LIBRARY DESTINATION ${modules}/lodestone COMPONENT python EXCLUDE_FROM_ALL)
  install(DIRECTORY python/lodestone DESTINATION ${modules} COMPONENT python EXCLUDE_FROM_ALL
          FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN "py.typed")
  math(EXPR next "${Python_VERSION_MINOR} + 1")
  set(CPACK_DEBIAN_PACKAGE_DEPENDS
      "python3 (>= 3.${Python_VERSION_MINOR}), python3 (<< 3.${next}), python3-numpy")
  list(APPEND CPACK_INSTALL_CMAKE_PROJECTS "${PROJECT_BINARY_DIR};lodestone;python;/")
  set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/debian/postinst
                                         ${PROJECT_SOURCE_DIR}/cmake/debian/prerm)
  set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
endif()

# What Debian wants of a package, and nobody else.
string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)
set(debian ${PROJECT_BINARY_DIR}/debian)
file(WRITE ${debian}/changelog.Debian "lodestone (${PROJECT_VERSION}-1) unstable; urgency=medium

  * As CHANGELOG.md says, which is changelog.gz beside this file.

 -- ${CPACK_PACKAGE_CONTACT}  ${now}
")
file(READ LICENSE license)
string(REGEX REPLACE "\n\n" "\n.\n" license "${license}")
string(REGEX REPLACE "\n([^\n])" "\n \\1" license "${license}")
file(WRITE ${debian}/copyright "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: lodestone

Files: *
Copyright: the lodestone authors
License: Expat
 ${license}")
install(CODE "
  file(COPY_FILE \"${PROJECT_SOURCE_DIR}/CHANGELOG.md\" \"${debian}/changelog\")
  execute_process(COMMAND gzip -9nf \"${debian}/changelog\" COMMAND_ERROR_IS_FATAL ANY)
  file(COPY_FILE \"${debian}/changelog.Debian\" \"${debian}/changelog.Debian.copy\")
  execute_process(COMMAND gzip -9nf \"${debian}/changelog.Debian.copy\" COMMAND_ERROR_IS_FATAL ANY)
" COMPONENT debian EXCLUDE_FROM_ALL)
install(FILES ${debian}/copyright ${debian}/changelog.gz DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT debian
        EXCLUDE_FROM_ALL)
install(FILES ${debian}/changelog.Debian.copy.gz RENAME changelog.Debian.gz DESTINATION ${CMAKE_INSTALL_DOCDIR}
        COMPONENT debian EXCLUDE_FROM_ALL)
include(CPack)
