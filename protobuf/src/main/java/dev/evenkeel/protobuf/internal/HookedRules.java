package dev.evenkeel.protobuf.internal;

import com.google.protobuf.Message;
import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.access.ContentRules;
import dev.evenkeel.engine.internal.access.Permissions;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.spi.Authorizer.Attributes;
import dev.evenkeel.protobuf.Access;
import dev.evenkeel.protobuf.AccessRule;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Calls the access rules of a type. */
record HookedRules<T extends Message>(ServedType<T> type) implements ContentRules {
    /** Ends a rule that wants to see content which has not been read. */
    private static final class ContentNeeded extends RuntimeException {
        private static final long serialVersionUID = 1L;

        ContentNeeded() {
            super("the rule needs the content", null, false, false);
        }
    }

    private record Sender(Caller caller, String group) implements Access {
        @Override
        public User user() {
            return caller.user();
        }

        @Override
        public boolean allows(String verb, String resource, ObjectKey id) {
            int dot = resource.indexOf('.');
            Permissions permissions = caller.permissions();
            return permissions
                    .authorize(Attributes.ofResource(
                            user(),
                            verb,
                            dot < 0 ? group : resource.substring(dot + 1),
                            "",
                            dot < 0 ? resource : resource.substring(0, dot),
                            "",
                            id.namespace(),
                            id.name()))
                    .allowed();
        }
    }

    private Access sender(Caller caller) {
        return new Sender(caller, type.type().group());
    }

    @Override
    public boolean mayList(Caller caller, Target target) {
        try {
            return type.hooks().list().isEmpty() || type.hooks().list().get().test(sender(caller));
        } catch (ApiException e) {
            throw e;
        } catch (RuntimeException e) {
            throw ServedType.failed("list rule of " + type.type().id(), e);
        }
    }

    @Override
    public Verdict mayRead(Caller caller, Target target, @Nullable Supplier<JsonObject> content) {
        return decide("read", type.hooks().read(), caller, target, content);
    }

    @Override
    public Verdict mayWrite(Caller caller, Target target, @Nullable Supplier<JsonObject> content) {
        return decide("write", type.hooks().write(), caller, target, content);
    }

    private Verdict decide(
            String name,
            Optional<AccessRule<T>> rule,
            Caller caller,
            Target target,
            @Nullable Supplier<JsonObject> content) {
        if (rule.isEmpty()) {
            return Verdict.ALLOW;
        }
        Supplier<T> data = () -> {
            if (content == null) {
                throw new ContentNeeded();
            }
            return data(target, content.get());
        };
        try {
            ObjectKey id = ObjectKey.of(target.namespace(), target.name());
            return rule.get().allows(sender(caller), id, data) ? Verdict.ALLOW : Verdict.DENY;
        } catch (ContentNeeded e) {
            return Verdict.NEEDS_CONTENT;
        } catch (ApiException e) {
            throw e;
        } catch (RuntimeException e) {
            throw ServedType.failed(name + " rule of " + type.type().id(), e);
        }
    }

    /** Returns the data of an object; one that does not fit its schema, in a write, is refused for that. */
    private T data(Target target, JsonObject tree) {
        try {
            return type.data(target.version().name(), tree).orElseGet(type::empty);
        } catch (InvalidDataException e) {
            throw Refusal.invalid(target.type(), tree, e.errors());
        }
    }
}
