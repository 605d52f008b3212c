package dev.evenkeel.engine.internal.cel;

import java.util.HashMap;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** All functions by name. */
final class Library {
    /**
     * A function of CEL. It maps arguments, with the target of a member function first, to a value or a {@link Problem}.
     */
    @FunctionalInterface
    interface Call {
        /** Calls the function; no argument is a {@link Problem}. */
        Object of(Object[] arguments);
    }

    private static final Library ALL = new Library();

    private final Map<String, Call> calls = new HashMap<>();

    private Library() {
        Arithmetic.addTo(this);
        Conversions.addTo(this);
        Strings.addTo(this);
        // extends functions on texts
        Lists.addTo(this);
        Urls.addTo(this);
        NamedFormats.addTo(this);
        Semantics.addTo(this);
        Kubernetes.addTo(this);
        AccessQuery.addTo(this);
        StructValue.addTo(this);
    }

    static @Nullable Call find(String name) {
        return ALL.calls.get(name);
    }

    void add(String name, Call call) {
        calls.put(name, call);
    }

    /** Adds a function of one argument of a type. */
    <A> void add(String name, Class<A> first, Function<A, Object> function) {
        add(
                name,
                a -> a.length == 1 && first.isInstance(a[0])
                        ? function.apply(first.cast(a[0]))
                        : Problem.NO_SUCH_OVERLOAD);
    }

    /** Adds a function of two arguments of some types. */
    <A, B> void add(String name, Class<A> first, Class<B> second, BiFunction<A, B, Object> function) {
        add(
                name,
                a -> a.length == 2 && first.isInstance(a[0]) && second.isInstance(a[1])
                        ? function.apply(first.cast(a[0]), second.cast(a[1]))
                        : Problem.NO_SUCH_OVERLOAD);
    }
}
