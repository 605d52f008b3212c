package dev.evenkeel.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.controller.cache.Informer;
import dev.evenkeel.controller.cache.InformerOptions;
import dev.evenkeel.controller.cache.Informers;
import dev.evenkeel.controller.schedule.BatonScheduler;
import dev.evenkeel.engine.Engine;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Triggers, on changes that the real engine makes. */
class TriggerTest {
    private final Engine engine = Engine.create();
    private final Client client = engine.client();
    private final BatonScheduler time = new BatonScheduler(1);
    private final Informers informers = new Informers(client, time, InformerOptions.DEFAULT);
    private final List<Informer.Change<Deployment>> changes = new ArrayList<>();
    private Deployment present = new DeploymentBuilder()
            .withNewMetadata()
            .withNamespace("default")
            .withName("d")
            .addToFinalizers("example.com/hold", "example.com/more")
            .endMetadata()
            .withNewSpec()
            .withReplicas(1)
            .withNewSelector()
            .addToMatchLabels("a", "b")
            .endSelector()
            .withNewTemplate()
            .withNewMetadata()
            .addToLabels("a", "b")
            .endMetadata()
            .withNewSpec()
            .addNewContainer()
            .withName("c")
            .withImage("i")
            .endContainer()
            .endSpec()
            .endTemplate()
            .endSpec()
            .build();

    @BeforeEach
    void create() {
        var unused = informers
                .acquire(Kind.of(Deployment.class))
                .handle(Informer.HandlerOptions.named("test"), changes::add);
        time.advance(Duration.ofMillis(50));
        present = client.create(present);
        next();
    }

    @AfterEach
    void close() {
        informers.close();
        engine.close();
    }

    private Informer.Change<Deployment> next() {
        time.advance(Duration.ofMillis(50));
        return changes.removeLast();
    }

    private Informer.Change<Deployment> change(UnaryOperator<DeploymentBuilder> how) {
        present = client.update(how.apply(new DeploymentBuilder(present)).build());
        return next();
    }

    @Test
    void generationSelectsChangesOfTheDesiredState() {
        Trigger<Deployment> generation = Trigger.generation();

        assertThat(generation.test(change(d -> d.editSpec().withReplicas(2).endSpec())))
                .isTrue();
        assertThat(generation.test(
                        change(d -> d.editMetadata().addToLabels("x", "y").endMetadata())))
                .isFalse();
        present.setStatus(new io.fabric8.kubernetes.api.model.apps.DeploymentStatusBuilder()
                .withObservedGeneration(1L)
                .build());
        present = client.updateStatus(present);
        assertThat(generation.test(next())).isFalse();
        client.delete(present);
        assertThat(generation.test(next())).as("marked for deletion").isTrue();
        present = client.get(Deployment.class, dev.evenkeel.client.ObjectKey.of(present));
        assertThat(generation.test(change(d -> d.editMetadata()
                        .removeFromFinalizers("example.com/more")
                        .endMetadata())))
                .as("one hold less on what is deleted")
                .isTrue();
    }

    @Test
    void labelsAndAnnotations() {
        Informer.Change<Deployment> labelled =
                change(d -> d.editMetadata().addToLabels("x", "y").endMetadata());
        Informer.Change<Deployment> annotated =
                change(d -> d.editMetadata().addToAnnotations("x", "y").endMetadata());

        assertThat(Trigger.<Deployment>labels().test(labelled)).isTrue();
        assertThat(Trigger.<Deployment>labels().test(annotated)).isFalse();
        assertThat(Trigger.<Deployment>annotations().test(annotated)).isTrue();
        assertThat(Trigger.<Deployment>labels().or(Trigger.annotations()).test(annotated))
                .isTrue();
        assertThat(Trigger.<Deployment>labels().and(Trigger.annotations()).test(annotated))
                .isFalse();
        assertThat(Trigger.<Deployment>labels().not().test(annotated)).isTrue();
    }

    @Test
    void anObjectThatStopsMatchingIsAChange() {
        Trigger<Deployment> labelled = Trigger.where(object -> object.labels().containsKey("x"));

        assertThat(labelled.test(change(
                        d -> d.editMetadata().withLabels(Map.of("x", "y")).endMetadata())))
                .isTrue();
        assertThat(labelled.test(
                        change(d -> d.editMetadata().withLabels(Map.of()).endMetadata())))
                .isTrue();
        assertThat(labelled.test(
                        change(d -> d.editMetadata().addToAnnotations("x", "y").endMetadata())))
                .isFalse();
    }
}
