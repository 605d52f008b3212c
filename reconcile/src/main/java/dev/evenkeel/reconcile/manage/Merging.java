package dev.evenkeel.reconcile.manage;

import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.SemanticEquality;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Reconciliation;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Get, compare, write: what is desired is merged into a copy of what is there, and where that makes a difference it is
 * written.
 *
 * <h2>The problem</h2>
 *
 * <p>A server does not always take what it is given: it fills in defaults, a webhook adds a label or limits a number. Merged
 * again, what is desired makes a difference again, and so each reconciliation writes, for ever. Comparing generations does
 * not help: the desired object has none, and metadata has none either.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>After each write the server's answer is merged again. The difference that is left is what the server insists on;
 *       it is remembered, as wanted and as found, for an hour.
 *   <li>When merging makes just this difference, nothing is written: writing it had no effect before.
 *   <li>Any other difference is written: another wish, another state of what is wished for, whoever brought it about.
 *       Changes of what is not wished for make no difference.
 * </ol>
 *
 * <p>So a server that insists costs one write, and one in an hour, should it change its mind. Why not remember versions:
 * each change of a status makes a new one.
 *
 * @param merge takes over what is desired into a copy of what is there; both are its own
 * @param write how the difference is written, of what is there and what should be
 */
record Merging<C extends HasMetadata>(
        Terms<C> terms, BiConsumer<C, C> merge, Write<C> write, String verb, Memory<String> insisted)
        implements Writing<C> {
    static final Duration RETRY = Duration.ofHours(1);

    /** Writes a difference. */
    @FunctionalInterface
    interface Write<C> {
        C write(Reconciliation<?> reconciliation, C actual, C merged);
    }

    @Override
    public Set<String> verbs() {
        return Set.of("create", verb, "delete");
    }

    @Override
    public C create(Reconciliation<?> reconciliation, C desired) {
        return reconciliation.client().create(terms.kind(), desired, WriteOptions.DEFAULT);
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
            C answer = write.write(reconciliation, actual, merged);
            C again = merged(answer, desired);
            if (SemanticEquality.same(answer, again)) {
                insisted.forget(uid);
            } else {
                insisted.keep(uid, difference(answer, again), now, now.plus(RETRY));
            }
            return answer;
        }));
    }

    /** What is desired in a copy of what is there: in the state that was looked at, and no other. */
    private C merged(C actual, C desired) {
        C merged = ModelCodec.copy(actual);
        merge.accept(merged, terms.harmonized(actual, desired));
        merged.getMetadata().setUid(actual.getMetadata().getUid());
        merged.getMetadata().setResourceVersion(actual.getMetadata().getResourceVersion());
        return merged;
    }

    private static String difference(HasMetadata actual, HasMetadata merged) {
        return Memory.fingerprint(
                Patch.mergeBetween(actual, merged).text(),
                Patch.mergeBetween(merged, actual).text());
    }
}
