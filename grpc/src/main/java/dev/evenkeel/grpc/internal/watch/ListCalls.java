package dev.evenkeel.grpc.internal.watch;

import com.google.rpc.Code;
import dev.evenkeel.engine.internal.object.Revisions;
import dev.evenkeel.grpc.internal.call.Access;
import dev.evenkeel.grpc.internal.call.Errors;
import dev.evenkeel.grpc.internal.call.Violations;
import dev.evenkeel.grpc.resource.v1.ListRequest;
import dev.evenkeel.grpc.resource.v1.ListResponse;
import dev.evenkeel.grpc.resource.v1.Resource;
import java.util.List;
import java.util.OptionalLong;

/**
 * Lists. All pages of a list are of one revision, over all partitions.
 *
 * @param maxBytes the largest response
 */
public record ListCalls(Access access, int maxBytes) {
    /** Returns a page of a list, or all of it. */
    public ListResponse list(ListRequest request) {
        Violations violations = new Violations();
        if (request.getPageSize() < 0) {
            violations.invalid("page_size", "must not be negative: " + request.getPageSize());
        }
        String version = request.getVersion();
        if (!version.isEmpty() && !(Revisions.valid(version) && Long.parseUnsignedLong(version) > 0)) {
            violations.invalid("version", "must be the version of a list: " + version);
        }
        Plan.Checked checked = Plan.of(
                access,
                "list",
                new Plan.Selection(
                        request.hasType(),
                        request.getType(),
                        request.getTenancy(),
                        request.getNamePrefix(),
                        request.getLabelSelector()),
                violations);
        Pages pages = new Pages(checked.plan(), request.getPageSize());
        if (!request.getPageToken().isEmpty()) {
            Tokens.Place place = Tokens.Place.parse("page_token", request.getPageToken());
            checked.plan().requireSame("page_token", place.query());
            pages.revision = OptionalLong.of(place.revision());
            pages.read(checked.parts(), place.partition(), place.start());
        } else {
            pages.revision = version.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(version));
            pages.read(checked.parts(), "", "");
        }
        return pages.response();
    }

    /** Collects one page. */
    private final class Pages {
        private final ListResponse.Builder response = ListResponse.newBuilder();
        private final Plan plan;
        private final int size;
        private OptionalLong revision = OptionalLong.empty();
        private long bytes;

        Pages(Plan plan, int size) {
            this.plan = plan;
            this.size = size;
        }

        /** Reads from a start in a partition, or in the first one after it. */
        void read(List<Part> parts, String partition, String start) {
            for (Part part : parts) {
                int order = part.partition().compareTo(partition);
                if (order >= 0 && !read(part, order == 0 ? start : "")) {
                    return;
                }
            }
        }

        /** Reads from a part; returns false when the page is full. */
        private boolean read(Part part, String start) {
            String from = start;
            do {
                int left = size == 0 ? Integer.MAX_VALUE : size - response.getResourcesCount();
                if (left == 0) {
                    return full(part, from);
                }
                Part.Slice slice = part.slice(revision, from, left);
                revision = OptionalLong.of(slice.revision());
                for (Resource resource : slice.items()) {
                    bytes += resource.getSerializedSize();
                    if (bytes > maxBytes && size > 0 && response.getResourcesCount() > 0) {
                        return full(part, from);
                    }
                    if (bytes > maxBytes) {
                        throw Errors.of(
                                Code.RESOURCE_EXHAUSTED,
                                "RESPONSE_TOO_LARGE",
                                "the response is larger than " + maxBytes + " bytes; set page_size");
                    }
                    response.addResources(resource);
                    from = part.after(resource);
                }
                from = slice.next();
            } while (!from.isEmpty());
            return true;
        }

        private boolean full(Part part, String from) {
            response.setNextPageToken(
                    new Tokens.Place(plan.query(), revision.orElseThrow(), part.partition(), from).text());
            return false;
        }

        ListResponse response() {
            revision.ifPresent(known -> response.setVersion(Long.toString(known)));
            return response.build();
        }
    }
}
