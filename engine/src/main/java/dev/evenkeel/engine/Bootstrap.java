package dev.evenkeel.engine;

import dev.evenkeel.client.AlreadyExistsException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes the namespaces that every partition starts with. */
final class Bootstrap {
    private static final List<String> NAMESPACES = List.of("default", "kube-system", "kube-public", "kube-node-lease");

    private Bootstrap() {}

    static void ensure(Verbs verbs) {
        Target type = verbs.cluster().types().get().kind("v1", "Namespace").orElseThrow();
        for (String name : NAMESPACES) {
            if (verbs.cluster().read(type.withName("", name)) == null) {
                Map<String, @Nullable Object> metadata = new LinkedHashMap<>();
                metadata.put("name", name);
                Map<String, @Nullable Object> namespace = new LinkedHashMap<>();
                namespace.put("apiVersion", "v1");
                namespace.put("kind", "Namespace");
                namespace.put("metadata", metadata);
                try {
                    verbs.creating()
                            .create(type, namespace, WriteOptions.of("kube-apiserver"), new ArrayList<>(), false);
                } catch (AlreadyExistsException e) {
                    // Another engine on the same store was faster.
                }
            }
        }
    }
}
