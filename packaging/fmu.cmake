# The Functional Mock-up Unit `spadework.fmu` (docs/fmu.md): a zip of the library, and of what fmu_description writes from a session of
# the scene. Whatever the session reads is in it.
set(SPADEWORK_FMU_SCENE trench CACHE STRING "Scene of the FMU: a name, or the path of a file")
set(SPADEWORK_FMU_OVERRIDES "" CACHE STRING "Overrides of the FMU's scene, KEY=VALUE;KEY=VALUE")

add_executable(fmu_description packaging/fmu_description.c)
target_link_libraries(fmu_description PRIVATE api)
set(fmu ${CMAKE_BINARY_DIR}/spadework.fmu)
set(fmu_folder ${CMAKE_BINARY_DIR}/fmu)
file(MAKE_DIRECTORY ${fmu_folder})
set_target_properties(fmu_description PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/packaging)
string(TOLOWER ${CMAKE_SYSTEM_NAME} fmu_system)
string(REPLACE AMD64 x86_64 fmu_platform ${CMAKE_SYSTEM_PROCESSOR}-${fmu_system})
file(GLOB_RECURSE fmu_data CONFIGURE_DEPENDS data/scenes/*.yaml data/machines/*.yaml data/soils/*.yaml)
if(EXISTS ${SPADEWORK_FMU_SCENE})
  list(APPEND fmu_data ${SPADEWORK_FMU_SCENE})
endif()
find_program(OBJDUMP objdump REQUIRED)
add_custom_command(OUTPUT ${fmu} DEPENDS fmu_plugin fmu_description ${fmu_data} ${CMAKE_SOURCE_DIR}/LICENSE
  COMMAND ${CMAKE_COMMAND} -E rm -rf binaries documentation resources ${fmu}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${fmu_folder}/binaries/${fmu_platform} ${fmu_folder}/documentation/licenses
  COMMAND fmu_description ${SPADEWORK_FMU_SCENE} ${CMAKE_SOURCE_DIR}/data ${fmu_folder} ${SPADEWORK_FMU_OVERRIDES}
  COMMAND ${CMAKE_STRIP} -o ${fmu_folder}/binaries/${fmu_platform}/spadework.so $<TARGET_FILE:fmu_plugin>
  COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_SOURCE_DIR}/LICENSE ${fmu_folder}/documentation/licenses/license.txt
  COMMAND sh -c "${OBJDUMP} -p '$<TARGET_FILE:fmu_plugin>' | sed -n 's/^ *NEEDED *//p' >documentation/externalDependencies.txt"
  COMMAND ${CMAKE_COMMAND} -E tar cf ${fmu} --format=zip modelDescription.xml binaries documentation resources
  WORKING_DIRECTORY ${fmu_folder} VERBATIM)
if(SPADEWORK_SANITIZE)
  add_custom_target(fmu DEPENDS ${fmu})
else()
  add_custom_target(fmu ALL DEPENDS ${fmu})
endif()
install(FILES ${fmu} DESTINATION lib/spadework COMPONENT library OPTIONAL) # where it was built
