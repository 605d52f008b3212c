package dev.evenkeel.junit;

import dev.evenkeel.server.internal.resource.ApiCall;
import dev.evenkeel.simulation.internal.request.RequestPlace;
import java.util.HashMap;
import java.util.Map;

/**
 * Names the requests of a run so that a request has the same name in all runs: by verb, resource, object, and the number of
 * such requests before. Names that the server generates differ between runs; the prefix, as in {@code map-*}, stands for
 * them.
 */
final class RequestNames {
    private final Map<String, Integer> counts = new HashMap<>();
    private final Map<String, String> generated = new HashMap<>();

    /** Returns the name of the object of a request, or a pattern such as {@code map-*}. */
    static String name(ApiCall call) {
        return call.key().substring(call.key().lastIndexOf('/') + 1);
    }

    /** Returns the place of the next request. */
    RequestPlace place(ApiCall call) {
        String name = name(call);
        String key = call.key().substring(0, call.key().length() - name.length()) + generated.getOrDefault(name, name);
        int number = counts.merge(call.verb() + " " + call.target() + " " + key, 1, Integer::sum);
        return new RequestPlace.ApiRequest(call.verb(), call.target(), key, number);
    }

    /** Notes that the server has generated a name by a pattern. */
    void generated(String name, String pattern) {
        generated.put(name, pattern);
    }
}
