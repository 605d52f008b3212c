package dev.evenkeel.controller.internal.lease;

import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What was seen of the leases of others, and when: one is alive as long as its lease changed within the time that it says
 * it lasts, by the clock of who looks. One that is gone is taken for alive for that time too: it may have been deleted
 * under a holder who does not know yet. Only a lease that its holder released is free at once.
 *
 * <p>Not for use by several threads.
 */
final class Observations {
    private final Duration fallback;
    private final Map<String, Observed> seen = new HashMap<>();

    /** What it was, when that was first seen, and how long it lasts. */
    private record Observed(@Nullable LeaseSpec spec, long since, Duration lasts) {}

    /** With how long a lease lasts that does not say it. */
    Observations(Duration fallback) {
        this.fallback = fallback;
    }

    /** Notes what was seen of a member; null for no lease. */
    void observe(String member, @Nullable LeaseSpec spec, long now) {
        Observed before = seen.get(member);
        if (before != null && Objects.equals(before.spec(), spec)) {
            return;
        }
        Duration lasts = spec == null ? Duration.ZERO : Records.duration(spec);
        if (lasts.isZero()) {
            lasts = before == null ? fallback : before.lasts();
        }
        seen.put(member, new Observed(spec, now, lasts));
    }

    /** Forgets all but these. */
    void retain(Set<String> members) {
        seen.keySet().retainAll(members);
    }

    /** Whether a member may believe, at a time, that it is alive. */
    boolean alive(String member, long now) {
        Observed observed = seen.get(member);
        return observed != null
                && !released(observed)
                && now - observed.since() < observed.lasts().toNanos();
    }

    /** Whether a member should be given work: it is alive and its lease is there. */
    boolean live(String member, long now) {
        Observed observed = seen.get(member);
        return observed != null && observed.spec() != null && alive(member, now);
    }

    /** Whether a member has been dead for so many of its leases that its lease is litter. */
    boolean litter(String member, long now, int leases) {
        Observed observed = seen.get(member);
        return observed != null
                && observed.spec() != null
                && (released(observed)
                        || now - observed.since()
                                >= observed.lasts().multipliedBy(leases).toNanos());
    }

    private static boolean released(Observed observed) {
        return observed.spec() != null
                && Objects.requireNonNullElse(observed.spec().getHolderIdentity(), "")
                        .isEmpty();
    }
}
