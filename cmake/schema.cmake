# The JSON Schema of the scene file: made by watching the reader (tools/make_schema.cpp), and put into the program as
# text.
add_executable(make_schema tools/make_schema.cpp)
target_link_libraries(make_schema PRIVATE lodestone_scene_read)
set(schema ${PROJECT_BINARY_DIR}/scene.schema.json)
file(GLOB schema_scenes CONFIGURE_DEPENDS scenes/*.toml scenes/*/*)
add_custom_command(OUTPUT ${schema} COMMAND make_schema ${PROJECT_SOURCE_DIR}/docs/scene.md
                   ${PROJECT_SOURCE_DIR}/scenes ${schema}
                   DEPENDS make_schema docs/scene.md ${schema_scenes} VERBATIM)
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/scene_schema.cpp
                   COMMAND ${CMAKE_COMMAND} -DTEXT=${schema} -DSOURCE=${PROJECT_BINARY_DIR}/scene_schema.cpp
                           -P ${PROJECT_SOURCE_DIR}/cmake/text_to_source.cmake
                   DEPENDS ${schema} cmake/text_to_source.cmake VERBATIM)
target_sources(lodestone_embedded PRIVATE ${PROJECT_BINARY_DIR}/scene_schema.cpp)
set_source_files_properties(${PROJECT_BINARY_DIR}/scene_schema.cpp PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
