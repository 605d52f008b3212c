package dev.evenkeel.server.internal.http;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Status;
import java.util.Optional;

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
     */
    public record Available(boolean tables, boolean protobuf) {}

    public static final Representation JSON = new Representation(Encoding.JSON, Shape.OBJECT, "v1");
    private static final Available ALL = new Available(true, true);

    private static final String AVAILABLE = Failures.ACCEPTED_BODIES;
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
        if (accept.isBlank() || accept.equals("application/json")) {
            return JSON;
        }
        boolean known = false;
        for (MediaType clause : MediaType.accept(accept)) {
            Optional<Encoding> encoding = Encoding.of(clause);
            known |= encoding.isPresent();
            if (encoding.isEmpty()) {
                continue;
            }
            boolean protobuf = encoding.get() == Encoding.PROTOBUF;
            String as = clause.parameter("as");
            if (as.isEmpty() && (!protobuf || available.protobuf())) {
                return new Representation(encoding.get(), Shape.OBJECT, "v1");
            }
            String version = clause.parameter("v");
            Shape shape = switch (as) {
                case "Table" -> available.tables() && !protobuf ? Shape.TABLE : Shape.OBJECT;
                case "PartialObjectMetadata" -> Shape.PARTIAL;
                case "PartialObjectMetadataList" -> Shape.PARTIAL_LIST;
                default -> Shape.OBJECT;
            };
            boolean served = version.equals("v1") || version.equals("v1beta1");
            if (shape != Shape.OBJECT && served && clause.parameter("g").equals("meta.k8s.io")) {
                return new Representation(encoding.get(), shape, version);
            }
        }
        throw known ? onlyAccepted(AVAILABLE) : nothingAvailable(streamable);
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

    private static ApiException nothingAvailable(boolean streamable) {
        String available = AVAILABLE + (streamable ? ", " + STREAMS : "");
        String message = "406: Not Acceptable\n\nAvailable representations: " + available;
        return ApiException.of(Status.of(406, "NotAcceptable", message, Status.Details.EMPTY));
    }
}
