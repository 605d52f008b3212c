package dev.evenkeel.load.internal.proxy;

import dev.evenkeel.load.result.RequestCounts;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The requests that a proxy has counted up to a moment, or between two.
 *
 * <p>A request is counted when its answer begins, before the client sees any of it; so what a client has had an answer to
 * is in the next snapshot. Its bytes and events are added as they pass, for watches over their whole life.
 *
 * @param figures the figures of requests, by their labels; without those that are all zero
 * @param openWatches the watches that were open at the end
 */
public record Requests(Map<Labels, Figures> figures, int openWatches) {
    private static final int CONFLICT = 409;
    private static final int TOO_MANY_REQUESTS = 429;

    public Requests {
        figures = Map.copyOf(figures);
    }

    /**
     * The labels of requests.
     *
     * @param agent the user agent; empty when the client sends none
     * @param verb the verb of Kubernetes, such as {@code list}; {@code apply} for server-side apply; {@code upgrade} for a
     *     WebSocket that was refused
     * @param resource the resource, such as {@code pods/status} or {@code widgets.example.com}; for other paths the first
     *     segment, such as {@code /openapi}
     * @param namespace the namespace; empty for requests to all and for objects that have none
     * @param status the status code of the answer; 0 when the client ended the request before
     */
    public record Labels(String agent, String verb, String resource, String namespace, int status) {
        /** Returns whether the verb changes objects. */
        public boolean isWrite() {
            return RequestCounts.isWrite(verb);
        }
    }

    /**
     * The figures of requests.
     *
     * @param requests their number
     * @param received the bytes of their bodies
     * @param sent the bytes of the bodies of their answers, as compressed as these are
     * @param events the events of watches, bookmarks included; of watches in uncompressed JSON only
     */
    public record Figures(long requests, long received, long sent, long events) {
        private static final Figures NONE = new Figures(0, 0, 0, 0);

        private Figures plus(Figures other, int factor) {
            return new Figures(
                    requests + factor * other.requests,
                    received + factor * other.received,
                    sent + factor * other.sent,
                    events + factor * other.events);
        }
    }

    /** Returns what was counted since an earlier snapshot of the same proxy. */
    public Requests minus(Requests earlier) {
        Map<Labels, Figures> rest = new HashMap<>();
        figures.forEach((labels, all) -> {
            Figures more = all.plus(earlier.figures.getOrDefault(labels, Figures.NONE), -1);
            if (!more.equals(Figures.NONE)) {
                rest.put(labels, more);
            }
        });
        return new Requests(rest, openWatches);
    }

    /** Returns the requests that have labels, such as those of one user agent. */
    public Requests filter(Predicate<Labels> condition) {
        Map<Labels, Figures> rest = new HashMap<>(figures);
        rest.keySet().removeIf(condition.negate());
        return new Requests(rest, openWatches);
    }

    /** Returns the sums of all figures. */
    public Figures total() {
        return figures.values().stream().reduce(Figures.NONE, (sum, one) -> sum.plus(one, 1));
    }

    /** Returns the number of requests. */
    public long count() {
        return total().requests();
    }

    /** Returns the number of requests with this verb and resource. */
    public long count(String verb, String resource) {
        return filter(labels -> labels.verb().equals(verb) && labels.resource().equals(resource))
                .count();
    }

    /** Returns the number of requests that change objects, whatever the answer was. */
    public long writes() {
        return filter(Labels::isWrite).count();
    }

    /** Returns the numbers of requests by a property of their labels, such as {@code Labels::status}. */
    public <K extends Comparable<K>> SortedMap<K, Long> by(Function<Labels, K> property) {
        SortedMap<K, Long> numbers = new TreeMap<>();
        figures.forEach((labels, one) -> {
            if (one.requests() > 0) {
                numbers.merge(property.apply(labels), one.requests(), Long::sum);
            }
        });
        return numbers;
    }

    /** Returns the counts of requests by verb, a space and resource, such as {@code update pods/status}. */
    public SortedMap<String, RequestCounts> counts() {
        SortedMap<String, RequestCounts> counts = new TreeMap<>();
        figures.forEach((labels, one) -> counts.merge(
                labels.verb() + " " + labels.resource(),
                new RequestCounts(
                        one.requests(),
                        labels.status() == CONFLICT ? one.requests() : 0,
                        labels.status() == TOO_MANY_REQUESTS ? one.requests() : 0,
                        one.sent()),
                RequestCounts::plus));
        return counts;
    }

    /** Returns the numbers of requests by verb, a space and resource, such as {@code update pods/status}. */
    public SortedMap<String, Long> byVerbAndResource() {
        return by(labels -> labels.verb() + " " + labels.resource());
    }
}
