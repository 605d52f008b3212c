package dev.evenkeel.cli;

import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** A class of the user with static methods that create controllers; an option of the commands that inspect them. */
final class UserClass {
    /** The allowed return types of its methods, for messages. */
    static final String MAKES = "a Controller, a ResourceReconciler, an AggregateReconciler, a Part or a Description";

    /** A static method, and its declaration. */
    record Made(Class<?> type, String method, Declared declared) {}

    @Option(
            names = "--classpath",
            paramLabel = "PATH",
            defaultValue = "",
            description =
                    "class path of the class, such as target/classes; directories and jars, separated by the system's path"
                            + " separator")
    private String classpath = "";

    /**
     * Returns the declarations of the methods of a class.
     *
     * @param name fully qualified; with {@code #method} that one only
     */
    List<Made> declarations(String name) {
        int hash = name.indexOf('#');
        Class<?> type = load(hash < 0 ? name : name.substring(0, hash));
        Optional<String> wanted = hash < 0 ? Optional.empty() : Optional.of(name.substring(hash + 1));
        List<Made> made = new ArrayList<>();
        List<Method> methods = Stream.of(type.getDeclaredMethods())
                .filter(method -> Modifier.isStatic(method.getModifiers())
                        && method.getParameterCount() == 0
                        && !method.isSynthetic()
                        && wanted.map(method.getName()::equals).orElse(!Modifier.isPrivate(method.getModifiers())))
                .sorted(Comparator.comparing(Method::getName))
                .toList();
        for (Method method : methods) {
            if (wanted.isPresent() || Declared.isMadeBy(method.getReturnType())) {
                Declared.by(called(method)).ifPresent(one -> made.add(new Made(type, method.getName(), one)));
            }
        }
        if (made.isEmpty()) {
            throw new Failure(wanted.map(method -> "method " + method).orElse("no method") + " of " + type.getName()
                    + (wanted.isPresent() ? " is missing or not " : " is ")
                    + "static, without parameters, and returning " + MAKES);
        }
        return made;
    }

    private Class<?> load(String name) {
        List<URL> urls = new ArrayList<>();
        for (String entry : classpath.split(File.pathSeparator, -1)) {
            if (!entry.isEmpty()) {
                Path path = Path.of(entry);
                Failure.unless(Files.exists(path), "--classpath: " + entry + ": no such file");
                try {
                    urls.add(path.toUri().toURL());
                } catch (MalformedURLException e) {
                    throw new Failure("--classpath: " + entry + ": " + e.getMessage());
                }
            }
        }
        // stays open, since classes are loaded on demand
        URLClassLoader loader = new URLClassLoader(urls.toArray(URL[]::new), UserClass.class.getClassLoader());
        try {
            return Class.forName(name, true, loader);
        } catch (ClassNotFoundException e) {
            throw new Failure("class " + name + " not found: give its full name, and its location with --classpath");
        } catch (LinkageError e) {
            throw new Failure("class " + name + " cannot be loaded: " + e);
        }
    }

    private static Object called(Method method) {
        String what = method.getDeclaringClass().getName() + "." + method.getName() + "()";
        try {
            method.setAccessible(true);
            Object made = method.invoke(null);
            if (made == null) {
                throw new Failure(what + " returned null");
            }
            return made;
        } catch (InvocationTargetException e) {
            throw new Failure(what + " failed: " + Failure.reason(Objects.requireNonNullElse(e.getCause(), e)));
        } catch (IllegalAccessException e) {
            throw new Failure(what + " cannot be called: " + e.getMessage());
        }
    }
}
