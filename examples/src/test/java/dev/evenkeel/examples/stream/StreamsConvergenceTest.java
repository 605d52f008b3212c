package dev.evenkeel.examples.stream;

import static dev.evenkeel.examples.stream.Streams.BROKER;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.examples.stream.AccountSpec.Access;
import dev.evenkeel.examples.stream.AccountSpec.Grant;
import dev.evenkeel.testing.convergence.Convergence;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Topics, accounts and mirrors in one process, each waiting for objects of the others: under all faults, both brokers
 * have the desired state, and nothing else.
 */
class StreamsConvergenceTest {
    private static Topic topic() {
        Topic topic = new Topic();
        topic.getMetadata().setNamespace("default");
        topic.getMetadata().setName("orders");
        topic.getMetadata().setLabels(Map.of("archive", "yes"));
        topic.setSpec(new TopicSpec("main", 3, 3, Map.of()));
        return topic;
    }

    /** Returns an account with access to the copy, which is created later. */
    private static Account account() {
        Account account = new Account();
        account.getMetadata().setNamespace("default");
        account.getMetadata().setName("auditor");
        account.setSpec(new AccountSpec("store", List.of(new Grant("archive-orders", Access.READ))));
        return account;
    }

    private static Mirror mirror() {
        Mirror mirror = new Mirror();
        mirror.getMetadata().setNamespace("default");
        mirror.getMetadata().setName("archive");
        mirror.setSpec(new MirrorSpec(
                "main",
                "store",
                new LabelSelectorBuilder().addToMatchLabels("archive", "yes").build()));
        return mirror;
    }

    private static List<String> state(InMemoryStreamService service) {
        List<String> state = new ArrayList<>();
        for (String broker : List.of("default/main", "default/store")) {
            service.topics(broker).forEach(name -> state.add(broker + " " + name + "=" + service.topic(broker, name)));
            state.add(broker + " auditor=" + service.account(broker, "auditor"));
        }
        return state;
    }

    @Test
    void converges() {
        Convergence.outside(clock -> new InMemoryStreamService(), StreamsConvergenceTest::state)
                .controller(TopicReconciler::controller)
                .controller(service -> AccountReconciler.controller(service, () -> 0))
                .controller(service -> MirrorReconciler.controller())
                .definitions(Path.of("stream", "crd.yaml"))
                .given(
                        BROKER,
                        BROKER.name("store").at("spec.replicas", 1),
                        Given.of(topic()),
                        Given.of(account()),
                        Given.of(mirror()))
                .edit(
                        "more partitions",
                        client -> client.patch(
                                Kind.of(Topic.class),
                                ObjectKey.of("default", "orders"),
                                Patch.merge("{\"spec\":{\"partitions\":6}}"),
                                WriteOptions.DEFAULT))
                .assertConverges();
    }
}
