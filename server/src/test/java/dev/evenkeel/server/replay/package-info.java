/** Sends recorded requests of a real API server to the server and compares the answers. */
@NullMarked
package dev.evenkeel.server.replay;

import org.jspecify.annotations.NullMarked;
