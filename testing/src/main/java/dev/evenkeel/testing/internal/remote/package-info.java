/** Test clusters on a server that runs outside of this process. */
@NullMarked
package dev.evenkeel.testing.internal.remote;

import org.jspecify.annotations.NullMarked;
