# Debian packages by CPack, one for each component of install.cmake: cpack --config build/release/CPackConfig.cmake
#   spadework (the program), spadework-data, libspadework0 (the interface for programs), libspadework-render0 (its pictures, with
#   OpenGL), python3-spadework, spadework-dev (headers and static libraries)
set(SPADEWORK_MAINTAINER "The Spadework developers <developers@spadework.invalid>" CACHE STRING
  "Who answers for the packages, as NAME <ADDRESS>: whoever gives them to others puts himself here")

# Packages that the program needs beside the libraries that it is linked with, from the one list.
file(STRINGS ${CMAKE_SOURCE_DIR}/trainer/packages.txt lines)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/trainer/packages.txt)
foreach(line ${lines})
  if(line MATCHES "^\\[")
    set(section ${line})
  elseif(section STREQUAL "[program]" AND line MATCHES "^[a-z]")
    list(APPEND needed ${line})
  endif()
endforeach()
list(JOIN needed ", " needed)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME spadework)
set(CPACK_PACKAGE_VENDOR "The Spadework developers")
set(CPACK_PACKAGE_CONTACT "${SPADEWORK_MAINTAINER}")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL program data runtime render python library)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${SPADEWORK_MAINTAINER}")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME spadework)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION education)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON) # by dpkg-shlibdeps, which asks the packages of the libraries
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "spadework-data (= ${PROJECT_VERSION}), ${needed}")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "xdg-utils")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "ffmpeg, bash-completion")
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "excavator and bulldozer operator training simulator
You drive excavators and a bulldozer with a gamepad, joysticks or the keyboard.
The ground is real soil: what it does to the bucket, the bucket does to the machine.
Exercises are measured and scored; recordings replay bit for bit.")

set(CPACK_DEBIAN_DATA_PACKAGE_NAME spadework-data)
set(CPACK_DEBIAN_DATA_PACKAGE_SECTION education)
set(CPACK_DEBIAN_DATA_PACKAGE_ARCHITECTURE all)
set(CPACK_COMPONENT_DATA_DESCRIPTION "scenes, machines, soils and texts of the simulator Spadework
What the program spadework and the library libspadework0 read.")

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME libspadework0)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_DEPENDS "spadework-data (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS "libspadework-render0")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${CMAKE_SOURCE_DIR}/packaging/triggers)
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "excavator and bulldozer simulator, as a library for programs
Sessions that programs step as fast as the computer can: machine, soil and
exercise, saved and restored bit for bit, recorded for the program spadework.")

set(CPACK_DEBIAN_RENDER_PACKAGE_NAME libspadework-render0)
set(CPACK_DEBIAN_RENDER_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_RENDER_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_RENDER_PACKAGE_DEPENDS
  "libspadework0 (= ${PROJECT_VERSION}), fonts-dejavu-core, libegl1, libegl-mesa0, libgl1-mesa-dri, libopengl0")
set(CPACK_DEBIAN_RENDER_PACKAGE_CONTROL_EXTRA ${CMAKE_SOURCE_DIR}/packaging/triggers)
set(CPACK_COMPONENT_RENDER_DESCRIPTION "pictures of the simulator's sessions, for programs
Colours and depths of what the cameras of a session see, drawn without a
display by OpenGL; loaded by libspadework0 when a program asks for a picture.")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-spadework)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "libspadework0 (= ${PROJECT_VERSION}), python3 (>= 3.11), python3-numpy")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "spadework, libspadework-render0, python3-h5py")
set(CPACK_COMPONENT_PYTHON_DESCRIPTION "excavator and bulldozer simulator for Python, with Gymnasium environments
Sessions, environments and vectors of environments for learning to dig, load,
grade and doze, over libspadework0.")

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME spadework-dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS
  "spadework-data (= ${PROJECT_VERSION}), libspadework0 (= ${PROJECT_VERSION}), libode-dev, libyaml-dev, libxml2-dev, libpng-dev, libtiff-dev, libgeotiff-dev, libproj-dev, libqhull-dev")
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "headers and static libraries of the simulator Spadework
The header of libspadework0; and static libraries with headers: a hybrid
heightfield and particle soil, and excavators, bulldozers, trucks and rocks on
ODE. Found by pkg-config.")

include(CPack)
