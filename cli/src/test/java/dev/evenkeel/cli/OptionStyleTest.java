package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks the one style of options: immutable values whose setters are bare nouns, named like their getters.
 *
 * <p>An option type is a builder, a record, or a class with at least one setter that is named like a getter. A setter is a
 * public method with one argument that returns the type itself. Setters of builders have no getters. Participles name
 * flags only, which have a value. Other classes that return copies of themselves have no prefixes either.
 */
class OptionStyleTest {
    private static final Pattern PREFIX = Pattern.compile(
            "(with|without|set|use|using|when|every|by|fairBy|as|named|applied)([A-Z].*)?|[a-z]+ing([A-Z].*)?|[a-z]+When");

    /** Packages of the test kit, whose methods form sentences. */
    private static final Pattern SENTENCES = Pattern.compile("^dev\\.evenkeel\\.(testing|simulation|junit)\\.");

    /** Methods that add to what the type has, or combine it with something, and nouns that look like participles. */
    private static final Set<String> ADDERS = Set.of(
            "around",
            "catching",
            "finalizing",
            "in",
            "index",
            "owns",
            "patched",
            "reads",
            "recording",
            "referredBy",
            "refersTo",
            "source",
            "then",
            "times",
            "timing",
            "tracks",
            "watches",
            "within");

    record Right(int size, String name) {
        public Right size(int value) {
            return new Right(value, name);
        }

        public Right and(Right other) {
            return new Right(size + other.size, name);
        }
    }

    record Prefixed(int size) {
        public Prefixed withSize(int value) {
            return new Prefixed(value);
        }
    }

    record Renamed(int interval) {
        public Renamed period(int value) {
            return new Renamed(value);
        }
    }

    static final class Mixed {
        public int size() {
            return 0;
        }

        public Mixed size(int value) {
            return this;
        }

        public Mixed every(int value) {
            return this;
        }

        public Mixed owns(String kind) {
            return this;
        }
    }

    static final class Builder {
        public Builder size(int value) {
            return this;
        }

        public Builder withName(String value) {
            return this;
        }

        public Builder locked() {
            return this;
        }

        public Builder applied(String value) {
            return this;
        }

        public Builder validating(boolean value) {
            return this;
        }
    }

    @Test
    void rightAndWrongStylesAreKnown() {
        assertThat(problems(Right.class)).isEmpty();
        assertThat(problems(Prefixed.class)).containsExactly("Prefixed.withSize: prefix");
        assertThat(problems(Renamed.class)).containsExactly("Renamed.period: no getter");
        assertThat(problems(Mixed.class)).containsExactly("Mixed.every: prefix");
        assertThat(problems(Builder.class))
                .containsExactly("Builder.applied: prefix", "Builder.locked: no value", "Builder.withName: prefix");
    }

    @Test
    void optionsHaveOneStyle() {
        assertThat(PublicApi.MODULES.stream()
                        .flatMap(module -> PublicApi.types(module).values().stream())
                        .flatMap(OptionStyleTest::nested)
                        .flatMap(type -> problems(type).stream()))
                .isEmpty();
    }

    private static Stream<Class<?>> nested(Class<?> type) {
        return Stream.concat(
                Stream.of(type),
                Arrays.stream(type.getDeclaredClasses())
                        .filter(inner -> Modifier.isPublic(inner.getModifiers()))
                        .flatMap(OptionStyleTest::nested));
    }

    private static List<String> problems(Class<?> type) {
        boolean builder = type.getSimpleName().equals("Builder");
        List<Method> setters = Arrays.stream(type.getMethods())
                .filter(method -> isSetter(type, method))
                .toList();
        boolean options =
                builder || type.isRecord() || setters.stream().anyMatch(method -> hasGetter(type, method.getName()));
        if (!options && SENTENCES.matcher(type.getName()).find()) {
            return List.of();
        }
        return setters.stream()
                .filter(method -> !ADDERS.contains(method.getName()))
                .flatMap(method -> {
                    String name = method.getName();
                    if (method.getParameterCount() == 0) {
                        return builder ? Stream.of(name + ": no value") : Stream.empty();
                    }
                    boolean flag = method.getParameterTypes()[0] == boolean.class;
                    return PREFIX.matcher(name).matches() && !flag
                            ? Stream.of(name + ": prefix")
                            : builder || !options || hasGetter(type, name)
                                    ? Stream.empty()
                                    : Stream.of(name + ": no getter");
                })
                .map(problem -> type.getSimpleName() + "." + problem)
                .distinct()
                .sorted()
                .toList();
    }

    /** Returns whether a method returns its own type, or a class of builders that it is inherited from. */
    private static boolean isSetter(Class<?> type, Method method) {
        return !Modifier.isStatic(method.getModifiers())
                && !method.isSynthetic()
                && method.getReturnType() == method.getDeclaringClass()
                && method.getReturnType().isAssignableFrom(type)
                && method.getParameterCount() <= 1
                && (method.getParameterCount() == 0 || method.getParameterTypes()[0] != type);
    }

    private static boolean hasGetter(Class<?> type, String name) {
        return Arrays.stream(type.getDeclaredMethods())
                .anyMatch(method -> method.getName().equals(name)
                        && method.getParameterCount() == 0
                        && Modifier.isPublic(method.getModifiers())
                        && method.getReturnType() != void.class
                        && method.getReturnType() != type);
    }
}
