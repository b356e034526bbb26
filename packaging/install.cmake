# What `cmake --install` puts where, as components: the program; the data that it and the interface for programs read; that
# interface (libspadework and what records), its pictures, its Python package; and what compiles programs of others.
# Program and libraries find PREFIX/share/spadework beside the PREFIX/bin or PREFIX/lib that they lie in, so that a prefix may move.
set(share share/spadework)
set(doc share/doc/spadework)

install(TARGETS spadework RUNTIME DESTINATION bin COMPONENT program)

# Shipped data: the folders under data/ that hold no source.
file(GLOB data_folders LIST_DIRECTORIES true ${CMAKE_SOURCE_DIR}/data/*)
foreach(folder ${data_folders})
  get_filename_component(name ${folder} NAME)
  file(GLOB_RECURSE sources ${folder}/*.[ch])
  if(IS_DIRECTORY ${folder} AND NOT sources AND NOT name MATCHES "^(pictures|texts)$")
    install(DIRECTORY ${folder} DESTINATION ${share}/data COMPONENT data
      FILES_MATCHING PATTERN "*.yaml" PATTERN "*.glsl" PATTERN "*.obj" PATTERN "*.xml" PATTERN "*.png"
      PATTERN "*.html" PATTERN "*.css" PATTERN "*.js" PATTERN "*.json")
  endif()
endforeach()
install(DIRECTORY data/pictures/scenes DESTINATION ${share}/data/pictures COMPONENT data FILES_MATCHING PATTERN "*.png")
install(FILES ${catalogues} DESTINATION ${share}/texts COMPONENT data)

# The interface for programs.
install(TARGETS libspadework record_plugin LIBRARY DESTINATION lib NAMELINK_SKIP COMPONENT runtime)
install(DIRECTORY trainer/python/spadework DESTINATION lib/python3/dist-packages COMPONENT python
  PATTERN "__pycache__" EXCLUDE)
install(DIRECTORY docs/examples/ DESTINATION share/doc/python3-spadework/examples COMPONENT python PATTERN "__pycache__" EXCLUDE)

# The manual page and bash's completion come from the table of commands, so that no option can be missing in them.
add_executable(command_pages packaging/command_pages.c)
target_link_libraries(command_pages PRIVATE cli)
target_compile_definitions(command_pages PRIVATE SPADEWORK_VERSION="${PROJECT_VERSION}")
set(pages ${CMAKE_BINARY_DIR}/packaging)
set_target_properties(command_pages PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${pages})
find_program(GZIP gzip REQUIRED)
add_custom_command(OUTPUT ${pages}/spadework.1 ${pages}/spadework.1.gz ${pages}/spadework.bash ${pages}/changelog.gz
  DEPENDS command_pages ${CMAKE_SOURCE_DIR}/CHANGELOG.md
  COMMAND command_pages man > ${pages}/spadework.1
  COMMAND ${GZIP} -9nc ${pages}/spadework.1 > ${pages}/spadework.1.gz
  COMMAND command_pages bash > ${pages}/spadework.bash
  COMMAND ${GZIP} -9nc ${CMAKE_SOURCE_DIR}/CHANGELOG.md > ${pages}/changelog.gz)
add_custom_target(pages ALL DEPENDS ${pages}/spadework.1.gz)
add_dependencies(spadework pages) # who builds the program alone can install it
install(FILES ${pages}/spadework.1.gz DESTINATION share/man/man1 COMPONENT program)
install(FILES ${pages}/spadework.bash DESTINATION share/bash-completion/completions RENAME spadework COMPONENT program)

install(FILES packaging/spadework.desktop DESTINATION share/applications COMPONENT program)
install(FILES packaging/spadework.svg DESTINATION share/icons/hicolor/scalable/apps COMPONENT program)
install(FILES packaging/60-spadework-pads.rules DESTINATION ${doc}/examples COMPONENT program)
install(FILES README.md SECURITY.md DESTINATION ${doc} COMPONENT program)
install(FILES ${pages}/changelog.gz DESTINATION ${doc} COMPONENT program)
install(DIRECTORY docs/ DESTINATION ${doc}/docs COMPONENT program FILES_MATCHING PATTERN "*.md")
foreach(floor data soil machine input render trainer)
  install(FILES ${floor}/README.md DESTINATION ${doc}/${floor} COMPONENT program)
endforeach()
install(FILES LICENSE DESTINATION ${doc} RENAME copyright COMPONENT program)

# Pictures for programs, beside libspadework, which loads it when a picture is first wanted.
install(TARGETS render_plugin LIBRARY DESTINATION lib COMPONENT render NAMELINK_SKIP)

# The libraries have short names, so they lie in a folder of their own; pkg-config leads there.
install(TARGETS soil machine data ARCHIVE DESTINATION lib/spadework COMPONENT library)
install(TARGETS libspadework LIBRARY DESTINATION lib NAMELINK_ONLY COMPONENT library)
install(FILES trainer/api/spadework.h DESTINATION include COMPONENT library)
configure_file(trainer/api/spadework.pc.in spadework.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/spadework.pc DESTINATION lib/pkgconfig COMPONENT library)
# Their headers, with those of data/ that they need; tests/e2e/library.sh builds a program with these alone.
foreach(header soil/soil soil/soil_types soil/soil_lab machine/machine machine/excavator_arm machine/cylinder
    machine/rocks machine/truck data/schema/schema data/schema/load data/schema/authoring data/schema/design_surface data/schema/machine_reach data/schema/damage_limits data/schema/scene_site data/core/data_files data/schema/controls_params data/schema/machine_params
    data/schema/conditions data/schema/condition_params data/schema/expert_params data/schema/settings_params data/schema/scene_params data/schema/soil_params data/schema/truck_params
    data/schema/truck_way data/core/column_grid data/core/constants data/core/convex data/core/elementary data/core/metric data/core/quantity data/core/operator_controls data/core/state_visitor
    data/core/status data/core/survey_info data/core/tool_geometry data/core/vec)
  get_filename_component(folder ${header} DIRECTORY)
  install(FILES ${header}.h DESTINATION include/spadework/${folder} COMPONENT library)
endforeach()
foreach(library soil machine)
  configure_file(${library}/spadework-${library}.pc.in spadework-${library}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/spadework-${library}.pc DESTINATION lib/pkgconfig COMPONENT library)
endforeach()
install(FILES LICENSE DESTINATION share/doc/spadework-dev RENAME copyright COMPONENT library)
install(FILES LICENSE DESTINATION share/doc/libspadework0 RENAME copyright COMPONENT runtime)
install(FILES LICENSE DESTINATION share/doc/libspadework-render0 RENAME copyright COMPONENT render)
install(FILES LICENSE DESTINATION share/doc/spadework-data RENAME copyright COMPONENT data)
install(FILES LICENSE DESTINATION share/doc/python3-spadework RENAME copyright COMPONENT python)

include(packaging/debian.cmake)
