package dev.evenkeel.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Result;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.AssertionFailedError;

class SkeletonTest {
    private static final String DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: greetings.example.com}
            spec:
              group: example.com
              scope: Namespaced
              names: {kind: Greeting, plural: greetings, singular: greeting}
              versions:
                - name: v1
                  served: true
                  storage: true
                  subresources: {status: {}}
                  schema:
                    openAPIV3Schema:
                      type: object
                      required: [spec]
                      properties:
                        spec:
                          type: object
                          required: [name, times]
                          properties:
                            name: {type: string, minLength: 8, pattern: '^[a-z]+$'}
                            times: {type: integer, exclusiveMinimum: true, minimum: 1}
                            more: {type: string}
                        status:
                          type: object
                          properties: {greeted: {type: boolean}}
            """;

    /** Other names that pasted lines may mention: an IDE imports them. */
    private static final String IMPORTS = """
            import dev.evenkeel.client.*;
            import dev.evenkeel.controller.*;
            import java.time.*;
            import java.util.*;
            """;

    private static final String OFFER = "If what was seen is right, expect it:\n";
    private static final String MARK = "// paste the expectations here";

    @TempDir
    Path directory;

    private Path definitions = Path.of("");

    @BeforeEach
    void writeDefinitions() throws IOException {
        definitions = Files.writeString(directory.resolve("crd.yaml"), DEFINITION);
    }

    private Skeleton skeleton() {
        return Skeleton.of(Greetings.controller()).definitions(definitions);
    }

    /** Runs the tests of a class and returns the failures that JUnit would show. */
    private Map<String, Optional<Throwable>> run(Skeleton skeleton, String source, String turn) throws Exception {
        Path out = Files.createDirectories(directory.resolve(turn));
        Path file = Files.writeString(out.resolve(skeleton.className() + ".java"), source);
        JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
        StringWriter messages = new StringWriter();
        boolean compiled = compiler.getTask(
                        messages,
                        null,
                        null,
                        List.of("-d", out.toString(), "-cp", System.getProperty("java.class.path"), "-Xlint:all"),
                        null,
                        compiler.getStandardFileManager(null, null, null).getJavaFileObjects(file))
                .call();
        assertThat(compiled).as(messages + source).isTrue();
        Map<String, Optional<Throwable>> results = new LinkedHashMap<>();
        // in a package of its own: class loaders do not share packages
        try (URLClassLoader loader = new URLClassLoader(new URL[] {out.toUri().toURL()})) {
            Class<?> type = loader.loadClass("generated." + skeleton.className());
            Constructor<?> constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            Object instance = constructor.newInstance();
            for (Method method : type.getDeclaredMethods()) {
                method.setAccessible(true);
                if (method.isAnnotationPresent(TestFactory.class)) {
                    for (Object test : ((Stream<?>) method.invoke(instance)).toList()) {
                        DynamicTest one = (DynamicTest) test;
                        results.put(
                                one.getDisplayName(),
                                thrown(() -> one.getExecutable().execute()));
                    }
                } else if (method.isAnnotationPresent(Test.class)) {
                    results.put(method.getName(), thrown(() -> method.invoke(instance)));
                }
            }
        }
        return results;
    }

    private interface Run {
        void run() throws Throwable;
    }

    private static Optional<Throwable> thrown(Run run) {
        try {
            run.run();
            return Optional.empty();
        } catch (InvocationTargetException e) {
            return Optional.of(e.getCause());
        } catch (Throwable e) {
            return Optional.of(e);
        }
    }

    private static String pasted(String source, String test, String message) {
        String lines = message.substring(message.indexOf(OFFER) + OFFER.length());
        int at = source.indexOf(MARK, source.indexOf("\"" + test + "\""));
        return source.substring(0, at) + lines + source.substring(at + MARK.length());
    }

    @Test
    void compilesFailsWithTheObservedEffectsAndPassesOncePasted() throws Exception {
        Skeleton skeleton = skeleton().inPackage("generated").madeBy("dev.evenkeel.testing.Greetings.controller()");
        String source = skeleton.source();
        Map<String, Optional<Throwable>> first = run(skeleton, source, "first");
        assertThat(first.keySet())
                .containsExactlyInAnyOrder(
                        "a Greeting that does not exist",
                        "a new Greeting",
                        "a Greeting that is being deleted",
                        "without the Secret",
                        "ConfigMap: is refused",
                        "the status is refused",
                        "nothing is left to do",
                        "a second reconciliation",
                        "another process continues",
                        "ConfigMap: is deleted",
                        "ConfigMap: is changed",
                        "ConfigMap: an unowned one has the name",
                        "a Greeting is deleted",
                        "converges");
        String filled = source.replaceFirst("(package .*;\n)", "$1" + IMPORTS);
        for (Map.Entry<String, Optional<Throwable>> one : first.entrySet()) {
            if (one.getValue().isPresent()) {
                Throwable failure = one.getValue().get();
                assertThat(failure).isInstanceOf(AssertionFailedError.class);
                assertThat(failure.getMessage()).as(one.getKey()).contains(OFFER);
                filled = pasted(filled, one.getKey(), failure.getMessage());
            }
        }
        assertThat(first).containsEntry("a Greeting that does not exist", Optional.empty());
        assertThat(first).containsEntry("nothing is left to do", Optional.empty());
        assertThat(first).containsEntry("converges", Optional.empty());
        assertThat(first.get("a new Greeting")).isPresent();
        assertThat(run(skeleton, filled, "second").values()).as(filled).allMatch(Optional::isEmpty);
    }

    @Test
    void isNamedAfterTheControllerAndItsKind() {
        assertThat(skeleton().className()).isEqualTo("GreetingControllerTest");
        assertThat(Skeleton.of(Greetings.controller().name("nightly-greetings")).className())
                .isEqualTo("NightlyGreetingsTest");
        assertThat(skeleton().source())
                .startsWith("package dev.evenkeel.testing;")
                .contains("return Greetings.controller();")
                .contains("times: 2");
        assertThat(skeleton().name("Other").source()).contains("class Other {");
    }

    @Test
    void overwritesNothing() throws IOException {
        Path file = skeleton().writeTo(directory);
        assertThat(file).isEqualTo(directory.resolve("dev/evenkeel/testing/GreetingControllerTest.java"));
        assertThat(Files.readString(file)).isEqualTo(skeleton().source());
        assertThatThrownBy(() -> skeleton().writeTo(directory))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("existing files are not overwritten");
    }

    @Test
    void reportsMissingInput() {
        Controller<Pod> pods = Controller.of(Pod.class, reconciliation -> Result.done())
                .owns(Secret.class)
                .reads(ConfigMap.class);
        assertThatThrownBy(() -> Skeleton.of(pods).source()).hasMessageContaining("madeBy(");
        Skeleton skeleton = Skeleton.of(pods).madeBy("SkeletonTest.pods()");
        assertThatThrownBy(skeleton::source)
                .hasMessageContainingAll("no valid Pod is known", "given(", "spec.containers");
        Given<Pod> pod = Given.yaml(
                Pod.class, "{metadata: {namespace: shop, name: p}, spec: {containers: [{name: c, image: i}]}}");
        assertThat(skeleton.given(pod).source()).contains("image: i", "CONFIG_MAP", "without the ConfigMap");
    }
}
