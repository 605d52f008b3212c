package dev.evenkeel.engine.internal.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Patch;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.Requests;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.engine.store.MemoryStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Instant;
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

    private static String condition(Requests api, String type) {
        return api.get("v1/namespaces", "", "n").objects("status", "conditions").stream()
                .filter(condition -> condition.string("type").equals("Namespace" + type))
                .map(condition -> condition.string("status") + " " + condition.string("reason") + ": "
                        + condition.string("message"))
                .findFirst()
                .orElse("");
    }

    @Test
    void aNamespaceStaysWhileAnApiOfAnotherServerIsNotAvailable() {
        AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
        try (Engine engine = Requests.direct().clock(now::get).build()) {
            Requests api = new Requests(ResourceApi.of(engine.partition("default")));
            String services = "apiregistration.k8s.io/v1/apiservices";
            api.create(
                    services,
                    "",
                    "{'metadata':{'name':'v1.remote.example.com'},'spec':{'group':'remote.example.com','version':'v1',"
                            + "'groupPriorityMinimum':100,'versionPriority':100,'insecureSkipTLSVerify':true,"
                            + "'service':{'namespace':'default','name':'remote'}}}");
            api.create("v1/namespaces", "", "{'metadata':{'name':'n'}}");
            api.create("v1/configmaps", "n", "{'metadata':{'name':'map'}}");
            api.delete("v1/namespaces", "", "n");
            assertThat(api.names("v1/configmaps", "n")).isEmpty();
            assertThat(condition(api, "DeletionDiscoveryFailure"))
                    .isEqualTo("True DiscoveryFailed: Discovery failed for some groups, 1 failing: unable to retrieve"
                            + " the complete list of server APIs: remote.example.com/v1: stale GroupVersion discovery:"
                            + " remote.example.com/v1");
            assertThat(condition(api, "DeletionContentFailure")).startsWith("False ContentDeleted");
            api.delete(services, "", "v1.remote.example.com");
            now.set(now.get().plusSeconds(60));
            api.create("v1/configmaps", "default", "{'metadata':{'name':'later'}}");
            assertThat(api.names("v1/namespaces", "")).doesNotContain("n");
        }
    }

    /** Nothing looked at the namespace again. */
    @Test
    void refusedDeletesAreReportedAndRepeated() {
        AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
        try (Engine engine = Requests.direct().clock(now::get).build()) {
            Requests api = new Requests(ResourceApi.of(engine.partition("default")));
            api.create("v1/namespaces", "", "{'metadata':{'name':'n'}}");
            api.create("v1/configmaps", "n", "{'metadata':{'name':'map'}}");
            api.create("v1/secrets", "n", "{'metadata':{'name':'secret'}}");
            String policies = "admissionregistration.k8s.io/v1/validatingadmissionpolicies";
            api.create(
                    policies,
                    "",
                    "{'metadata':{'name':'keep'},'spec':{'matchConstraints':{'resourceRules':[{'apiGroups':[''],"
                            + "'apiVersions':['v1'],'resources':['configmaps'],'operations':['DELETE']}]},"
                            + "'validations':[{'expression':'false','message':'kept'}]}}");
            api.create(
                    "admissionregistration.k8s.io/v1/validatingadmissionpolicybindings",
                    "",
                    "{'metadata':{'name':'keep'},'spec':{'policyName':'keep','validationActions':['Deny']}}");
            api.delete("v1/namespaces", "", "n");
            assertThat(condition(api, "DeletionContentFailure"))
                    .isEqualTo("True ContentDeletionFailed: Failed to delete all resource types, 1 remaining:"
                            + " configmaps \"map\" is forbidden: ValidatingAdmissionPolicy 'keep' with binding 'keep'"
                            + " denied request: kept");
            assertThat(condition(api, "ContentRemaining"))
                    .isEqualTo("False ContentRemoved: All content successfully removed");
            assertThat(api.names("v1/secrets", "n")).isEmpty();
            api.delete(policies, "", "keep");
            assertThat(api.names("v1/namespaces", "")).contains("n");
            now.set(now.get().plusSeconds(1));
            api.create("v1/configmaps", "default", "{'metadata':{'name':'another'}}");
            assertThat(api.names("v1/namespaces", "")).doesNotContain("n");
        }
    }

    @Test
    void podsThatDoNotEndInTimeAreReported() {
        AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
        try (Engine engine = Requests.direct().clock(now::get).build()) {
            ResourceApi partition = ResourceApi.of(engine.partition("default"));
            Requests api = new Requests(partition);
            api.create("v1/namespaces", "", "{'metadata':{'name':'n'}}");
            api.create(
                    "v1/pods",
                    "n",
                    "{'metadata':{'name':'pod'},'spec':{'nodeName':'node',"
                            + "'containers':[{'name':'c','image':'i'}]}}");
            api.delete("v1/namespaces", "", "n");
            assertThat(condition(api, "DeletionContentFailure")).startsWith("False ContentDeleted");
            assertThat(condition(api, "FinalizersRemaining")).startsWith("False ContentHasNoFinalizers");
            now.set(now.get().plusSeconds(29));
            partition.recheck();
            assertThat(condition(api, "DeletionContentFailure")).startsWith("False ContentDeleted");
            now.set(now.get().plusSeconds(20));
            partition.recheck();
            assertThat(condition(api, "DeletionContentFailure"))
                    .isEqualTo("True ContentDeletionFailed: Failed to delete all resource types, 1 remaining:"
                            + " unexpected items still remain in namespace: n for gvr: /v1, Resource=pods");
        }
    }

    @Test
    void withoutControllersANamespaceWaitsForTheirs() {
        try (Engine engine = Requests.direct().controllers(false).build()) {
            Requests api = new Requests(ResourceApi.of(engine.partition("default")));
            api.create("v1/namespaces", "", "{'metadata':{'name':'n'}}");
            api.delete("v1/namespaces", "", "n");
            JsonObject namespace = api.get("v1/namespaces", "", "n");
            assertThat(namespace.string("status", "phase")).isEqualTo("Terminating");
            assertThat(namespace.has("status", "conditions")).isFalse();
            assertThat(namespace.strings("spec", "finalizers")).containsExactly("kubernetes");
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
