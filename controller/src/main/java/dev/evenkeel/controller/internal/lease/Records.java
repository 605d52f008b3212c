package dev.evenkeel.controller.internal.lease;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Scheduler;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** Writes the records of Lease objects as client-go does. */
final class Records {
    static final Kind<Lease> KIND = Kind.of(Lease.class);

    private Records() {}

    static LeaseSpec spec(Lease lease) {
        return Objects.requireNonNullElseGet(lease.getSpec(), LeaseSpec::new);
    }

    /** Returns the holder of a lease; empty if it is free. */
    static String holder(Lease lease) {
        return Objects.requireNonNullElse(spec(lease).getHolderIdentity(), "");
    }

    static int transitions(Lease lease) {
        return Objects.requireNonNullElse(spec(lease).getLeaseTransitions(), 0);
    }

    /** Returns the duration of a lease without renewal; zero if it does not state one. */
    static Duration duration(LeaseSpec spec) {
        return Duration.ofSeconds(Objects.requireNonNullElse(spec.getLeaseDurationSeconds(), 0));
    }

    /** Returns a lease to create. */
    static Lease created(
            ObjectKey key,
            Map<String, String> labels,
            String holder,
            int transitions,
            Duration duration,
            Scheduler at) {
        ObjectMeta metadata = new ObjectMeta();
        metadata.setNamespace(key.namespace());
        metadata.setName(key.name());
        metadata.setLabels(new HashMap<>(labels));
        Lease lease = new Lease();
        lease.setMetadata(metadata);
        LeaseSpec spec = new LeaseSpec();
        ZonedDateTime now = now(at);
        spec.setHolderIdentity(holder);
        spec.setLeaseTransitions(transitions);
        spec.setLeaseDurationSeconds((int) duration.toSeconds());
        spec.setAcquireTime(now);
        spec.setRenewTime(now);
        lease.setSpec(spec);
        return lease;
    }

    /** Returns a copy of the lease, taken by a holder. */
    static Lease taken(Lease lease, Map<String, String> labels, String holder, Duration duration, Scheduler at) {
        Lease taken = labelled(lease, labels);
        LeaseSpec spec = taken.getSpec();
        ZonedDateTime now = now(at);
        spec.setHolderIdentity(holder);
        spec.setLeaseTransitions(transitions(lease) + 1);
        spec.setLeaseDurationSeconds((int) duration.toSeconds());
        spec.setAcquireTime(now);
        spec.setRenewTime(now);
        return taken;
    }

    /** Returns a copy of the lease, renewed by its holder. */
    static Lease renewed(Lease lease, Map<String, String> labels, Duration duration, Scheduler at) {
        Lease renewed = labelled(lease, labels);
        renewed.getSpec().setLeaseDurationSeconds((int) duration.toSeconds());
        renewed.getSpec().setRenewTime(now(at));
        return renewed;
    }

    /** Returns a copy of the lease that is free. */
    static Lease released(Lease lease, Scheduler at) {
        Lease released = labelled(lease, Map.of());
        LeaseSpec spec = released.getSpec();
        ZonedDateTime now = now(at);
        spec.setHolderIdentity("");
        spec.setLeaseDurationSeconds(1);
        spec.setAcquireTime(now);
        spec.setRenewTime(now);
        return released;
    }

    private static Lease labelled(Lease lease, Map<String, String> labels) {
        Lease copy = ModelCodec.copy(lease);
        copy.setSpec(spec(copy));
        if (!labels.isEmpty()) {
            Map<String, String> all =
                    new HashMap<>(Objects.requireNonNullElse(copy.getMetadata().getLabels(), Map.of()));
            all.putAll(labels);
            copy.getMetadata().setLabels(all);
        }
        return copy;
    }

    private static ZonedDateTime now(Scheduler at) {
        return at.clock().instant().truncatedTo(ChronoUnit.MICROS).atZone(ZoneOffset.UTC);
    }
}
