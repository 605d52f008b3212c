package dev.evenkeel.engine.internal.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Patch;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.Requests;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.engine.store.MemoryStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Deleted namespaces; most is covered by the replay of recordings. */
class NamespaceServiceTest {
    private final AtomicReference<Runnable> onRemoval = new AtomicReference<>(() -> {});

    /** A store in which something happens right after a namespace is removed. */
    private Store interrupted() {
        Store store = new MemoryStore(MemoryStore.Window.DEFAULT, java.time.InstantSource.system(), Runnable::run);
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                    try {
                        Object result = method.invoke(store, arguments);
                        if (method.getName().equals("commit") && removesNamespace((List<?>) arguments[0])) {
                            onRemoval.getAndSet(() -> {}).run();
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static boolean removesNamespace(List<?> changes) {
        return changes.getFirst() instanceof Store.Change change
                && change.value() == null
                && change.key().collection().endsWith("/namespaces");
    }

    @Test
    void theOtherObjectsOfANamespaceStayUntilItsPodsAreGone() {
        try (Engine engine = Requests.direct().build()) {
            Requests api = new Requests(ResourceApi.of(engine.partition("default")));
            api.create("v1/namespaces", "", "{'metadata':{'name':'n'}}");
            api.create("v1/configmaps", "n", "{'metadata':{'name':'map','finalizers':['example.com/map']}}");
            api.create(
                    "v1/pods",
                    "n",
                    "{'metadata':{'name':'pod','finalizers':['example.com/pod']},"
                            + "'spec':{'containers':[{'name':'c','image':'i'}]}}");
            api.delete("v1/namespaces", "", "n");
            assertThat(api.get("v1/pods", "n", "pod").has("metadata", "deletionTimestamp"))
                    .isTrue();
            assertThat(api.get("v1/configmaps", "n", "map").has("metadata", "deletionTimestamp"))
                    .isFalse();
            assertThat(api.get("v1/namespaces", "", "n")
                            .array("status", "conditions")
                            .toString())
                    .contains("Some resources are remaining: pods. has 1 resource instances")
                    .doesNotContain("configmaps");
            api.patch("v1/pods", "n", "pod", Patch.Type.MERGE, "{'metadata':{'finalizers':null}}");
            assertThat(api.get("v1/configmaps", "n", "map").has("metadata", "deletionTimestamp"))
                    .isTrue();
            api.patch("v1/configmaps", "n", "map", Patch.Type.MERGE, "{'metadata':{'finalizers':null}}");
            assertThat(api.names("v1/namespaces", "")).doesNotContain("n");
        }
    }

    /** The task for the last object of the old namespace emptied the new one. */
    @Test
    void aNamespaceThatIsCreatedAgainKeepsItsContent() {
        try (Engine engine = Engine.builder()
                .store(context -> interrupted())
                .executor(Runnable::run)
                .build()) {
            Requests api = new Requests(ResourceApi.of(engine.partition("default")));
            api.create("v1/namespaces", "", "{'metadata':{'name':'n'}}");
            api.create("v1/configmaps", "n", "{'metadata':{'name':'old'}}");
            onRemoval.set(() -> {
                api.create("v1/namespaces", "", "{'metadata':{'name':'n'}}");
                api.create("v1/configmaps", "n", "{'metadata':{'name':'new'}}");
            });
            api.delete("v1/namespaces", "", "n");
            assertThat(api.names("v1/configmaps", "n")).containsExactly("new");
        }
    }
}
