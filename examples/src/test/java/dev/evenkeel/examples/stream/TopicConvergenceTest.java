package dev.evenkeel.examples.stream;

import static dev.evenkeel.examples.stream.Streams.BROKER;
import static dev.evenkeel.examples.stream.Streams.MAIN;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.testing.convergence.Convergence;
import dev.evenkeel.testing.object.Given;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Under all faults, the broker has the desired topics, and no others. */
class TopicConvergenceTest {
    private static final ObjectKey KEY = ObjectKey.of("default", "orders");

    private static Topic topic() {
        Topic topic = new Topic();
        topic.getMetadata().setNamespace(KEY.namespace());
        topic.getMetadata().setName(KEY.name());
        topic.setSpec(new TopicSpec("main", 3, 3, Map.of("retention", "7d")));
        return topic;
    }

    @Test
    void converges() {
        Convergence.outside(
                        clock -> new InMemoryStreamService(),
                        service -> service.topics(MAIN).stream()
                                .map(name -> name + "=" + service.topic(MAIN, name))
                                .toList())
                .controller(TopicReconciler::controller)
                .definitions(Path.of("stream", "crd.yaml"))
                .given(BROKER, Given.of(topic()))
                .edit(
                        "more partitions",
                        client -> client.patch(
                                Kind.of(Topic.class),
                                KEY,
                                Patch.merge("{\"spec\":{\"partitions\":6}}"),
                                WriteOptions.DEFAULT))
                .assertConverges();
    }
}
