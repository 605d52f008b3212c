package dev.evenkeel.controller.internal.lease;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.ConflictException;
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
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the records of Lease objects as client-go does.
 *
 * @param holder identity that takes leases
 * @param lasts duration of a lease without renewal
 */
record Records(Client client, Map<String, String> labels, String holder, Duration lasts, Scheduler scheduler) {
    static final Kind<Lease> KIND = Kind.of(Lease.class);
    private static final int RELEASE_ATTEMPTS = 10;

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

    Lease create(ObjectKey key, int transitions) {
        ObjectMeta metadata = new ObjectMeta();
        metadata.setNamespace(key.namespace());
        metadata.setName(key.name());
        metadata.setLabels(new HashMap<>(labels));
        Lease lease = new Lease();
        lease.setMetadata(metadata);
        LeaseSpec spec = new LeaseSpec();
        spec.setLeaseTransitions(transitions);
        hold(spec, holder, lasts);
        lease.setSpec(spec);
        return client.create(KIND, lease, WriteOptions.DEFAULT);
    }

    /** Takes a lease, with one transition more. */
    Lease take(Lease lease) {
        return update(lease, labels, spec -> {
            spec.setLeaseTransitions(transitions(lease) + 1);
            hold(spec, holder, lasts);
        });
    }

    Lease renew(Lease lease) {
        return update(lease, labels, spec -> {
            spec.setLeaseDurationSeconds((int) lasts.toSeconds());
            spec.setRenewTime(now());
        });
    }

    Lease release(Lease lease) {
        return update(lease, Map.of(), spec -> hold(spec, "", Duration.ofSeconds(1)));
    }

    /**
     * Releases a lease that is held in the term of a fence, as long as that is wanted, also when it was changed
     * meanwhile.
     *
     * @param known its last known state; null to read it
     * @return the released lease; empty if it was not released
     */
    Optional<Lease> release(Fence fence, @Nullable Lease known, BooleanSupplier wanted) {
        Lease latest = known;
        for (int i = 0; i < RELEASE_ATTEMPTS && wanted.getAsBoolean(); i++) {
            if (latest == null) {
                latest = client.find(KIND, fence.lease()).orElse(null);
            }
            if (latest == null || !isOf(fence, latest)) {
                return Optional.empty();
            }
            try {
                return Optional.of(release(latest));
            } catch (ConflictException e) {
                latest = null;
            }
        }
        return Optional.empty();
    }

    private void hold(LeaseSpec spec, String identity, Duration duration) {
        ZonedDateTime now = now();
        spec.setHolderIdentity(identity);
        spec.setLeaseDurationSeconds((int) duration.toSeconds());
        spec.setAcquireTime(now);
        spec.setRenewTime(now);
    }

    private Lease update(Lease lease, Map<String, String> added, Consumer<LeaseSpec> change) {
        Lease copy = ModelCodec.copy(lease);
        copy.setSpec(spec(copy));
        if (!added.isEmpty()) {
            Map<String, String> all =
                    new HashMap<>(Objects.requireNonNullElse(copy.getMetadata().getLabels(), Map.of()));
            all.putAll(added);
            copy.getMetadata().setLabels(all);
        }
        change.accept(copy.getSpec());
        return client.update(KIND, copy, WriteOptions.DEFAULT);
    }

    private ZonedDateTime now() {
        return scheduler.clock().instant().truncatedTo(ChronoUnit.MICROS).atZone(ZoneOffset.UTC);
    }
}
