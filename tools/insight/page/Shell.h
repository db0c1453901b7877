// The parts of the page that are the same for every report, as the build bundles them (CMakeLists.txt).
#pragma once

#include <string_view>

namespace tegula::explain::shell {

extern const std::string_view
    html; ///< with the marks @POLICY@, @DATA@ and @BOOT@, each once and in this order
extern const std::string_view boot;   ///< unpacks the other two
extern const std::string_view script; ///< main.js with all that it imports
extern const std::string_view style;  ///< style/page.css with all that it imports

} // namespace tegula::explain::shell
