package dev.evenkeel.testing;

import dev.evenkeel.testing.call.Reactor;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What there is at the beginning of a case, and what should come of it.
 *
 * @param <S> the class of the case, for chains
 */
public abstract class Case<S extends Case<S>> extends Expectations<S> {
    final List<Given<?>> given = new ArrayList<>();
    final List<Given<?>> onServer = new ArrayList<>();
    final List<Reactor> reactors = new ArrayList<>();
    final List<Consumer<World>> preparations = new ArrayList<>();
    final List<Consumer<World>> changes = new ArrayList<>();
    final List<Consumer<World>> cleanUps = new ArrayList<>();
    Optional<Instant> now = Optional.empty();

    Case() {}

    /** These objects are there, with all that they have: status, uid, times, mark of deletion. The caches know them. */
    public S given(Given<?>... objects) {
        given.addAll(List.of(objects));
        return self();
    }

    /** These objects are there; see {@link #given(Given...)}. */
    public S given(HasMetadata... objects) {
        for (HasMetadata object : objects) {
            given.add(Given.of(object));
        }
        return self();
    }

    /** These objects are there, and the caches do not know yet: the states there are instead of those given, or new. */
    public S givenOnServer(Given<?>... objects) {
        onServer.addAll(List.of(objects));
        return self();
    }

    /** These objects are there, and the caches do not know yet. */
    public S givenOnServer(HasMetadata... objects) {
        for (HasMetadata object : objects) {
            onServer.add(Given.of(object));
        }
        return self();
    }

    /** These come between the code under test and the server. One that never fires fails the case. */
    public S react(Reactor... between) {
        reactors.addAll(List.of(between));
        return self();
    }

    /** It is this time; default: {@link World#NOW}. */
    public S now(Instant value) {
        now = Optional.of(value);
        return self();
    }

    /** Does this before the code under test is made, when the given objects are there. */
    public S prepare(Consumer<World> preparation) {
        preparations.add(preparation);
        return self();
    }

    /** Does this when the caches are filled: deletes something, for example, and they do not know yet. */
    public S meanwhile(Consumer<World> change) {
        changes.add(change);
        return self();
    }

    /** Does this in the end, however the case went. */
    public S cleanUp(Consumer<World> cleanUp) {
        cleanUps.add(cleanUp);
        return self();
    }

    /** Makes what is given. */
    void furnish(World world) {
        given.forEach(world::place);
        furnishOthers(world);
        preparations.forEach(preparation -> preparation.accept(world));
    }

    /** Makes what the caches do not know, and puts reactors in between. */
    void complicate(World world) {
        onServer.forEach(world::place);
        changes.forEach(change -> change.accept(world));
        var unused = world.reactive().react(reactors.toArray(Reactor[]::new));
    }

    /** Runs, and cleans up however that went; a failure of a clean-up hides no other. */
    void clean(World world, Runnable run) {
        List<Runnable> all = new ArrayList<>();
        all.add(run);
        cleanUps.forEach(cleanUp -> all.add(() -> cleanUp.accept(world)));
        Throwable failure = null;
        for (Runnable one : all) {
            try {
                one.run();
            } catch (RuntimeException | Error e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        switch (failure) {
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case null, default -> {}
        }
    }
}
