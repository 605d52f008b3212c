package dev.evenkeel.junit.josdk;

import dev.evenkeel.junit.EngineCluster;
import dev.evenkeel.junit.EvenkeelTest;
import dev.evenkeel.junit.JosdkOperator;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.config.ConfigurationServiceOverrider;
import io.javaoperatorsdk.operator.api.config.ControllerConfigurationOverrider;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.extension.ExtendWith;

/** What tests of operators need: a cluster and an operator for each. */
@EvenkeelTest(types = {Widget.class, Gadget.class, ClusterWidget.class})
@ExtendWith(ScenarioTimes.class)
abstract class OperatorScenarios {
    KubernetesClient client;
    EngineCluster cluster;
    JosdkOperator control;
    final List<Operator> operators = new CopyOnWriteArrayList<>();

    Operator newOperator(Consumer<ConfigurationServiceOverrider> settings) {
        Operator operator = new Operator(overrider -> {
            overrider.withKubernetesClient(client).withCloseClientOnStop(false);
            settings.accept(overrider);
        });
        operators.add(operator);
        return operator;
    }

    /** Starts an operator with reconcilers. */
    Operator start(Reconciler<?>... reconcilers) {
        Operator operator = newOperator(settings -> {});
        for (Reconciler<?> reconciler : reconcilers) {
            operator.register(reconciler);
        }
        return start(operator);
    }

    /** Starts an operator with a reconciler and settings of it. */
    <P extends HasMetadata> Operator start(
            Reconciler<P> reconciler, Consumer<ControllerConfigurationOverrider<P>> settings) {
        Operator operator = newOperator(all -> {});
        operator.register(reconciler, settings);
        return start(operator);
    }

    /** Starts an operator with a reconciler and settings of the operator. */
    Operator startWith(Consumer<ConfigurationServiceOverrider> settings, Reconciler<?> reconciler) {
        Operator operator = newOperator(settings);
        operator.register(reconciler);
        return start(operator);
    }

    Operator start(Operator operator) {
        operator.start();
        control = JosdkOperator.of(cluster, operator);
        return operator;
    }

    void stop() {
        operators.forEach(Operator::stop);
        operators.clear();
    }

    void settle() {
        control.settle();
    }

    <T extends HasMetadata> T create(T object) {
        return client.resource(object).create();
    }

    <T extends HasMetadata> void delete(Class<T> type, String name) {
        client.resources(type).inNamespace("default").withName(name).delete();
    }

    <T extends HasMetadata> T get(Class<T> type, String name) {
        return client.resources(type).inNamespace("default").withName(name).get();
    }

    Widget widget(String name) {
        return get(Widget.class, name);
    }

    ConfigMap map(String name) {
        return get(ConfigMap.class, name);
    }

    List<String> maps() {
        return client.configMaps().inNamespace("default").list().getItems().stream()
                .map(map -> map.getMetadata().getName())
                .filter(name -> !name.equals("kube-root-ca.crt"))
                .sorted()
                .toList();
    }

    <T extends HasMetadata> T edit(Class<T> type, String name, Consumer<T> change) {
        UnaryOperator<T> edit = object -> {
            change.accept(object);
            return object;
        };
        return client.resources(type).inNamespace("default").withName(name).edit(edit);
    }

    void namespace(String name) {
        create(new NamespaceBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .build());
    }

    static ConfigMap configMap(String name, String value) {
        return configMap("default", name, value);
    }

    static ConfigMap configMap(String namespace, String name, String value) {
        return new ConfigMapBuilder()
                .withMetadata(new ObjectMetaBuilder()
                        .withNamespace(namespace)
                        .withName(name)
                        .build())
                .withData(Map.of("value", value))
                .build();
    }

    static <T> List<T> concurrentList() {
        return new CopyOnWriteArrayList<>(new ArrayList<>());
    }
}
