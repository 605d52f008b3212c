package dev.evenkeel.engine.internal.service;

import dev.evenkeel.client.AlreadyExistsException;
import dev.evenkeel.engine.internal.builtin.kinds.BootstrapObjects;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.write.Verbs;
import java.util.List;

/** Creates the initial objects of every partition. */
public final class Bootstrap {
    private Bootstrap() {}

    public static void ensure(Verbs verbs) {
        for (JsonObject object : BootstrapObjects.all()) {
            Target type = verbs.cluster()
                    .types()
                    .get()
                    .kind(object.string("apiVersion"), object.string("kind"))
                    .orElseThrow()
                    .withName(object.string("metadata", "namespace"), object.string("metadata", "name"));
            if (verbs.cluster().read(type) == null) {
                try {
                    verbs.creating().create(type, object, List.of(), WriteOptions.of("kube-apiserver"));
                } catch (AlreadyExistsException e) {
                    // Another engine on the same store was faster.
                }
            }
        }
    }
}
