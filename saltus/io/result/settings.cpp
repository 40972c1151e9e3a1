#include "saltus/io/result/settings.hpp"

#include "saltus/core/check.hpp"
#include "saltus/model/expression.hpp"

namespace saltus {

namespace {

// Where the next "NAME=" begins, from `start` on; the end of the text if there is none. A value may have commas itself.
std::size_t next_setting(const std::string& text, std::size_t start) {
    for (std::size_t comma = text.find(", ", start); comma != std::string::npos; comma = text.find(", ", comma + 1)) {
        const std::size_t equals = text.find('=', comma);
        if (equals != std::string::npos && is_identifier(std::string_view(text).substr(comma + 2, equals - comma - 2)))
            return comma;
    }
    return text.size();
}

}  // namespace

ParameterValues read_settings(const std::string& text) {
    ParameterValues result;
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = next_setting(text, start), equals = text.find('=', start);
        require(equals != std::string::npos && equals < end, "settings '{}': cannot be read", text);
        const std::string name = text.substr(start, equals - start);
        const Expressions value({text.substr(equals + 1, end - equals - 1)}, {}, "settings: " + name);
        double number = 0.0;
        Function(value).value(nullptr, &number);
        result.emplace_back(name, number);
        start = end + 2;
    }
    return result;
}

}  // namespace saltus
