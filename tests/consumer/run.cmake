# Installs BUILD_FOLDER into WORK_FOLDER/prefix, then configures, builds and runs the consumer against it.
file(REMOVE_RECURSE ${WORK_FOLDER})
set(steps
    "${CMAKE_COMMAND} --install ${BUILD_FOLDER} --prefix ${WORK_FOLDER}/prefix"
    "${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${WORK_FOLDER}/build -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH=${WORK_FOLDER}/prefix"
    "${CMAKE_COMMAND} --build ${WORK_FOLDER}/build"
    "${WORK_FOLDER}/build/consumer"
    "${WORK_FOLDER}/prefix/bin/saltus --version")
foreach(step IN LISTS steps)
    separate_arguments(command UNIX_COMMAND "${step}")
    execute_process(COMMAND ${command} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
