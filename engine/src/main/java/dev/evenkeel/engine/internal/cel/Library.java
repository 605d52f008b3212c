package dev.evenkeel.engine.internal.cel;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All functions by name. */
final class Library {
    private static final Map<String, Call> CALLS = calls();

    private Library() {}

    /** Returns the function of a name. */
    static @Nullable Call find(String name) {
        return CALLS.get(name);
    }

    private static Map<String, Call> calls() {
        Map<String, Call> calls = new HashMap<>();
        // later ones extend the functions of the same name in earlier ones
        List.of(
                        Arithmetic.CALLS,
                        Conversions.CALLS,
                        Strings.CALLS,
                        Lists.CALLS,
                        Urls.CALLS,
                        NamedFormats.CALLS,
                        Semantics.CALLS,
                        Kubernetes.CALLS)
                .forEach(calls::putAll);
        return Map.copyOf(calls);
    }
}
