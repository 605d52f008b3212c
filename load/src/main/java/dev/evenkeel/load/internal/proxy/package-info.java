/** A proxy in front of an API server that counts requests, and cuts watches and connections. */
@NullMarked
package dev.evenkeel.load.internal.proxy;

import org.jspecify.annotations.NullMarked;
