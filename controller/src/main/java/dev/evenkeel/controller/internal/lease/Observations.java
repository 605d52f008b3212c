package dev.evenkeel.controller.internal.lease;

import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The observed leases of other members and when they were observed: a member is alive as long as its lease changed
 * within its duration, by the clock of the observer. A member whose lease disappeared counts as alive for that time
 * too: the lease may have been deleted without its holder's knowledge. Only a lease that its holder released is free at
 * once.
 *
 * <p>Not thread-safe.
 */
final class Observations {
    private final Duration fallback;
    private final Map<String, Observed> seen = new HashMap<>();

    /** A lease, the time at which this state was first observed, and its duration. */
    private record Observed(@Nullable LeaseSpec spec, long since, Duration lasts) {
        boolean released() {
            return spec != null
                    && Objects.requireNonNullElse(spec.getHolderIdentity(), "").isEmpty();
        }

        boolean within(long now, int durations) {
            return now - since < lasts.multipliedBy(durations).toNanos();
        }
    }

    /** Creates an empty set of observations, with the duration of a lease that does not state one. */
    Observations(Duration fallback) {
        this.fallback = fallback;
    }

    /** Records the observed lease of a member; null for no lease. */
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

    void retain(Set<String> members) {
        seen.keySet().retainAll(members);
    }

    /** Returns whether a member may consider itself alive at the given time. */
    boolean alive(String member, long now) {
        Observed observed = seen.get(member);
        return observed != null && !observed.released() && observed.within(now, 1);
    }

    /** Returns whether a member may be given work: it is alive and its lease exists. */
    boolean live(String member, long now) {
        Observed observed = seen.get(member);
        return observed != null && observed.spec() != null && alive(member, now);
    }

    /** Returns whether a member has been dead for so many durations of its lease that the lease can be deleted. */
    boolean litter(String member, long now, int leases) {
        Observed observed = seen.get(member);
        return observed != null && observed.spec() != null && (observed.released() || !observed.within(now, leases));
    }
}
