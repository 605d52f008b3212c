package dev.evenkeel.engine.internal.apply;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.type.Schema;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Ownership of the fields of an object, and server-side apply.
 *
 * <p><b>The problem.</b> Many writers share one object. Each should state only the fields it manages, be warned before
 * it overwrites those of another writer, and have fields removed that it no longer states. The object itself therefore
 * records, in {@code metadata.managedFields}, which writer last set which field: a set of paths per writer.
 *
 * <p><b>Invariants.</b>
 *
 * <ol>
 *   <li>A write by an ordinary verb ({@link #updated}) gives the writer exactly the paths it added or modified; every
 *       other owner of a modified or removed path loses it. It never fails: if ownership cannot be determined, the
 *       record is cleared.
 *   <li>An applied configuration ({@link #apply}) makes its paths, and only those, the applier's. Paths it applied
 *       before and no longer does are removed from the object unless another manager owns them.
 *   <li>Applying a different value to a path that another manager owns is a conflict, unless forced; the same value is
 *       shared ownership.
 *   <li>Paths that the server itself maintains (identity, version, {@code managedFields}) are unowned, and an endpoint
 *       does not record the paths it resets, such as {@code status} on the main endpoint.
 *   <li>Applying the same configuration twice changes nothing the second time, times included.
 * </ol>
 *
 * <p><b>Concurrency.</b> Immutable; the methods are functions of their arguments. Arguments are only read, and results
 * share no container with them, except entries of {@code managedFields} that are carried over unchanged.
 *
 * <p><b>Cost.</b> One walk over the two trees, which allocates only where they differ; entries of other writers are
 * decoded only when something changed. An apply makes one walk each to check, merge and compare, and four more to prune
 * when the applier no longer applies something.
 *
 * <p><b>Alternative.</b> Storing each writer's last configuration and merging three ways, as clients did before, makes
 * objects several times larger, and does not tell who owns a field that two configurations mention.
 *
 * <p>Source of the semantics: kube-apiserver 1.36, which uses structured-merge-diff 6.3.2.
 */
public final class FieldOwnership {
    /** Unowned paths, which the server maintains itself. */
    static final FieldSet SYSTEM =
            FieldSet.of(List.of(("apiVersion kind metadata metadata.name metadata.namespace metadata.creationTimestamp "
                            + "metadata.selfLink metadata.uid metadata.clusterName metadata.generation "
                            + "metadata.managedFields metadata.resourceVersion")
                    .split(" ", -1)));

    private final FieldManagerScope endpoint;

    /** Converts an object of the endpoint's version to another version. */
    @FunctionalInterface
    public interface Conversion {
        /** Versions differ in name only, so that ownership in one version holds for all. */
        Conversion NONE = (object, apiVersion) -> object;

        /** Returns the object in a version that is served; the given one is only read. */
        JsonObject convert(JsonObject object, String apiVersion);
    }

    /**
     * Creates the ownership of one endpoint.
     *
     * @param apiVersion version of the endpoint, such as {@code apps/v1}
     * @param kind kind of the endpoint's objects
     * @param subresource such as {@code status}; empty for the main endpoint
     * @param blank the object before anything is set: {@code apiVersion} and {@code kind}, and for built-in kinds the
     *     fields they show when nothing is set. A creator does not own values that equal it. Only read
     * @param reset dotted paths that writes to the endpoint cannot change, such as {@code status}
     * @param schemas the schema of whole objects by apiVersion; empty for versions that are not served. Must know the
     *     endpoint's
     * @param conversion between versions
     */
    public FieldOwnership(
            String apiVersion,
            String kind,
            String subresource,
            JsonObject blank,
            List<String> reset,
            Function<String, Optional<Schema>> schemas,
            Conversion conversion) {
        endpoint = new FieldManagerScope(apiVersion, kind, subresource, blank, FieldSet.of(reset), schemas, conversion);
    }

    /** Returns the blank of kinds that show nothing when nothing is set: all custom resources. */
    public static JsonObject blank(String apiVersion, String kind) {
        return JsonObject.of("apiVersion", apiVersion, "kind", kind);
    }

    /** Returns what makes entries of {@code metadata.managedFields} unreadable, in upstream's words; empty if nothing does. */
    public static Optional<String> problem(List<?> entries) {
        try {
            var unused = ManagedFields.decode(entries, false);
            return Optional.empty();
        } catch (UntypedException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /**
     * The result of an apply.
     *
     * @param object the object to write, {@code metadata.managedFields} included; not yet defaulted or validated
     * @param changed false when neither the object nor its ownership changed, times aside: nothing is to be written
     */
    public record Applied(JsonObject object, boolean changed) {}

    /**
     * Returns the {@code metadata.managedFields} of an object about to be written by any verb but apply.
     *
     * <p>Entries that the request itself carries are honoured on the main endpoint: none or one empty entry clears the
     * record, valid entries replace it, invalid ones are ignored. The record is also cleared when ownership cannot be
     * determined: items lack their keys, or the object does not fit the schema of another version in which something is
     * owned.
     *
     * @param live the present object; empty for a create
     * @param object the object to be written, defaulted, in the endpoint's version
     * @param manager name of the writer
     * @param now the time to record, in seconds as RFC 3339 has it, if the writer takes anything
     * @return the entries; empty when the field is to be left out
     */
    public List<@Nullable Object> updated(Optional<JsonObject> live, JsonObject object, String manager, String now) {
        List<@Nullable Object> before = live.map(FieldOwnership::entries).orElse(List.of());
        try {
            Object sent = object.at("metadata", "managedFields");
            List<?> request = endpoint.subresource().isEmpty() && sent instanceof List<?> list ? list : before;
            boolean honoured = !Values.isSame(request, before) && (live.isEmpty() || !request.equals(before));
            ManagedFields claims = honoured ? honoured(request, before) : stored(before);
            if (claims.isEmpty() && live.isPresent()) {
                return List.of();
            }
            boolean outdated =
                    claims.hasOther(version -> endpoint.shape(version).isPresent());
            JsonObject base = live.orElse(endpoint.blank());
            Comparison comparison = Comparison.of(
                    FieldManagerScope.untracked(base), FieldManagerScope.untracked(object), endpoint.shape());
            if (comparison.isEmpty() && !honoured && !outdated && !claims.isOverfull()) {
                return before;
            }
            update(claims, base, object, comparison, manager, now);
            return claims.encode();
        } catch (UntypedException e) {
            return List.of();
        }
    }

    /**
     * Applies a configuration.
     *
     * @param live the present object, in the endpoint's version; empty to create one
     * @param patch the configuration
     * @param manager name of the applier
     * @param force true to take conflicting fields from their owners
     * @param now the time to record, in seconds as RFC 3339 has it, if anything changes
     * @throws dev.evenkeel.client.ConflictException when other managers own fields with other values, each as a cause
     * @throws dev.evenkeel.client.BadRequestException when the patch is of another type, or has managedFields
     * @throws ApiException with code 500 and no reason when the patch does not fit the schema
     */
    public Applied apply(Optional<JsonObject> live, JsonObject patch, String manager, boolean force, String now) {
        checkType(patch);
        JsonObject base = live.orElse(endpoint.blank());
        List<@Nullable Object> before = entries(base);
        ManagedFields claims;
        try {
            claims = stored(before);
            claims.entries().forEach(e -> e.getValue().fields());
        } catch (UntypedException e) {
            throw Refusal.internal("failed to decode managed fields: " + e.getMessage());
        }
        if (claims.isEmpty() && live.isPresent()) {
            try {
                Comparison all = Comparison.of(endpoint.blank(), FieldManagerScope.untracked(base), endpoint.shape());
                update(claims, endpoint.blank(), base, all, "before-first-apply", now);
            } catch (UntypedException e) {
                throw Refusal.internal("failed to create manager for existing fields: " + e.getMessage());
            }
        }
        if (patch.at("metadata", "managedFields") instanceof List<?>) {
            throw Refusal.badRequest("metadata.managedFields must be nil");
        }
        check(patch, "patch", patch, false);
        JsonObject start = FieldManagerScope.untracked(base);
        check(start, "live", patch, true);
        try {
            return new ApplyOperation(endpoint, start, patch, named(manager), claims, now).result(before, force);
        } catch (UntypedException e) {
            throw Refusal.internal(String.valueOf(e.getMessage()));
        }
    }

    /**
     * Returns true if two values of {@code metadata.managedFields} are equal except for the times, and the order which
     * the times give: then, if the rest of the object is unchanged too, nothing is to be written and the old entries
     * are kept.
     */
    public static boolean sameButTimes(@Nullable Object a, @Nullable Object b) {
        if (!(a instanceof List<?> left) || !(b instanceof List<?> right)) {
            return isNothing(a) && isNothing(b);
        }
        return left.size() == right.size()
                && (left.equals(right) || timeless(left).equals(timeless(right)));
    }

    private static boolean isNothing(@Nullable Object entries) {
        return entries == null || (entries instanceof List<?> list && list.isEmpty());
    }

    /** Returns the entries, which are distinct, without their times. */
    private static Set<Object> timeless(List<?> entries) {
        Set<Object> result = new HashSet<>();
        for (Object entry : entries) {
            JsonObject copy = new JsonObject(Json.object(entry).orElse(new JsonObject()));
            copy.remove("time");
            result.add(copy);
        }
        return result;
    }

    private static List<@Nullable Object> entries(JsonObject object) {
        return object.array("metadata", "managedFields");
    }

    private static ManagedFields stored(List<?> entries) {
        return ManagedFields.decode(entries, true);
    }

    /** Returns the ownership that the entries of a request result in. */
    private static ManagedFields honoured(List<?> sent, List<?> before) {
        if (sent.isEmpty() || (sent.size() == 1 && sent.getFirst() instanceof JsonObject entry && entry.isEmpty())) {
            return new ManagedFields();
        }
        try {
            return ManagedFields.decode(sent, false);
        } catch (UntypedException e) {
            return stored(before);
        }
    }

    private static String named(String manager) {
        return manager.isEmpty() ? "unknown" : manager;
    }

    private void update(
            ManagedFields claims, JsonObject base, JsonObject object, Comparison changes, String manager, String now) {
        endpoint.adapt(claims);
        Map<Owner, FieldSet> none = new HashMap<>();
        Comparison comparison = changes.without(endpoint.reset());
        new Transfer(endpoint, FieldManagerScope.untracked(base), FieldManagerScope.untracked(object), comparison, true)
                .takeFromOtherOwners(claims, Optional.empty(), none, true);
        FieldSet taken = comparison.modified().union(comparison.added()).difference(SYSTEM);
        if (!taken.isEmpty()) {
            Owner owner = Owner.updater(named(manager), endpoint.apiVersion(), endpoint.subresource());
            ManagedFieldsEntry previous = claims.get(owner);
            FieldSet fields = previous == null ? taken : taken.union(previous.fields());
            claims.put(owner, ManagedFieldsEntry.of(fields, endpoint.apiVersion(), now));
        }
        if (claims.isOverfull()) {
            claims.fold();
        }
    }

    private void checkType(JsonObject patch) {
        if (!patch.string("apiVersion").equals(endpoint.apiVersion())
                || !patch.string("kind").equals(endpoint.kind())) {
            throw Refusal.badRequest("invalid object type: " + type(patch));
        }
    }

    /** Returns group, version and kind as upstream prints them. */
    private static String type(JsonObject object) {
        String version = object.string("apiVersion");
        long slashes = version.chars().filter(c -> c == '/').count();
        return slashes > 1 ? "/, Kind=" : (slashes == 0 ? "/" : "") + version + ", Kind=" + object.string("kind");
    }

    private void check(JsonObject tree, String role, JsonObject patch, boolean duplicates) {
        try {
            Conformance.check(tree, endpoint.shape(), duplicates);
        } catch (UntypedException e) {
            JsonObject named = role.equals("patch") ? patch : tree;
            throw Refusal.internal(
                    "failed to create typed " + role + " object (" + named.string("metadata", "namespace") + "/"
                            + named.string("metadata", "name") + "; " + type(patch) + "): " + e.getMessage());
        }
    }
}
