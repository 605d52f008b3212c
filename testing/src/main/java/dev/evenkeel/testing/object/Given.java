package dev.evenkeel.testing.object;

import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Finalizers;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.OwnerReferences;
import dev.evenkeel.client.Patch;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonException;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.json.Yaml;
import dev.evenkeel.testing.diff.Difference;
import dev.evenkeel.testing.diff.FieldPath;
import dev.evenkeel.testing.diff.Normalization;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An immutable object for tests: a base is defined once, and each case derives its own from it.
 *
 * <pre>{@code
 * static final Given<Deployment> WEB = Given.yaml(Deployment.class, """
 *         metadata: {namespace: default, name: web}
 *         spec:
 *           template:
 *             spec:
 *               containers:
 *                 - name: app
 *                   image: web:1
 *         """);
 *
 * WEB.at("spec.template.spec.containers[name=app].image", "web:2")
 *         .at("spec.template.spec.containers[name=app].env[+name=MODE].value", "fast")
 *         .condition("Available").isFalse("Starting", "no pod is ready")
 * }</pre>
 *
 * <p><b>Invariants.</b>
 * <ol>
 *   <li>No method changes an object of this class, and arguments and results are not shared with it: neither
 *       collections given as arguments, nor what {@link #object} returns.
 *   <li>Mistakes fail: a field that the class does not have, an entry of a list that does not exist, a value of another
 *       type, removing what does not exist. Nothing is skipped.
 *   <li>An object is what would be sent: the JSON of its class. Two are equal when their class and their JSON are.
 * </ol>
 *
 * <p>Paths are those of {@link FieldPath}. Each variation encodes the object and decodes it again, some tens of
 * microseconds: so a mistake is reported where it was made.
 *
 * @param <T> its class: a built-in kind, a {@code CustomResource}, or {@link GenericKubernetesResource}
 */
public final class Given<T extends HasMetadata> {
    /** The default transition time of conditions of objects without a creation time. */
    private static final Instant LONG_AGO = Instant.parse("2000-01-01T00:00:00Z");

    private final Class<T> type;
    private final Encoded text;

    private Given(Class<T> type, byte[] json) {
        this.type = type;
        this.text = Encoded.of(json);
    }

    /** Returns a copy of this object. */
    @SuppressWarnings("unchecked")
    public static <T extends HasMetadata> Given<T> of(T object) {
        return new Given<>(
                (Class<T>) object.getClass(), ModelCodec.encode(object).clone());
    }

    /**
     * Reads a YAML document as an object of this class; apiVersion and kind may be left out if the class defines them.
     *
     * @throws IllegalArgumentException when there is not exactly one document, it is of another kind, or has a field
     *     that the class does not have; the message names it
     */
    public static <T extends HasMetadata> Given<T> yaml(Class<T> type, String yaml) {
        return read(type, single(yaml));
    }

    /**
     * Reads a YAML document as an object of the class that is registered for its apiVersion and kind, as for built-in
     * kinds, and else as {@link GenericKubernetesResource}.
     *
     * @throws IllegalArgumentException when there is not exactly one document, it has no kind, or has a field that the
     *     class does not have; the message names it
     */
    public static Given<?> yaml(String yaml) {
        return read(single(yaml), "the document");
    }

    /**
     * Reads any number of YAML documents, each as {@link #yaml(String)} does; empty ones are skipped.
     *
     * @throws IllegalArgumentException when one of them is invalid; the message has its number, from 1
     */
    public static List<Given<?>> all(String yaml) {
        List<Object> documents = documents(yaml);
        List<Given<?>> all = new ArrayList<>();
        for (int i = 0; i < documents.size(); i++) {
            all.add(read(object(documents.get(i)), "document " + (i + 1)));
        }
        return List.copyOf(all);
    }

    private static List<Object> documents(String yaml) {
        try {
            return Yaml.parseAll(yaml.getBytes(StandardCharsets.UTF_8), JsonLimits.DEFAULT);
        } catch (JsonException e) {
            throw new IllegalArgumentException("this is not YAML: " + e.getMessage(), e);
        }
    }

    private static JsonObject single(String yaml) {
        List<Object> found = documents(yaml);
        if (found.size() != 1) {
            throw new IllegalArgumentException("expected one document: " + found.size() + "; Given.all reads several");
        }
        return object(found.getFirst());
    }

    private static JsonObject object(Object document) {
        return Json.object(document)
                .orElseThrow(
                        () -> new IllegalArgumentException("the document is not an object: " + Json.text(document)));
    }

    private static Given<?> read(JsonObject tree, String which) {
        for (String field : List.of("apiVersion", "kind")) {
            if (tree.string(field).isEmpty()) {
                throw new IllegalArgumentException(
                        which + " has no " + field + ": write it, or name the class, as in Given.yaml(Pod.class, ...)");
            }
        }
        try {
            return read(typeOf(tree.string("apiVersion"), tree.string("kind")), tree);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(which + ": " + e.getMessage(), e);
        }
    }

    /** Returns the class of built-in objects of this kind; {@link GenericKubernetesResource} when none is known. */
    public static Class<? extends HasMetadata> typeOf(String apiVersion, String kind) {
        return Kinds.KNOWN.find(apiVersion, kind);
    }

    /** Loaded on first use. */
    private static final class Kinds {
        static final Registry KNOWN = new Registry(Objects.requireNonNullElseGet(
                Thread.currentThread().getContextClassLoader(), Given.class::getClassLoader));
    }

    private static <T extends HasMetadata> Given<T> read(Class<T> type, JsonObject tree) {
        if (type != GenericKubernetesResource.class && HasMetadata.getVersion(type) != null) {
            say(tree, "apiVersion", HasMetadata.getApiVersion(type), type);
            say(tree, "kind", HasMetadata.getKind(type), type);
        }
        Shape.of(type).check("", tree);
        return made(type, tree);
    }

    private static void say(JsonObject tree, String field, String value, Class<?> type) {
        Object said = tree.putIfAbsent(field, value);
        if (said != null && !said.equals(value)) {
            throw new IllegalArgumentException(
                    "the document has " + field + " " + said + ", but " + type.getSimpleName() + " is " + value);
        }
    }

    private static <T extends HasMetadata> Given<T> made(Class<T> type, JsonObject tree) {
        tree.putIfAbsent("metadata", new JsonObject());
        return new Given<>(type, ModelCodec.encode(ModelCodec.decode(Json.write(tree), type)));
    }

    /** Returns the object: a new copy at each call. */
    public T object() {
        return text.decode(type);
    }

    /** Returns the class. */
    public Class<T> type() {
        return type;
    }

    /** Returns the key. */
    public ObjectKey key() {
        return text().header().key();
    }

    /** Returns the object as its JSON text, which must not be changed. */
    public Encoded text() {
        return text;
    }

    private JsonObject tree() {
        return Json.parseObject(text.json(), JsonLimits.DEFAULT);
    }

    /** Returns a copy after a change in Java. */
    public Given<T> with(Consumer<? super T> change) {
        T copy = object();
        change.accept(copy);
        return of(copy);
    }

    /**
     * Returns a copy with a value at a path.
     *
     * @param path see {@link FieldPath}; {@code [+]} and {@code [+name=app]} append to a list
     * @param value string, number, boolean, time, a collection or map of such, or an object of the model; copied
     * @throws IllegalArgumentException when the class has no such field, the list no such entry, or the value is of
     *     another type; the message names the step, and what would fit
     */
    public Given<T> at(String path, Object value) {
        return put("at", FieldPath.parse(path), value);
    }

    private Given<T> put(String call, FieldPath path, Object value) {
        JsonObject tree = tree();
        Edit.put(call, tree, Shape.of(type), path, plain(value));
        try {
            return made(type, tree);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(call + "(\"" + path + "\"): " + e.getMessage(), e);
        }
    }

    /** Returns a value as a new tree, as the codec writes it. */
    private static Object plain(Object value) {
        if (value instanceof String) {
            return value;
        }
        GenericKubernetesResource holder = new GenericKubernetesResource();
        holder.setAdditionalProperties(JsonObject.of("value", value instanceof Given<?> it ? it.object() : value));
        Object plain = Json.at(Json.parse(ModelCodec.encode(holder), JsonLimits.DEFAULT), "value");
        return Objects.requireNonNull(plain, "a value that is written as null: use without(path) to remove one");
    }

    /**
     * Returns a copy without the value at a path.
     *
     * @throws IllegalArgumentException when there is none, or cannot be; the message names the step
     */
    public Given<T> without(String path) {
        JsonObject tree = tree();
        Edit.remove("without", tree, Shape.of(type), FieldPath.parse(path));
        return made(type, tree);
    }

    private Given<T> metadata(String field, Object value) {
        return put(field, FieldPath.parse("metadata." + field), value);
    }

    /** Returns a copy with this name. */
    public Given<T> name(String name) {
        return metadata("name", name);
    }

    /** Returns a copy with this namespace. */
    public Given<T> namespace(String namespace) {
        return metadata("namespace", namespace);
    }

    /** Returns a copy with this label added or replaced. */
    public Given<T> label(String key, String value) {
        return entry("label", "labels", key, value);
    }

    /** Returns a copy with this annotation added or replaced. */
    public Given<T> annotation(String key, String value) {
        return entry("annotation", "annotations", key, value);
    }

    private Given<T> entry(String call, String field, String key, String value) {
        return put(call, FieldPath.parse("metadata." + field).then(new FieldPath.Field(key)), value);
    }

    /** Returns a copy with these finalizers added; existing ones are not repeated. */
    public Given<T> finalizers(String... finalizers) {
        return with(object -> Stream.of(finalizers).forEach(finalizer -> Finalizers.add(object, finalizer)));
    }

    /**
     * Returns a copy with this owner as its controller; an owner without a uid gets that of {@link #uidOf}.
     *
     * @throws IllegalArgumentException when the owner is of another namespace
     * @throws IllegalStateException when it has another controller
     */
    public Given<T> ownedBy(HasMetadata owner) {
        HasMetadata known = withUid(owner);
        return with(object -> OwnerReferences.control(known, object));
    }

    /** Returns a copy with this owner as its controller. */
    public Given<T> ownedBy(Given<?> owner) {
        return ownedBy(owner.object());
    }

    /** Returns a copy with an additional owner, which is not its controller. */
    public Given<T> owner(HasMetadata owner) {
        OwnerReference reference = new OwnerReference();
        reference.setApiVersion(owner.getApiVersion());
        reference.setKind(owner.getKind());
        reference.setName(owner.getMetadata().getName());
        reference.setUid(withUid(owner).getMetadata().getUid());
        return with(object -> {
            List<OwnerReference> references = new ArrayList<>(
                    Objects.requireNonNullElse(object.getMetadata().getOwnerReferences(), List.of()));
            references.removeIf(other -> reference.getUid().equals(other.getUid()));
            references.add(reference);
            object.getMetadata().setOwnerReferences(references);
        });
    }

    /** Returns a copy with an additional owner, which is not its controller. */
    public Given<T> owner(Given<?> owner) {
        return owner(owner.object());
    }

    /**
     * Returns the uid that an object without one gets in a cluster of this kit: it is derived from kind and key, so that
     * a test can name the owner of an expected object.
     */
    public static String uidOf(HasMetadata object) {
        return uidOf(object.getKind(), ObjectKey.of(object));
    }

    /** Returns the uid that an object of this kind and key gets in a cluster of this kit. */
    public static String uidOf(String kind, ObjectKey key) {
        return UUID.nameUUIDFromBytes((kind + " " + key).getBytes(StandardCharsets.UTF_8))
                .toString();
    }

    private static <O extends HasMetadata> O withUid(O owner) {
        if (owner.getMetadata().getUid() == null) {
            O known = of(owner).object();
            known.getMetadata().setUid(uidOf(owner));
            return known;
        }
        return owner;
    }

    /** Returns a copy with this uid. */
    public Given<T> uid(String uid) {
        return metadata("uid", uid);
    }

    /** Returns a copy with this generation. */
    public Given<T> generation(long generation) {
        return metadata("generation", generation);
    }

    /** Returns a copy with this resource version. */
    public Given<T> resourceVersion(String resourceVersion) {
        return metadata("resourceVersion", resourceVersion);
    }

    /** Returns a copy with this creation time; objects keep seconds. */
    public Given<T> created(Instant time) {
        return metadata("creationTimestamp", seconds(time));
    }

    /**
     * Returns a copy with this deletion time, which its finalizers keep.
     *
     * @throws IllegalStateException when it has no finalizers: a deleted object without them does not exist
     */
    public Given<T> deleted(Instant time) {
        T object = object();
        ObjectMeta metadata = object.getMetadata();
        if (metadata.getFinalizers() == null || metadata.getFinalizers().isEmpty()) {
            throw new IllegalStateException(object.getKind() + " \"" + ObjectKey.of(object)
                    + "\" has no finalizer, so it would not exist once deleted: write"
                    + " .finalizers(\"example.com/clean-up\") before .deleted(...)");
        }
        return metadata("deletionTimestamp", seconds(time));
    }

    private static String seconds(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /**
     * Returns a copy after a change of the status in Java; an empty status is created first, if the class allows it.
     *
     * @throws IllegalArgumentException when another field was changed too; the message names it
     */
    public Given<T> status(Consumer<? super T> change) {
        JsonObject tree = tree();
        tree.putIfAbsent("status", new JsonObject());
        Given<T> changed = new Given<>(type, Json.write(tree)).with(change);
        Difference rest = diff(changed, Normalization.exact().ignoring("status"));
        if (!rest.isEmpty()) {
            throw new IllegalArgumentException("status(...) changed more than the status; use with(...): " + rest);
        }
        return changed;
    }

    /** Returns a copy with a value at a path below the status, such as {@code readyReplicas}; like {@link #at}. */
    public Given<T> statusAt(String path, Object value) {
        List<FieldPath.Step> steps = new ArrayList<>(FieldPath.parse(path).steps());
        steps.addFirst(new FieldPath.Field("status"));
        return put("statusAt", new FieldPath(steps), value);
    }

    /** Starts a condition of this type in {@code status.conditions}; its status is given next. */
    public ConditionStatement condition(String conditionType) {
        return new ConditionStatement(conditionType, Optional.empty());
    }

    /**
     * A condition without its status yet. As in the API, its transition time changes only with its status; then it is
     * the time given by {@link #since}, or the creation time of the object.
     */
    public final class ConditionStatement {
        private final String conditionType;
        private final Optional<Instant> since;

        private ConditionStatement(String conditionType, Optional<Instant> since) {
            this.conditionType = conditionType;
            this.since = since;
        }

        /** Sets the transition time. */
        public ConditionStatement since(Instant time) {
            return new ConditionStatement(conditionType, Optional.of(time));
        }

        /** Returns a copy with the condition true, with an empty message. */
        public Given<T> isTrue(String reason) {
            return isTrue(reason, "");
        }

        /** Returns a copy with the condition true. */
        public Given<T> isTrue(String reason, String message) {
            return says("True", reason, message);
        }

        /** Returns a copy with the condition false. */
        public Given<T> isFalse(String reason, String message) {
            return says("False", reason, message);
        }

        /** Returns a copy with the condition unknown, with an empty message. */
        public Given<T> unknown(String reason) {
            return unknown(reason, "");
        }

        /** Returns a copy with the condition unknown. */
        public Given<T> unknown(String reason, String message) {
            return says("Unknown", reason, message);
        }

        private Given<T> says(String status, String reason, String message) {
            FieldPath conditions = FieldPath.parse("status.conditions");
            FieldPath.Entry key = new FieldPath.Entry(JsonObject.of("type", conditionType));
            List<JsonObject> all = tree().objects("status", "conditions");
            JsonObject present = all.stream().filter(key::matches).findFirst().orElseGet(JsonObject::new);
            JsonObject next = new JsonObject(present);
            next.putAll(JsonObject.of("type", conditionType, "status", status, "reason", reason, "message", message));
            if (since.isPresent() || !status.equals(present.get("status"))) {
                next.put("lastTransitionTime", seconds(since.orElseGet(this::created)));
            }
            FieldPath.Step place = present.isEmpty() ? new FieldPath.Append(key.key()) : key;
            return put("condition", conditions.then(place), next);
        }

        private Instant created() {
            String time = tree().string("metadata", "creationTimestamp");
            return time.isEmpty() ? LONG_AGO : Instant.parse(time);
        }
    }

    /** Returns the difference to another object; absent and empty are equal. */
    public Difference diff(Given<?> other) {
        return diff(other, Normalization.exact().ignoringEmpty());
    }

    /** Returns the difference to another object that counts by a normalization. */
    public Difference diff(Given<?> other, Normalization normalization) {
        return diff(other.object(), normalization);
    }

    /** Returns the difference to another object that counts by a normalization. */
    public Difference diff(HasMetadata other, Normalization normalization) {
        return Difference.between(object(), other, normalization);
    }

    /** Returns the merge patch that turns this object into another. */
    public Patch patchTo(Given<?> other) {
        return Patch.merge(Json.text(patch(tree(), other.tree())));
    }

    private static JsonObject patch(JsonObject from, JsonObject to) {
        JsonObject patch = new JsonObject();
        TreeSet<String> names = new TreeSet<>(from.keySet());
        names.addAll(to.keySet());
        for (String name : names) {
            Object before = from.get(name);
            Object after = to.get(name);
            if (before instanceof JsonObject was && after instanceof JsonObject is) {
                JsonObject inner = patch(was, is);
                if (!inner.isEmpty()) {
                    patch.put(name, inner);
                }
            } else if (!Objects.equals(before, after)) {
                patch.put(name, after);
            }
        }
        return patch;
    }

    /** Returns whether the other object has the same class and the same fields. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Given<?> given && type == given.type && tree().equals(given.tree());
    }

    @Override
    public int hashCode() {
        return tree().hashCode();
    }

    /** Returns text such as {@code Deployment "default/web"}. */
    @Override
    public String toString() {
        T object = object();
        return object.getKind() + " \"" + ObjectKey.of(object) + "\"";
    }
}
