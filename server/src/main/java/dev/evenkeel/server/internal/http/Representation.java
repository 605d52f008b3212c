package dev.evenkeel.server.internal.http;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Status;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The form of objects that a client requests.
 *
 * @param encoding the encoding of objects
 * @param shape the visible part of objects
 * @param metaVersion version of {@code meta.k8s.io} for shapes other than {@link Shape#OBJECT}
 */
public record Representation(Encoding encoding, Shape shape, String metaVersion) {
    /** The visible part: the whole object, a table of columns, metadata of one object or of each of a list. */
    public enum Shape {
        OBJECT,
        TABLE,
        PARTIAL,
        PARTIAL_LIST
    }

    /**
     * The forms that a resource has in addition to those that every resource has.
     *
     * @param tables whether there are tables of it
     * @param protobuf whether whole objects can be encoded in protobuf; their metadata always can
     * @param routed whether upstream finds the handler by {@code Accept} too, where it knows no ranges but {@code *}{@code
     *     /*}; not for custom resources
     */
    public record Available(boolean tables, boolean protobuf, boolean routed) {}

    public static final Representation JSON = new Representation(Encoding.JSON, Shape.OBJECT, "v1");
    private static final Available ALL = new Available(true, true, true);

    private static final String AVAILABLE = Failures.ACCEPTED_BODIES;
    private static final Set<String> TYPES =
            Arrays.stream(Encoding.values()).map(Encoding::mediaType).collect(Collectors.toUnmodifiableSet());

    private static final String STREAMS =
            "application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch";

    /**
     * Returns the first form that the client accepts and the server supports, of all forms.
     *
     * @param accept the header; blank accepts anything
     * @param streamable whether the path can be watched
     */
    public static Representation negotiate(String accept, boolean streamable) {
        return negotiate(accept, streamable, ALL);
    }

    /** Returns the first form that the client accepts and the resource has. */
    public static Representation negotiate(String accept, boolean streamable, Available available) {
        return negotiate(accept, streamable, available, false);
    }

    /**
     * Returns the encoding of a document other than an object, such as one of discovery: it has no other forms, and no
     * server version.
     */
    public static Encoding negotiateDocument(String accept) {
        return negotiate(accept, false, ALL, true).encoding();
    }

    private static Representation negotiate(String accept, boolean streamable, Available available, boolean document) {
        if (accept.isBlank() || accept.equals("application/json")) {
            return JSON;
        }
        if (available.routed() && !isRouted(accept, TYPES)) {
            throw nothingAvailable(AVAILABLE + (streamable ? ", " + STREAMS : ""));
        }
        for (MediaType clause : MediaType.accept(accept)) {
            for (Encoding encoding : Encoding.values()) {
                Optional<Representation> form =
                        encoding.isCoveredBy(clause) ? form(clause, encoding, available) : Optional.empty();
                boolean plain = clause.parameter("sv").isEmpty()
                        && form.map(each -> each.shape() == Shape.OBJECT).orElse(false);
                if (document ? plain : form.isPresent()) {
                    return form.orElseThrow();
                }
            }
        }
        throw onlyAccepted(AVAILABLE);
    }

    /**
     * Requires that a document other than an object is accepted, as upstream's router does: it knows no ranges but
     * {@code *}{@code /*}, and a quality of 0 excludes nothing.
     *
     * @param types the media types that upstream has the document in, separated by a comma and a space
     */
    public static void requireAccepted(String accept, String types) {
        if (!accept.isBlank() && !isRouted(accept, Set.of(types.split(", ", -1)))) {
            throw nothingAvailable(types);
        }
    }

    private static boolean isRouted(String accept, Set<String> types) {
        return Arrays.stream(accept.split(",", -1))
                .map(clause -> clause.split(";", -1)[0].strip())
                .anyMatch(type -> type.equals("*/*") || types.contains(type));
    }

    /** Returns the form that a clause asks for, in an encoding that it covers; empty if the resource does not have it. */
    private static Optional<Representation> form(MediaType clause, Encoding encoding, Available available) {
        boolean protobuf = encoding == Encoding.PROTOBUF;
        String version = clause.parameter("v");
        String group = clause.parameter("g");
        String as = clause.parameter("as");
        if (!isServed(clause, encoding)) {
            return Optional.empty();
        }
        if (as.isEmpty() && version.isEmpty() && group.isEmpty()) {
            return protobuf && !available.protobuf()
                    ? Optional.empty()
                    : Optional.of(new Representation(encoding, Shape.OBJECT, "v1"));
        }
        Optional<Shape> shape = switch (as) {
            case "Table" -> available.tables() && !protobuf ? Optional.of(Shape.TABLE) : Optional.empty();
            case "PartialObjectMetadata" -> Optional.of(Shape.PARTIAL);
            case "PartialObjectMetadataList" -> Optional.of(Shape.PARTIAL_LIST);
            default -> Optional.empty();
        };
        boolean served = (version.equals("v1") || version.equals("v1beta1")) && group.equals("meta.k8s.io");
        return served ? shape.map(known -> new Representation(encoding, known, version)) : Optional.empty();
    }

    /** Returns whether the stream and the server version that a clause asks for, if any, are served. */
    private static boolean isServed(MediaType clause, Encoding encoding) {
        String stream = clause.parameter("stream");
        String server = clause.parameter("sv");
        return (stream.isEmpty() || (stream.equals("watch") && encoding != Encoding.YAML))
                && (server.isEmpty() || server.equals("v1"));
    }

    /** Returns the form of the events of a watch: as {@link #negotiate}, but streams are not available in YAML. */
    public static Representation negotiateStream(String accept, Available available) {
        Representation found = negotiate(accept, true, available);
        if (found.encoding == Encoding.YAML) {
            throw onlyAccepted(STREAMS);
        }
        return found;
    }

    private static ApiException onlyAccepted(String types) {
        return Failures.of(406, "NotAcceptable", "only the following media types are accepted: " + types);
    }

    /** Returns the error of upstream's router for a request none of whose handlers the client accepts. */
    static ApiException nothingAvailable(String available) {
        String message = "406: Not Acceptable\n\nAvailable representations: " + available;
        return ApiException.of(Status.of(406, "NotAcceptable", message, Status.Details.EMPTY));
    }
}
