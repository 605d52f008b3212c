package dev.evenkeel.engine.internal.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Patch;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.Requests;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.RefusalWarnings;
import dev.evenkeel.engine.internal.object.Reply;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.object.WriteOptions.FieldValidation;
import dev.evenkeel.engine.internal.type.Requester;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Changes of a Scale: how strictly they are read, what they may change, and what they require. */
class ScaleVerbTest {
    private final Engine engine = Requests.direct().build();
    private final Requests api = new Requests(ResourceApi.of(engine.partition("default")));

    @BeforeEach
    void create() {
        api.create(
                "apps/v1/deployments",
                "default",
                "{'metadata':{'name':'d'},'spec':{'selector':{'matchLabels':{'a':'b'}},'template':{'metadata':"
                        + "{'labels':{'a':'b'}},'spec':{'containers':[{'name':'c','image':'i'}]}}}}");
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private Target scale() {
        Target deployment = api.target("apps/v1/deployments", "default", "d");
        return new Target(deployment.type(), deployment.version(), "default", "d", "scale");
    }

    private static WriteOptions options(FieldValidation validation) {
        return new WriteOptions("test", false, validation, true, Optional.empty(), Requester.IN_PROCESS);
    }

    private Reply.Shown patch(Target target, Patch.Type type, String patch, FieldValidation validation) {
        return (Reply.Shown)
                api.partition.patch(target, type, Body.json(patch.replace('\'', '"')), options(validation));
    }

    private Reply.Shown patch(Patch.Type type, String patch, FieldValidation validation) {
        return patch(scale(), type, patch, validation);
    }

    private Reply.Shown merge(String patch) {
        return patch(Patch.Type.MERGE, patch, FieldValidation.WARN);
    }

    private Reply.Shown apply(String configuration) {
        String head = "{'apiVersion':'autoscaling/v1','kind':'Scale',";
        return patch(Patch.Type.APPLY, head + configuration.substring(1), FieldValidation.WARN);
    }

    private static Object replicas(Reply.Shown reply) {
        return String.valueOf(reply.document().tree().at("spec", "replicas"));
    }

    @Test
    void aPatchIsReadAsStrictlyAsThatOfAnObject() {
        for (Patch.Type type : new Patch.Type[] {Patch.Type.MERGE, Patch.Type.STRATEGIC}) {
            String patch = "{'spec':{'replicas':2,'replicas':3,'more':1}}";
            Reply.Shown reply = patch(type, patch, FieldValidation.WARN);
            assertThat(replicas(reply)).isEqualTo("3");
            assertThat(reply.warnings())
                    .containsExactly("duplicate field \"spec.replicas\"", "unknown field \"spec.more\"");
            assertThat(patch(type, patch, FieldValidation.IGNORE).warnings()).isEmpty();
            assertThatThrownBy(() -> patch(type, patch, FieldValidation.STRICT))
                    .hasMessageStartingWith(" \"\" is invalid: patch: Invalid value: ")
                    .hasMessageEndingWith(": strict decoding error: duplicate field \"spec.replicas\","
                            + " unknown field \"spec.more\"");
        }
        String operations = "[{'op':'add','path':'/more','value':1,'x':1}]";
        assertThat(patch(Patch.Type.JSON, operations, FieldValidation.WARN).warnings())
                .containsExactly("json patch unknown field \"[0].x\"", "unknown field \"more\"");
    }

    @Test
    void aPatchOfAWrongTypeIsRefusedAsOneOfAnObject() {
        String number = "json: cannot unmarshal number 3000000000 into Go struct field ScaleSpec.spec.replicas of type"
                + " int32";
        assertThatThrownBy(() -> merge("{'spec':{'replicas':3000000000}}")).hasMessageEndingWith(number);
        assertThatThrownBy(() -> merge("{'spec':'3'}"))
                .hasMessageEndingWith(
                        "json: cannot unmarshal string into Go struct field Scale.spec of type" + " v1.ScaleSpec");
        assertThatThrownBy(() -> merge("{'metadata':{'labels':'x'}}"))
                .hasMessageContaining("cannot unmarshal string into Go struct field ObjectMeta.metadata.labels");
        assertThatThrownBy(() -> merge("{'kind':'Other'}"))
                .hasMessageEndingWith("no kind \"Other\" is registered for version \"autoscaling/v1\"");
        assertThatThrownBy(() -> merge("{'kind':'Deployment','apiVersion':'apps/v1'}"))
                .hasMessageEndingWith("converting (v1.Deployment) to (autoscaling.Scale): unknown conversion");
        assertThat(patch(Patch.Type.STRATEGIC, "{'kind':'Other','spec':{'replicas':2}}", FieldValidation.WARN))
                .satisfies(reply -> assertThat(replicas(reply)).isEqualTo("2"));
        assertThatThrownBy(
                        () -> patch(Patch.Type.JSON, "[{'op':'replace','path':'','value':[]}]", FieldValidation.WARN))
                .hasMessageEndingWith("json: cannot unmarshal array into Go value of type v1.Scale");
    }

    @Test
    void aPatchMayNotChangeTheIdentity() {
        assertThatThrownBy(() -> merge("{'metadata':{'name':'e'}}"))
                .hasMessage("the name of the object (e) does not match the name on the URL (d)");
        assertThatThrownBy(() -> merge("{'metadata':{'namespace':'e'}}"))
                .hasMessage("the namespace of the provided object does not match the namespace sent on the request");
        String uid = api.get("apps/v1/deployments", "default", "d").string("metadata", "uid");
        for (boolean applied : new boolean[] {false, true}) {
            String body = "{'metadata':{'name':'d','uid':'other'},'spec':{'replicas':2}}";
            assertThatThrownBy(() -> {
                        var unused = applied ? apply(body) : merge(body);
                    })
                    .isInstanceOfSatisfying(ApiException.class, refusal -> {
                        assertThat(refusal.status().details().orElseThrow().kind())
                                .isEqualTo("deployments/scale");
                        assertThat(refusal)
                                .hasMessage(
                                        "Operation cannot be fulfilled on deployments/scale.apps \"d\": Precondition"
                                                + " failed: UID in precondition: other, UID in object meta: " + uid);
                    });
        }
        assertThatThrownBy(() -> apply("{'metadata':{'name':'e'},'spec':{'replicas':2}}"))
                .hasMessage("the name of the object (e) does not match the name on the URL (d)");
        assertThatThrownBy(() -> apply("{'metadata':{'resourceVersion':'1'},'spec':{'replicas':2}}"))
                .hasMessageContaining("the object has been modified");
    }

    @Test
    void theMetadataOfAScaleIsValidated() {
        assertThatThrownBy(() -> merge("{'metadata':{'labels':{'a b':'c'}},'spec':{'replicas':-1,'more':1}}"))
                .hasMessageStartingWith("Scale.autoscaling \"d\" is invalid: [metadata.labels: Invalid value: \"a b\"")
                .hasMessageEndingWith("spec.replicas: Invalid value: -1: must be greater than or equal to 0]")
                .satisfies(refusal -> assertThat(RefusalWarnings.of((ApiException) refusal))
                        .containsExactly("unknown field \"spec.more\""));
        assertThat(merge("{'metadata':{'labels':{'a':'c'},'resourceVersion':null},'spec':{'replicas':null}}"))
                .satisfies(reply -> assertThat(replicas(reply)).isEqualTo("null"));
        assertThat(api.get("apps/v1/deployments", "default", "d").at("metadata", "labels"))
                .isNull();
    }

    @Test
    void repeatedKeysOfAConfigurationAreReported() {
        String yaml = """
                apiVersion: autoscaling/v1
                kind: Scale
                spec:
                  replicas: 1
                  replicas: 2
                """;
        Reply.Shown reply = (Reply.Shown)
                api.partition.patch(scale(), Patch.Type.APPLY, Body.yaml(yaml), options(FieldValidation.WARN));
        assertThat(reply.warnings()).singleElement().asString().contains("\"replicas\" already set in map");
        assertThatThrownBy(() -> api.partition.patch(
                        scale(), Patch.Type.APPLY, Body.yaml(yaml), options(FieldValidation.STRICT)))
                .hasMessageStartingWith("error strict decoding");
    }

    @Test
    void aScaleHasATableOfItsOwn() {
        JsonObject shown = merge("{'spec':{'replicas':0}}").document().tree();
        shown.withObject("metadata").remove("creationTimestamp");
        assertThat(api.partition.columns(scale()))
                .extracting(ResourceType.Column::name)
                .containsExactly("Name", "Desired", "Available", "Age");
        assertThat(api.partition.row(scale(), shown).cells()).containsExactly("d", 0L, 0L, "<unknown>");
    }

    @Test
    void theScaleOfACustomResourceWithoutReplicasCanOnlyBeSet() {
        api.create("apiextensions.k8s.io/v1/customresourcedefinitions", "", """
                {'metadata':{'name':'things.example.com'},'spec':{'group':'example.com','scope':'Namespaced',
                'names':{'plural':'things','singular':'thing','kind':'Thing','listKind':'ThingList'},
                'versions':[{'name':'v1','served':true,'storage':true,'schema':{'openAPIV3Schema':{'type':'object',
                'x-kubernetes-preserve-unknown-fields':true}},'subresources':{'scale':
                {'specReplicasPath':'.spec.count','statusReplicasPath':'.status.count'}}}]}}""");
        api.create(
                "example.com/v1/things",
                "default",
                "{'apiVersion':'example.com/v1','kind':'Thing','metadata':{'name':'t'}}");
        Target thing = api.target("example.com/v1/things", "default", "t");
        Target scale = new Target(thing.type(), thing.version(), "default", "t", "scale");
        assertThatThrownBy(() -> api.partition.get(scale, "", User.ADMIN))
                .hasMessage("Internal error occurred: the spec replicas field \".spec.count\" does not exist");
        assertThatThrownBy(() -> patch(scale, Patch.Type.MERGE, "{'metadata':{}}", FieldValidation.WARN))
                .hasMessage("the spec replicas field \".spec.count\" cannot be empty");
        // upstream compares neither the uid nor the metadata of a patch of one that is not built in
        Reply.Shown reply = patch(
                scale,
                Patch.Type.MERGE,
                "{'metadata':{'uid':'other','labels':{'a b':'c'}},'spec':{'replicas':4}}",
                FieldValidation.WARN);
        assertThat(replicas(reply)).isEqualTo("4");
        JsonObject shown = reply.document().tree();
        shown.withObject("spec").clear();
        assertThat(api.partition.row(scale, shown).cells()).element(1).isNull();
        assertThat(api.partition.columns(scale).getLast().type()).isEqualTo("date");
        JsonObject stored = api.get("example.com/v1/things", "default", "t");
        assertThat(stored.at("spec", "count")).isEqualTo(4L);
        assertThat(reply.document().tree().string("metadata", "uid")).isEqualTo(stored.string("metadata", "uid"));
    }
}
