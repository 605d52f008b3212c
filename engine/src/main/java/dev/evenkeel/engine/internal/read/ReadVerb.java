package dev.evenkeel.engine.internal.read;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Status;
import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.admission.ContentAccess;
import dev.evenkeel.engine.internal.admission.Documents;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.object.Document;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.object.Revisions;
import dev.evenkeel.engine.internal.strategy.ResourceStrategy;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.spi.CompactedException;
import dev.evenkeel.engine.spi.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Reads objects: one, or a page of many, at the present or at an exact revision. A list walks over a snapshot, which
 * never changes, so the pages of one list are consistent however much is written between them. A read without a
 * resourceVersion returns every write that was answered before, by any engine on the store; one with {@code 0} returns
 * the state at hand, also while the store cannot be reached.
 */
public record ReadVerb(WriteContext cluster, ContentAccess access) {
    private static final String EXACT = "Exact";
    private static final String NOT_OLDER = "NotOlderThan";
    private static final String TOKEN_TOO_OLD =
            "The provided continue parameter is too old to display a consistent list result. You can start a new list"
                    + " without the continue parameter, or use the continue token in this response to retrieve the"
                    + " remainder of the results. Continuing with the provided token results in an inconsistent list -"
                    + " objects that were created, modified, or deleted between the time the first chunk was returned"
                    + " and now may show up in the list.";

    public Document get(Target target, String resourceVersion, User user) {
        return access.get(target, user, () -> get(target, resourceVersion));
    }

    private Document get(Target target, String resourceVersion) {
        if (resourceVersion.isEmpty()) {
            return cluster.document(cluster.require(cluster.latest(), target), target);
        }
        if (!Revisions.valid(resourceVersion)) {
            throw Refusal.internal("resourceVersion: Invalid value: \"" + resourceVersion + "\": "
                    + Revisions.syntaxError(resourceVersion));
        }
        cluster.requireReached(Long.parseUnsignedLong(resourceVersion));
        return cluster.document(cluster.require(target), target);
    }

    /** @param verb {@code list} or {@code deletecollection} */
    public Page list(Target target, ListQuery query, User user, String verb) {
        Selection selection =
                new Selection(cluster, target, query.labels(), query.fields(), access.filter(target, user, verb));
        validate(query);
        String collection = cluster.collection(target.type());
        Store.Key from = null;
        long limit = query.resourceVersion().equals("0") ? 0 : query.limit();
        Store.Snapshot snapshot;
        if (!query.continueToken().isEmpty()) {
            ContinueToken token = ContinueToken.parse(query.continueToken());
            from = token.key(collection, target.namespace());
            snapshot = token.revision() < 0 ? cluster.latest() : at(token);
        } else {
            String version = query.resourceVersion();
            boolean exact = query.match().equals(EXACT) || (query.match().isEmpty() && limit > 0 && !version.isEmpty());
            if (version.isEmpty()) {
                snapshot = cluster.latest();
            } else {
                cluster.requireReached(Long.parseUnsignedLong(version));
                snapshot = exact
                        ? at(Long.parseUnsignedLong(version))
                        : cluster.store().snapshot();
            }
        }
        return page(target, selection, snapshot, collection, from, limit);
    }

    private Page page(
            Target target,
            Selection selection,
            Store.Snapshot snapshot,
            String collection,
            Store.@Nullable Key from,
            long limit) {
        ResourceStrategy strategy = cluster.strategies().of(target);
        List<Document> items = new ArrayList<>();
        Optional<String> name = selection.name();
        if (name.isPresent()
                && (!target.type().namespaced() || !target.namespace().isEmpty())) {
            Store.Key key = new Store.Key(collection, target.namespace(), name.get());
            Store.Entry entry = snapshot.get(key);
            if (entry != null && selection.matches(entry) && (from == null || key.compareTo(from) >= 0)) {
                items.add(Documents.of(entry, entry.revision(), target, strategy));
            }
            return new Page(items, snapshot.revision(), "", OptionalLong.empty());
        }
        boolean everything = selection.everything();
        // collects a page, and the first entry after it: with selectors, the rest is not counted
        var walk = new Store.Visitor() {
            Store.@Nullable Key last;
            Store.@Nullable Key next;

            @Override
            public boolean visit(Store.Entry entry) {
                if (!everything && !selection.matches(entry)) {
                    return true;
                }
                if (limit > 0 && items.size() >= limit) {
                    next = entry.key();
                    return false;
                }
                items.add(Documents.of(entry, entry.revision(), target, strategy));
                last = entry.key();
                return true;
            }
        };
        snapshot.range(collection, target.namespace(), from, walk);
        boolean more = walk.next != null && walk.last != null;
        String token = more
                ? ContinueToken.after(Objects.requireNonNull(walk.last), target.namespace(), snapshot.revision())
                        .text()
                : "";
        OptionalLong remaining = more && everything
                ? OptionalLong.of(snapshot.count(collection, target.namespace(), walk.next))
                : OptionalLong.empty();
        return new Page(items, snapshot.revision(), token, remaining);
    }

    private Store.Snapshot at(ContinueToken token) {
        try {
            return snapshot(token.revision());
        } catch (CompactedException e) {
            Status expired = Status.of(410, "Expired", TOKEN_TOO_OLD);
            throw ApiException.of(new Status(
                    expired.code(),
                    expired.reason(),
                    expired.message(),
                    expired.details(),
                    new ContinueToken(-1, token.start()).text()));
        }
    }

    private Store.Snapshot at(long revision) {
        try {
            return snapshot(revision);
        } catch (CompactedException e) {
            throw Refusal.expired("The resourceVersion for the provided list is too old.");
        }
    }

    private Store.Snapshot snapshot(long revision) {
        cluster.requireReached(revision);
        return cluster.store().snapshot(revision);
    }

    private static void validate(ListQuery query) {
        String version = query.resourceVersion();
        String match = query.match();
        if (!match.isEmpty()) {
            if (!query.continueToken().isEmpty()) {
                throw forbidden("resourceVersionMatch is forbidden when continue is provided");
            }
            if (version.isEmpty()) {
                throw forbidden("resourceVersionMatch is forbidden unless resourceVersion is provided");
            }
            if (!match.equals(EXACT) && !match.equals(NOT_OLDER)) {
                throw refused(FieldError.notSupported("resourceVersionMatch", match, List.of(EXACT, NOT_OLDER, "")));
            }
            if (match.equals(EXACT) && version.equals("0")) {
                throw forbidden("resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"");
            }
        }
        if (!version.isEmpty() && !Revisions.valid(version)) {
            throw Refusal.badRequest("invalid resource version: resourceVersion: Invalid value: \"" + version + "\": "
                    + Revisions.syntaxError(version));
        }
        if (!query.continueToken().isEmpty() && !version.isEmpty() && !version.equals("0")) {
            throw Refusal.badRequest("specifying resource version is not allowed when using continue");
        }
    }

    /** Returns the error of a match that does not fit the rest of a query. */
    static ApiException forbidden(String detail) {
        return refused(FieldError.forbidden("resourceVersionMatch", detail));
    }

    private static ApiException refused(FieldError error) {
        return Refusal.invalid("meta.k8s.io", "ListOptions", "", List.of(error));
    }
}
