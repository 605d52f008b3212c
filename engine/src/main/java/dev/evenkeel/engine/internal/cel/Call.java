package dev.evenkeel.engine.internal.cel;

/**
 * A function of CEL. It maps arguments, with the target of a member function first, to a value or a {@link Problem}.
 */
@FunctionalInterface
interface Call {
    /** Calls the function; no argument is a {@link Problem}. */
    Object of(Object[] arguments);

    /** Returns a function of one argument of a type. */
    static <A> Call of(Class<A> first, java.util.function.Function<A, Object> function) {
        return arguments -> arguments.length == 1 && first.isInstance(arguments[0])
                ? function.apply(first.cast(arguments[0]))
                : Problem.NO_SUCH_OVERLOAD;
    }

    /** Returns a function of two arguments of some types. */
    static <A, B> Call of(Class<A> first, Class<B> second, java.util.function.BiFunction<A, B, Object> function) {
        return arguments -> arguments.length == 2 && first.isInstance(arguments[0]) && second.isInstance(arguments[1])
                ? function.apply(first.cast(arguments[0]), second.cast(arguments[1]))
                : Problem.NO_SUCH_OVERLOAD;
    }

    /** Returns a function that calls another one when this has no overload for the arguments. */
    default Call or(Call other) {
        return arguments -> {
            Object result = of(arguments);
            return Problem.NO_SUCH_OVERLOAD.equals(result) ? other.of(arguments) : result;
        };
    }
}
