package dev.evenkeel.benchmarks;

import dev.evenkeel.benchmarks.Measurement.Unit;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.builtin.ProtobufFormat;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.nio.charset.StandardCharsets;

/**
 * Pods over HTTP in protobuf, which the programs of Kubernetes prefer, next to the same pods in JSON.
 *
 * <p>The peer of each line is the same server: a ratio below 1 is the price of the other encoding.
 */
record EncodingWorkload(ReportSection section) {
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final int STORED = 1_000;
    private static final int WATCHES = 1_000;
    private static final String POD = """
            {"kind":"Pod","apiVersion":"v1","metadata":{"name":"NAME","labels":{"app":"web","tier":"front",
             "pod-template-hash":"5d4f8c7b9"},"annotations":{"example.com/revision":"17","example.com/owner":"team-a"}},
             "spec":{"containers":[{"name":"web","image":"registry.example.com/team-a/web:1.17.3",
              "args":["--port=8080","--log-level=info"],"ports":[{"name":"http","containerPort":8080}],
              "env":[{"name":"REGION","value":"eu-central-1"},{"name":"POD_IP","valueFrom":{"fieldRef":
               {"apiVersion":"v1","fieldPath":"status.podIP"}}},{"name":"PASSWORD","valueFrom":{"secretKeyRef":
               {"name":"web","key":"password"}}}],
              "resources":{"limits":{"cpu":"2","memory":"1Gi"},"requests":{"cpu":"100m","memory":"256Mi"}},
              "volumeMounts":[{"name":"config","mountPath":"/etc/web"},{"name":"scratch","mountPath":"/tmp"}],
              "livenessProbe":{"httpGet":{"path":"/healthz","port":"http"},"initialDelaySeconds":5},
              "readinessProbe":{"httpGet":{"path":"/readyz","port":"http"}}}],
             "volumes":[{"name":"config","configMap":{"name":"web"}},{"name":"scratch","emptyDir":{}}],
             "nodeSelector":{"kubernetes.io/os":"linux"},"tolerations":[{"key":"spot","operator":"Exists"}]}}""";

    private enum Form {
        JSON("application/json"),
        PROTOBUF(ProtobufFormat.MEDIA_TYPE);

        private final String mediaType;

        Form(String mediaType) {
            this.mediaType = mediaType;
        }

        byte[] pod(String name) {
            byte[] json = POD.replace("NAME", name).getBytes(StandardCharsets.UTF_8);
            JsonObject tree = Json.parseObject(json, JsonLimits.DEFAULT);
            return this == JSON ? Json.write(tree) : ProtobufFormat.encode(tree);
        }

        HttpConnection connect(EvenkeelServer server) throws Exception {
            return new HttpConnection(server.port(), mediaType);
        }
    }

    @FunctionalInterface
    private interface Measure {
        double of(Form form) throws Exception;
    }

    void run() throws Exception {
        both("get", Unit.PER_SECOND, form -> get(form, false));
        both("get, size", Unit.BYTES, form -> get(form, true));
        both("list of " + STORED, Unit.MILLISECONDS, form -> list(form, false));
        both("list of " + STORED + ", size", Unit.BYTES, form -> list(form, true));
        both("create", Unit.PER_SECOND, this::create);
        both(WATCHES + " watches", Unit.DELIVERIES_PER_SECOND, this::deliveries);
    }

    private void both(String workload, Unit unit, Measure measure) throws Exception {
        double json = measure.of(Form.JSON);
        section.both("pods in protobuf: " + workload, unit, measure.of(Form.PROTOBUF), json, "the same in JSON");
    }

    private static void fill(EvenkeelServer server, int pods) throws Exception {
        try (HttpConnection wire = Form.JSON.connect(server)) {
            for (int i = 0; i < pods; i++) {
                wire.call("POST", PODS, Form.JSON.pod(StoredObjects.name(i)), 201);
            }
        }
    }

    /** Returns the gets per second of one client, or the bytes of one answer. */
    private double get(Form form, boolean size) throws Exception {
        try (EvenkeelServer server = new EvenkeelServer();
                HttpConnection wire = form.connect(server)) {
            fill(server, STORED);
            if (size) {
                wire.call("GET", PODS + "/" + StoredObjects.name(0), StoredObjects.NONE, 200);
                return wire.bodyBytes();
            }
            return Load.perSecond(section.length(), count -> {
                String name = StoredObjects.name(count * 31 % STORED);
                wire.call("GET", PODS + "/" + name, StoredObjects.NONE, 200);
            });
        }
    }

    /** Returns the time of a list, or the bytes of one. */
    private double list(Form form, boolean size) throws Exception {
        try (EvenkeelServer server = new EvenkeelServer();
                HttpConnection wire = form.connect(server)) {
            fill(server, STORED);
            if (size) {
                wire.call("GET", PODS, StoredObjects.NONE, 200);
                return wire.bodyBytes();
            }
            return 1_000 / Load.perSecond(section.length(), count -> wire.call("GET", PODS, StoredObjects.NONE, 200));
        }
    }

    private double create(Form form) throws Exception {
        try (EvenkeelServer server = new EvenkeelServer();
                HttpConnection wire = form.connect(server)) {
            return Load.perSecond(
                    section.length(), count -> wire.call("POST", PODS, form.pod(StoredObjects.name(count)), 201));
        }
    }

    private double deliveries(Form form) throws Exception {
        try (EvenkeelServer server = new EvenkeelServer();
                WatchSwarm swarm = new WatchSwarm(server.port(), PODS, WATCHES, form.mediaType);
                HttpConnection wire = Form.JSON.connect(server)) {
            return FanOut.perSecond(section.length(), WATCHES, swarm::messages, count -> {
                wire.call("POST", PODS, Form.JSON.pod(StoredObjects.name(count)), 201);
            });
        }
    }
}
