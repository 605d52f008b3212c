package dev.evenkeel.engine.internal.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Patch;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.Requests;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.write.DeleteOptions.Propagation;
import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Foreground deletion of owners in a circle; the rest is covered by the replay of recordings. */
class GarbageCollectorTest {
    private static final String CONFIG_MAPS = "v1/configmaps";

    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final Engine engine = Engine.builder().executor(tasks::add).build();
    private final Requests api = new Requests(ResourceApi.of(engine.partition("default")));

    @AfterEach
    void close() {
        engine.close();
    }

    private void collect() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    private String create(String name) {
        return api.create(CONFIG_MAPS, "default", "{'metadata':{'name':'" + name + "'}}")
                .string("metadata", "uid");
    }

    private void own(String owner, String uid, String dependent) {
        api.patch(
                CONFIG_MAPS,
                "default",
                dependent,
                Patch.Type.MERGE,
                "{'metadata':{'ownerReferences':[{'apiVersion':'v1','kind':'ConfigMap','name':'" + owner + "','uid':'"
                        + uid + "','blockOwnerDeletion':true}]}}");
    }

    private void circle(String... names) {
        String[] uids = new String[names.length];
        for (int i = 0; i < names.length; i++) {
            uids[i] = create(names[i]);
        }
        for (int i = 0; i < names.length; i++) {
            own(names[i], uids[i], names[(i + 1) % names.length]);
        }
        collect();
    }

    /** As upstream, which parses a version without a group also behind a slash. */
    @Test
    void anOwnerOfTheCoreGroupMayHaveASlashBeforeItsVersion() {
        String uid = create("owner");
        for (String[] dependent : new String[][] {{"kept", uid}, {"collected", "no-such-uid"}}) {
            api.create(
                    CONFIG_MAPS,
                    "default",
                    "{'metadata':{'name':'" + dependent[0] + "','ownerReferences':[{'apiVersion':'/v1',"
                            + "'kind':'ConfigMap','name':'owner','uid':'" + dependent[1] + "'}]}}");
        }
        collect();
        assertThat(api.names(CONFIG_MAPS, "default")).containsExactly("kept", "owner");
    }

    @Test
    void theForegroundDeletionOfACircleOfOwnersEnds() {
        circle("a", "b", "c");
        api.delete(CONFIG_MAPS, "default", "a", Propagation.FOREGROUND);
        collect();
        assertThat(api.names(CONFIG_MAPS, "default")).isEmpty();
    }

    @Test
    void theForegroundDeletionOfAllObjectsOfACircleAtOnceEnds() {
        circle("a", "b");
        api.delete(CONFIG_MAPS, "default", "a", Propagation.FOREGROUND);
        api.delete(CONFIG_MAPS, "default", "b", Propagation.FOREGROUND);
        collect();
        assertThat(api.names(CONFIG_MAPS, "default")).isEmpty();
    }

    @Test
    void theForegroundDeletionOfAnObjectThatOwnsItselfEnds() {
        circle("a");
        api.delete(CONFIG_MAPS, "default", "a", Propagation.FOREGROUND);
        collect();
        assertThat(api.names(CONFIG_MAPS, "default")).isEmpty();
    }

    @Test
    void anOwnerOfAChainWaitsForTheLastDependentAlthoughAllAreDeletedInTheForeground() {
        String a = create("a");
        String b = create("b");
        create("c");
        own("a", a, "b");
        own("b", b, "c");
        api.patch(CONFIG_MAPS, "default", "c", Patch.Type.MERGE, "{'metadata':{'finalizers':['x.io/hold']}}");
        api.delete(CONFIG_MAPS, "default", "c", Propagation.FOREGROUND);
        api.delete(CONFIG_MAPS, "default", "a", Propagation.FOREGROUND);
        collect();
        assertThat(api.names(CONFIG_MAPS, "default")).containsExactly("a", "b", "c");
        api.patch(CONFIG_MAPS, "default", "c", Patch.Type.MERGE, "{'metadata':{'finalizers':null}}");
        collect();
        assertThat(api.names(CONFIG_MAPS, "default")).isEmpty();
    }
}
