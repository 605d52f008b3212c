package dev.evenkeel.josdk;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Scheduler;
import dev.evenkeel.controller.Source;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Triggers a controller by an existing fabric8 informer: with {@link dev.evenkeel.controller.Controller#source}. The
 * informer stays its owner's: it is neither started nor stopped here.
 *
 * <p>Objects that it had before the controller began are reported, too, as fabric8 does to each new handler. For a
 * changed object, keys are mapped from its old and new state, so that a primary object that it no longer refers to is
 * reconciled.
 *
 * @param <R> class of the informer's objects
 */
public final class InformerSource<R extends HasMetadata> implements Source {
    private static final Logger LOG = LoggerFactory.getLogger(InformerSource.class);

    private final String name;
    private final SharedIndexInformer<R> informer;
    private final Function<? super R, ? extends Collection<ObjectKey>> mapper;

    private InformerSource(
            String name, SharedIndexInformer<R> informer, Function<? super R, ? extends Collection<ObjectKey>> mapper) {
        this.name = name;
        this.informer = informer;
        this.mapper = mapper;
    }

    /** Returns a source whose primary objects are the informer's objects themselves. */
    public static <R extends HasMetadata> InformerSource<R> of(SharedIndexInformer<R> informer) {
        return of(informer, object -> List.of(ObjectKey.of(object)));
    }

    /**
     * Returns a source that maps the informer's objects to primary objects.
     *
     * @param mapper returns the keys of primary objects; its exceptions are logged, and nothing is triggered
     */
    public static <R extends HasMetadata> InformerSource<R> of(
            SharedIndexInformer<R> informer, Function<? super R, ? extends Collection<ObjectKey>> mapper) {
        return new InformerSource<>("informer of " + informer.getApiTypeClass().getSimpleName(), informer, mapper);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public AutoCloseable start(Sink sink, Scheduler scheduler) {
        ResourceEventHandler<R> handler = new ResourceEventHandler<>() {
            @Override
            public void onAdd(R object) {
                tell(object, "added");
            }

            @Override
            public void onUpdate(R before, R after) {
                tell(before, "updated");
                tell(after, "updated");
            }

            @Override
            public void onDelete(R object, boolean finalStateUnknown) {
                tell(object, "deleted");
            }

            private void tell(@Nullable R object, String what) {
                if (object == null) {
                    return;
                }
                try {
                    mapper.apply(object).forEach(key -> sink.add(key, ObjectKey.of(object) + " " + what));
                } catch (RuntimeException e) {
                    LOG.atError()
                            .addKeyValue("source", name)
                            .addKeyValue("object", ObjectKey.of(object))
                            .setCause(e)
                            .log("the mapper failed; nothing is triggered");
                }
            }
        };
        var unused = informer.addEventHandler(handler);
        return () -> {
            var unused2 = informer.removeEventHandler(handler);
        };
    }
}
