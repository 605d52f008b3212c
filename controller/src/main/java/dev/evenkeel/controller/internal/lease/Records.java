package dev.evenkeel.controller.internal.lease;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Fence;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Scheduler;
import dev.evenkeel.client.WriteOptions;
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

    static Lease create(Client client, Lease lease) {
        return client.create(KIND, lease, WriteOptions.DEFAULT);
    }

    static Lease update(Client client, Lease lease) {
        return client.update(KIND, lease, WriteOptions.DEFAULT);
    }

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

    /** Returns whether a lease is held in the term of a fence. */
    static boolean isOf(Fence fence, Lease lease) {
        return holder(lease).equals(fence.holder()) && transitions(lease) == fence.transitions();
    }

    /** Returns the duration of a lease without renewal; zero if it does not state one. */
    static Duration duration(LeaseSpec spec) {
        return Duration.ofSeconds(Objects.requireNonNullElse(spec.getLeaseDurationSeconds(), 0));
    }

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
        spec.setLeaseTransitions(transitions);
        hold(spec, holder, duration, at);
        lease.setSpec(spec);
        return lease;
    }

    static Lease taken(Lease lease, Map<String, String> labels, String holder, Duration duration, Scheduler at) {
        Lease taken = labelled(lease, labels);
        taken.getSpec().setLeaseTransitions(transitions(lease) + 1);
        hold(taken.getSpec(), holder, duration, at);
        return taken;
    }

    static Lease renewed(Lease lease, Map<String, String> labels, Duration duration, Scheduler at) {
        Lease renewed = labelled(lease, labels);
        renewed.getSpec().setLeaseDurationSeconds((int) duration.toSeconds());
        renewed.getSpec().setRenewTime(now(at));
        return renewed;
    }

    static Lease released(Lease lease, Scheduler at) {
        Lease released = labelled(lease, Map.of());
        hold(released.getSpec(), "", Duration.ofSeconds(1), at);
        return released;
    }

    private static void hold(LeaseSpec spec, String holder, Duration duration, Scheduler at) {
        ZonedDateTime now = now(at);
        spec.setHolderIdentity(holder);
        spec.setLeaseDurationSeconds((int) duration.toSeconds());
        spec.setAcquireTime(now);
        spec.setRenewTime(now);
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
