package dev.evenkeel.controller.internal.lease;

import dev.evenkeel.client.Client;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Set;

/** A client whose calls pass somebody who may note them, wait, or throw. */
public final class Intercepted {
    private static final Set<String> VERBS = Set.of("find", "list", "watch", "create", "update", "patch", "delete");

    public interface Interceptor {
        /** Before the call reaches the API. */
        void before(String verb, Object[] arguments) throws InterruptedException;

        /** After the API did it, before the caller hears of it. */
        default void after(String verb, Object[] arguments) throws InterruptedException {}
    }

    private Intercepted() {}

    public static Client client(Client api, Interceptor interceptor) {
        return (Client) Proxy.newProxyInstance(
                Client.class.getClassLoader(), new Class<?>[] {Client.class}, (proxy, method, arguments) -> {
                    boolean verb = VERBS.contains(method.getName()) && !method.isDefault();
                    try {
                        if (verb) {
                            interceptor.before(method.getName(), arguments);
                        }
                        Object result = method.invoke(api, arguments);
                        if (verb) {
                            interceptor.after(method.getName(), arguments);
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                        throw new IllegalStateException("interrupted", e);
                    }
                });
    }
}
