package dev.evenkeel.load.internal.proxy;

import dev.evenkeel.load.internal.proxy.Requests.Figures;
import dev.evenkeel.load.internal.proxy.Requests.Labels;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * The running counters behind {@link Requests}.
 *
 * <p>Counting takes no lock: an exchange looks its counters up once, and then adds to them. Clients decide which labels
 * there are, so their number is limited; beyond the limit, requests are counted without user agent and namespace, and
 * with the resource {@code other}.
 */
final class RequestCounters {
    private final ConcurrentHashMap<Labels, Counters> counters = new ConcurrentHashMap<>();
    private final int mostLabels;

    RequestCounters(int mostLabels) {
        this.mostLabels = mostLabels;
    }

    /** The counters of requests with equal labels. */
    static final class Counters {
        final LongAdder requests = new LongAdder();
        final LongAdder received = new LongAdder();
        final LongAdder sent = new LongAdder();
        final LongAdder events = new LongAdder();

        private Figures figures() {
            return new Figures(requests.sum(), received.sum(), sent.sum(), events.sum());
        }
    }

    /** Counts a request, and returns the counters to which its bytes and events are added. */
    Counters count(Labels labels) {
        Counters found = counters.get(labels);
        if (found == null) {
            boolean room = counters.mappingCount() < mostLabels;
            Labels key = room ? labels : new Labels("", labels.verb(), "other", "", labels.status());
            found = counters.computeIfAbsent(key, unused -> new Counters());
        }
        found.requests.increment();
        return found;
    }

    Requests snapshot(int openWatches) {
        Map<Labels, Figures> figures = new HashMap<>();
        counters.forEach((labels, one) -> figures.put(labels, one.figures()));
        return new Requests(figures, openWatches);
    }
}
