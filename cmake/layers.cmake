# One layer = one library = one folder of src/, with the folders below it that are no layers of their own. Sources are
# found by name: x.cpp is compiled, x_test.cpp is a test of the layer, and the files named under WIDE are compiled once
# per vector width (LS_ISA names the namespace they land in).
# Of those under EXACT too, and there no product is fused with a sum unless the code says so: the compiler's choice goes
# by the width, and solvers that iterate would carry a difference in the last bit to another branch. The explicit loops,
# a third slower without, agree between AVX2 and AVX-512 as they are (tests/widths_test.cpp).
# The sources of JOINED layers are compiled several at once, which takes a third of the time (LODESTONE_JOIN=OFF: one by
# one); the builds for the sanitizers do so with all. Those named under APART have names of their own that others use too.

set(LODESTONE_ISAS portable)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND NOT LODESTONE_PORTABLE_ONLY)
  list(APPEND LODESTONE_ISAS avx2 avx512)
  add_compile_definitions(LODESTONE_WIDE)  # there is something to choose from at start
endif()
set(flags_portable "")
set(flags_avx2 -mavx2 -mfma)
# GCC 12 warns of its own _mm512_undefined_pd.
set(flags_avx512 -mavx512f -mavx512dq -mavx512vl -mavx512bw -mavx2 -mfma -mprefer-vector-width=512 -Wno-uninitialized
                 -Wno-maybe-uninitialized)

# Sets `folders` to those of a layer.
macro(lodestone_folders name)
  set(folders ${PROJECT_SOURCE_DIR}/src/${name})
  foreach(room ${ARGN})
    list(APPEND folders ${PROJECT_SOURCE_DIR}/src/${name}/${room})
  endforeach()
endmacro()

function(lodestone_join target)
  if(LODESTONE_JOIN)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
    # GCC takes what a file keeps to itself for a header's, or sees it shadowed in the next; tools/tidy looks at files
    # one by one.
    target_compile_options(${target} PRIVATE -Wno-shadow $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  endif()
endfunction()

# What the Python module is linked from. Hidden names keep calls within a library as direct as they are in a program.
function(lodestone_sharable)
  if(LODESTONE_PYTHON)
    set_target_properties(${ARGN} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
                                             VISIBILITY_INLINES_HIDDEN ON)
  endif()
endfunction()

# ROOMS: folders below it that belong to it.
function(lodestone_layer name)
  cmake_parse_arguments(arg "JOINED" "" "LINKS;ROOMS;WIDE;EXACT;APART" ${ARGN})
  lodestone_folders(${name} ${arg_ROOMS})
  string(REPLACE / _ target lodestone_${name})
  set(sources)
  foreach(folder ${folders})
    file(GLOB found CONFIGURE_DEPENDS ${folder}/*.cpp)
    list(APPEND sources ${found})
  endforeach()
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  foreach(file ${arg_WIDE} ${arg_EXACT})
    list(REMOVE_ITEM sources ${PROJECT_SOURCE_DIR}/src/${name}/${file})
  endforeach()

  if(sources OR arg_WIDE OR arg_EXACT)
    set(kind PUBLIC)
    add_library(${target} STATIC ${sources})
    lodestone_sharable(${target})
  else()
    set(kind INTERFACE)
    add_library(${target} INTERFACE)
  endif()
  target_include_directories(${target} ${kind} $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
                                               $<INSTALL_INTERFACE:include/lodestone>)
  target_compile_features(${target} ${kind} cxx_std_20)  # whoever links an installed layer needs it as well
  foreach(link ${arg_LINKS})
    if(link MATCHES "::")
      target_link_libraries(${target} ${kind} ${link})
    else()
      string(REPLACE / _ link ${link})
      target_link_libraries(${target} ${kind} lodestone_${link})
    endif()
  endforeach()
  if(arg_JOINED)
    lodestone_join(${target})
  endif()
  foreach(file ${arg_APART})
    set_source_files_properties(${PROJECT_SOURCE_DIR}/src/${name}/${file} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endforeach()
  set_property(GLOBAL APPEND PROPERTY LODESTONE_LAYERS ${name})
  set_property(GLOBAL PROPERTY LODESTONE_ROOMS_${name} "${arg_ROOMS}")

  foreach(file ${arg_WIDE} ${arg_EXACT})
    get_filename_component(stem ${file} NAME_WE)
    set(contract fast)
    if(file IN_LIST arg_EXACT)
      set(contract off)
    endif()
    foreach(isa ${LODESTONE_ISAS})
      set(wide ${target}_${stem}_${isa})
      add_library(${wide} OBJECT ${PROJECT_SOURCE_DIR}/src/${name}/${file})
      lodestone_sharable(${wide})
      target_compile_definitions(${wide} PRIVATE LS_ISA=${isa})
      # Packs crawl unless they are inlined, and under the address sanitizer GCC would then spend minutes on the scopes
      # of their temporaries.
      target_compile_options(${wide} PRIVATE ${flags_${isa}} -ffp-contract=${contract} -fno-math-errno
                                             $<$<CONFIG:Debug>:-O1 -fno-sanitize-address-use-after-scope>)
      target_include_directories(${wide} PRIVATE ${PROJECT_SOURCE_DIR}/src)
      target_sources(${target} PRIVATE $<TARGET_OBJECTS:${wide}>)
      set_property(GLOBAL APPEND PROPERTY LODESTONE_WIDE_OBJECTS $<TARGET_OBJECTS:${wide}>)
    endforeach()
  endforeach()
endfunction()
