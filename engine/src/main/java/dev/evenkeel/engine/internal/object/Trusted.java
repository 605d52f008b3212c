package dev.evenkeel.engine.internal.object;

import dev.evenkeel.engine.JsonLimits;

/** Limits for documents that the engine wrote itself. */
final class Trusted {
    static final JsonLimits LIMITS = new JsonLimits(Integer.MAX_VALUE, 2000, Integer.MAX_VALUE, 2000, 0);

    private Trusted() {}
}
