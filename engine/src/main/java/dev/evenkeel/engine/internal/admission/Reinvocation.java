package dev.evenkeel.engine.internal.admission;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The second pass over the mutating plugins, policies and webhooks of one write: there is one if a policy or a webhook
 * changed the object. Plugins are called again; policies and webhooks that want to be called again are, if the object
 * has changed since; and none is called a third time.
 */
public final class Reinvocation {
    private final Stage policies = new Stage();
    private final Stage webhooks = new Stage();
    private boolean changed;
    private boolean second;

    /** Begins the second pass if one is needed. */
    public boolean begin() {
        second = changed;
        return second;
    }

    Stage policies() {
        return policies;
    }

    Stage webhooks() {
        return webhooks;
    }

    /** The policies or the webhooks. */
    final class Stage {
        private final Set<Object> called = new HashSet<>();
        private final Set<Object> again = new HashSet<>();
        private @Nullable JsonObject last;

        /** Begins a pass over the stage. */
        void begin(JsonObject object) {
            if (second && last != null && !last.equals(object)) {
                again.addAll(called);
            }
        }

        /** Returns true in the second pass. */
        boolean again() {
            return second;
        }

        /** Returns true if one is not to be called in this pass. */
        boolean skips(Object key) {
            return second && !again.contains(key);
        }

        /** Records that one changed the object: those called before want to see it. */
        void changed() {
            changed = true;
            again.addAll(called);
            called.clear();
        }

        /** Records that one was called that wants to be called again. */
        void called(Object key) {
            called.add(key);
        }

        /** Ends a pass over the stage. */
        void end(JsonObject object) {
            last = called.isEmpty() ? null : object.copy();
        }
    }
}
