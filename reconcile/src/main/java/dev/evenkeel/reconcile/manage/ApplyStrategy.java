package dev.evenkeel.reconcile.manage;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.SemanticEquality;
import dev.evenkeel.client.Status;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.TerminalException;
import dev.evenkeel.reconcile.internal.ExpiringCache;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Server-side apply, when it can make a difference.
 *
 * <h2>The problem</h2>
 *
 * <p>Only the server knows what an apply would change: its merge keys, its defaults, the owners of fields. Applying
 * each time is a request for each object at each reconciliation, nearly all of which change nothing.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>After each apply, the applied object is remembered, and the same fields of the answer.
 *   <li>Nothing is sent when an equal object is to be applied, and the fields of the actual object are as they were in
 *       that answer: that is the state to which the server brought it. Other changes do not count.
 *   <li>When that state differs from the applied one, since the server insists on other values, it is retried after an
 *       hour.
 *   <li>The apply names the uid of the object that was read: another one of its name is not changed.
 * </ol>
 *
 * <p>A list with more items on the server than are applied is taken as a whole, so changes of items that others added
 * cause an apply, which changes nothing. To avoid that, the merge rule of each list would have to be known.
 */
record ApplyStrategy<C extends HasMetadata>(
        ManagerOptions<C> options, String fieldManager, ExpiringCache<ApplyStrategy.Applied> applied)
        implements DefaultObjectManager.WriteStrategy<C> {
    private static final Duration KEPT = Duration.ofDays(1);

    /**
     * The result of an apply.
     *
     * @param wanted fingerprint of the applied object
     * @param made fingerprint of the same fields of the answer
     * @param settled whether the two agree
     * @param version version at which the object was last verified: it need not be compared again
     */
    record Applied(String wanted, String made, boolean settled, String version) {
        boolean isSaid(Applied other) {
            return wanted.equals(other.wanted) && made.equals(other.made) && settled == other.settled;
        }
    }

    @Override
    public Set<String> verbs() {
        return Set.of("create", "patch", "delete");
    }

    @Override
    public C create(Reconciliation<?> reconciliation, C desired) {
        Kind<C> kind = options.kind();
        ObjectKey key = ObjectKey.of(desired);
        if (key.name().isEmpty()) {
            throw new TerminalException("metadata.name: " + kind.kind() + " without one can't be applied as "
                    + fieldManager + ": give it a name, or use ObjectManager.updating for generated names");
        }
        if (reconciliation.client().find(kind, key).isPresent()) {
            throw ApiException.of(Status.of(
                    409,
                    "AlreadyExists",
                    kind.id() + " \"" + key.name() + "\" already exists",
                    Status.Details.of(key.name(), kind.group(), kind.plural())));
        }
        return apply(reconciliation, bare(ModelCodec.copy(desired)));
    }

    @Override
    public Optional<Change<C>> change(Reconciliation<?> reconciliation, C actual, C desired) {
        C wanted = bare(options.harmonized(actual, desired));
        wanted.getMetadata().setNamespace(actual.getMetadata().getNamespace());
        wanted.getMetadata().setName(actual.getMetadata().getName());
        wanted.getMetadata().setGenerateName(null);
        Instant now = reconciliation.clock().instant();
        String uid = actual.getMetadata().getUid();
        Optional<Applied> last = applied.of(uid, now);
        if (last.isPresent()) {
            String wish = wish(wanted);
            boolean known = last.get().wanted().equals(wish)
                    && last.get().version().equals(actual.getMetadata().getResourceVersion());
            Applied said = known ? last.get() : applied(wish, wanted, actual);
            if (said.isSaid(last.get())) {
                if (said.settled()) {
                    applied.keep(uid, said, now, now.plus(KEPT));
                }
                return Optional.empty();
            }
        }
        C aimed = ModelCodec.copy(wanted);
        aimed.getMetadata().setUid(uid);
        return Optional.of(new Change<>(() -> spokenOf(actual, wanted), wanted, () -> apply(reconciliation, aimed)));
    }

    /** Returns a copy without the fields that only the server sets. */
    private static <C extends HasMetadata> C bare(C object) {
        object.getMetadata().setUid(null);
        object.getMetadata().setResourceVersion(null);
        object.getMetadata().setGeneration(null);
        object.getMetadata().setCreationTimestamp(null);
        object.getMetadata().setManagedFields(null);
        return object;
    }

    private C apply(Reconciliation<?> reconciliation, C wanted) {
        C answer = reconciliation
                .client()
                .apply(
                        options.kind(),
                        wanted,
                        WriteOptions.DEFAULT.fieldManager(fieldManager).force(options.force()));
        Instant now = reconciliation.clock().instant();
        C wish = bare(ModelCodec.copy(wanted));
        Applied made = applied(wish(wish), wish, answer);
        applied.keep(answer.getMetadata().getUid(), made, now, now.plus(made.settled() ? KEPT : MergeStrategy.RETRY));
        return answer;
    }

    private static String wish(HasMetadata wanted) {
        return ExpiringCache.fingerprint(ModelCodec.encode(wanted));
    }

    private Applied applied(String wish, C wanted, C object) {
        return new Applied(
                wish,
                ExpiringCache.fingerprint(SemanticEquality.excerpt(object, wanted)),
                SemanticEquality.includes(object, wanted),
                Objects.requireNonNullElse(object.getMetadata().getResourceVersion(), ""));
    }

    private C spokenOf(C actual, C wanted) {
        return ModelCodec.decode(
                SemanticEquality.excerpt(actual, wanted).getBytes(StandardCharsets.UTF_8),
                options.kind().javaType());
    }
}
