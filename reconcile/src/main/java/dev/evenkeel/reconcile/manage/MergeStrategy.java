package dev.evenkeel.reconcile.manage;

import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.SemanticEquality;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.reconcile.internal.ExpiringCache;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Get, compare, write: the desired object is merged into a copy of the actual one, and a difference is written.
 *
 * <h2>The problem</h2>
 *
 * <p>A server does not always store what it receives: it sets defaults, a webhook adds a label or limits a number.
 * Merged again, the desired object differs again, and so each reconciliation writes, indefinitely. Comparing
 * generations does not help: the desired object has none, and metadata has none either.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>After each write the server's answer is merged again. The remaining difference is what the server insists on;
 *       it is remembered, as desired and as found, for an hour.
 *   <li>When merging results in exactly this difference, nothing is written: writing it had no effect before.
 *   <li>Any other difference is written: another desired state, another actual state of its fields, whatever its cause.
 *       Changes of other fields do not make a difference.
 * </ol>
 *
 * <p>So a server that insists costs one write, and one per hour, should it change its mind. Versions cannot be used
 * instead: each change of a status creates a new one.
 *
 * @param merge merges the desired object into a copy of the actual one; both are its own
 * @param patches whether the difference is sent, instead of the merged object
 */
record MergeStrategy<C extends HasMetadata>(
        ManagerOptions<C> options, BiConsumer<C, C> merge, boolean patches, ExpiringCache<String> insisted)
        implements DefaultObjectManager.WriteStrategy<C> {
    static final Duration RETRY = Duration.ofHours(1);

    @Override
    public Set<String> verbs() {
        return Set.of("create", patches ? "patch" : "update", "delete");
    }

    @Override
    public C create(Reconciliation<?> reconciliation, C desired) {
        return reconciliation.client().create(options.kind(), desired, WriteOptions.DEFAULT);
    }

    @Override
    public Optional<Change<C>> change(Reconciliation<?> reconciliation, C actual, C desired) {
        C merged = merged(actual, desired);
        String uid = actual.getMetadata().getUid();
        Instant now = reconciliation.clock().instant();
        if (SemanticEquality.same(actual, merged)
                || insisted.of(uid, now)
                        .filter(difference(actual, merged)::equals)
                        .isPresent()) {
            return Optional.empty();
        }
        return Optional.of(new Change<>(() -> actual, merged, () -> {
            C answer = write(reconciliation, actual, merged);
            C again = merged(answer, desired);
            if (SemanticEquality.same(answer, again)) {
                insisted.forget(uid);
            } else {
                insisted.keep(uid, difference(answer, again), now, now.plus(RETRY));
            }
            return answer;
        }));
    }

    private C write(Reconciliation<?> reconciliation, C actual, C merged) {
        if (!patches) {
            return reconciliation.client().update(options.kind(), merged, WriteOptions.DEFAULT);
        }
        // the patch has the fields that "before" lacks: it is for this very object, and perhaps for this very version
        C before = ModelCodec.copy(actual);
        before.getMetadata().setUid(null);
        if (options.locked()) {
            before.getMetadata().setResourceVersion(null);
        }
        return reconciliation
                .client()
                .patch(options.kind(), ObjectKey.of(actual), Patch.mergeBetween(before, merged), WriteOptions.DEFAULT);
    }

    /** Returns the desired object merged into a copy of the actual one, bound to the version that was read. */
    private C merged(C actual, C desired) {
        C merged = ModelCodec.copy(actual);
        merge.accept(merged, options.harmonized(actual, desired));
        merged.getMetadata().setUid(actual.getMetadata().getUid());
        merged.getMetadata().setResourceVersion(actual.getMetadata().getResourceVersion());
        return merged;
    }

    private static String difference(HasMetadata actual, HasMetadata merged) {
        return ExpiringCache.fingerprint(
                Patch.mergeBetween(actual, merged).text(),
                Patch.mergeBetween(merged, actual).text());
    }
}
