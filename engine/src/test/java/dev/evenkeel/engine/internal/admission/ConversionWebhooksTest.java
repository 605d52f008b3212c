package dev.evenkeel.engine.internal.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Patch;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.Requests;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.read.WatchEvent;
import dev.evenkeel.engine.internal.read.WatchQuery;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Custom resources whose field {@code one} of version v1 is the field {@code two} of version v2. */
class ConversionWebhooksTest {
    private static final String CRDS = "apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String V1 = "x.io/v1/widgets";
    private static final String V2 = "x.io/v2/widgets";
    private static final String FAILED = "conversion webhook for x.io/v1, Kind=Widget ";

    private final List<JsonObject> asked = new CopyOnWriteArrayList<>();
    private UnaryOperator<JsonObject> conversion = ConversionWebhooksTest::renamed;
    private UnaryOperator<JsonObject> answer = review -> review;
    private final Engine engine =
            Requests.direct().webhook("/convert", this::review).build();
    private final Requests api = new Requests(ResourceApi.of(engine.partition("default")));

    @BeforeEach
    void define() {
        api.create(
                CRDS,
                "",
                definition("{'strategy':'Webhook','webhook':{'conversionReviewVersions':['v9','v1'],"
                        + "'clientConfig':{'service':{'namespace':'default','name':'hooks','path':'/convert'}}}}"));
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private static String definition(String conversion) {
        return """
                {'metadata':{'name':'widgets.x.io'},'spec':{'group':'x.io','scope':'Namespaced','conversion':%s,
                 'names':{'plural':'widgets','kind':'Widget'},'versions':[
                  {'name':'v1','served':true,'storage':true,'schema':{'openAPIV3Schema':{'type':'object','properties':{
                   'spec':{'type':'object','default':{},'properties':{'one':{'type':'string'},
                    'first':{'type':'string','default':'1'},'both':{'type':'string'}}}}}}},
                  {'name':'v2','served':true,'storage':false,'schema':{'openAPIV3Schema':{'type':'object','properties':{
                   'spec':{'type':'object','default':{},'properties':{'two':{'type':'string'},
                    'second':{'type':'string','default':'2'},'both':{'type':'string'}}}}}}}]}}
                """.formatted(conversion);
    }

    private byte[] review(byte[] body) {
        JsonObject request = Json.parseObject(body, JsonLimits.DEFAULT).object("request");
        asked.add(request);
        List<JsonObject> converted = request.objects("objects").stream()
                .map(object -> conversion.apply(object.copy()))
                .toList();
        JsonObject response = JsonObject.of("uid", request.get("uid"), "result", JsonObject.of("status", "Success"))
                .set("convertedObjects", converted);
        JsonObject review = JsonObject.of("apiVersion", "apiextensions.k8s.io/v1", "kind", "ConversionReview")
                .set("response", response);
        return Json.text(answer.apply(review)).getBytes(StandardCharsets.UTF_8);
    }

    private static JsonObject renamed(JsonObject object) {
        boolean older = object.string("apiVersion").equals("x.io/v1");
        object.put("apiVersion", older ? "x.io/v2" : "x.io/v1");
        JsonObject spec = object.withObject("spec");
        Object value = spec.remove(older ? "one" : "two");
        if (value != null) {
            spec.put(older ? "two" : "one", value);
        }
        return object;
    }

    private void create(String version, String name, String spec) {
        String apiVersion = version.equals(V1) ? "x.io/v1" : "x.io/v2";
        api.create(
                version,
                "default",
                "{'apiVersion':'" + apiVersion + "','kind':'Widget','metadata':{'name':'" + name + "'},'spec':" + spec
                        + "}");
    }

    private Map<String, Object> spec(String version, String name) {
        return api.get(version, "default", name).object("spec");
    }

    private void refused(String message) {
        assertThatThrownBy(() -> api.get(V2, "default", "a"))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining(message)
                .extracting(e -> ((ApiException) e).status().code())
                .isEqualTo(500);
    }

    @Test
    void objectsAreReadAndWrittenInEachVersion() {
        create(V1, "a", "{'one':'x'}");
        assertThat(asked).isEmpty();
        assertThat(spec(V2, "a")).isEqualTo(Map.of("two", "x"));
        assertThat(asked).hasSize(1);
        assertThat(asked.getFirst().string("desiredAPIVersion")).isEqualTo("x.io/v2");
        create(V2, "b", "{'two':'y'}");
        assertThat(spec(V1, "b")).isEqualTo(Map.of("one", "y", "first", "1"));
        api.patch(V2, "default", "b", Patch.Type.MERGE, "{'spec':{'two':'z'}}");
        assertThat(spec(V1, "b")).containsEntry("one", "z");
        assertThat(api.get(V1, "default", "b")
                        .array("metadata", "managedFields")
                        .toString())
                .contains("f:two")
                .doesNotContain("f:one");
    }

    @Test
    void anApplyTakesTheFieldsOfAnOwnerInAnotherVersion() {
        String two = "{'apiVersion':'x.io/v2','kind':'Widget','metadata':{'name':'a'},'spec':{'two':'x'}}";
        api.patch(V2, "default", "a", Patch.Type.APPLY, two);
        assertThat(spec(V1, "a")).containsEntry("one", "x");
        String one = two.replace("v2", "v1").replace("two", "one");
        api.patch(V1, "default", "a", Patch.Type.APPLY, one.replace("'x'", "'y'"));
        assertThat(spec(V2, "a")).containsEntry("two", "y");
    }

    @Test
    void withoutAWebhookOnlyTheDefaultsOfTheWrittenAndTheStoredVersionAreFilledIn() {
        api.patch(
                CRDS,
                "",
                "widgets.x.io",
                Patch.Type.MERGE,
                "{'spec':{'conversion':{'strategy':'None','webhook':null}}}");
        create(V1, "a", "{'both':'x'}");
        create(V2, "b", "{'both':'x'}");
        assertThat(spec(V1, "a")).isEqualTo(Map.of("both", "x", "first", "1"));
        assertThat(spec(V2, "a")).isEqualTo(Map.of("both", "x"));
        assertThat(spec(V1, "b")).isEqualTo(Map.of("both", "x", "first", "1"));
        assertThat(spec(V2, "b")).isEqualTo(Map.of("both", "x"));
        assertThat(asked).isEmpty();
    }

    @Test
    void aWebhookChangesNoMetadataButLabelsAndAnnotations() {
        create(V1, "a", "{}");
        conversion = object -> {
            JsonObject metadata = renamed(object).withObject("metadata");
            metadata.put("labels", JsonObject.of("a", "b"));
            metadata.put("finalizers", List.of("x.io/y"));
            metadata.remove("creationTimestamp");
            return object;
        };
        JsonObject metadata = api.get(V2, "default", "a").object("metadata");
        assertThat(metadata.string("labels", "a")).isEqualTo("b");
        assertThat(metadata).containsKey("creationTimestamp").doesNotContainKey("finalizers");
    }

    @Test
    void wrongAnswersAreRefused() {
        create(V1, "a", "{}");
        conversion = object -> object;
        refused(FAILED
                + "returned invalid object at index 0: invalid groupVersion (expected x.io/v2, received x.io/v1)");
        conversion = object -> renamed(object).set("kind", "Other");
        refused(FAILED + "returned invalid object at index 0: invalid kind (expected Widget, received Other)");
        conversion = object -> {
            renamed(object).withObject("metadata").put("name", "b");
            return object;
        };
        refused(FAILED + "returned invalid object: must have the same name: a != b");
        conversion = object -> {
            renamed(object).withObject("metadata").put("labels", JsonObject.of("a b", "c"));
            return object;
        };
        refused(FAILED + "returned invalid metadata: metadata.labels: Invalid value: \"a b\"");
        conversion = object -> {
            renamed(object).withObject("metadata").put("labels", JsonObject.of("a", 1L));
            return object;
        };
        refused(FAILED + "returned invalid metadata: metadata.labels[a] must be a string");
        conversion = object -> {
            renamed(object).remove("metadata");
            return object;
        };
        refused(FAILED + "returned invalid object: must have the same name: a != ");
        conversion = ConversionWebhooksTest::renamed;
        answer = review -> review.set("apiVersion", "x.io/v1");
        refused(FAILED + "failed: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got"
                + " x.io/v1, Kind=ConversionReview");
        answer = review -> JsonObject.of("apiVersion", review.get("apiVersion"), "kind", review.get("kind"));
        refused(FAILED + "failed: no response provided");
        answer = review -> {
            review.object("response").put("uid", "other");
            return review;
        };
        refused("\", got \"other\"");
        answer = review -> {
            review.object("response").put("result", JsonObject.of("status", "Failure"));
            return review;
        };
        refused(FAILED + "failed: response.result.status was 'Failure', not 'Success'");
        answer = review -> {
            review.object("response").put("result", JsonObject.of("status", "Failure", "message", "no way"));
            return review;
        };
        refused(FAILED + "failed: no way");
        answer = review -> {
            review.object("response").put("convertedObjects", List.of());
            return review;
        };
        refused(FAILED + "returned 0 objects, expected 1");
    }

    @Test
    void nothingIsStoredOrShownThatCannotBeConverted() {
        create(V1, "a", "{}");
        answer = review -> {
            throw new IllegalStateException("out of order");
        };
        refused(FAILED + "failed: ");
        assertThatThrownBy(() -> create(V2, "b", "{}"))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("conversion webhook for x.io/v2, Kind=Widget failed: ");
        assertThat(api.names(V1, "default")).containsExactly("a");
        assertThatThrownBy(() -> api.names(V2, "default"))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining(FAILED);
    }

    @Test
    void watchesConvertAndEndWithAnErrorWhenTheyCannot() {
        create(V1, "a", "{'one':'x'}");
        try (var watch = api.partition.watch(api.target(V2, "default", ""), WatchQuery.ALL, User.ADMIN, () -> {})) {
            assertThat(watch.poll(10)).singleElement().satisfies(event -> {
                JsonObject seen =
                        ((WatchEvent.Changed) event).change().document().tree();
                assertThat(seen.string("apiVersion")).isEqualTo("x.io/v2");
                assertThat(seen.string("spec", "two")).isEqualTo("x");
            });
            conversion = object -> object;
            create(V1, "b", "{}");
            assertThat(watch.poll(10))
                    .singleElement()
                    .satisfies(event -> assertThat(
                                    ((WatchEvent.Failed) event).status().message())
                            .startsWith(FAILED));
            assertThat(watch.closed()).isTrue();
        }
    }
}
