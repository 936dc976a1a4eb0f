# The page that `lodestone view` serves: sources of viewer/ and packages of npm, bundled when the program is built and
# embedded into it. Without node and npm the program is built without the page and says so.
option(LODESTONE_PAGE "Bundle the page for `lodestone view` into the program" ON)

function(lodestone_embed_page source)
  if(NOT LODESTONE_PAGE)
    return()
  endif()
  find_program(LODESTONE_NODE NAMES node)
  find_program(LODESTONE_NPM NAMES npm)
  if(NOT LODESTONE_NODE OR NOT LODESTONE_NPM)
    message(STATUS "node or npm is not there: the program is built without the page for `lodestone view`")
    return()
  endif()
  set(out ${PROJECT_BINARY_DIR}/page)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/viewer/src/*)
  set(files ${out}/index.html ${out}/page.css ${out}/page.js)
  add_custom_command(OUTPUT ${files}
                     COMMAND ${PROJECT_SOURCE_DIR}/viewer/bundle.sh ${out}
                     DEPENDS ${sources} ${PROJECT_SOURCE_DIR}/viewer/bundle.sh ${PROJECT_SOURCE_DIR}/viewer/package-lock.json
                     COMMENT "Bundling the page" VERBATIM)
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS "${files}" SKIP_PRECOMPILE_HEADERS ON
                              COMPILE_DEFINITIONS "LODESTONE_PAGE_FOLDER=\"${out}\"")
endfunction()
