package dev.evenkeel.engine.internal.admission;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.access.ContentRules;
import dev.evenkeel.engine.internal.access.ContentRules.Caller;
import dev.evenkeel.engine.internal.access.ContentRules.Verdict;
import dev.evenkeel.engine.internal.access.Permissions;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Document;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.spi.Authorizer.Attributes;
import dev.evenkeel.engine.spi.Store;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Applies the {@link ContentRules} of types to reads and writes.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>A write needs the right to the old content and to the new one: an object cannot be overwritten by a sender that
 *       may write the new content only.
 *   <li>The right to the old content is checked before the body is read, so that no refusal depends on an object that the
 *       sender may not write.
 *   <li>An object that the sender may not see is not found. It is refused only if the rule decides without its content,
 *       and then whether or not it exists.
 * </ol>
 */
public record ContentAccess(WriteContext cluster, Permissions permissions) {
    private Optional<ContentRules> rules(Target target, User user) {
        return user.master()
                ? Optional.empty()
                : cluster.strategies().of(target).contentRules();
    }

    /** Reads an object, if the user may. */
    public Document get(Target target, User user, Supplier<Document> read) {
        ContentRules rules = rules(target, user).orElse(null);
        if (rules == null) {
            return read.get();
        }
        Caller caller = new Caller(user, permissions);
        return switch (rules.mayRead(caller, target, null)) {
            case ALLOW -> read.get();
            case DENY -> throw refused(target, user, "get");
            case NEEDS_CONTENT -> {
                Document found = read.get();
                if (rules.mayRead(caller, target, found::tree) != Verdict.ALLOW) {
                    throw Refusal.notFound(target.type(), target.name());
                }
                yield found;
            }
        };
    }

    /**
     * Checks that a user may list or watch, and returns what selects the entries that it may see; empty for all.
     *
     * @param verb {@code list}, {@code watch} or {@code deletecollection}
     */
    public Optional<Predicate<Store.Entry>> filter(Target target, User user, String verb) {
        ContentRules rules = rules(target, user).orElse(null);
        if (rules == null) {
            return Optional.empty();
        }
        Caller caller = new Caller(user, permissions);
        if (!rules.mayList(caller, target)) {
            throw refused(target, user, verb);
        }
        return Optional.of(entry -> visible(rules, caller, target, entry));
    }

    private boolean visible(ContentRules rules, Caller caller, Target target, Store.Entry entry) {
        Target object = target.withName(entry.key().namespace(), entry.key().name());
        Verdict verdict = rules.mayRead(caller, object, null);
        return (verdict == Verdict.NEEDS_CONTENT
                        ? rules.mayRead(caller, object, () -> cluster.tree(entry, object))
                        : verdict)
                == Verdict.ALLOW;
    }

    /** Checks the right to the object that a write changes or deletes, before the body is read. */
    public void checkOld(Write write) {
        User user = write.options().requester().user();
        Target target = write.target();
        ContentRules rules = rules(target, user).orElse(null);
        if (rules == null || target.name().isEmpty()) {
            return;
        }
        Caller caller = new Caller(user, permissions);
        JsonObject old = write.old();
        Verdict verdict = rules.mayWrite(caller, target, null);
        if (verdict == Verdict.DENY) {
            throw refused(target, user, verb(write));
        }
        if (verdict == Verdict.NEEDS_CONTENT
                && old != null
                && rules.mayWrite(caller, target, () -> old) != Verdict.ALLOW) {
            throw canRead(rules, caller, target, old)
                    ? refused(target, user, verb(write))
                    : Refusal.notFound(target.type(), target.name());
        }
    }

    private static boolean canRead(ContentRules rules, Caller caller, Target target, JsonObject content) {
        return rules.mayRead(caller, target, () -> content) == Verdict.ALLOW;
    }

    /** Checks the right to the content that is written. */
    public void checkNew(Write write) {
        User user = write.options().requester().user();
        Target target = write.target();
        ContentRules rules = rules(target, user).orElse(null);
        if (rules == null || write.operation() == Write.Operation.DELETE) {
            return;
        }
        Target object = target.withName(target.namespace(), write.metadata().string("name"));
        if (rules.mayWrite(new Caller(user, permissions), object, write::tree) != Verdict.ALLOW) {
            throw refused(object, user, verb(write));
        }
    }

    private static String verb(Write write) {
        return write.operation().name().toLowerCase(Locale.ROOT);
    }

    private static ApiException refused(Target target, User user, String verb) {
        return Refusal.forbidden(
                Attributes.ofResource(
                        user,
                        verb,
                        target.type().group(),
                        target.version().name(),
                        target.type().plural(),
                        target.subresource(),
                        target.namespace(),
                        target.name()),
                "refused by the access rules of the type");
    }
}
