package dev.evenkeel.server.internal.resource;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Fence;
import dev.evenkeel.client.FieldSelector;
import dev.evenkeel.client.LabelSelector;
import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.GoTypes;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.object.WriteOptions.FieldValidation;
import dev.evenkeel.engine.internal.read.ListQuery;
import dev.evenkeel.engine.internal.read.WatchQuery;
import dev.evenkeel.engine.internal.schema.MetadataRules;
import dev.evenkeel.engine.internal.type.Requester;
import dev.evenkeel.engine.internal.write.DeleteOptions;
import dev.evenkeel.engine.internal.write.DeleteOptions.Propagation;
import dev.evenkeel.server.internal.http.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Reads the options of requests from the query of a URL, by upstream's rules. */
public final class OptionsReader {
    private static final int MAX_MANAGER = 128;
    private static final String MATCH_AND_CONTINUE = "resourceVersionMatch is forbidden when continue is provided";
    private static final List<String> POLICIES = List.of("Foreground", "Background", "Orphan", "nil");

    private OptionsReader() {}

    /**
     * Reads the options of a create, update or patch.
     *
     * @param kind such as {@code CreateOptions}, for messages
     * @param apply whether this is a server-side apply
     * @param userAgent the writer when the query names no field manager
     * @param fence the header of a fenced write; empty for none
     * @param requester the sender of the request
     */
    public static WriteOptions write(
            Query query, String kind, boolean apply, String userAgent, String fence, Requester requester) {
        List<FieldError> errors = new ArrayList<>(0);
        String manager = query.first("fieldManager");
        boolean force = query.flag("force");
        if (apply && manager.isEmpty()) {
            errors.add(FieldError.required("fieldManager", "is required for apply patch"));
        }
        if (!apply && kind.equals("PatchOptions") && query.has("force")) {
            errors.add(FieldError.forbidden("force", "may not be specified for non-apply patch"));
        }
        errors.addAll(MetadataRules.validateManager("fieldManager", manager));
        checkDryRun(query.all("dryRun"), errors);
        FieldValidation validation = validation(query.first("fieldValidation"), errors);
        check(kind, errors);
        return new WriteOptions(
                manager.isEmpty() ? managerOf(userAgent) : manager,
                !query.all("dryRun").isEmpty(),
                validation,
                force,
                fence(fence),
                requester);
    }

    /**
     * Reads a fence from its header.
     *
     * @throws dev.evenkeel.client.BadRequestException when it cannot be read: the write must not be done without it
     */
    public static Optional<Fence> fence(String header) {
        if (header.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Fence.parse(header));
        } catch (IllegalArgumentException e) {
            throw Refusal.badRequest("header " + Fence.HEADER + ": " + e.getMessage());
        }
    }

    /** Refuses options with errors. */
    static void check(String kind, List<FieldError> errors) {
        if (!errors.isEmpty()) {
            throw Refusal.invalid("meta.k8s.io", kind, "", errors);
        }
    }

    static void checkDryRun(List<String> values, List<FieldError> errors) {
        if (!values.isEmpty() && !values.stream().allMatch("All"::equals)) {
            errors.add(FieldError.notSupported("dryRun", values, List.of("All")));
        }
    }

    private static FieldValidation validation(String text, List<FieldError> errors) {
        return switch (text) {
            case "", "Warn" -> FieldValidation.WARN;
            case "Ignore" -> FieldValidation.IGNORE;
            case "Strict" -> FieldValidation.STRICT;
            default -> {
                errors.add(FieldError.notSupported("fieldValidation", text, List.of("", "Ignore", "Strict", "Warn")));
                yield FieldValidation.WARN;
            }
        };
    }

    /** Returns the program name before the version, without unprintable characters. */
    static String managerOf(String userAgent) {
        int slash = userAgent.indexOf('/');
        String program = slash < 0 ? userAgent : userAgent.substring(0, slash);
        if (program.length() <= MAX_MANAGER && program.codePoints().allMatch(MetadataRules::isPrintable)) {
            return program.isEmpty() ? "unknown" : program;
        }
        StringBuilder out = new StringBuilder();
        program.codePoints()
                .filter(MetadataRules::isPrintable)
                .limit(MAX_MANAGER)
                .forEach(out::appendCodePoint);
        return out.toString();
    }

    /** Reads the options of a list, or of a deletion of many. */
    public static ListQuery list(Query query) {
        query.integer("timeoutSeconds");
        long limit = query.integer("limit");
        String match = query.first("resourceVersionMatch");
        String version = query.first("resourceVersion");
        String token = query.first("continue");
        LabelSelector labels = labels(query);
        FieldSelector fields = fields(query);
        List<FieldError> errors = new ArrayList<>(0);
        if (!match.isEmpty()) {
            if (version.isEmpty()) {
                errors.add(forbiddenMatch("resourceVersionMatch is forbidden unless resourceVersion is provided"));
            }
            if (!token.isEmpty()) {
                errors.add(forbiddenMatch(MATCH_AND_CONTINUE));
            }
            if (!match.equals("Exact") && !match.equals("NotOlderThan")) {
                errors.add(
                        FieldError.notSupported("resourceVersionMatch", match, List.of("Exact", "NotOlderThan", "")));
            } else if (match.equals("Exact") && version.equals("0")) {
                errors.add(forbiddenMatch("resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\""));
            }
        }
        if (query.has("sendInitialEvents")) {
            errors.add(FieldError.forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
        }
        check("ListOptions", errors);
        return new ListQuery(labels, fields, version, match, limit, token);
    }

    /** Reads the options of a watch. */
    public static WatchQuery watch(Query query) {
        query.integer("timeoutSeconds");
        query.integer("limit");
        String match = query.first("resourceVersionMatch");
        String version = query.first("resourceVersion");
        LabelSelector labels = labels(query);
        FieldSelector fields = fields(query);
        Optional<Boolean> initial =
                query.has("sendInitialEvents") ? Optional.of(query.flag("sendInitialEvents")) : Optional.empty();
        List<FieldError> errors = new ArrayList<>(0);
        // a watch from any state asks for initial events, unless it says otherwise
        boolean implied = match.isEmpty() && initial.isEmpty() && (version.isEmpty() || version.equals("0"));
        if (initial.isPresent() && !match.equals("NotOlderThan")) {
            errors.add(forbiddenMatch("sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
        }
        if (!match.isEmpty() && initial.isEmpty()) {
            errors.add(
                    forbiddenMatch("resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"));
        }
        if (!match.isEmpty() && !match.equals("NotOlderThan")) {
            errors.add(FieldError.notSupported("resourceVersionMatch", match, List.of("NotOlderThan")));
        }
        if ((implied || !match.isEmpty()) && !query.first("continue").isEmpty()) {
            errors.add(forbiddenMatch(MATCH_AND_CONTINUE));
        }
        check("ListOptions", errors);
        return new WatchQuery(labels, fields, version, match, initial, query.flag("allowWatchBookmarks"));
    }

    private static FieldError forbiddenMatch(String detail) {
        return FieldError.forbidden("resourceVersionMatch", detail);
    }

    private static LabelSelector labels(Query query) {
        return LabelSelector.parse(query.first("labelSelector"));
    }

    private static FieldSelector fields(Query query) {
        return FieldSelector.parse(query.first("fieldSelector"));
    }

    /** Reads the options of a delete without a body. */
    public static DeleteOptions deletion(Query query) {
        return options(
                query.has("propagationPolicy") ? Optional.of(query.first("propagationPolicy")) : Optional.empty(),
                query.has("orphanDependents") ? Optional.of(query.flag("orphanDependents")) : Optional.empty(),
                query.has("gracePeriodSeconds")
                        ? OptionalLong.of(query.integer("gracePeriodSeconds"))
                        : OptionalLong.empty(),
                Optional.empty(),
                Optional.empty(),
                query.all("dryRun"));
    }

    /** Reads the options of a delete from its body. */
    public static DeleteOptions deletion(JsonObject body) {
        String kind = body.string("kind");
        if (!kind.isEmpty() && !kind.equals("DeleteOptions")) {
            String version = body.string("apiVersion");
            throw Refusal.badRequest("no kind " + GoTypes.quoted(kind) + " is registered for version "
                    + GoTypes.quoted(version.isEmpty() ? "v1" : version) + " in scheme "
                    + "\"k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme/register.go:27\"");
        }
        List<String> dryRun = new ArrayList<>();
        for (Object value :
                typed(body, "dryRun", List.class, "[]string").map(Json::array).orElse(List.of())) {
            if (value != null && !(value instanceof String)) {
                throw mistyped(value, "DeleteOptions.dryRun", "string");
            }
            dryRun.add(value == null ? "" : (String) value);
        }
        JsonObject preconditions = body.object("preconditions");
        if (body.get("preconditions") != null && !(body.get("preconditions") instanceof JsonObject)) {
            throw mistyped(body.get("preconditions"), "DeleteOptions.preconditions", "v1.Preconditions");
        }
        return options(
                typed(body, "propagationPolicy", String.class, "v1.DeletionPropagation"),
                typed(body, "orphanDependents", Boolean.class, "bool"),
                typed(body, "gracePeriodSeconds", Long.class, "int64")
                        .map(OptionalLong::of)
                        .orElse(OptionalLong.empty()),
                precondition(preconditions, "uid", "types.UID"),
                precondition(preconditions, "resourceVersion", "string"),
                dryRun);
    }

    private static DeleteOptions options(
            Optional<String> policy,
            Optional<Boolean> orphanDependents,
            OptionalLong grace,
            Optional<String> uid,
            Optional<String> resourceVersion,
            List<String> dryRun) {
        List<FieldError> errors = new ArrayList<>(0);
        if (policy.isPresent() && orphanDependents.isPresent()) {
            errors.add(FieldError.invalid(
                    "propagationPolicy", policy.get(), "orphanDependents and deletionPropagation cannot be both set"));
        }
        Optional<Propagation> propagation = policy.flatMap(text -> switch (text) {
            case "Foreground" -> Optional.of(Propagation.FOREGROUND);
            case "Background" -> Optional.of(Propagation.BACKGROUND);
            case "Orphan" -> Optional.of(Propagation.ORPHAN);
            default -> {
                errors.add(FieldError.notSupported("propagationPolicy", text, POLICIES));
                yield Optional.empty();
            }
        });
        checkDryRun(dryRun, errors);
        check("DeleteOptions", errors);
        return new DeleteOptions(
                propagation, orphanDependents, grace, uid, resourceVersion, !dryRun.isEmpty(), Optional.empty());
    }

    private static <T> Optional<T> typed(JsonObject body, String key, Class<T> type, String name) {
        Object value = body.get(key);
        if (value != null && !type.isInstance(value)) {
            throw mistyped(value, "DeleteOptions." + key, name);
        }
        return Optional.ofNullable(type.cast(value));
    }

    private static Optional<String> precondition(JsonObject preconditions, String key, String type) {
        Object value = preconditions.get(key);
        if (value != null && !(value instanceof String)) {
            throw mistyped(value, "Preconditions.preconditions." + key, type);
        }
        return Optional.ofNullable((String) value);
    }

    private static ApiException mistyped(@Nullable Object value, String field, String type) {
        return Refusal.badRequest(
                "json: cannot unmarshal " + (type.startsWith("int") ? GoTypes.described(value) : GoTypes.kind(value))
                        + " into Go struct field " + field + " of type " + type);
    }
}
