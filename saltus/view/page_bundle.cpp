#include "saltus/view/page_bundle.hpp"

// The page with its script, viewer/dist/page.html, becomes part of the library as it is.
asm(R"(
.section .rodata
.global saltus_page_bundle
.hidden saltus_page_bundle
.global saltus_page_bundle_end
.hidden saltus_page_bundle_end
saltus_page_bundle:
.incbin ")" SALTUS_PAGE_BUNDLE R"("
saltus_page_bundle_end:
.byte 0
.previous
)");

extern "C" {
[[gnu::visibility("hidden")]] extern const char saltus_page_bundle[];
[[gnu::visibility("hidden")]] extern const char saltus_page_bundle_end[];
}

namespace saltus {

std::string_view page_bundle() {
    return {saltus_page_bundle, static_cast<std::size_t>(saltus_page_bundle_end - saltus_page_bundle)};
}

}  // namespace saltus
