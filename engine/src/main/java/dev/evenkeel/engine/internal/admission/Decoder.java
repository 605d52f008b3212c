package dev.evenkeel.engine.internal.admission;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.builtin.BuiltinDecoder;
import dev.evenkeel.engine.internal.builtin.RegisteredKinds;
import dev.evenkeel.engine.internal.builtin.RepeatedFields;
import dev.evenkeel.engine.internal.builtin.Subresource;
import dev.evenkeel.engine.internal.builtin.WrittenQuantities;
import dev.evenkeel.engine.internal.json.GoTypes;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonException;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.json.NumberText;
import dev.evenkeel.engine.internal.json.SentEmpty;
import dev.evenkeel.engine.internal.json.Yaml;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.object.RefusalWarnings;
import dev.evenkeel.engine.internal.object.WriteOptions.FieldValidation;
import dev.evenkeel.engine.internal.schema.MalformedObjectException;
import dev.evenkeel.engine.internal.strategy.Strategies;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.type.Types;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads bodies: from bytes to a tree of the right kind, with warnings about problems that do not refuse it. */
public record Decoder(Strategies strategies, JsonLimits limits) {
    /** The type that upstream reads first. */
    private static final String META = "struct { APIVersion string \"json:\\\"apiVersion,omitempty\\\"\";"
            + " Kind string \"json:\\\"kind,omitempty\\\"\" }";

    /**
     * An object read from a body.
     *
     * @param tree the object, in the form of its schema
     * @param warnings unknown and duplicate fields, in the words of upstream's strict decoder
     * @param empties the lists and maps that were sent without elements
     */
    public record Decoded(JsonObject tree, List<String> warnings, List<SentEmpty> empties) {}

    /**
     * Reads a body that holds a whole object of the target's kind.
     *
     * @throws ApiException when it cannot be read, or has fields that the validation refuses
     */
    public Decoded decode(Body body, Target target, FieldValidation validation) {
        boolean yaml = body.format() == Body.Format.YAML;
        Optional<String> definition = target.type().origin() == ResourceType.Origin.BUILT_IN
                ? Optional.of(target.version().schema().reference())
                : Optional.empty();
        Sent sent = sent(body, target.type().kind(), definition);
        JsonObject tree = sent.tree();
        identify(tree, target, body);
        if (definition.isEmpty()) {
            sent.outOfRange().ifPresent(why -> {
                throw refused(tree, target, why);
            });
        }
        List<String> problems = new ArrayList<>(sent.problems());
        List<SentEmpty> empties = new ArrayList<>(0);
        try {
            problems.addAll(normalised(tree, target, sent.duplicates(), empties::add));
        } catch (MalformedObjectException e) {
            throw refused(tree, target, message(e, body));
        }
        if (definition.isPresent()) {
            sent.outOfRange().ifPresent(why -> {
                throw refused(tree, target, why);
            });
        }
        if (!yaml && !body.isTree()) {
            WriteContext.rawFields(target).ifPresent(raw -> raw.markIfSpaced(tree, body.bytes()));
        }
        if (validation == FieldValidation.STRICT && !problems.isEmpty()) {
            throw refused(tree, target, "strict decoding error: " + listed(problems));
        }
        List<String> warnings = validation == FieldValidation.WARN ? problems : List.of();
        String apiVersion = tree.string("apiVersion");
        if (!apiVersion.equals(target.apiVersion())) {
            throw RefusalWarnings.attach(mismatch(apiVersion, target.apiVersion()), warnings);
        }
        return new Decoded(tree, warnings, empties);
    }

    /** Returns the error of a body, which names the kind and version that the body names. */
    private static ApiException refused(JsonObject tree, Target target, String why) {
        return handled(
                tree.string("kind"),
                version(tree.string("apiVersion")),
                target.type().kind(),
                why);
    }

    /**
     * Reads a body that holds a document for a subresource, such as an Eviction. A version that upstream accepts in place
     * of another one is replaced.
     *
     * @param subresource the place that it is posted to, with the kind of its documents
     * @throws ApiException when it cannot be read, or has fields that the validation refuses
     */
    public Decoded decode(Body body, Subresource subresource, FieldValidation validation) {
        String kind = subresource.kind();
        Optional<String> definition = Optional.of(subresource.definition());
        Sent sent = sent(body, kind, definition);
        JsonObject tree = sent.tree();
        if (kind.equals("Eviction") && tree.string("apiVersion").equals("policy/v1beta1")) {
            tree.put("apiVersion", "policy/v1");
        }
        identify(tree, subresource.group(), subresource.version(), kind);
        List<String> problems = new ArrayList<>(sent.problems());
        try {
            problems.addAll(normalised(tree, subresource));
        } catch (MalformedObjectException e) {
            throw malformed(subresource, message(e, body));
        }
        sent.outOfRange().ifPresent(why -> {
            throw malformed(subresource, why);
        });
        if (validation == FieldValidation.STRICT && !problems.isEmpty()) {
            throw malformed(subresource, "strict decoding error: " + listed(problems));
        }
        return new Decoded(tree, validation == FieldValidation.WARN ? problems : List.of(), List.of());
    }

    /**
     * A body that was read, before its values are checked.
     *
     * @param fractions whether it has numbers other than integers of 64 bits
     * @param duplicates the repeated keys that are still to be reported
     * @param problems what is to be reported already
     */
    private record Sent(Body body, JsonObject tree, boolean fractions, List<String> duplicates, List<String> problems) {
        /** Returns upstream's error of the first number of a value without type that is beyond the range, if any. */
        Optional<String> outOfRange() {
            return !fractions
                    ? Optional.empty()
                    : Json.infinite(tree)
                            .map(path -> "json: cannot unmarshal number "
                                    + NumberText.at(body.bytes(), path).orElse("")
                                    + " into Go value of type float64");
        }
    }

    /**
     * Reads a body.
     *
     * @param definition definition name of a built-in type, by which repeated keys are read
     */
    private Sent sent(Body body, String kind, Optional<String> definition) {
        List<String> duplicates = new ArrayList<>();
        AtomicBoolean fractions = new AtomicBoolean();
        JsonObject tree = object(body, kind, duplicates, () -> fractions.set(true));
        boolean yaml = body.format() == Body.Format.YAML;
        List<String> problems = yaml ? duplicates : List.of();
        List<String> later = yaml ? List.of() : duplicates;
        if (!later.isEmpty() && definition.isPresent()) {
            RepeatedFields.Read read = RepeatedFields.read(body.bytes(), limits, definition.get());
            tree = read.tree();
            problems = read.problems();
            later = List.of();
        }
        if (fractions.get() && definition.isPresent()) {
            WrittenQuantities.restore(tree, definition.get(), body.bytes());
        }
        return new Sent(body, tree, fractions.get(), later, problems);
    }

    /** Returns the message, with the number that it shows as the body has it. */
    private static String message(MalformedObjectException e, Body body) {
        String message = String.valueOf(e.getMessage());
        if (e.number().isEmpty() || body.isTree() || body.format() == Body.Format.YAML) {
            return message;
        }
        return NumberText.at(body.bytes(), e.number())
                .map(number -> message.replaceFirst("number \\S+", "number " + number))
                .orElse(message);
    }

    private static ApiException malformed(Subresource subresource, String why) {
        return handled(subresource.kind(), subresource.version(), subresource.kind(), why);
    }

    /**
     * Reads a tree that holds a whole object of the target's kind, which is changed in place.
     *
     * @throws ApiException when it cannot be read, or has fields that the validation refuses
     */
    public Decoded read(JsonObject tree, Target target, FieldValidation validation) {
        List<SentEmpty> empties = new ArrayList<>(0);
        List<String> problems = normalise(tree, target, List.of(), empties::add);
        if (validation == FieldValidation.STRICT && !problems.isEmpty()) {
            throw Refusal.malformed(target, "strict decoding error: " + listed(problems));
        }
        return new Decoded(tree, validation == FieldValidation.WARN ? problems : List.of(), empties);
    }

    /** Lists problems: duplicate keys of YAML come first, in the words of the parser. */
    private static String listed(List<String> problems) {
        List<String> yaml = new ArrayList<>(problems);
        yaml.removeIf(problem -> !problem.startsWith("line "));
        List<String> listed = new ArrayList<>(problems);
        listed.removeAll(yaml);
        if (!yaml.isEmpty()) {
            listed.addFirst("yaml: unmarshal errors:\n  " + String.join("\n  ", yaml));
        }
        return String.join(", ", listed);
    }

    /**
     * Reads a body that holds an object; an empty document is one without fields.
     *
     * @param kind the expected kind, for messages
     * @param duplicates receives the keys that occur more than once
     * @param fractions runs for each number of JSON other than an integer of 64 bits; those beyond the range are infinite
     * @throws ApiException when it is not an object, or cannot be read
     */
    private JsonObject object(Body body, String kind, List<String> duplicates, Runnable fractions) {
        Optional<JsonObject> tree = body.tree();
        if (tree.isPresent()) {
            return tree.get();
        }
        Object parsed = parse(body, kind, duplicates, fractions);
        if (parsed == null) {
            return new JsonObject();
        }
        if (!(parsed instanceof JsonObject)) {
            throw Refusal.unrecognised(kind, body.bytes(), notAnObject(parsed));
        }
        JsonObject object = Json.asObject(parsed);
        object.forEach((key, value) -> {
            if ((key.equals("apiVersion") || key.equals("kind")) && !(value == null || value instanceof String)) {
                throw unread(
                        kind,
                        body,
                        "json: cannot unmarshal " + GoTypes.kind(value) + " into Go struct field ." + key
                                + " of type string");
            }
        });
        String apiVersion = object.string("apiVersion");
        if (apiVersion.indexOf('/') != apiVersion.lastIndexOf('/')) {
            throw Refusal.unrecognised(kind, body.bytes(), "unexpected GroupVersion string: " + apiVersion);
        }
        return object;
    }

    /** Returns why a document that is not an object cannot be read as one. */
    public static String notAnObject(@Nullable Object document) {
        return "couldn't get version/kind; json parse error: json: cannot unmarshal " + GoTypes.kind(document)
                + " into Go value of type " + META;
    }

    private static ApiException unread(String kind, Body body, String why) {
        return Refusal.unrecognised(kind, body.bytes(), "couldn't get version/kind; json parse error: " + why);
    }

    /**
     * Brings a tree into the form of its schema.
     *
     * @param empties receives the lists and maps that were sent without elements
     * @return problems that do not refuse it
     * @throws ApiException when it cannot be read as the target's kind
     */
    public List<String> normalise(
            JsonObject tree, Target target, List<String> duplicates, Consumer<SentEmpty> empties) {
        try {
            return normalised(tree, target, duplicates, empties);
        } catch (MalformedObjectException e) {
            throw Refusal.malformed(target, String.valueOf(e.getMessage()));
        }
    }

    /** Does the same; throws MalformedObjectException, whose message does not name the kind. */
    public List<String> normalised(
            JsonObject tree, Target target, List<String> duplicates, Consumer<SentEmpty> empties) {
        return complete(tree, () -> strategies.of(target).normalise(tree, duplicates, empties));
    }

    /** Brings the result of an apply into the form of its schema. */
    public void normaliseApplied(JsonObject tree, Target target, Consumer<SentEmpty> empties) {
        try {
            complete(tree, () -> {
                strategies.of(target).normaliseApplied(tree, empties);
                return List.of();
            });
        } catch (MalformedObjectException e) {
            throw Refusal.malformed(target, String.valueOf(e.getMessage()));
        }
    }

    private static List<String> complete(JsonObject tree, Supplier<List<String>> normalise) {
        boolean disowned = tree.at("metadata", "managedFields") instanceof List<?> entries && entries.isEmpty();
        List<String> problems = normalise.get();
        if (!(tree.get("metadata") instanceof JsonObject)) {
            tree.put("metadata", new JsonObject());
        }
        if (disowned) {
            // an explicit empty list differs from an absent one: it clears the record of ownership
            tree.withObject("metadata").put("managedFields", new ArrayList<@Nullable Object>());
        }
        return problems;
    }

    /**
     * Checks that a patch left the kind as it was.
     *
     * @throws MalformedObjectException in the words of the other kind's decoder, if the object cannot be read as it
     */
    public void checkKind(JsonObject tree, Target target, Types types) {
        checkKind(
                tree, target.type().group(), target.apiVersion(), target.type().kind(), types);
    }

    /** Checks that a patch left the kind of a document of a subresource as it was; throws the same. */
    public void checkKind(JsonObject tree, Subresource subresource, Types types) {
        String apiVersion = subresource.group() + "/" + subresource.version();
        checkKind(tree, subresource.group(), apiVersion, subresource.kind(), types);
    }

    private void checkKind(JsonObject tree, String group, String expected, String wanted, Types types) {
        String kind = tree.string("kind");
        String apiVersion = tree.string("apiVersion");
        if ((kind.isEmpty() || kind.equals(wanted)) && (apiVersion.isEmpty() || apiVersion.equals(expected))) {
            return;
        }
        String read = kind.isEmpty() ? wanted : kind;
        types.kind(apiVersion, read).ifPresent(other -> {
            normalised(tree.copy(), other, List.of(), empty -> {});
            throw new MalformedObjectException(converting(group, wanted, read, apiVersion));
        });
        throw new MalformedObjectException(unregistered(read, apiVersion));
    }

    /**
     * Brings a document of a subresource into the form of its schema.
     *
     * @return problems that do not refuse it
     */
    public List<String> normalised(JsonObject tree, Subresource subresource) {
        return complete(
                tree, () -> BuiltinDecoder.normalizeSent(tree, subresource.definition(), Set.of(), empty -> {}));
    }

    /**
     * Returns why the result of a patch cannot be read as the target's kind with known fields only, in upstream's words;
     * empty if it can.
     */
    public String strictProblem(JsonObject tree, Target target, Types types) {
        String kind = tree.string("kind");
        String apiVersion = tree.string("apiVersion");
        boolean same = (kind.isEmpty() || kind.equals(target.type().kind()))
                && (apiVersion.isEmpty() || apiVersion.equals(target.apiVersion()));
        Optional<Target> read = same ? Optional.of(target) : types.kind(apiVersion, kind);
        if (read.isEmpty()) {
            return unregistered(kind, apiVersion, target.type().group());
        }
        try {
            List<String> problems = normalised(tree.copy(), read.get(), List.of(), empty -> {});
            if (!problems.isEmpty()) {
                return "strict decoding error: " + String.join(", ", problems);
            }
        } catch (MalformedObjectException e) {
            return String.valueOf(e.getMessage());
        }
        return same
                ? ""
                : "failed to convert object: "
                        + converting(target.type().group(), target.type().kind(), kind, apiVersion);
    }

    private static String unregistered(String kind, String apiVersion) {
        return "no kind \"" + kind + "\" is registered for version \"" + apiVersion + "\"";
    }

    private static String unregistered(String kind, String apiVersion, String group) {
        return unregistered(kind, apiVersion) + " in scheme \"" + scheme(group) + "\"";
    }

    /** Returns the place in upstream's sources that its message names. */
    private static String scheme(String group) {
        return switch (group) {
            case "apiregistration.k8s.io" -> "k8s.io/kube-aggregator/pkg/apiserver/scheme/scheme.go:28";
            case "apiextensions.k8s.io" -> "k8s.io/apiextensions-apiserver/pkg/apiserver/apiserver.go:55";
            default -> "pkg/api/legacyscheme/scheme.go:30";
        };
    }

    private static String converting(String group, String wanted, String kind, String apiVersion) {
        return "converting (" + version(apiVersion) + "." + kind + ") to ("
                + (group.isEmpty() ? "core" : group.split("\\.", 2)[0]) + "." + wanted + "): unknown conversion";
    }

    private @Nullable Object parse(Body body, String kind, List<String> duplicates, Runnable fractions) {
        if (body.bytes().length > limits.maxBytes()) {
            throw Refusal.tooLarge("Request entity too large: limit is " + limits.maxBytes());
        }
        try {
            return switch (body.format()) {
                case JSON -> Json.parse(body.bytes(), limits, duplicates::add, fractions);
                case YAML -> Yaml.parse(body.bytes(), limits, duplicates::add);
            };
        } catch (JsonException e) {
            String message = String.valueOf(e.getMessage());
            String before = body.format() == Body.Format.JSON ? "couldn't get version/kind; json parse error: " : "";
            throw Refusal.unrecognised(kind, body.bytes(), before + message);
        }
    }

    /**
     * Checks the kind, and of built-in kinds the version, before the object is read; fills them in where upstream does.
     */
    private static void identify(JsonObject tree, Target target, Body body) {
        ResourceType type = target.type();
        if (type.origin() == ResourceType.Origin.BUILT_IN) {
            identify(tree, type.group(), target.version().name(), type.kind());
            return;
        }
        if (tree.string("kind").isEmpty()) {
            String text = new String(body.bytes(), StandardCharsets.UTF_8).strip();
            throw Refusal.unrecognised(type.kind(), body.bytes(), "Object 'Kind' is missing in '" + text + "'");
        }
    }

    private static void identify(JsonObject tree, String group, String version, String wanted) {
        String expected = group.isEmpty() ? version : group + "/" + version;
        String kind = tree.string("kind").isEmpty() ? wanted : tree.string("kind");
        String sent = tree.string("apiVersion");
        // a group alone stands for its expected version
        boolean unset = sent.isEmpty() || sent.equals("/") || sent.equals(group + "/");
        String apiVersion = unset ? expected : sent;
        if (kind.equals(wanted) && apiVersion.equals(expected)) {
            tree.put("kind", wanted);
            tree.put("apiVersion", expected);
            return;
        }
        if (!RegisteredKinds.contains(apiVersion, kind)) {
            throw handled(kind, version(apiVersion), wanted, unregistered(kind, apiVersion, group));
        }
        if (kind.equals(wanted) && RegisteredKinds.isVersionOf(apiVersion, kind, group)) {
            throw mismatch(apiVersion, expected);
        }
        throw handled(kind, version(apiVersion), wanted, converting(group, wanted, kind, apiVersion));
    }

    private static ApiException handled(String kind, String version, String wanted, String why) {
        return Refusal.badRequest(
                kind + " in version \"" + version + "\" cannot be handled as a " + wanted + ": " + why);
    }

    private static ApiException mismatch(String apiVersion, String expected) {
        return Refusal.badRequest("the API version in the data (" + apiVersion
                + ") does not match the expected API version (" + expected + ")");
    }

    private static String version(String apiVersion) {
        return apiVersion.substring(apiVersion.indexOf('/') + 1);
    }
}
