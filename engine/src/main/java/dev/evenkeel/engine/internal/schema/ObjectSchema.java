package dev.evenkeel.engine.internal.schema;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Schema;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Applies the schema of a custom resource to an object before it is stored: prunes, fills in defaults, validates.
 *
 * <p>The problem: a definition specifies the shape of objects, in a subset of OpenAPI v3 with Kubernetes' extensions,
 * and clients rely on the exact behaviour of kube-apiserver: which fields are dropped, which ones cause warnings, which
 * defaults are filled in, which errors are reported, in which words and order.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>After {@link #prune} an object holds only fields that its schema knows or preserves; apiVersion, kind and
 *       metadata are untouched except for the form of metadata.
 *   <li>{@link #prune} and {@link #applyDefaults} are idempotent, and defaults survive pruning.
 *   <li>Validation changes nothing.
 *   <li>An update that does not touch an invalid part is not refused because of it.
 * </ol>
 *
 * <p>Concurrency: immutable after construction; any thread may use it on objects of its own.
 *
 * <p>Cost: everything that depends only on the schema is computed once, when the type is registered. Pruning and
 * validation are one walk each over the object; defaults, list types and embedded resources are walked only along the
 * branches of the schema that have them. Paths become text only when something is reported.
 *
 * <p>A JSON schema library is not used because its messages, its order and its results (formats, ranges, null,
 * ratcheting) differ from those that clients of Kubernetes compare, and JSON schema does not cover pruning and
 * defaulting.
 *
 * <p>Source of the semantics: kube-apiserver 1.36, apiextensions.
 */
public final class ObjectSchema {
    /** Evaluates the rules of a schema on an object that has passed everything else. */
    @FunctionalInterface
    interface RuleEvaluator {
        /** Accepts everything. */
        RuleEvaluator NONE = (object, old, tolerated) -> List.of();

        /**
         * Evaluates all rules.
         *
         * @param object the object to be written; must not be changed
         * @param old the object before an update; null on create
         * @param tolerated receives the errors of parts that have not changed
         */
        List<FieldError> evaluate(JsonObject object, @Nullable JsonObject old, Consumer<FieldError> tolerated);
    }

    private static final Set<String> BLOCKING = Set.of(
            "FieldValueNotSupported",
            "FieldValueRequired",
            "FieldValueTooLong",
            "FieldValueTooMany",
            "FieldValueTypeInvalid");
    private static final FieldError RULES_SKIPPED = FieldError.invalid(
            Validation.NO_FIELD,
            null,
            "some validation rules were not checked because the object was invalid; correct the existing errors to "
                    + "complete validation");

    private final ResourceType type;
    private final String apiVersion;
    private final Schema schema;
    private final Optional<ResourceType.Scale> scale;
    private final Defaulting defaulting;
    private final ListTypes listTypes;
    private final EmbeddedResources embedded;
    private final ValueRules rules;
    private final @Nullable ValueRules statusRules;
    private final boolean hasRules;
    private final RuleEvaluator evaluator;

    ObjectSchema(ResourceType type, ResourceType.Version version, RuleEvaluator evaluator) {
        this.type = type;
        this.apiVersion = type.apiVersion(version);
        this.schema = version.schema();
        this.scale = version.scale();
        this.evaluator = evaluator;
        this.defaulting = Defaulting.of(StructuralSchemas.ofDefaults(schema));
        this.listTypes = ListTypes.of(schema);
        this.embedded = EmbeddedResources.of(schema);
        this.rules = new ValueRules(schema.source());
        this.statusRules = rules.field("status");
        this.hasRules = SchemaSource.hasRules(schema.source());
    }

    /** Compiles the schema of a version of a custom resource; rules are not evaluated. */
    public static ObjectSchema of(ResourceType type, ResourceType.Version version) {
        return new ObjectSchema(type, version, RuleEvaluator.NONE);
    }

    /** Compiles the schema of a version of a custom resource, and its rules if it has any. */
    public static ObjectSchema of(ResourceType type, ResourceType.Version version, RuleCompiler compiler) {
        JsonObject source = version.schema().source();
        boolean rules = SchemaSource.hasRules(source);
        return new ObjectSchema(type, version, rules ? RuleWalk.of(source, compiler) : RuleEvaluator.NONE);
    }

    /**
     * Removes, in place, the fields that the schema does not know, and brings metadata into its typed form (empty
     * fields left out, times in UTC). To be called first, on every object from outside.
     *
     * @return the paths of unknown fields, such as {@code metadata.foo} or {@code spec.list[0].x}, in the order in
     *     which upstream reports them; empty fields and nulls are removed silently
     * @throws MalformedObjectException when metadata, also of an embedded resource, is of the wrong type
     */
    public List<String> prune(JsonObject object) {
        return prune(object, false);
    }

    /** Prunes the result of an apply: nulls stay where they are not a value, so that validation refuses them. */
    public List<String> pruneApplied(JsonObject object) {
        return prune(object, true);
    }

    private List<String> prune(JsonObject object, boolean applied) {
        List<String> unknown = new ArrayList<>(0);
        MetadataCoercion.coerce(object, "metadata", unknown::add);
        unknown.addAll(Pruning.prune(schema, object, applied));
        List<String> inEmbedded = new ArrayList<>(0);
        embedded.coerce(object, inEmbedded::add);
        Collections.sort(inEmbedded);
        unknown.addAll(inEmbedded);
        return unknown;
    }

    /** Fills in defaults, in place. To be called after {@link #prune}, and again after the object has changed. */
    public void applyDefaults(JsonObject object) {
        defaulting.apply(object);
    }

    /** Returns the errors of a new object. */
    public List<FieldError> validate(JsonObject object) {
        List<FieldError> errors = typeErrors(object);
        if (errors.isEmpty()) {
            errors.addAll(MetadataRules.validate(type, object));
            errors.addAll(rules.validate(object, ""));
            scale.ifPresent(paths -> ScalePaths.validate(paths, object, errors));
        }
        embedded.validate(object, errors);
        listTypes.validate(object, errors::add);
        return withRules(errors, object, null, tolerated -> {});
    }

    /** Returns the errors of an object that is to replace another; unchanged parts are not reported. */
    public List<FieldError> validateUpdate(JsonObject object, JsonObject old) {
        return validateUpdate(object, old, tolerated -> {});
    }

    /**
     * Returns the errors of an object that is to replace another.
     *
     * @param tolerated receives the errors of rules in unchanged parts
     */
    public List<FieldError> validateUpdate(JsonObject object, JsonObject old, Consumer<FieldError> tolerated) {
        List<FieldError> errors = typeErrors(object);
        if (errors.isEmpty()) {
            List<FieldError> metadata = MetadataRules.validateUpdate(type, object, old);
            errors.addAll(metadata);
            errors.addAll(metadata); // twice, as upstream does
            errors.addAll(rules.validateUpdate(object, old, ""));
            scale.ifPresent(paths -> ScalePaths.validate(paths, object, errors));
        }
        embedded.validate(object, errors);
        changedListTypes(object, old, errors);
        return withRules(errors, object, old, tolerated);
    }

    /** Returns the errors of an object of which only the status has been written, through {@code /status}. */
    public List<FieldError> validateStatus(JsonObject object, JsonObject old) {
        return validateStatus(object, old, tolerated -> {});
    }

    /**
     * Returns the errors of an object of which only the status has been written.
     *
     * @param tolerated receives the errors of rules in unchanged parts
     */
    public List<FieldError> validateStatus(JsonObject object, JsonObject old, Consumer<FieldError> tolerated) {
        List<FieldError> errors = typeErrors(object);
        if (errors.isEmpty()) {
            errors.addAll(MetadataRules.validateUpdate(type, object, old));
            if (statusRules != null && object.containsKey("status")) {
                Object status = object.get("status");
                errors.addAll(
                        old.containsKey("status")
                                ? statusRules.validateUpdate(status, old.get("status"), "status")
                                : statusRules.validate(status, "status"));
            }
            scale.ifPresent(paths -> ScalePaths.validateStatus(paths, object, errors));
        }
        changedListTypes(object, old, errors);
        return withRules(errors, object, old, tolerated);
    }

    /** Returns warnings for the author; so far, about finalizers without a domain. */
    public List<String> warnings(JsonObject object, @Nullable JsonObject old) {
        return MetadataRules.finalizerWarnings(object, old);
    }

    private List<FieldError> typeErrors(JsonObject object) {
        List<FieldError> errors = new ArrayList<>(0);
        Field root = Field.of(object, errors);
        root.at("kind").mustBe(type.kind());
        root.at("apiVersion").mustBe(apiVersion);
        return errors;
    }

    /** Reports duplicates in an update only if there were none before. */
    private void changedListTypes(JsonObject object, JsonObject old, List<FieldError> errors) {
        List<FieldError> now = new ArrayList<>(0);
        listTypes.validate(object, now::add);
        if (!now.isEmpty()) {
            List<FieldError> before = new ArrayList<>(0);
            listTypes.validate(old, before::add);
            if (before.isEmpty()) {
                errors.addAll(now);
            }
        }
    }

    private List<FieldError> withRules(
            List<FieldError> errors, JsonObject object, @Nullable JsonObject old, Consumer<FieldError> tolerated) {
        if (hasRules) {
            if (errors.stream().anyMatch(error -> BLOCKING.contains(error.reason()))) {
                errors.add(RULES_SKIPPED);
            } else {
                errors.addAll(evaluator.evaluate(object, old, tolerated));
            }
        }
        return errors;
    }
}
