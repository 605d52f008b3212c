package dev.evenkeel.benchmarks;

import dev.evenkeel.benchmarks.Measurement.Unit;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.LongAdder;

/**
 * Creates over HTTP that a policy, a quota or a webhook takes part in.
 *
 * <p>The peer of each line is the same server without it: a ratio below 1 is the price of the admission. The webhook
 * answers in the process of the server: what a call over the network costs is not measured.
 */
record AdmissionWorkload(ReportSection section, LongAdder reviews) {
    private static final String GROUP = "/apis/admissionregistration.k8s.io/v1/";
    private static final String POLICY = """
            {"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingAdmissionPolicy",
             "metadata":{"name":"bench"},"spec":{"failurePolicy":"Fail","matchConstraints":{"resourceRules":[
              {"apiGroups":[""],"apiVersions":["v1"],"operations":["CREATE"],"resources":["configmaps"]}]},
              "validations":[{"expression":"object.metadata.labels.app == 'bench' && size(object.data) < 10"}]}}""";
    private static final String BINDING = """
            {"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingAdmissionPolicyBinding",
             "metadata":{"name":"bench"},"spec":{"policyName":"bench","validationActions":["Deny"]}}""";
    private static final String QUOTA = """
            {"apiVersion":"v1","kind":"ResourceQuota","metadata":{"name":"bench"},
             "spec":{"hard":{"count/configmaps":"100000000","count/secrets":"0"}}}""";
    private static final String UNLABELLED = """
            {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"refused","labels":{"app":"other"}}}""";
    private static final String SECRET = """
            {"apiVersion":"v1","kind":"Secret","metadata":{"name":"refused"}}""";
    private static final String WEBHOOK = """
            {"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingWebhookConfiguration",
             "metadata":{"name":"bench"},"webhooks":[{"name":"bench.example.com","admissionReviewVersions":["v1"],
              "sideEffects":"None","clientConfig":{"service":{"namespace":"default","name":"bench","path":"/bench"}},
              "rules":[{"apiGroups":[""],"apiVersions":["v1"],"resources":["configmaps"],"operations":["CREATE"]}]}]}""";

    /** Configures the admission that takes part in a create. */
    @FunctionalInterface
    private interface Setup {
        void configure(HttpConnection wire) throws Exception;
    }

    AdmissionWorkload(ReportSection section) {
        this(section, new LongAdder());
    }

    void run() throws Exception {
        double _ = creates(wire -> {}); // triggers the compilation that the first line would otherwise wait for
        double without = creates(wire -> {});
        row("policy", without, wire -> {
            post(wire, GROUP + "validatingadmissionpolicies", POLICY);
            post(wire, GROUP + "validatingadmissionpolicybindings", BINDING);
            wire.call("POST", StoredObjects.COLLECTION, bytes(UNLABELLED), 422);
        });
        row("quota", without, wire -> {
            post(wire, "/api/v1/namespaces/default/resourcequotas", QUOTA);
            awaitQuota(wire);
        });
        row("webhook", without, wire -> post(wire, GROUP + "validatingwebhookconfigurations", WEBHOOK));
        ReportSection.check(reviews.sum() > 0, "the webhook was called");
    }

    private void row(String admission, double without, Setup setup) throws Exception {
        section.both("create with a " + admission, Unit.PER_SECOND, creates(setup), without, "the same without it");
    }

    /** A quota is effective when its controller has counted what exists. */
    private static void awaitQuota(HttpConnection wire) throws Exception {
        for (int i = 0; i < 1_000; i++) {
            try {
                wire.call("POST", "/api/v1/namespaces/default/secrets?dryRun=All", bytes(SECRET), 403);
                return;
            } catch (EOFException e) {
                throw e;
            } catch (IOException e) {
                Thread.sleep(10); // answered with 201
            }
        }
        throw new IllegalStateException("the quota has no effect");
    }

    private double creates(Setup setup) throws Exception {
        Engine engine = Engine.builder().webhook("/bench", this::allowed).build();
        try (EvenkeelServer server = new EvenkeelServer(engine);
                HttpConnection wire = new HttpConnection(server.port())) {
            setup.configure(wire);
            return Load.perSecond(
                    section.length(),
                    count -> wire.call("POST", StoredObjects.COLLECTION, StoredObjects.configMap(count), 201));
        }
    }

    private static void post(HttpConnection wire, String path, String body) throws IOException {
        wire.call("POST", path, bytes(body), 201);
    }

    private static byte[] bytes(String body) {
        return body.getBytes(StandardCharsets.UTF_8);
    }

    private byte[] allowed(byte[] review) {
        reviews.increment();
        String uid = Json.parseObject(review, JsonLimits.DEFAULT).string("request", "uid");
        return bytes("{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\",\"response\":{\"uid\":\""
                + uid + "\",\"allowed\":true}}");
    }
}
