package dev.evenkeel.testing;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.Manifests;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.cache.Namespaces;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.testing.diff.Rendering;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.function.Executable;
import org.opentest4j.AssertionFailedError;

/**
 * Cases that have something in common: the types that are served, and objects that are there in all of them.
 *
 * <p>The world of a suite is made once, when its first case runs, and each case has a fork of it. So definitions are read
 * once, and a case costs what it does.
 */
final class Suite {
    /** What a world without definitions begins as. */
    private static final Engine EMPTY = Engine.builder().executor(Runnable::run).build();

    private static final Kind<Encoded> TYPES =
            Kind.of(CustomResourceDefinition.class).encoded();

    private record Named(String name, boolean focused, Executable run) {}

    private final List<String> definitions = new ArrayList<>();
    private final List<Given<?>> given = new ArrayList<>();
    private final List<Named> cases = new ArrayList<>();
    private final Set<String> names = new LinkedHashSet<>();
    private Rendering rendering = Rendering.forTerminal();
    private Namespaces namespaces = Namespaces.ALL;
    private @Nullable Engine beginning;

    void define(String yaml) {
        definitions.add(yaml);
    }

    void define(Path file) {
        try {
            definitions.add(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException("definitions: " + file.toAbsolutePath() + " cannot be read", e);
        }
    }

    void give(List<? extends Given<?>> objects) {
        given.addAll(objects);
    }

    void work(Namespaces value) {
        namespaces = value;
    }

    void render(Rendering value) {
        rendering = value;
    }

    Rendering rendering() {
        return rendering;
    }

    void add(String name, boolean focused, Executable run) {
        if (!names.add(name)) {
            throw new IllegalArgumentException(
                    "test: there are two cases \"" + name + "\": give each a name of its own");
        }
        cases.add(new Named(name, focused, run));
    }

    private synchronized Engine beginning() {
        Engine made = beginning;
        if (made == null) {
            made = EMPTY.fork().build();
            Client client = made.client();
            for (String yaml : definitions) {
                for (GenericKubernetesResource object : Manifests.parse(yaml)) {
                    if (!object.getKind().equals("CustomResourceDefinition")) {
                        throw new IllegalArgumentException("definitions: " + object.getKind()
                                + " is no CustomResourceDefinition: objects are given, with given(...)");
                    }
                    var unused = client.create(TYPES, Encoded.of(ModelCodec.encode(object)), WriteOptions.DEFAULT);
                }
            }
            beginning = made;
        }
        return made;
    }

    /** A world for a case. */
    World world(Instant now) {
        Supplier<Engine.Builder> forks = () -> beginning().fork();
        World world = new World(forks, now, namespaces);
        given.forEach(world::place);
        return world;
    }

    Stream<DynamicTest> stream() {
        if (cases.isEmpty()) {
            throw new IllegalStateException("this suite has no case: add one, with test(...)");
        }
        List<Named> focused = cases.stream().filter(Named::focused).toList();
        if (focused.isEmpty()) {
            return cases.stream().map(one -> DynamicTest.dynamicTest(one.name(), one.run()));
        }
        return Stream.concat(
                focused.stream().map(one -> DynamicTest.dynamicTest(one.name(), one.run())),
                Stream.of(DynamicTest.dynamicTest("no case is focused", () -> {
                    throw new AssertionFailedError(focused.size() + " of " + cases.size()
                            + " cases are focused, and the others did not run: say test(...) again, not focus(...)");
                })));
    }
}
