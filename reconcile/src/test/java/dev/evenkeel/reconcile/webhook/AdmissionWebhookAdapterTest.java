package dev.evenkeel.reconcile.webhook;

import static dev.evenkeel.testing.call.Calls.on;
import static dev.evenkeel.testing.call.Reactor.Failure.forbidden;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Status;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.controller.TerminalException;
import dev.evenkeel.reconcile.flow.Sequence;
import dev.evenkeel.testing.AdmissionWebhookTests;
import dev.evenkeel.testing.call.RecordedCall;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GroupVersionKind;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.admission.v1.AdmissionRequest;
import io.fabric8.kubernetes.api.model.admission.v1.AdmissionRequestBuilder;
import io.fabric8.kubernetes.api.model.admission.v1.AdmissionResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class AdmissionWebhookAdapterTest {
    private static final Given<ConfigMap> MAP =
            Given.yaml(ConfigMap.class, "{metadata: {namespace: shop, name: m}, data: {a: b}}");
    private static final Given<ConfigMap> CHANGED = MAP.with(map -> put(map, "by", "part"));
    private static final SubReconciler<ConfigMap> NOTHING = (reconciliation, map) -> Result.done();
    private static final SubReconciler<ConfigMap> CHANGE = ending(Result.done());

    private static void put(ConfigMap map, String key, String value) {
        Map<String, String> data = new HashMap<>(map.getData() == null ? Map.of() : map.getData());
        data.put(key, value);
        map.setData(data);
    }

    private static SubReconciler<ConfigMap> ending(Result outcome) {
        return (reconciliation, map) -> {
            put(map, "by", "part");
            return outcome;
        };
    }

    private static Stream<DynamicTest> of(
            String name, SubReconciler<ConfigMap> part, Consumer<AdmissionWebhookTests.Case> test) {
        return of(name, webhook -> webhook.reconciler(part), test);
    }

    private static Stream<DynamicTest> of(
            String name,
            UnaryOperator<AdmissionWebhookAdapter.Builder<ConfigMap>> webhook,
            Consumer<AdmissionWebhookTests.Case> test) {
        return AdmissionWebhookTests.in(cluster -> webhook.apply(
                                AdmissionWebhookAdapter.of(ConfigMap.class).client(cluster.reactive()))
                        .build())
                .test(name, test)
                .stream();
    }

    private static SubReconciler<ConfigMap> refusing(int code, String reason, String message) {
        return ending(Result.failed(ApiException.of(Status.of(code, reason, message))));
    }

    @TestFactory
    Stream<DynamicTest> answers() {
        return Stream.of(
                        of("allowed by default", NOTHING, t -> t.create(MAP)),
                        of(
                                "a change is a patch",
                                CHANGE,
                                t -> t.create(MAP)
                                        .expectPatch("[{\"op\":\"add\",\"path\":\"/data/by\",\"value\":\"part\"}]")),
                        of(
                                "a change on update is a patch",
                                CHANGE,
                                t -> t.update(MAP, MAP.with(m -> put(m, "a", "c")))
                                        .expectPatched(CHANGED.with(m -> put(m, "a", "c")))),
                        of(
                                "what has gone is removed",
                                (reconciliation, map) -> {
                                    map.setData(Map.of());
                                    return Result.done();
                                },
                                t -> t.create(MAP).expectPatched(MAP.with(map -> map.setData(Map.of())))),
                        of(
                                "appointments mean nothing to the server",
                                ending(Result.after(Duration.ofHours(1))),
                                t -> t.create(MAP).expectPatched(CHANGED)),
                        of(
                                "defaults alone are no patch",
                                webhook -> webhook.defaults(map -> put(map, "host", "h"))
                                        .reconciler((reconciliation, map) -> {
                                            assertThat(map.getData()).containsKey("host");
                                            assertThat(reconciliation.resource())
                                                    .contains(map);
                                            return Result.done();
                                        }),
                                t -> t.create(MAP)),
                        of(
                                "a change takes the defaults along",
                                webhook -> webhook.defaults(map -> put(map, "host", "h"))
                                        .reconciler(CHANGE),
                                t -> t.create(MAP).expectPatched(CHANGED.with(map -> put(map, "host", "h")))),
                        of(
                                "an empty map instead of none is no change",
                                (reconciliation, map) -> {
                                    map.getMetadata().setLabels(new HashMap<>());
                                    return Result.done();
                                },
                                t -> t.create(MAP)))
                .flatMap(tests -> tests);
    }

    private static SubReconciler<ConfigMap> storing(String wanted) {
        return (reconciliation, map) -> {
            assertThat(Admission.stored(reconciliation)
                            .map(stored -> stored.getData().get("a"))
                            .orElse("nothing"))
                    .isEqualTo(wanted);
            return Result.done();
        };
    }

    @TestFactory
    Stream<DynamicTest> partsSeeWhatIsStored() {
        return Stream.of(
                        of("nothing before it is created", storing("nothing"), t -> t.create(MAP)),
                        of("the old one when it is updated", storing("b"), t -> t.update(MAP, MAP.at("data.a", "c"))),
                        of("the one that is deleted", storing("b"), t -> t.delete(MAP)))
                .flatMap(tests -> tests);
    }

    @TestFactory
    Stream<DynamicTest> refusals() {
        return Stream.of(
                        of(
                                "a failure is a 500",
                                ending(Result.failed(new IllegalStateException("no"))),
                                t -> t.create(MAP).expectDenied(500, "no")),
                        of(
                                "what is thrown is a 500",
                                (reconciliation, map) -> {
                                    throw new IllegalStateException("thrown");
                                },
                                t -> t.create(MAP).expectDenied(500, "thrown")),
                        of(
                                "what lasts is a 500",
                                ending(Result.durable(new TerminalException("never"))),
                                t -> t.create(MAP).expectDenied(500, "never")),
                        of(
                                "what nobody is told of is denied, too",
                                ending(Result.quiet(new IllegalStateException("later"))),
                                t -> t.create(MAP).expectDenied(500, "later")),
                        of(
                                "a refusal of the API keeps its code",
                                refusing(403, "Forbidden", "not you"),
                                t -> t.create(MAP).expectDenied(403, "not you")),
                        of(
                                "an invalid object is a 422",
                                refusing(422, "Invalid", "spec.size: too small"),
                                t -> t.create(MAP).expectDenied(422, "spec.size: too small")),
                        of(
                                "a part refuses with a code of its own",
                                (reconciliation, map) -> Admission.deny(409, "the host is taken"),
                                t -> t.create(MAP).expectDenied(409, "the host is taken")),
                        of(
                                "a call that fails refuses with its code",
                                (reconciliation, map) -> {
                                    var unused = reconciliation.client().find(Secret.class, ObjectKey.of("shop", "s"));
                                    return Result.done();
                                },
                                t -> t.create(MAP)
                                        .react(on(RecordedCall.Verb.GET)
                                                .kind(Secret.class)
                                                .fails(forbidden("not yours")))
                                        .expectDenied(403, "not yours")),
                        of(
                                "the worst decides, and all are told",
                                ending(Result.quiet(new IllegalStateException("one"))
                                        .plus(Result.failed(ApiException.of(Status.of(403, "Forbidden", "two"))))),
                                t -> t.create(MAP).expectDenied(403, "one; two")))
                .flatMap(tests -> tests);
    }

    /** D25: stopping early was a denial; a change on deletion was a patch, which servers refuse. */
    @TestFactory
    Stream<DynamicTest> defect25() {
        return Stream.of(
                        of(
                                "D25: halted is allowed with what is there",
                                webhook -> webhook.reconciler(
                                        Sequence.of(ending(Result.halted()), (reconciliation, map) -> {
                                            throw new AssertionError("not reached");
                                        })),
                                t -> t.create(MAP).expectPatched(CHANGED)),
                        of("D25: no patch on DELETE", CHANGE, t -> t.delete(MAP).expectNoPatch()),
                        of(
                                "D25: no patch on DELETE, not even by hand",
                                (reconciliation, map) -> {
                                    patch(reconciliation.stash().require(Admission.RESPONSE), "[]");
                                    return Result.done();
                                },
                                t -> t.delete(MAP).expectNoPatch()),
                        of(
                                "D25: CONNECT is a plain refusal",
                                CHANGE,
                                t -> t.connect(MAP, "exec")
                                        .expectDenied(400, "operation CONNECT: this webhook answers")))
                .flatMap(tests -> tests);
    }

    private static void patch(AdmissionResponse response, String patch) {
        response.setPatchType("JSONPatch");
        response.setPatch(Base64.getEncoder().encodeToString(patch.getBytes(StandardCharsets.UTF_8)));
    }

    @TestFactory
    Stream<DynamicTest> badQuestions() {
        return Stream.of(
                        of(
                                "no object",
                                CHANGE,
                                t -> t.create(MAP)
                                        .request(request -> request.setObject(null))
                                        .expectDenied(400, "object is not there, and CREATE of ConfigMap needs it")),
                        of(
                                "no old object",
                                CHANGE,
                                t -> t.delete(MAP)
                                        .request(request -> request.setOldObject(null))
                                        .expectDenied(400, "oldObject is not there, and DELETE of ConfigMap needs it")),
                        of(
                                "no operation",
                                CHANGE,
                                t -> t.create(MAP)
                                        .request(request -> request.setOperation(null))
                                        .expectDenied(400, "operation is not said")),
                        of(
                                "broken JSON",
                                CHANGE,
                                t -> t.create(MAP)
                                        .request(request -> request.setObject(
                                                Encoded.of("{\"metadata\":".getBytes(StandardCharsets.UTF_8))))
                                        .expectDenied(400, "object is not a ConfigMap: cannot read JSON as")),
                        of(
                                "no metadata",
                                CHANGE,
                                t -> t.create(MAP)
                                        .request(request -> request.setObject(
                                                Encoded.of("{\"metadata\":null}".getBytes(StandardCharsets.UTF_8))))
                                        .expectDenied(400, "metadata is not there")),
                        of(
                                "another kind",
                                CHANGE,
                                t -> t.create(MAP)
                                        .request(request ->
                                                request.setKind(new GroupVersionKind("apps", "Deployment", "v1")))
                                        .expectDenied(400, "this webhook answers for ConfigMap of v1")))
                .flatMap(tests -> tests);
    }

    @TestFactory
    Stream<DynamicTest> whatPartsSee() {
        return Stream.of(
                        of(
                                "on DELETE the object as it is stored",
                                (reconciliation, map) -> Admission.deny(
                                        403, "has " + map.getData().keySet()),
                                t -> t.delete(MAP).expectDenied(403, "has [a]")),
                        of(
                                "question, answer, key, client",
                                (reconciliation, map) -> {
                                    AdmissionRequest request =
                                            reconciliation.stash().require(Admission.REQUEST);
                                    assertThat(request.getUserInfo().getUsername())
                                            .isEqualTo("jane");
                                    assertThat(reconciliation
                                                    .stash()
                                                    .require(Admission.RESPONSE)
                                                    .getUid())
                                            .isEqualTo(request.getUid());
                                    assertThat(reconciliation.key()).isEqualTo(ObjectKey.of("shop", "m"));
                                    assertThat(reconciliation.causes())
                                            .containsExactly("admission: CREATE ConfigMap shop/m");
                                    assertThat(reconciliation
                                                    .client()
                                                    .find(ConfigMap.class, ObjectKey.of("shop", "other")))
                                            .isEmpty();
                                    assertThat(reconciliation.remaining()).isPositive();
                                    return Result.done();
                                },
                                t -> t.create(MAP)),
                        of(
                                "no caches: it says so",
                                (reconciliation, map) -> {
                                    var unused = reconciliation.cache(Secret.class);
                                    return Result.done();
                                },
                                t -> t.create(MAP).expectDenied(500, "an admission webhook has no caches")),
                        of(
                                "no write of the object: it says so",
                                (reconciliation, map) -> {
                                    var unused = reconciliation.updateStatus(map);
                                    return Result.done();
                                },
                                t -> t.create(MAP)
                                        .expectDenied(500, "change it in memory; the changes are the response")),
                        of(
                                "warnings and notes for the audit log",
                                (reconciliation, map) -> {
                                    Admission.warn(reconciliation, "a is old");
                                    Admission.warn(reconciliation, "b is older");
                                    Admission.annotate(reconciliation, "seen", "yes");
                                    return Result.done();
                                },
                                t -> t.create(MAP)
                                        .expectWarning("a is old")
                                        .expectWarning("b is older")
                                        .expectAuditAnnotation("seen", "yes")),
                        of(
                                "a patch made by hand stays",
                                (reconciliation, map) -> {
                                    patch(
                                            reconciliation.stash().require(Admission.RESPONSE),
                                            "[{\"op\":\"add\",\"path\":\"/data/x\",\"value\":\"y\"}]");
                                    put(map, "by", "part");
                                    return Result.done();
                                },
                                t -> t.create(MAP).expectPatched(MAP.with(map -> put(map, "x", "y")))),
                        of(
                                "a status made by hand stays",
                                (reconciliation, map) -> {
                                    reconciliation
                                            .stash()
                                            .require(Admission.RESPONSE)
                                            .setStatus(new io.fabric8.kubernetes.api.model.StatusBuilder()
                                                    .withCode(418)
                                                    .withMessage("teapot")
                                                    .build());
                                    return Result.failed(new IllegalStateException("no"));
                                },
                                t -> t.create(MAP).expectDenied(418, "teapot")))
                .flatMap(tests -> tests);
    }

    @TestFactory
    Stream<DynamicTest> anUpdateOfWhatGoesFinalizes() {
        Given<ConfigMap> going = MAP.with(map -> {
            map.getMetadata().setFinalizers(List.of("example.com/f"));
            map.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");
        });
        return of(
                "an object that is marked for deletion shows it",
                (reconciliation, map) -> {
                    put(map, "by", map.isMarkedForDeletion() ? "finalizer" : "part");
                    return Result.done();
                },
                t -> t.update(going, going).expectPatched(going.with(map -> put(map, "by", "finalizer"))));
    }

    @TestFactory
    Stream<DynamicTest> validating() {
        return of(
                "a validating one has no patch, and says once that it should not change anything",
                webhook -> webhook.validating(true).reconciler(CHANGE),
                t -> t.create(MAP)
                        .expectNoPatch()
                        .expectLog("WARN", "a validating webhook changed the object, which is ignored"));
    }

    @Test
    void hooksRunInTheirOrder() {
        List<String> order = new ArrayList<>();
        AdmissionWebhookAdapter<ConfigMap> webhook = AdmissionWebhookAdapter.of(ConfigMap.class)
                .before((reconciliation, request, response) ->
                        order.add("before 1 " + reconciliation.resource().isPresent()))
                .before((reconciliation, request, response) -> order.add("before 2"))
                .reconciler((reconciliation, map) -> {
                    order.add("part");
                    return Result.failed(new IllegalStateException("no"));
                })
                .after((reconciliation, request, response) -> order.add("after " + response.getAllowed()))
                .build();
        assertThat(webhook.apply(create(MAP.object())).getAllowed()).isFalse();
        assertThat(order).containsExactly("before 1 false", "before 2", "part", "after false");
        order.clear();
        assertThat(webhook.apply(create(null)).getStatus().getCode()).isEqualTo(400);
        assertThat(order).containsExactly("before 1 false", "before 2", "after false");
    }

    @Test
    void aHookThatFailsDeniesTheWrite() {
        AdmissionResponse response = AdmissionWebhookAdapter.of(ConfigMap.class)
                .reconciler(CHANGE)
                .after((reconciliation, request, answer) -> {
                    throw new IllegalStateException("hook");
                })
                .build()
                .apply(create(MAP.object()));
        assertThat(response.getAllowed()).isFalse();
        assertThat(response.getStatus().getMessage()).isEqualTo("hook");
        assertThat(response.getPatch()).isNull();
    }

    private static AdmissionRequest create(@org.jspecify.annotations.Nullable Object object) {
        return new AdmissionRequestBuilder()
                .withUid("u")
                .withOperation("CREATE")
                .withNamespace("shop")
                .withName("m")
                .withObject(object)
                .build();
    }

    /** A server newer than the class sends more than that knows. */
    @Test
    void unknownFieldsStay() {
        String text = """
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"m","namespace":"shop","creationTimestamp":null},
                 "spec":{"containers":[{"name":"c","image":"i","resources":{"limits":{"cpu":"1000m"}}}]}}""";
        AdmissionResponse response = AdmissionWebhookAdapter.of(Pod.class)
                .reconciler((reconciliation, pod) -> {
                    pod.getSpec().getContainers().getFirst().setImage("j");
                    return Result.done();
                })
                .build()
                .apply(create(Encoded.of(text.getBytes(StandardCharsets.UTF_8))));
        assertThat(new String(Base64.getDecoder().decode(response.getPatch()), StandardCharsets.UTF_8))
                .isEqualTo("[{\"op\":\"replace\",\"path\":\"/spec/containers/0/image\",\"value\":\"j\"}]");
        assertThat(response.getPatchType()).isEqualTo("JSONPatch");
    }

    @Test
    void aWebhookWithoutAClientReportsThat() {
        AdmissionResponse response = AdmissionWebhookAdapter.of(ConfigMap.class)
                .reconciler((reconciliation, map) -> {
                    var unused = reconciliation.client();
                    return Result.done();
                })
                .build()
                .apply(create(MAP.object()));
        assertThat(response.getStatus().getMessage()).contains("has no client: set one with client(...)");
    }

    @Test
    void missingSettingsAreReported() {
        assertThatThrownBy(() -> AdmissionWebhookAdapter.of(ConfigMap.class).build())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith(
                        "AdmissionWebhookAdapter \"ConfigMapAdmissionWebhookAdapter\" must define reconciler");
        assertThatThrownBy(() -> AdmissionWebhookAdapter.of(ConfigMap.class).timeout(Duration.ofMinutes(1)))
                .hasMessageContaining("1 to 30 seconds");
        assertThatThrownBy(() -> Admission.deny(200, "no")).hasMessageContaining("200 is not an error");
    }

    @Test
    void textHasItsParts() {
        AdmissionWebhookAdapter<ConfigMap> webhook = AdmissionWebhookAdapter.of(ConfigMap.class)
                .name("maps")
                .reconciler(Sequence.of(NOTHING))
                .build();
        assertThat(webhook).hasToString("AdmissionWebhookAdapter \"maps\"");
        assertThat(webhook.description().slots())
                .extracting(slot -> slot.name() + " " + slot.part())
                .containsExactly("reconciler Sequence");
    }
}
