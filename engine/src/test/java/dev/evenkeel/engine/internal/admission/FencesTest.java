package dev.evenkeel.engine.internal.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.Fence;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.engine.store.MemoryStore;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Changes of the lease between its check and the commit. */
class FencesTest {
    private static final ObjectKey LEASE = ObjectKey.of("default", "leader");

    private final AtomicReference<Runnable> beforeCommit = new AtomicReference<>();
    private final Engine engine =
            Engine.builder().store(context -> interrupted()).build();
    private final Client client = engine.partition(Engine.DEFAULT_PARTITION).client("test");

    /** A store in which something happens right before the next fenced commit. */
    private Store interrupted() {
        Store store = new MemoryStore();
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("commit")
                            && arguments.length == 2
                            && !((List<?>) arguments[1]).isEmpty()) {
                        Runnable meanwhile = beforeCommit.getAndSet(null);
                        if (meanwhile != null) {
                            meanwhile.run();
                        }
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @BeforeEach
    void hold() {
        client.create(new LeaseBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("leader")
                .endMetadata()
                .withNewSpec()
                .withHolderIdentity("a")
                .withLeaseTransitions(1)
                .endSpec()
                .build());
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private void write() {
        client.create(
                Kind.of(ConfigMap.class),
                new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName("x")
                        .endMetadata()
                        .build(),
                WriteOptions.DEFAULT.fence(new Fence(LEASE, "a", 1)));
    }

    private void lease(String patch) {
        client.patch(Kind.of(Lease.class), LEASE, Patch.merge(patch), WriteOptions.DEFAULT);
    }

    @Test
    void aConcurrentRenewalDoesNotRefuseTheWrite() {
        beforeCommit.set(() -> lease("{\"spec\":{\"renewTime\":\"2026-01-01T00:00:00.000000Z\"}}"));

        write();

        assertThat(client.find(ConfigMap.class, ObjectKey.of("default", "x"))).isPresent();
        assertThat(beforeCommit.get()).isNull();
    }

    @Test
    void aConcurrentTakeoverRefusesTheWrite() {
        beforeCommit.set(() -> lease("{\"spec\":{\"holderIdentity\":\"b\",\"leaseTransitions\":2}}"));

        assertThatExceptionOfType(ConflictException.class)
                .isThrownBy(this::write)
                .withMessageContaining("lease default/leader is held by \"b\" with 2 transitions");
        assertThat(client.find(ConfigMap.class, ObjectKey.of("default", "x"))).isEmpty();
    }

    @Test
    void aConcurrentDeletionRefusesTheWrite() {
        beforeCommit.set(() -> client.delete(Lease.class, LEASE));

        assertThatExceptionOfType(ConflictException.class)
                .isThrownBy(this::write)
                .withMessageContaining("does not exist");
    }

    @Test
    void theLeaseIsNotChanged() {
        Lease before = client.get(Lease.class, LEASE);
        write();
        assertThat(client.get(Lease.class, LEASE)).isEqualTo(before);
    }
}
