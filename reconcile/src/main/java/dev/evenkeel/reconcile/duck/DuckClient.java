package dev.evenkeel.reconcile.duck;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.Deletion;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Listing;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectChange;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.SemanticEquality;
import dev.evenkeel.client.Status;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes objects of many kinds through classes with a part of their fields: ducks. The object itself, or a
 * reference to it, names its kind.
 *
 * <p>The problem: fields unknown to the class are lost when an object is read, so an object that is written back whole
 * has lost them; and lists in a patch are whole, though a duck may know a part of their elements.
 *
 * <ol>
 * <li>Ducks are patched: the change between the object as read and as given is written. It is applied to the current
 *     object, so fields that the duck does not know survive, in elements of lists too; see {@link ObjectChange}.
 * <li>The object read to be patched is the one that is patched: a write of another client in between is a conflict.
 * <li>Creating or updating a duck is refused, unless {@linkplain #wholeObjects enabled}.
 * <li>A duck is an object whose class is not that of its kind. All others are created and updated as usual.
 * <li>A class may be an interface, if the class of the kind implements it: then the object is of that class.
 * </ol>
 */
public final class DuckClient {
    private static final String NO_CREATE = "Create is not supported for the duck typed objects";
    private static final String NO_UPDATE = "Update is not supported for the duck typed objects, use Patch instead";

    private final Client client;
    private final Kinds kinds;
    private final WriteOptions options;
    private final boolean whole;

    private DuckClient(Client client, Kinds kinds, WriteOptions options, boolean whole) {
        this.client = client;
        this.kinds = kinds;
        this.options = options;
        this.whole = whole;
    }

    /**
     * Returns an instance that reads and writes with this client.
     *
     * @param kinds the kinds of ducks
     */
    public static DuckClient over(Client client, Kinds kinds) {
        return new DuckClient(client, kinds, WriteOptions.DEFAULT, false);
    }

    /** Returns the write options. */
    public WriteOptions options() {
        return options;
    }

    /** Returns whether it creates and updates ducks, too. */
    public boolean wholeObjects() {
        return whole;
    }

    /** Returns a copy with these write options. */
    public DuckClient options(WriteOptions value) {
        return new DuckClient(client, kinds, value, whole);
    }

    /**
     * Returns a copy that creates and updates ducks, too, or not; default: false. Objects lose fields unknown to their class: for classes with
     * all relevant fields. Statuses are still patched.
     */
    public DuckClient wholeObjects(boolean value) {
        return new DuckClient(client, kinds, options, value);
    }

    /**
     * Returns the kind with objects in this class: for a tracker, a cache, and other uses.
     *
     * @throws IllegalArgumentException when the kind is not known, or does not have the class
     */
    @SuppressWarnings("unchecked") // the class of the kind implements the interface
    public <D extends HasMetadata> Kind<D> kind(Class<D> type, String apiVersion, String kind) {
        Kind<?> own = kinds.require(apiVersion, kind);
        if (!type.isInterface()) {
            return own.in(type);
        }
        if (!type.isAssignableFrom(own.javaType())) {
            throw new IllegalArgumentException("type: " + type.getName() + " is an interface, and the class of "
                    + own.id() + ", " + own.javaType().getName()
                    + ", does not implement it: use a class with the fields that are needed");
        }
        return (Kind<D>) own;
    }

    /** Reads an object; empty when it does not exist. */
    public <D extends HasMetadata> Optional<D> find(Class<D> type, Reference reference) {
        return client.find(kind(type, reference.apiVersion(), reference.kind()), reference.key());
    }

    /**
     * Reads an object.
     *
     * @throws dev.evenkeel.client.NotFoundException when it does not exist
     */
    public <D extends HasMetadata> D get(Class<D> type, Reference reference) {
        return client.get(kind(type, reference.apiVersion(), reference.kind()), reference.key());
    }

    /** Reads a page of objects of one kind. */
    public <D extends HasMetadata> Listing<D> list(
            Class<D> type, String apiVersion, String kind, ListOptions selection) {
        return client.list(kind(type, apiVersion, kind), selection);
    }

    /**
     * Writes the changes of an object; nothing if there are none.
     *
     * @param before the object as it was read
     * @param after the desired object
     * @return the object after the write
     * @throws dev.evenkeel.client.ConflictException when the object was replaced meanwhile
     */
    public <D extends HasMetadata> D patch(D before, D after) {
        Target<D> target = target(before, after);
        GenericKubernetesResource wanted = target.wanted();
        return SemanticEquality.same(target.present(), wanted)
                ? ModelCodec.convert(target.present(), target.kind().javaType())
                : client.patch(target.kind(), target.key(), target.patch(wanted), options);
    }

    /** Writes the changes of the status of an object, and nothing else; otherwise as {@link #patch}. */
    public <D extends HasMetadata> D patchStatus(D before, D after) {
        Target<D> target = target(before, after);
        GenericKubernetesResource wanted = ModelCodec.copy(target.present());
        wanted.setAdditionalProperty(
                "status", target.wanted().getAdditionalProperties().get("status"));
        return SemanticEquality.sameStatus(target.present(), wanted)
                ? ModelCodec.convert(target.present(), target.kind().javaType())
                : client.patchStatus(target.kind(), target.key(), target.patch(wanted), options);
    }

    /** Deletes an object. */
    public <D extends HasMetadata> Deletion<D> delete(D object) {
        return client.delete(kindOf(object), ObjectKey.of(object), DeleteOptions.DEFAULT.dryRun(options.dryRun()));
    }

    /**
     * Creates an object.
     *
     * @throws UnsupportedOperationException when it is a duck, and creating those is not enabled
     */
    public <D extends HasMetadata> D create(D object) {
        return client.create(writable(object, whole, NO_CREATE), object, options);
    }

    /**
     * Replaces an object.
     *
     * @throws UnsupportedOperationException when it is a duck, and updating those is not enabled
     */
    public <D extends HasMetadata> D update(D object) {
        return client.update(writable(object, whole, NO_UPDATE), object, options);
    }

    /**
     * Replaces the status of an object.
     *
     * @throws UnsupportedOperationException when it is a duck
     */
    public <D extends HasMetadata> D updateStatus(D object) {
        return client.updateStatus(writable(object, false, NO_UPDATE), object, options);
    }

    /** The subject of a patch: the object as stored, and before and after the caller's change. */
    private record Target<D extends HasMetadata>(
            Kind<D> kind, ObjectKey key, GenericKubernetesResource present, ObjectChange change) {
        GenericKubernetesResource wanted() {
            GenericKubernetesResource wanted = ModelCodec.copy(present);
            change.applyTo(wanted);
            return wanted;
        }

        /** Returns a patch of the differences and the resourceVersion, which must match. */
        Patch patch(GenericKubernetesResource wanted) {
            GenericKubernetesResource unversioned = ModelCodec.copy(present);
            unversioned.getMetadata().setResourceVersion("");
            wanted.getMetadata().setResourceVersion(present.getMetadata().getResourceVersion());
            return Patch.mergeBetween(unversioned, wanted);
        }
    }

    private <D extends HasMetadata> Target<D> target(D before, D after) {
        Reference reference = Reference.of(before);
        if (!reference.equals(Reference.of(after))) {
            throw new IllegalArgumentException("after: is " + Reference.of(after) + ", and before is " + reference
                    + ": give the same object, as it was read and as it is to be");
        }
        Kind<D> kind = kindOf(after);
        GenericKubernetesResource present = client.get(kind.in(GenericKubernetesResource.class), reference.key());
        String uid = Objects.requireNonNullElse(before.getMetadata().getUid(), "");
        if (!uid.isEmpty() && !uid.equals(present.getMetadata().getUid())) {
            throw ApiException.of(Status.of(
                    409,
                    "Conflict",
                    reference + " is another one than the one that was read: its uid is "
                            + present.getMetadata().getUid() + ", and was " + uid + ": read it again"));
        }
        return new Target<>(kind, reference.key(), present, ObjectChange.between(before, after));
    }

    private <D extends HasMetadata> Kind<D> writable(D object, boolean allowed, String refusal) {
        Reference reference = Reference.of(object);
        Kind<?> own = kinds.require(reference.apiVersion(), reference.kind());
        if (!allowed && !own.javaType().equals(object.getClass())) {
            throw new UnsupportedOperationException(refusal);
        }
        return kindOf(object);
    }

    @SuppressWarnings("unchecked") // its own class
    private <D extends HasMetadata> Kind<D> kindOf(D object) {
        Reference reference = Reference.of(object);
        return kinds.require(reference.apiVersion(), reference.kind()).in((Class<D>) object.getClass());
    }

    /**
     * Resolves an apiVersion and kind to a resource of the API: references have neither its plural nor its scope.
     *
     * @param all the kinds; of two with the same name, the first counts
     */
    public record Kinds(List<Kind<?>> all) {
        /** Copies the list. */
        public Kinds {
            all = List.copyOf(all);
        }

        /** Returns an instance with these kinds. */
        public static Kinds of(Kind<?>... kinds) {
            return new Kinds(List.of(kinds));
        }

        /** Returns an instance with these kinds and the others. */
        public Kinds or(Kinds others) {
            return new Kinds(Stream.concat(all.stream(), others.all.stream()).toList());
        }

        /** Returns the kind; empty when it is not known. */
        public Optional<Kind<?>> find(String apiVersion, String kind) {
            return all.stream()
                    .filter(one ->
                            one.apiVersion().equals(apiVersion) && one.kind().equals(kind))
                    .findFirst();
        }

        /**
         * Returns the kind.
         *
         * @throws IllegalArgumentException when it is not known
         */
        public Kind<?> require(String apiVersion, String kind) {
            return find(apiVersion, kind)
                    .orElseThrow(() -> new IllegalArgumentException(
                            apiVersion + " " + kind + ": unknown kind: add it to Kinds.of(...)"));
        }

        /**
         * Returns a need for each of the kinds.
         *
         * <pre>{@code
         * Description.of("Scaling")
         *         .needs(KINDS.each(Part.Requirement.Tracks::new))
         *         .needs(KINDS.each(kind -> new Part.Requirement.May(kind, "", Set.of("patch"))))
         * }</pre>
         */
        public List<Part.Requirement> each(Function<Kind<?>, Part.Requirement> need) {
            return all.stream().map(need).toList();
        }
    }

    /**
     * A reference to an object of any kind.
     *
     * @param apiVersion such as {@code apps/v1}
     * @param kind such as {@code Deployment}
     * @param key key of the object
     */
    public record Reference(String apiVersion, String kind, ObjectKey key) {
        /** Refuses references without a kind. */
        public Reference {
            if (apiVersion.isEmpty() || kind.isEmpty()) {
                throw new IllegalArgumentException("object must directly define apiVersion and kind, and that of " + key
                        + " are \"" + apiVersion + "\" and \"" + kind + "\"");
            }
        }

        /** Returns a reference to an object, by its own apiVersion, kind and key. */
        public static Reference of(HasMetadata object) {
            return new Reference(text(object.getApiVersion()), text(object.getKind()), ObjectKey.of(object));
        }

        /** Returns the reference of a field such as {@code spec.objectRef}. */
        public static Reference of(ObjectReference reference) {
            return new Reference(
                    text(reference.getApiVersion()),
                    text(reference.getKind()),
                    ObjectKey.of(text(reference.getNamespace()), text(reference.getName())));
        }

        /**
         * Returns a reference to an owner.
         *
         * @param namespace of the owned object; empty when the owner is cluster-scoped
         */
        public static Reference of(OwnerReference owner, String namespace) {
            return new Reference(
                    text(owner.getApiVersion()), text(owner.getKind()), ObjectKey.of(namespace, text(owner.getName())));
        }

        private static String text(@Nullable String value) {
            return Objects.requireNonNullElse(value, "");
        }

        /** Returns {@code apps/v1 Deployment default/web}. */
        @Override
        public String toString() {
            return apiVersion + " " + kind + " " + key;
        }
    }
}
