package dev.evenkeel.benchmarks;

import java.nio.charset.StandardCharsets;

/** The objects that are stored. */
final class StoredObjects {
    static final String COLLECTION = "/api/v1/namespaces/default/configmaps";
    static final byte[] NONE = {};

    private StoredObjects() {}

    static String name(int number) {
        return "object-%06d".formatted(number);
    }

    static String path(int number) {
        return COLLECTION + "/" + name(number);
    }

    /** Returns a ConfigMap of 1,024 bytes for a create. */
    static byte[] configMap(int number) {
        return configMap(name(number), number, 1_024);
    }

    /** Returns a ConfigMap of a given size that contains a version. */
    static byte[] configMap(String name, int version, int bytes) {
        return padded(
                "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"" + name
                        + "\",\"namespace\":\"default\",\"labels\":{\"app\":\"bench\"}},"
                        + "\"data\":{\"version\":\"" + version + "\",\"text\":\"",
                "\"}}",
                bytes);
    }

    static final String WIDGET_API = "bench.evenkeel.dev";

    static final String WIDGET_TYPE = """
            {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
             "metadata":{"name":"widgets.bench.evenkeel.dev"},
             "spec":{"group":"bench.evenkeel.dev","scope":"Namespaced",
              "names":{"plural":"widgets","singular":"widget","kind":"Widget","listKind":"WidgetList"},
              "versions":[{"name":"v1","served":true,"storage":true,"subresources":{"status":{}},
               "schema":{"openAPIV3Schema":{"type":"object","properties":{
                "spec":{"type":"object","required":["size"],"properties":{
                  "size":{"type":"integer","minimum":1,"maximum":100},
                  "mode":{"type":"string","enum":["slow","fast"],"default":"slow"},
                  "text":{"type":"string","maxLength":4096},
                  "ports":{"type":"array","items":{"type":"object","required":["name"],"properties":{
                    "name":{"type":"string"},"port":{"type":"integer"}}},
                    "x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"]}}},
                "status":{"type":"object","properties":{"ready":{"type":"boolean"}}}}}}}]}}
            """;

    /** Returns a Widget of 1,024 bytes for a create. */
    static byte[] widget(String name) {
        return padded(
                "{\"apiVersion\":\"bench.evenkeel.dev/v1\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"" + name
                        + "\",\"namespace\":\"default\",\"labels\":{\"app\":\"bench\"}},\"spec\":{\"size\":3,"
                        + "\"ports\":[{\"name\":\"http\",\"port\":80},{\"name\":\"https\",\"port\":443}],\"text\":\"",
                "\"}}",
                1_024);
    }

    /** Returns JSON with as much text in the middle as it needs to be of a size. */
    static byte[] padded(String head, String tail, int bytes) {
        int gap = Math.max(0, bytes - head.length() - tail.length());
        return (head + "lorem ipsum dolor sit amet ".repeat(gap / 27 + 1).substring(0, gap) + tail)
                .getBytes(StandardCharsets.UTF_8);
    }
}
