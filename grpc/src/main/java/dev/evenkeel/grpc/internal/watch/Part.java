package dev.evenkeel.grpc.internal.watch;

import dev.evenkeel.client.FieldSelector;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.object.Document;
import dev.evenkeel.engine.internal.read.ContinueToken;
import dev.evenkeel.engine.internal.read.ListQuery;
import dev.evenkeel.engine.internal.read.Page;
import dev.evenkeel.engine.internal.read.WatchEvent;
import dev.evenkeel.engine.internal.read.WatchQuery;
import dev.evenkeel.engine.internal.read.WatchStream;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.grpc.internal.call.Session;
import dev.evenkeel.grpc.internal.resource.ResourceCodec;
import dev.evenkeel.grpc.internal.resource.ServedType;
import dev.evenkeel.grpc.internal.resource.TypeTable;
import dev.evenkeel.grpc.resource.v1.Resource;
import dev.evenkeel.grpc.resource.v1.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The part of a selection that is in one partition.
 *
 * @param user the sender as it acts in the partition
 */
record Part(Plan plan, Session session, User user, TypeTable types, ServedType type, Target target, ResourceApi api) {
    private static final int CHUNK = 500;

    /** The name under which watches of an event share the resource that they send. */
    private record Shown(Type type, String partition) {}

    /**
     * Some objects in their order.
     *
     * @param revision that they were read at
     * @param next the start of the rest; empty when there is none
     */
    record Slice(List<Resource> items, long revision, String next) {}

    String partition() {
        return api.name();
    }

    /**
     * Reads objects.
     *
     * @param revision to read; empty for the present one
     * @param start where to begin, from an earlier slice; empty for the first object
     * @param max how many at most
     */
    Slice slice(OptionalLong revision, String start, int max) {
        String prefix = plan.scope().prefix();
        boolean ordered = !(type.namespaced() && target.namespace().isEmpty());
        String from = start.isEmpty() && ordered && !prefix.contains("..") && !prefix.contains("/") ? prefix : start;
        OptionalLong at = revision;
        List<Resource> items = new ArrayList<>();
        while (true) {
            int limit = prefix.isEmpty() ? Math.min(max - items.size(), CHUNK) : CHUNK;
            Page page = api.list(target, query(at, from, limit), user);
            at = OptionalLong.of(page.revision());
            int left = page.items().size();
            for (Document document : page.items()) {
                left--;
                Resource resource = resource(document);
                String name = resource.getId().getName();
                from = after(resource);
                if (name.startsWith(prefix)) {
                    items.add(resource);
                } else if (ordered && name.compareTo(prefix) > 0) {
                    return new Slice(items, page.revision(), "");
                }
                if (items.size() == max) {
                    boolean last = left == 0 && page.continueToken().isEmpty();
                    return new Slice(items, page.revision(), last ? "" : from);
                }
            }
            if (page.continueToken().isEmpty()) {
                return new Slice(items, page.revision(), "");
            }
        }
    }

    private ListQuery query(OptionalLong revision, String start, int limit) {
        if (!start.isEmpty()) {
            String token = new ContinueToken(revision.orElse(-1), start).text();
            return new ListQuery(plan.labels(), FieldSelector.everything(), "", "", limit, token);
        }
        return revision.isPresent()
                ? new ListQuery(
                        plan.labels(),
                        FieldSelector.everything(),
                        Long.toString(revision.getAsLong()),
                        "Exact",
                        limit,
                        "")
                : new ListQuery(plan.labels(), FieldSelector.everything(), "", "", limit, "");
    }

    /** Returns the start of the objects after one. */
    String after(Resource resource) {
        String namespace = resource.getId().getTenancy().getNamespace();
        return (target.namespace().isEmpty() && !namespace.isEmpty() ? namespace + "/" : "")
                + resource.getId().getName() + "\0";
    }

    /** Opens a watch of the changes after a revision. */
    WatchStream watch(long after, Runnable onReady) {
        WatchQuery query = new WatchQuery(
                plan.labels(), FieldSelector.everything(), Long.toString(after), "", Optional.empty(), true);
        return api.watch(target, query, user, onReady);
    }

    private Resource resource(Document document) {
        return new ResourceCodec(types, partition()).resource(type, document);
    }

    /** Returns the resource of a change, which all watches of it share; empty when its name has another prefix. */
    Optional<Resource> resource(WatchEvent.Change change) {
        Resource resource = change.memo(new Shown(type.type(), partition()), () -> resource(change.document()));
        return resource.getId().getName().startsWith(plan.scope().prefix()) ? Optional.of(resource) : Optional.empty();
    }
}
