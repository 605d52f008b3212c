package dev.evenkeel.engine.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.FieldSelector;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Manifests;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.contract.ClientContract;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The client in process. */
class EngineClientTest extends ClientContract {
    private final Engine engine = Engine.create();

    @Override
    protected Client client() {
        return engine.partition(Engine.DEFAULT_PARTITION).client("contract");
    }

    @Override
    protected void compact() {
        engine.store().compact(engine.store().revision());
    }

    /** Of events of events.k8s.io it found none in the core group, so kubectl describe showed none. */
    @Test
    void eventsAreSelectedByTheFieldsOfTheRequestedGroup() {
        var core = Kind.generic("", "v1", "Event", "events", true);
        var other = Kind.generic("events.k8s.io", "v1", "Event", "events", true);
        String about = "{kind: ConfigMap, namespace: default, name: m}";
        var unused = client().create(core, Manifests.parse("""
                {apiVersion: v1, kind: Event, metadata: {namespace: default, name: core}, involvedObject: %s}
                """.formatted(about)).getFirst(), WriteOptions.DEFAULT);
        var unused2 =
                client().create(other, Manifests.parse("""
                {apiVersion: events.k8s.io/v1, kind: Event, metadata: {namespace: default, name: other},
                 eventTime: '2030-01-01T00:00:00.000000Z', reportingController: example.com/c, reportingInstance: one,
                 action: Make, reason: Made, type: Normal, regarding: %s}
                """.formatted(about)).getFirst(), WriteOptions.DEFAULT);

        assertThat(selected(core, "involvedObject.name=m")).containsExactlyInAnyOrder("core", "other");
        assertThat(selected(other, "regarding.name=m")).containsExactlyInAnyOrder("core", "other");
        assertThat(selected(core, "source=example.com/c"))
                .as("the reporter is the source of an event without one")
                .containsExactly("other");
        assertThat(selected(core, "source=")).containsExactly("core");
        assertThat(selected(core, "involvedObject.name=n")).isEmpty();
        assertThat(selected(other, "regarding.name=n")).isEmpty();
    }

    private List<String> selected(Kind<GenericKubernetesResource> kind, String fields) {
        return client().list(kind, ListOptions.in("default").fields(FieldSelector.parse(fields))).items().stream()
                .map(event -> event.getMetadata().getName())
                .toList();
    }

    @AfterEach
    void close() {
        engine.close();
    }
}
