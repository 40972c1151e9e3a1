#pragma once

#include <string>

#include "saltus/io/model/scene.hpp"
#include "support/temporary_file.hpp"

// Scenes made by hand, and a folder for what is exported.
namespace saltus::testing {

inline DrawnBody drawn_body(const std::string& name, const Shape& shape, const std::string& color = "") {
    DrawnBody body;
    body.name = name;
    body.shape = shape;
    body.color = color;
    return body;
}

inline DrawnContact drawn_contact(const std::string& name) {
    DrawnContact contact;
    contact.name = name;
    return contact;
}

inline const char* const hostile_name = "a&b<c>\"d\"'\n\xff\\";

// A folder of its own for each object, removed with its contents.
class TemporaryFolder {
public:
    TemporaryFolder() : name_("", ".folder") {
        std::filesystem::remove(name_.path());
        std::filesystem::create_directory(name_.path());
    }
    ~TemporaryFolder() { std::filesystem::remove_all(name_.path()); }
    std::filesystem::path operator/(const std::string& name) const { return name_.path() / name; }
    std::size_t entries() const {
        return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(name_.path()), {}));
    }

private:
    TemporaryFile name_;
};

}  // namespace saltus::testing
