package dev.evenkeel.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The public API of the library modules, read by reflection: public types outside of {@code internal} packages, with
 * their public and protected members. One line for each type and member, sorted.
 */
final class PublicApi {
    /** The modules that users depend on, by directory. */
    static final List<String> MODULES = List.of(
            "graph",
            "client",
            "engine",
            "store-sqlite",
            "store-etcd",
            "controller",
            "simulation",
            "testing",
            "reconcile",
            "access",
            "server",
            "protobuf",
            "grpc",
            "kubernetes",
            "josdk",
            "junit",
            "policy",
            "load",
            "check");

    /** The root of the checkout. */
    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private static final Pattern QUALIFIER =
            Pattern.compile("\\b(?:java|javax|dev\\.evenkeel|io\\.fabric8)\\.[\\w.]*\\.(?=[A-Z])");

    private PublicApi() {}

    /** Returns the public types of a module that are not nested, by name. */
    static Map<String, Class<?>> types(String module) {
        return classNames(module).stream()
                .map(PublicApi::load)
                .filter(type -> Modifier.isPublic(type.getModifiers()))
                .collect(Collectors.toMap(Class::getName, type -> type, (a, b) -> a, LinkedHashMap::new));
    }

    /** Returns the listing of a type: its own line, and an indented one for each member. */
    static List<String> lines(Class<?> type) {
        List<String> lines = new ArrayList<>();
        lines.add(header(type));
        members(type).map(member -> "  " + member).sorted().distinct().forEach(lines::add);
        Arrays.stream(type.getDeclaredClasses())
                .filter(PublicApi::isVisible)
                .sorted(Comparator.comparing(Class::getName))
                .forEach(nested -> lines(nested).forEach(line -> lines.add("  " + line)));
        return lines;
    }

    /** Returns signatures of the type, nested types included, that mention a type of an internal package. */
    static List<String> leaks(Class<?> type) {
        Stream<String> own = Stream.concat(
                Stream.concat(
                                Stream.ofNullable(type.getGenericSuperclass()),
                                Arrays.stream(type.getGenericInterfaces()))
                        .map(Type::getTypeName),
                Stream.concat(
                        executables(type).map(Executable::toGenericString),
                        Arrays.stream(type.getDeclaredFields())
                                .filter(field -> isVisible(field.getModifiers()))
                                .map(Field::toGenericString)));
        Stream<String> nested = Arrays.stream(type.getDeclaredClasses())
                .filter(PublicApi::isVisible)
                .flatMap(inner -> leaks(inner).stream());
        return Stream.concat(own.filter(text -> text.contains(".internal.")), nested)
                .toList();
    }

    private static String header(Class<?> type) {
        String kind = type.isAnnotation()
                ? "@interface"
                : type.isInterface() ? "interface" : type.isEnum() ? "enum" : type.isRecord() ? "record" : "class";
        String modifiers =
                Modifier.toString(type.getModifiers() & (Modifier.FINAL | Modifier.STATIC | Modifier.PROTECTED)
                        | (type.isInterface() ? 0 : type.getModifiers() & Modifier.ABSTRACT));
        String name = type.getEnclosingClass() == null ? type.getName() : type.getSimpleName();
        String parameters = type.getTypeParameters().length == 0
                ? ""
                : Arrays.stream(type.getTypeParameters())
                        .map(Type::getTypeName)
                        .collect(Collectors.joining(", ", "<", ">"));
        Type parent = type.getGenericSuperclass();
        String extended =
                parent == null || List.of(Object.class, Record.class).contains(type.getSuperclass()) || type.isEnum()
                        ? ""
                        : " extends " + brief(parent.getTypeName());
        String implemented = type.getGenericInterfaces().length == 0
                ? ""
                : Arrays.stream(type.getGenericInterfaces())
                        .map(face -> brief(face.getTypeName()))
                        .collect(Collectors.joining(", ", type.isInterface() ? " extends " : " implements ", ""));
        String sealed = type.isSealed() ? "sealed " : "";
        return (modifiers.isEmpty() ? "" : modifiers + " ") + sealed + kind + " " + name + parameters + extended
                + implemented;
    }

    private static Stream<String> members(Class<?> type) {
        Stream<String> fields = Arrays.stream(type.getDeclaredFields())
                .filter(field -> isVisible(field.getModifiers()) && !field.isSynthetic())
                .map(field -> field.isEnumConstant() ? field.getName() : brief(field.toGenericString()))
                .map(text -> text.replace(type.getName() + ".", "").replace(type.getSimpleName() + ".", ""));
        return Stream.concat(fields, executables(type).map(executable -> text(type, executable)));
    }

    private static Stream<Executable> executables(Class<?> type) {
        List<String> generated = type.isRecord()
                ? List.of("equals", "hashCode", "toString")
                : type.isEnum() ? List.of("values", "valueOf") : List.of();
        return Stream.concat(Arrays.stream(type.getDeclaredConstructors()), Arrays.stream(type.getDeclaredMethods()))
                .filter(member -> isVisible(member.getModifiers()) && !member.isSynthetic())
                .filter(member -> !generated.contains(member.getName()));
    }

    private static String text(Class<?> type, Executable executable) {
        int flags = executable.getModifiers() & (Modifier.STATIC | Modifier.PROTECTED)
                | (type.isInterface() ? 0 : executable.getModifiers() & (Modifier.ABSTRACT | Modifier.FINAL));
        String modifiers = Modifier.toString(flags);
        String variables = executable.getTypeParameters().length == 0
                ? ""
                : Arrays.stream(executable.getTypeParameters())
                        .map(variable -> variable.getName()
                                + Arrays.stream(variable.getBounds())
                                        .filter(bound -> bound != Object.class)
                                        .map(bound -> " extends " + brief(bound.getTypeName()))
                                        .collect(Collectors.joining()))
                        .collect(Collectors.joining(", ", "<", "> "));
        String parameters = Arrays.stream(executable.getGenericParameterTypes())
                .map(parameter -> brief(parameter.getTypeName()))
                .collect(Collectors.joining(", ", "(", ")"));
        String result = executable instanceof Method method
                ? brief(method.getGenericReturnType().getTypeName()) + " "
                : "";
        String name = executable instanceof Constructor<?> ? "new " + type.getSimpleName() : executable.getName();
        String thrown = Arrays.stream(executable.getGenericExceptionTypes())
                .map(exception -> brief(exception.getTypeName()))
                .collect(Collectors.joining(", "));
        return (modifiers.isEmpty() ? "" : modifiers + " ")
                + variables
                + result
                + name
                + parameters
                + (thrown.isEmpty() ? "" : " throws " + thrown);
    }

    private static String brief(String text) {
        return QUALIFIER.matcher(text).replaceAll("").replace('$', '.');
    }

    private static boolean isVisible(Class<?> nested) {
        return isVisible(nested.getModifiers()) && !nested.isSynthetic();
    }

    private static boolean isVisible(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, PublicApi.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the names of the types in API packages of the module, from its sources. */
    private static List<String> classNames(String module) {
        Path sources = ROOT.resolve(module).resolve("src/main/java");
        if (!Files.isDirectory(sources)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(sources)) {
            return files.map(file -> sources.relativize(file).toString())
                    .filter(file -> file.endsWith(".java") && !file.endsWith("-info.java"))
                    .map(file ->
                            file.substring(0, file.length() - ".java".length()).replace('/', '.'))
                    .filter(name -> !name.contains(".internal."))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
