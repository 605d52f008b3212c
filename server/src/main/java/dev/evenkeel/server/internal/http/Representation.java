package dev.evenkeel.server.internal.http;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Status;
import java.util.List;

/**
 * The form of objects that a client requests.
 *
 * @param yaml YAML rather than JSON
 * @param shape the visible part of objects
 * @param metaVersion version of {@code meta.k8s.io} for shapes other than {@link Shape#OBJECT}
 */
public record Representation(boolean yaml, Shape shape, String metaVersion) {
    /** The visible part: the whole object, a table of columns, metadata of one object or of each of a list. */
    public enum Shape {
        OBJECT,
        TABLE,
        PARTIAL,
        PARTIAL_LIST
    }

    public static final Representation JSON = new Representation(false, Shape.OBJECT, "v1");
    private static final Representation YAML = new Representation(true, Shape.OBJECT, "v1");

    private static final String AVAILABLE = Failures.ACCEPTED_BODIES;
    private static final String STREAMS =
            "application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch";

    /**
     * Returns the first form that the client accepts and the server supports.
     *
     * @param accept the header; blank accepts anything
     * @param streamable whether the path can be watched
     */
    public static Representation negotiate(String accept, boolean streamable) {
        return negotiate(accept, streamable, true);
    }

    /**
     * Returns the first form that the client accepts and the server supports.
     *
     * @param tables whether there are tables of the resource
     */
    public static Representation negotiate(String accept, boolean streamable, boolean tables) {
        if (accept.isBlank() || accept.equals("application/json")) {
            return JSON;
        }
        boolean known = false;
        for (MediaType clause : MediaType.accept(accept)) {
            boolean json = clause.covers("application", "json");
            boolean yaml = !json && clause.covers("application", "yaml");
            known |= json || yaml || clause.covers("application", "vnd.kubernetes.protobuf");
            if (json || yaml) {
                String as = clause.parameter("as");
                if (as.isEmpty()) {
                    return yaml ? YAML : JSON;
                }
                String version = clause.parameter("v");
                Shape shape = switch (as) {
                    case "Table" -> tables ? Shape.TABLE : Shape.OBJECT;
                    case "PartialObjectMetadata" -> Shape.PARTIAL;
                    case "PartialObjectMetadataList" -> Shape.PARTIAL_LIST;
                    default -> Shape.OBJECT;
                };
                boolean served = version.equals("v1") || version.equals("v1beta1");
                if (shape != Shape.OBJECT && served && clause.parameter("g").equals("meta.k8s.io")) {
                    return new Representation(yaml, shape, version);
                }
            }
        }
        throw known ? onlyAccepted(AVAILABLE) : nothingAvailable(streamable);
    }

    /** Returns the form of the events of a watch: as {@link #negotiate}, but streams are not available in YAML. */
    public static Representation negotiateStream(String accept) {
        Representation found = negotiate(accept, true);
        if (found.yaml) {
            throw onlyAccepted(STREAMS);
        }
        return found;
    }

    /** Returns true if the client prefers errors in YAML. */
    public static boolean yamlErrors(String accept) {
        if (accept.isBlank() || accept.equals("application/json")) {
            return false;
        }
        List<MediaType> clauses = MediaType.accept(accept);
        return clauses.stream().noneMatch(c -> c.covers("application", "json"))
                && clauses.stream().anyMatch(c -> c.covers("application", "yaml"));
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
