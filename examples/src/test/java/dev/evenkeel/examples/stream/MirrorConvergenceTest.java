package dev.evenkeel.examples.stream;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.testing.convergence.Convergence;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Whatever goes wrong on the way, there is a copy of each topic that is selected, and of no other. */
class MirrorConvergenceTest {
    private static final ObjectKey KEY = ObjectKey.of("default", "archive");

    private static Mirror mirror() {
        Mirror mirror = new Mirror();
        mirror.getMetadata().setNamespace(KEY.namespace());
        mirror.getMetadata().setName(KEY.name());
        mirror.setSpec(new MirrorSpec(
                "main",
                "store",
                new LabelSelectorBuilder().addToMatchLabels("archive", "yes").build()));
        return mirror;
    }

    private static Convergence<?> convergence() {
        return Convergence.of(MirrorReconciler::controller)
                .definitions(Path.of("stream", "crd.yaml"))
                .given(
                        Given.of(mirror()),
                        Streams.ready("orders", "main").label("archive", "yes"),
                        Streams.ready("bills", "main").label("archive", "yes"),
                        Streams.ready("logs", "main"),
                        Streams.ready("old", "store").label("archive", "yes"))
                .edit(
                        "logs, too",
                        client -> client.patch(
                                Kind.of(Topic.class),
                                ObjectKey.of("default", "logs"),
                                Patch.merge("{\"metadata\":{\"labels\":{\"archive\":\"yes\"}}}"),
                                WriteOptions.DEFAULT))
                .edit(
                        "not bills",
                        client -> client.patch(
                                Kind.of(Topic.class),
                                ObjectKey.of("default", "bills"),
                                Patch.merge("{\"metadata\":{\"labels\":{\"archive\":null}}}"),
                                WriteOptions.DEFAULT));
    }

    @Test
    void converges() {
        convergence().assertConverges();
    }

    /** A copy that is made for a mirror that is gone is taken away, and would be made again and again. */
    @Test
    void aMirrorThatIsGoneMakesNothing() {
        convergence()
                .replay("delete mirrors.stream.evenkeel.dev default/archive before write 4;"
                        + " restart behind mirrors.stream.evenkeel.dev by 3 after write 4");
    }
}
