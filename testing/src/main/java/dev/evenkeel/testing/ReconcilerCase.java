package dev.evenkeel.testing;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Stash;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.HasMetadata;
import org.jspecify.annotations.Nullable;

/**
 * A case of {@link ReconcilerTests}: a request, and everything that its reconciliation does.
 *
 * @param <T> class of the primary objects
 */
public final class ReconcilerCase<T extends HasMetadata> extends Case<ReconcilerCase<T>> {
    private @Nullable ObjectKey request;

    ReconcilerCase() {}

    @Override
    ReconcilerCase<T> self() {
        return this;
    }

    /** What is reconciled; default: the first given object of the controller's kind. */
    public ReconcilerCase<T> request(String namespace, String name) {
        request = new ObjectKey(namespace, name);
        return this;
    }

    /** This object is reconciled. */
    public ReconcilerCase<T> request(Given<T> object) {
        request = object.key();
        return this;
    }

    private ObjectKey requested(Controller<T> controller) {
        if (request != null) {
            return request;
        }
        return given.stream()
                .filter(object -> object.type().equals(controller.primary().javaType()))
                .findFirst()
                .map(Given::key)
                .orElseThrow(() -> new IllegalArgumentException("request: no given object is of the controller's kind, "
                        + controller.primary().id() + ": say what is reconciled, with request(namespace, name)"));
    }

    void run(Suite suite, ReconcilerTests.Factory<T> factory) {
        try (World world = suite.world(now.orElse(World.NOW))) {
            clean(world, () -> {
                furnish(world);
                Controller<T> controller = factory.controller(world);
                ObjectKey key = requested(controller);
                CaseResult verdict = new CaseResult(suite.rendering());
                try (Runner<T> runner = new Runner<>(world, controller)) {
                    complicate(world);
                    verdict.judge(this, runner.run(key, new Stash(), runner::reconcile, this, verdict));
                }
                world.unused().forEach(verdict::problem);
                verdict.pass(world);
            });
        }
    }
}
