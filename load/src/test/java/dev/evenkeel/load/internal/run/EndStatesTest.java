package dev.evenkeel.load.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.load.Kinds;
import dev.evenkeel.load.LoadObject;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EndStatesTest {
    private static final ObjectKey KEY = ObjectKey.of("default", "a");

    private final Engine loaded = Engine.create();
    private final Engine fresh = Engine.create();

    @AfterEach
    void close() {
        loaded.close();
        fresh.close();
    }

    private static void create(Client client, int replicas) {
        Encoded unused = client.create(
                Kinds.DEPLOYMENT,
                LoadObject.of(
                                Kinds.DEPLOYMENT,
                                KEY,
                                Map.of(
                                        "spec",
                                        Map.of(
                                                "replicas",
                                                replicas,
                                                "selector",
                                                Map.of("matchLabels", Map.of("a", "b")),
                                                "template",
                                                Map.of(
                                                        "metadata",
                                                        Map.of("labels", Map.of("a", "b")),
                                                        "spec",
                                                        Map.of(
                                                                "containers",
                                                                List.of(Map.of("name", "c", "image", "i")))))))
                        .content(),
                WriteOptions.DEFAULT);
    }

    private static void status(Client client, long generation) {
        Encoded unused = client.patchStatus(
                Kinds.DEPLOYMENT,
                KEY,
                Patch.merge("{\"status\":{\"observedGeneration\":" + generation + "}}"),
                WriteOptions.DEFAULT);
    }

    private List<String> differences() {
        return EndStates.differences(
                EndStates.read(loaded.client(), Set.of(Kinds.DEPLOYMENT)),
                EndStates.read(fresh.client(), Set.of(Kinds.DEPLOYMENT)));
    }

    @Test
    void thatAnObjectWasEditedIsNotADifference() {
        // observed generations were one
        create(loaded.client(), 1);
        Encoded unused = loaded.client()
                .patch(Kinds.DEPLOYMENT, KEY, Patch.merge("{\"spec\":{\"replicas\":2}}"), WriteOptions.DEFAULT);
        status(loaded.client(), 2);
        create(fresh.client(), 2);
        status(fresh.client(), 1);

        assertThat(differences()).isEmpty();
    }

    private static void annotate(Client client) {
        String uid = client.get(Kinds.DEPLOYMENT, KEY).header().uid();
        Encoded unused = client.patch(
                Kinds.DEPLOYMENT,
                KEY,
                Patch.merge("{\"metadata\":{\"annotations\":{\"host\":\"db-" + uid + ".example.com\"}}}"),
                WriteOptions.DEFAULT);
    }

    @Test
    void aNameThatHasAUidIsNotADifference() {
        create(loaded.client(), 1);
        annotate(loaded.client());
        create(fresh.client(), 1);
        annotate(fresh.client());

        assertThat(differences()).isEmpty();
    }

    @Test
    void aValueThatDiffersIsADifference() {
        create(loaded.client(), 1);
        create(fresh.client(), 2);

        assertThat(differences())
                .singleElement()
                .asString()
                .contains("default/a: spec.replicas is 1, and 2 without the load");
    }
}
