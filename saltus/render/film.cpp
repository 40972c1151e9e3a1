#include "saltus/render/film.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "saltus/core/check.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX leaves it to the program

namespace saltus {

namespace {

// Starts a program found on the PATH, without a shell: no argument needs quotes. Descriptors 0, 1 and 2 are those
// given, or nothing for -1. It is a process group of its own, so that Ctrl-C does not reach it: we end it in order.
pid_t start_program(const std::vector<std::string>& arguments, const std::array<int, 3>& descriptors) {
    std::vector<char*> pointers;
    for (const std::string& argument : arguments) pointers.push_back(const_cast<char*>(argument.c_str()));
    pointers.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (int k = 0; k < 3; ++k) {
        if (descriptors[static_cast<std::size_t>(k)] >= 0)
            posix_spawn_file_actions_adddup2(&actions, descriptors[static_cast<std::size_t>(k)], k);
        else
            posix_spawn_file_actions_addopen(&actions, k, "/dev/null", O_RDWR, 0);
    }
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    pid_t process = -1;
    const int error = posix_spawnp(&process, pointers[0], &actions, &attributes, pointers.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    require(error != ENOENT, "{} is not there: install {}, or export --to png or --to gltf", arguments[0],
            arguments[0]);
    require(error == 0, "{} cannot be started: {}", arguments[0], std::strerror(error));
    return process;
}

// The exit code, or -1 for a process that was killed.
int wait_for(pid_t process) {
    int status = 0;
    while (waitpid(process, &status, 0) < 0)
        if (errno != EINTR) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string contents_of(std::FILE* file) {
    std::string text;
    std::array<char, 4096> buffer{};
    std::rewind(file);
    while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), file))
        text.append(buffer.data(), count);
    return text;
}

std::FILE* scratch_file() {
    std::FILE* file = std::tmpfile();
    require(file != nullptr, "no temporary file can be made: {}", std::strerror(errno));
    fcntl(fileno(file), F_SETFD, FD_CLOEXEC);
    return file;
}

bool has_h264() {
    std::FILE* output = scratch_file();
    try {
        wait_for(start_program({"ffmpeg", "-hide_banner", "-encoders"}, {-1, fileno(output), -1}));
    } catch (...) {
        std::fclose(output);
        throw;
    }
    const bool is_listed = contents_of(output).find(" libx264 ") != std::string::npos;
    std::fclose(output);
    return is_listed;
}

std::vector<std::string> film_arguments(const std::string& output, PictureSize size, double frames_a_second) {
    std::vector<std::string> arguments{"ffmpeg", "-hide_banner", "-nostdin", "-loglevel", "error", "-y"};
    const std::string shape = fmt::format("{}x{}", size.width, size.height), rate = fmt::format("{}", frames_a_second);
    for (const auto& word :
         {"-f", "rawvideo", "-pix_fmt", "rgb24", "-s", shape.c_str(), "-r", rate.c_str(), "-i", "pipe:0", "-an"})
        arguments.emplace_back(word);
    if (has_h264())
        for (const auto* word : {"-c:v", "libx264", "-crf", "20", "-preset", "medium"}) arguments.emplace_back(word);
    else
        for (const auto* word : {"-c:v", "mpeg4", "-q:v", "3"}) arguments.emplace_back(word);
    for (const auto* word : {"-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f", "mp4"})
        arguments.emplace_back(word);
    arguments.push_back("file:" + output);  // a name may begin with '-' or have a colon
    return arguments;
}

// Pixels as red, green, blue bytes.
void to_rgb24(const Picture& picture, std::string& bytes) {
    bytes.clear();
    bytes.reserve(3 * picture.pixels.size());
    for (const std::uint32_t pixel : picture.pixels)
        for (const int shift : {16, 8, 0}) bytes.push_back(static_cast<char>(pixel >> shift & 255));
}

}  // namespace

FilmWriter::FilmWriter(const std::filesystem::path& path, PictureSize size, double frames_a_second)
    : name_(path.string()), size_(size), file_(path) {
    require(size.width % 2 == 0 && size.height % 2 == 0,
            "the size of a film is {}x{}; width and height must be even, as in 1200x800", size.width, size.height);
    const std::vector<std::string> arguments = film_arguments(file_.path().string(), size, frames_a_second);
    // A socket, not a pipe: writing to it can be told not to raise SIGPIPE, which would end our process.
    std::array<int, 2> ends{-1, -1};
    require(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0, "no socket can be made: {}",
            std::strerror(errno));
    socket_ = ends[0];
    try {
        errors_ = scratch_file();
        process_ = start_program(arguments, {ends[1], -1, fileno(errors_)});
    } catch (...) {
        close(ends[1]);
        close(socket_);
        if (errors_ != nullptr) std::fclose(errors_);
        throw;
    }
    close(ends[1]);
}

FilmWriter::~FilmWriter() {
    if (process_ > 0) kill(process_, SIGKILL);
    if (socket_ >= 0) close(socket_);
    if (process_ > 0) wait_for(process_);
    std::fclose(errors_);
}

void FilmWriter::frame(const Picture& picture) {
    to_rgb24(picture, bytes_);
    for (std::size_t sent = 0; sent < bytes_.size();) {
        const ssize_t count = send(socket_, bytes_.data() + sent, bytes_.size() - sent, MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) throw InvalidInput(fmt::format("{}: ffmpeg ended early: {}", name_, last_words()));
        sent += static_cast<std::size_t>(count);
    }
}

void FilmWriter::finish() {
    close(std::exchange(socket_, -1));
    if (wait_for(std::exchange(process_, -1)) != 0)
        throw InvalidInput(fmt::format("{}: ffmpeg cannot write the film: {}", name_, last_words()));
    file_.keep();
}

std::string FilmWriter::last_words() {
    if (socket_ >= 0) close(std::exchange(socket_, -1));
    if (process_ > 0) wait_for(std::exchange(process_, -1));
    std::string text = contents_of(errors_);
    text.erase(text.find_last_not_of(" \n") + 1);
    return text.empty() ? "it said nothing; is the disk full?" : text;
}

}  // namespace saltus
