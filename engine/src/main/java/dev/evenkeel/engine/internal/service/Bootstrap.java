package dev.evenkeel.engine.internal.service;

import dev.evenkeel.client.AlreadyExistsException;
import dev.evenkeel.engine.internal.builtin.kinds.BootstrapObjects;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.write.Verbs;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Creates the initial objects of every partition. */
public final class Bootstrap {
    private Bootstrap() {}

    public static void ensure(Verbs verbs) {
        for (Map<String, @Nullable Object> object : BootstrapObjects.all()) {
            Target type = verbs.cluster()
                    .types()
                    .get()
                    .kind(Json.string(object, "apiVersion"), Json.string(object, "kind"))
                    .orElseThrow()
                    .withName(Json.string(object, "metadata", "namespace"), Json.string(object, "metadata", "name"));
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
