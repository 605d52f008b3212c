package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The page about testing tells the truth: its tests are run on its code as one reads on. Where it shows a message, the
 * first test that fails says exactly that; in the end all pass. With {@code -Ddocs.write=true} the messages are written
 * into the page.
 */
class TestingPageTest {
    private static final Path FILE = Page.ROOT.resolve("docs").resolve("testing.md");

    @TempDir
    Path directory;

    private int turns;

    @Test
    void messagesEqualThoseOfTheKit() throws Exception {
        Page page = Page.of(FILE);
        Path definition = directory.resolve("crd.yaml");
        Map<String, String> sources = new LinkedHashMap<>();
        StringBuilder written = new StringBuilder(page.text());
        int shift = 0;
        int messages = 0;
        for (Page.Block block : page.blocks()) {
            switch (block.language()) {
                case "yaml" -> Files.writeString(definition, block.content());
                case "java" ->
                    sources.put(
                            block.type(),
                            block.content()
                                    .replace("Path.of(\"greeting\", \"crd.yaml\")", "Path.of(\"" + definition + "\")"));
                case "text" -> {
                    String message = failure(sources).orElse("no test fails") + "\n";
                    messages++;
                    if (Boolean.getBoolean("docs.write")) {
                        written.replace(block.from() + shift, block.to() + shift, message);
                        shift += message.length() - block.content().length();
                    } else {
                        assertThat(unversioned(message))
                                .as("line " + block.line())
                                .isEqualTo(unversioned(block.content()));
                    }
                }
                default -> {}
            }
        }
        if (shift != 0) {
            Files.writeString(FILE, written);
        }
        assertThat(failure(sources)).as("in the end").isEmpty();
        assertThat(messages).isPositive();
    }

    /** Removes versions, which depend on earlier writes. */
    private static String unversioned(String message) {
        return message.replaceAll("version \\d+", "version");
    }

    /** Returns the message of the first failing test. */
    private Optional<String> failure(Map<String, String> sources) throws Exception {
        Path classes = Files.createDirectories(directory.resolve("turn-" + turns++));
        assertThat(Page.compile(sources, classes)).isEmpty();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {classes.toUri().toURL()})) {
            for (String type : sources.keySet()) {
                for (Method method : loader.loadClass(type).getDeclaredMethods()) {
                    if (method.isAnnotationPresent(TestFactory.class) || method.isAnnotationPresent(Test.class)) {
                        Optional<String> failure = failure(method);
                        if (failure.isPresent()) {
                            return failure;
                        }
                    }
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<String> failure(Method method) throws Exception {
        Constructor<?> constructor = method.getDeclaringClass().getDeclaredConstructor();
        constructor.setAccessible(true);
        method.setAccessible(true);
        Object result;
        try {
            result = method.invoke(constructor.newInstance());
        } catch (InvocationTargetException e) {
            return Optional.of(String.valueOf(e.getCause().getMessage()));
        }
        if (result instanceof Stream<?> tests) {
            for (Object test : tests.toList()) {
                try {
                    ((DynamicTest) test).getExecutable().execute();
                } catch (Throwable e) {
                    return Optional.of(String.valueOf(e.getMessage()));
                }
            }
        }
        return Optional.empty();
    }
}
