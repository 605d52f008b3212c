package dev.evenkeel.soak.torture;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.Listing;
import dev.evenkeel.soak.torture.History.Version;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.util.Map;
import java.util.TreeMap;

/**
 * The objects that are written: config maps with a unique value, and a text that can be derived from it, so that an object
 * of which a part is missing, or that has parts of two writes, is noticed.
 */
final class Contents {
    static final Kind<ConfigMap> MAPS = Kind.of(ConfigMap.class);
    static final String NAMESPACE = "default";
    static final String PREFIX = "torture-";

    private Contents() {}

    /** Returns an object to write. */
    static ConfigMap map(String name, String value, long expected) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(NAMESPACE)
                .withName(name)
                .withResourceVersion(expected == 0 ? null : Long.toString(expected))
                .endMetadata()
                .withData(Map.of("value", value, "fill", fill(value)))
                .build();
    }

    /** Returns what was read; its value is one that no client writes when the object is not complete. */
    static Version version(ConfigMap map) {
        return new Version(Long.parseLong(map.getMetadata().getResourceVersion()), value(map));
    }

    static String value(ConfigMap map) {
        Map<String, String> data = map.getData();
        String value = data == null ? null : data.get("value");
        return value != null && data.size() == 2 && fill(value).equals(data.get("fill"))
                ? value
                : "incomplete: " + data;
    }

    /** Returns all objects of a list that writers wrote. */
    static Map<String, Version> versions(Listing<ConfigMap> listing) {
        Map<String, Version> contents = new TreeMap<>();
        for (ConfigMap map : listing.items()) {
            if (map.getMetadata().getName().startsWith(PREFIX)) {
                contents.put(map.getMetadata().getName(), version(map));
            }
        }
        return contents;
    }

    private static String fill(String value) {
        return (value + " ").repeat(20 + Math.floorMod(value.hashCode(), 200));
    }
}
