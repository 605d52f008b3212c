package dev.evenkeel.testing;

import static dev.evenkeel.testing.call.Calls.on;
import static dev.evenkeel.testing.call.Reactor.Failure.forbidden;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.ForbiddenException;
import dev.evenkeel.controller.EventRecorder.Type;
import dev.evenkeel.controller.Result;
import dev.evenkeel.testing.call.RecordedCall;
import dev.evenkeel.testing.diff.Rendering;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.CreateOptions;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.admission.v1.AdmissionRequest;
import io.fabric8.kubernetes.api.model.admission.v1.AdmissionResponse;
import io.fabric8.kubernetes.api.model.admission.v1.AdmissionResponseBuilder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables of admission webhooks: that they pass what is right, and say well what is not. */
class AdmissionWebhookTestsTest {
    private interface Webhook extends Function<AdmissionRequest, AdmissionResponse> {}

    private static final Given<ConfigMap> MAP = Given.yaml(ConfigMap.class, """
            metadata: {namespace: shop, name: m}
            data: {a: b}
            """);
    private static final Given<Pod> POD = Given.yaml(Pod.class, """
            metadata: {namespace: shop, name: p}
            spec: {containers: [{name: c, image: i}]}
            """);
    private static final String LABEL =
            "[{\"op\": \"add\", \"path\": \"/metadata/labels\", \"value\": {\"by\": \"webhook\"}}]";
    private static final String DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: boats.demo.example.com}
            spec:
              group: demo.example.com
              names: {kind: Boat, plural: boats, singular: boat, listKind: BoatList}
              scope: Namespaced
              versions:
              - name: v1
                served: true
                storage: true
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      spec:
                        type: object
                        required: [length]
                        properties:
                          length: {type: integer}
                          colour: {type: string, default: white}
            """;

    private static final Webhook ALLOWS = request -> allowing(request).build();
    private static final Webhook LABELS = request -> patching(request, LABEL);

    private static AdmissionResponseBuilder allowing(AdmissionRequest request) {
        return new AdmissionResponseBuilder().withUid(request.getUid()).withAllowed(true);
    }

    private static AdmissionResponse patching(AdmissionRequest request, String patch) {
        return allowing(request)
                .withPatchType("JSONPatch")
                .withPatch(Base64.getEncoder().encodeToString(patch.getBytes(StandardCharsets.UTF_8)))
                .build();
    }

    private static Webhook denying(Status status) {
        return request -> new AdmissionResponseBuilder()
                .withUid(request.getUid())
                .withAllowed(false)
                .withStatus(status)
                .build();
    }

    private static AdmissionWebhookTests tests(Webhook webhook) {
        return AdmissionWebhookTests.of(() -> webhook).rendering(Rendering.plain());
    }

    private static void run(Webhook webhook, Consumer<AdmissionWebhookTests.Case> specification) {
        Tables.run(tests(webhook).test("case", specification).stream());
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> failing(
            Webhook webhook, Consumer<AdmissionWebhookTests.Case> specification) {
        return Tables.failing(tests(webhook).test("case", specification).stream());
    }

    /** The request of a webhook. */
    private static AdmissionRequest asked(Consumer<AdmissionWebhookTests.Case> specification) {
        AtomicReference<AdmissionRequest> seen = new AtomicReference<>();
        run(
                request -> {
                    seen.set(request);
                    return allowing(request).build();
                },
                specification);
        return seen.get();
    }

    private static HasMetadata object(Object object) {
        return (HasMetadata) object;
    }

    // what is asked

    @Test
    @DisplayName("A create request has the object with defaults, without fields that are set when it is stored")
    void create() {
        AdmissionRequest request = asked(t -> t.create(POD));
        assertThat(request.getUid()).isNotEmpty();
        assertThat(request.getOperation()).isEqualTo("CREATE");
        assertThat(request.getKind().toString()).contains("kind=Pod", "version=v1");
        assertThat(request.getResource().getResource()).isEqualTo("pods");
        assertThat(request.getRequestResource()).isEqualTo(request.getResource());
        assertThat(request.getName()).isEqualTo("p");
        assertThat(request.getNamespace()).isEqualTo("shop");
        assertThat(request.getDryRun()).isFalse();
        assertThat(request.getUserInfo().getUsername()).isEqualTo("jane");
        assertThat(request.getOptions()).isInstanceOf(CreateOptions.class);
        assertThat(request.getOldObject()).isNull();
        Pod pod = (Pod) request.getObject();
        assertThat(pod.getSpec().getRestartPolicy()).isEqualTo("Always");
        assertThat(pod.getMetadata().getUid()).isNull();
        assertThat(pod.getMetadata().getResourceVersion()).isNull();
    }

    @Test
    @DisplayName("Of an update: the old object as it is stored, and there; the new one has its uid and version")
    void update() {
        AtomicReference<AdmissionRequest> seen = new AtomicReference<>();
        Tables.run(AdmissionWebhookTests.in(cluster -> request -> {
                    seen.set(request);
                    assertThat(cluster.client().get(ConfigMap.class, MAP.key()).getData())
                            .containsEntry("a", "b");
                    return allowing(request).build();
                })
                .test("case", t -> t.update(MAP, MAP.at("data.a", "c")))
                .stream());
        AdmissionRequest request = seen.get();
        assertThat(request.getOperation()).isEqualTo("UPDATE");
        ConfigMap old = (ConfigMap) request.getOldObject();
        ConfigMap wanted = (ConfigMap) request.getObject();
        assertThat(old.getData()).containsEntry("a", "b");
        assertThat(wanted.getData()).containsEntry("a", "c");
        assertThat(old.getMetadata().getUid()).isEqualTo(Given.uidOf("ConfigMap", MAP.key()));
        assertThat(wanted.getMetadata().getUid()).isEqualTo(old.getMetadata().getUid());
        assertThat(wanted.getMetadata().getResourceVersion())
                .isEqualTo(old.getMetadata().getResourceVersion())
                .isNotEmpty();
    }

    @Test
    @DisplayName("Of a deletion: the old object alone")
    void delete() {
        AdmissionRequest request = asked(t -> t.delete(MAP));
        assertThat(request.getOperation()).isEqualTo("DELETE");
        assertThat(request.getObject()).isNull();
        assertThat(object(request.getOldObject()).getMetadata().getName()).isEqualTo("m");
    }

    @Test
    @DisplayName("A connect request has its options")
    void connect() {
        AdmissionRequest request = asked(t -> t.connect(POD, "exec"));
        assertThat(request.getOperation()).isEqualTo("CONNECT");
        assertThat(request.getSubResource()).isEqualTo("exec");
        assertThat(request.getObject()).isNull();
        assertThat(request.getOldObject()).isNull();
        CreateOptions any = new CreateOptions();
        assertThat(asked(t -> t.connect(POD, "exec", any)).getObject()).isSameAs(any);
    }

    @Test
    @DisplayName("User, sub-resource, dry run and any other field of the request can be set")
    void manner() {
        AdmissionRequest request = asked(t -> t.update(POD, POD.statusAt("phase", "Running"))
                .subresource("status")
                .user("system:node:a", "system:nodes")
                .dryRun()
                .request(r -> r.setName("changed")));
        assertThat(request.getSubResource()).isEqualTo("status");
        assertThat(request.getRequestSubResource()).isEqualTo("status");
        assertThat(request.getUserInfo().getUsername()).isEqualTo("system:node:a");
        assertThat(request.getUserInfo().getGroups()).containsExactly("system:nodes");
        assertThat(request.getDryRun()).isTrue();
        assertThat(request.getOptions().toString()).contains("dryRun=[All]");
        assertThat(request.getName()).isEqualTo("changed");
    }

    @Test
    @DisplayName("Objects of custom kinds, and those with generated names")
    void kinds() {
        Given<?> boat = Given.yaml(
                "{apiVersion: demo.example.com/v1, kind: Boat, metadata: {namespace: sea, name: b}, spec: {length: 3}}");
        AtomicReference<AdmissionRequest> seen = new AtomicReference<>();
        Tables.run(tests(request -> {
                    seen.set(request);
                    return allowing(request).build();
                })
                .definitions(DEFINITION)
                .test("case", t -> t.create(boat))
                .stream());
        assertThat(seen.get().getKind().getGroup()).isEqualTo("demo.example.com");
        assertThat(seen.get().getResource().getResource()).isEqualTo("boats");
        assertThat(seen.get().getObject().toString()).contains("white");
        AdmissionRequest nameless =
                asked(t -> t.create(POD.without("metadata.name").at("metadata.generateName", "p-")));
        assertThat(nameless.getName()).isNull();
        assertThat(object(nameless.getObject()).getMetadata().getName()).isNull();
        failing(ALLOWS, t -> t.create(boat)).hasMessageContaining("definitions(...)");
    }

    // what is answered

    @Test
    @DisplayName("Allowed is the default; a denial has code and message as the server interprets them")
    void decisions() {
        run(ALLOWS, t -> t.create(MAP));
        run(ALLOWS, t -> t.create(MAP).expectDenied(400, "").expectAllowed());
        failing(ALLOWS, t -> t.create(MAP).expectDenied(403, "no"))
                .hasMessageContaining("It should be denied, with 403 \"no\"");
        Webhook denies = denying(
                new StatusBuilder().withCode(422).withMessage("a must not be b").build());
        run(denies, t -> t.create(MAP).expectDenied(422, "must not"));
        failing(denies, t -> t.create(MAP))
                .hasMessageContaining("It should be allowed, and is denied, with 422 \"a must not be b\"");
        failing(denies, t -> t.create(MAP).expectDenied(403, "must not")).hasMessageContaining("403");
        failing(denies, t -> t.create(MAP).expectDenied(422, "other")).hasMessageContaining("other");
        run(
                denying(new StatusBuilder().withCode(200).withReason("Because").build()),
                t -> t.create(MAP).expectDenied(400, "Because"));
        run(
                request -> new AdmissionResponseBuilder()
                        .withUid(request.getUid())
                        .withAllowed(false)
                        .build(),
                t -> t.create(MAP).expectDenied(400, ""));
    }

    @Test
    @DisplayName("An answer has the uid of the request, and says whether it is allowed")
    void forms() {
        failing(request -> allowing(request).withUid("other").build(), t -> t.create(MAP))
                .hasMessageContainingAll("The uid of the answer should be", "other");
        failing(request -> new AdmissionResponseBuilder().withAllowed(true).build(), t -> t.create(MAP))
                .hasMessageContaining("not there");
        failing(
                        request -> new AdmissionResponseBuilder()
                                .withUid(request.getUid())
                                .build(),
                        t -> t.create(MAP))
                .hasMessageContaining("does not set allowed");
    }

    @Test
    @DisplayName("Warnings and audit annotations are expected, all of them")
    void warnings() {
        Webhook warns = request -> allowing(request)
                .withWarnings("one", "two")
                .addToAuditAnnotations("k", "v")
                .build();
        run(warns, t -> t.create(MAP).expectWarning("one").expectWarning("two").expectAuditAnnotation("k", "v"));
        failing(warns, t -> t.create(MAP).expectWarning("one"))
                .hasMessageContainingAll("Unexpected warning: two", "audit annotations differ");
        failing(ALLOWS, t -> t.create(MAP).expectWarning("one"))
                .hasMessageContaining("Expected but not seen, warning: one");
        failing(ALLOWS, t -> t.create(MAP).expectAuditAnnotation("k", "v")).hasMessageContaining("audit annotations");
    }

    @Test
    @DisplayName("The patched object is expected, with the server's defaults or without")
    void patched() {
        Given<Pod> labelled = POD.label("by", "webhook");
        run(LABELS, t -> t.create(POD).expectPatched(labelled));
        run(LABELS, t -> t.create(POD).expectPatched(labelled.at("spec.restartPolicy", "Always")));
        run(LABELS, t -> t.update(POD, POD).expectPatched(labelled));
        run(
                LABELS,
                t -> t.create(POD.without("metadata.name").at("metadata.generateName", "p-"))
                        .expectPatched(labelled.without("metadata.name").at("metadata.generateName", "p-")));
        failing(LABELS, t -> t.create(POD).expectPatched(labelled.label("by", "hand")))
                .hasMessageContainingAll("The patched object differs", "-     by: hand", "+     by: webhook");
        failing(LABELS, t -> t.create(POD))
                .hasMessageContainingAll(
                        "Unexpected patch: [", ".expectPatched(Given.yaml(Pod.class, \"\"\"", "by: webhook");
        failing(ALLOWS, t -> t.create(POD).expectPatched(labelled))
                .hasMessageContaining("It should patch the object, and does not");
        run(ALLOWS, t -> t.create(POD).expectPatched(labelled).expectNoPatch());
        // a patch that comes to nothing is one
        failing(request -> patching(request, "[]"), t -> t.create(POD)).hasMessageContaining("Unexpected patch: []");
        run(request -> patching(request, "[]"), t -> t.create(POD).expectPatched(POD));
    }

    @Test
    @DisplayName("A patch is expected by its operations, in any layout")
    void operations() {
        run(
                LABELS,
                t -> t.create(POD)
                        .expectPatch(
                                "[{\"value\":{\"by\":\"webhook\"},\"path\":\"/metadata/labels\",\"op\":\"add\"}]"));
        failing(LABELS, t -> t.create(POD).expectPatch("[]"))
                .hasMessageContainingAll("The patch differs", "- []", "+ [{");
        failing(ALLOWS, t -> t.create(POD).expectPatch("[]")).hasMessageContaining("does not");
    }

    @Test
    @DisplayName("A webhook may complete an invalid object, and the server validates the result")
    void validity() {
        Given<?> boat = Given.yaml(
                "{apiVersion: demo.example.com/v1, kind: Boat, metadata: {namespace: sea, name: b}, spec: {}}");
        Webhook measures =
                request -> patching(request, "[{\"op\": \"add\", \"path\": \"/spec/length\", \"value\": 3}]");
        Tables.run(tests(measures)
                .definitions(DEFINITION)
                .test("case", t -> t.create(boat).expectPatched(boat.at("spec.length", 3)))
                .stream());
        Webhook breaks =
                request -> patching(request, "[{\"op\": \"add\", \"path\": \"/spec/length\", \"value\": \"long\"}]");
        Tables.failing(tests(breaks)
                        .definitions(DEFINITION)
                        .test(
                                "case",
                                t -> t.create(boat)
                                        .expectPatch(
                                                "[{\"op\": \"add\", \"path\": \"/spec/length\", \"value\": \"long\"}]"))
                        .stream())
                .hasMessageContainingAll("The server refuses the patched object", "spec.length");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[{\"op\": \"remove\", \"path\": \"/nowhere\"}]",
                "[{\"op\": \"test\", \"path\": \"/metadata/name\", \"value\": \"other\"}]",
                "{\"a\": \"merge\"}",
                "not json",
                "[{\"op\": \"replace\", \"path\": \"\", \"value\": 3}]"
            })
    @DisplayName("A patch that cannot be applied is reported")
    void misfits(String patch) {
        failing(request -> patching(request, patch), t -> t.create(MAP).expectPatched(MAP))
                .hasMessageContainingAll("The patch cannot be applied", patch);
    }

    @Test
    @DisplayName("A patch has its type and is in Base64, and a denial has none")
    void patchForms() {
        String encoded = Base64.getEncoder().encodeToString(LABEL.getBytes(StandardCharsets.UTF_8));
        failing(
                        request -> allowing(request).withPatch(encoded).build(),
                        t -> t.create(MAP).expectPatched(MAP.label("by", "webhook")))
                .hasMessageContaining("The patchType should be JSONPatch");
        failing(
                        request -> allowing(request)
                                .withPatch(LABEL)
                                .withPatchType("JSONPatch")
                                .build(),
                        t -> t.create(MAP).expectPatched(MAP.label("by", "webhook")))
                .hasMessageContaining("should be in Base64");
        failing(request -> allowing(request).withPatchType("JSONPatch").build(), t -> t.create(MAP))
                .hasMessageContaining("but no patch");
        failing(
                        request -> {
                            AdmissionResponse response = patching(request, LABEL);
                            response.setAllowed(false);
                            return response;
                        },
                        t -> t.create(MAP).expectDenied(400, "").expectPatch(LABEL))
                .hasMessageContaining("has a patch, which is ignored");
    }

    @Test
    @DisplayName("A patch on DELETE or CONNECT is refused (D25), and cannot be expected")
    void patchOfNothing() {
        failing(LABELS, t -> t.delete(MAP)).hasMessageContaining("The server refuses a patch on DELETE");
        failing(LABELS, t -> t.connect(POD, "exec")).hasMessageContaining("The server refuses a patch on CONNECT");
        failing(LABELS, t -> t.delete(MAP).expectPatch(LABEL))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expectPatch: the server refuses a patch on DELETE");
    }

    // side effects

    @Test
    @DisplayName("Calls, events, reactors, errors and metrics are those of any case, and the runner is the same (D31)")
    void sideEffects() {
        Function<TestCluster, Webhook> counts = cluster -> request -> {
            Client client = cluster.reactive();
            if (client.find(Secret.class, MAP.key()).isEmpty()) {
                var unused = client.create(Given.yaml(Secret.class, "{metadata: {namespace: shop, name: m}}")
                        .object());
            }
            cluster.recorder().record(object(request.getObject()), Type.NORMAL, "Asked", "", "admission requested");
            cluster.meters().counter("asked").increment();
            return allowing(request).build();
        };
        Given<Secret> secret = Given.yaml(Secret.class, "{metadata: {namespace: shop, name: m}}");
        AdmissionWebhookTests table = AdmissionWebhookTests.in(counts)
                .rendering(Rendering.plain())
                .test(
                        "creates",
                        t -> t.create(MAP)
                                .expectCreate(secret)
                                .expectOrder(on(RecordedCall.Verb.GET), on(RecordedCall.Verb.CREATE))
                                .expectEvent(MAP, "Normal", "Asked", "admission requested")
                                .expectMetric("asked", 1)
                                .verify(run -> assertThat(run.journal().calls()).hasSize(2)))
                .test(
                        "finds",
                        t -> t.given(secret).create(MAP).expectEvent(MAP, "Normal", "Asked", "admission requested"))
                .test(
                        "is refused",
                        t -> t.create(MAP)
                                .react(on(RecordedCall.Verb.CREATE).fails(forbidden("quota")))
                                .expectCreate(secret)
                                .expectError(ForbiddenException.class, "quota"));
        Tables.run(table.stream());
        Tables.failing(AdmissionWebhookTests.in(counts).test("case", t -> t.create(MAP)).stream())
                .hasMessageContainingAll("Unexpected: create secrets shop/m", "Unexpected event");
        failing(ALLOWS, t -> t.create(MAP).react(on(RecordedCall.Verb.CREATE).fails(forbidden("never"))))
                .hasMessageContaining("create");
        failing(
                        ALLOWS,
                        t -> t.create(MAP).prepare(cluster -> {
                            throw new IllegalStateException("unprepared");
                        }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("unprepared");
        failing(
                        ALLOWS,
                        t -> t.create(MAP).expectWarning("none").cleanUp(cluster -> {
                            throw new IllegalStateException("clean-up");
                        }))
                .hasMessageContaining("none")
                .satisfies(e -> assertThat(e.getSuppressed()[0]).hasMessage("clean-up"));
        failing(
                        request -> {
                            throw new IllegalStateException("broken");
                        },
                        t -> t.create(MAP).expectDenied(500, ""))
                .hasMessageContaining("It should not fail, but did: java.lang.IllegalStateException: broken");
    }

    @Test
    @DisplayName("Wrong specifications are refused, with what to do")
    void misuse() {
        failing(ALLOWS, t -> {}).hasMessageContaining("has no request");
        failing(ALLOWS, t -> t.create(MAP).delete(MAP)).hasMessageContaining("has a request already, CREATE");
        failing(ALLOWS, t -> t.update(MAP, MAP.name("n"))).hasMessageContaining("keeps its key");
        failing(ALLOWS, t -> t.create(MAP).expectResult(Result.retry())).hasMessageContaining("no result");
        failing(ALLOWS, t -> t.create(MAP).expectTrack(MAP)).hasMessageContaining("tracks nothing");
        assertThatThrownBy(() -> tests(ALLOWS).stream()).hasMessageContaining("no case");
        assertThatThrownBy(() -> tests(ALLOWS).focus("a", t -> t.create(MAP)).test("b", t -> {}).stream()
                        .forEach(test -> Tables.run(java.util.stream.Stream.of(test))))
                .hasMessageContaining("1 of 2 cases are focused");
    }
}
