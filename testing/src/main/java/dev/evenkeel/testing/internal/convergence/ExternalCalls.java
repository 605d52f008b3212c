package dev.evenkeel.testing.internal.convergence;

import dev.evenkeel.simulation.VirtualScheduler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The calls of an external system, which is declared as an interface: each is a step at which faults can be injected.
 *
 * @param api the interface
 * @param failure creates the exception of a call that fails, from its message
 */
public record ExternalCalls(Class<?> api, Function<String, ? extends Exception> failure) {
    /** A call on its way. */
    interface Call {
        Object perform() throws Exception;
    }

    public ExternalCalls {
        if (!api.isInterface()) {
            throw new IllegalArgumentException("must be an interface: " + api.getName()
                    + "; declare the calls of the external system as an interface, or use outside(...)");
        }
    }

    public ExternalCalls(Class<?> api) {
        this(api, message -> new UncheckedIOException(new IOException(message)));
    }

    /** Returns the system for a process: what it implements, with faults in front. */
    @SuppressWarnings("unchecked") // the system implements the interface
    <E> E through(ScheduledFaults faults, VirtualScheduler process, E system) {
        return (E) Proxy.newProxyInstance(api.getClassLoader(), new Class<?>[] {api}, (proxy, method, arguments) -> {
            if (method.getDeclaringClass() == Object.class) {
                return invoke(system, method, arguments);
            }
            return faults.call(process, words(method, arguments), this, () -> invoke(system, method, arguments));
        });
    }

    private static String words(Method method, Object[] arguments) {
        return method.getName()
                + (arguments == null
                        ? "()"
                        : Arrays.stream(arguments).map(String::valueOf).collect(Collectors.joining(", ", "(", ")")));
    }

    private static Object invoke(Object system, Method method, Object[] arguments) throws Exception {
        try {
            method.setAccessible(true);
            return method.invoke(system, arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }
}
