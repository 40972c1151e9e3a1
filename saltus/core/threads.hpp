#pragma once

namespace saltus {

// The number of threads to start where `asked` are asked for: no more than the machine runs at the same time.
int usable_threads(int asked);

}  // namespace saltus
