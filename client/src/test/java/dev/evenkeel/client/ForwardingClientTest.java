package dev.evenkeel.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.ForwardingClient.Action;
import dev.evenkeel.client.ForwardingClient.Operation;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ForwardingClientTest {
    private static final Kind<ConfigMap> KIND = Kind.of(ConfigMap.class);
    private static final ObjectKey KEY = ObjectKey.of("default", "a");
    private static final ConfigMap OBJECT = new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace("default")
            .withName("a")
            .endMetadata()
            .build();
    private static final WriteOptions DRY = WriteOptions.DEFAULT.dryRun(true);

    /** Calls that came through, as the method's name and its last argument. */
    private final List<String> passed = new ArrayList<>();

    private final List<Object> lasts = new ArrayList<>();

    private final Client server = (Client) Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {Client.class}, (proxy, method, arguments) -> {
                passed.add(method.getName());
                lasts.add(arguments[arguments.length - 1]);
                return answer(method);
            });

    private static @Nullable Object answer(Method method) {
        Class<?> type = method.getReturnType();
        if (type == Optional.class) {
            return Optional.of(OBJECT);
        }
        if (type == List.class) {
            return List.of(OBJECT);
        }
        if (type == Client.Replicas.class) {
            return new Client.Replicas(1, 1, "");
        }
        if (type == Listing.class) {
            return new Listing<>(List.of(OBJECT), "1", "");
        }
        if (type == Deletion.class) {
            return new Deletion<>("u", Optional.empty());
        }
        if (type == void.class) {
            return null;
        }
        return type == Watch.class
                ? Proxy.newProxyInstance(
                        ForwardingClientTest.class.getClassLoader(), new Class<?>[] {Watch.class}, (p, m, a) -> null)
                : OBJECT;
    }

    private static void callAll(Client client) {
        var unused = client.find(KIND, KEY);
        var unused2 = client.list(KIND, ListOptions.in("default"));
        var unused3 = client.watch(KIND, ListOptions.in("default"));
        var unused4 = client.scale(KIND, KEY);
        var unused5 = client.create(KIND, OBJECT, DRY);
        client.createSubresource(KIND, KEY, "binding", OBJECT, DRY);
        var unused6 = client.update(KIND, OBJECT, DRY);
        var unused7 = client.updateStatus(KIND, OBJECT, DRY);
        var unused8 = client.patch(KIND, KEY, Patch.merge("{}"), DRY);
        var unused9 = client.patchStatus(KIND, KEY, Patch.merge("{}"), DRY);
        var unused10 = client.apply(KIND, OBJECT, DRY);
        var unused11 = client.applyStatus(KIND, OBJECT, DRY);
        var unused12 = client.scale(KIND, KEY, 3, DRY);
        var unused13 = client.delete(KIND, KEY, DeleteOptions.DEFAULT);
        var unused14 = client.deleteAll(KIND, ListOptions.in("default"), DeleteOptions.DEFAULT);
    }

    @Test
    void eachCallIsPassedOn() {
        callAll(new ForwardingClient(server) {});

        Set<String> all = Arrays.stream(Client.class.getMethods())
                .filter(method -> Modifier.isAbstract(method.getModifiers()))
                .map(Method::getName)
                .collect(Collectors.toSet());
        // not abstract, for clients that can't do it
        all.add("createSubresource");
        assertThat(Set.copyOf(passed)).isEqualTo(all);
        assertThat(passed).hasSize(Action.values().length);
    }

    @Test
    void eachCallIsSeen() {
        List<Operation> reads = new ArrayList<>();
        List<Operation> writes = new ArrayList<>();
        callAll(new ForwardingClient(server) {
            @Override
            protected <R> R read(Operation operation, Supplier<R> effect) {
                reads.add(operation);
                return effect.get();
            }

            @Override
            protected <R> R write(Operation operation, Supplier<R> effect) {
                writes.add(operation);
                return effect.get();
            }
        });

        assertThat(reads)
                .extracting(Operation::action)
                .containsExactly(Action.FIND, Action.LIST, Action.WATCH, Action.GET_SCALE);
        assertThat(writes)
                .extracting(Operation::action)
                .containsExactlyElementsOf(EnumSet.range(Action.CREATE, Action.DELETE_ALL));
        assertThat(writes)
                .filteredOn(operation -> !operation.action().deletes())
                .allMatch(Operation::dryRun)
                .allMatch(operation -> operation.key().equals(KEY));
        assertThat(writes.get(3)).hasToString("update status configmaps default/a");
        assertThat(writes.getLast()).hasToString("delete all configmaps in default");
        assertThat(reads.get(1)).hasToString("list configmaps in default");
    }

    @Test
    void refusedCallsAreNotPassedOn() {
        Client client = new ForwardingClient(server) {
            @Override
            protected <R> R write(Operation operation, Supplier<R> effect) {
                throw ApiException.of(Status.of(503, "ServiceUnavailable", "not now"));
            }
        };

        assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> client.create(OBJECT)))
                .isInstanceOf(ApiException.class);
        assertThat(passed).isEmpty();
    }

    @Test
    void optionsOfWritesAreChanged() {
        DeleteOptions background = DeleteOptions.DEFAULT.propagation(DeleteOptions.Propagation.BACKGROUND);
        callAll(new ForwardingClient(server) {
            @Override
            protected WriteOptions options(WriteOptions options) {
                return options.fieldManager("me");
            }

            @Override
            protected DeleteOptions options(DeleteOptions options) {
                return background;
            }
        });

        assertThat(lasts.subList(4, 13)).containsOnly(DRY.fieldManager("me"));
        assertThat(lasts.subList(13, 15)).containsOnly(background);
    }
}
