package dev.evenkeel.engine.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.crd.Crds;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ObjectSchemaTest {
    private static final String SKIPPED =
            "<nil>: Invalid value: null: some validation rules were not checked because the "
                    + "object was invalid; correct the existing errors to complete validation";

    /** The schema with which {@code golden/cr.txt} was recorded, as far as it shows. */
    private static final String GOLDEN = """
            {'type':'object','required':['spec'],'properties':{
             'spec':{'type':'object','properties':{
              'color':{'type':'string','enum':['red','green','blue']},
              'replicas':{'type':'integer','minimum':0},
              'note':{'type':'string','maxLength':5},
              'when':{'type':'string','format':'date-time'},
              'tags':{'type':'array','x-kubernetes-list-type':'set','items':{'type':'string'}},
              'ports':{'type':'array','x-kubernetes-list-type':'map','x-kubernetes-list-map-keys':['port'],
               'items':{'type':'object','required':['port'],'properties':{'port':{'type':'integer'}}}}},
              'x-kubernetes-validations':[{'rule':'self.replicas <= self.maxReplicas'}]},
             'status':{'type':'object','properties':{'replicas':{'type':'integer','maximum':5},'sel':{'type':'string'}}}}}""";

    private static ObjectSchema golden(ObjectSchema.RuleEvaluator evaluator) {
        JsonObject crd = Definitions.crd(GOLDEN);
        Json.asObject(crd.array("spec", "versions").getFirst())
                .put(
                        "subresources",
                        Definitions.value("{'status':{},'scale':{'specReplicasPath':'.spec.replicas',"
                                + "'statusReplicasPath':'.status.replicas','labelSelectorPath':'.status.sel'}}"));
        ResourceType type = Crds.resourceType(crd);
        return new ObjectSchema(type, type.storageVersion(), evaluator);
    }

    private static List<String> errors(String spec) {
        return Definitions.texts(golden(ObjectSchema.RuleEvaluator.NONE).validate(Definitions.widget(spec)));
    }

    @Test
    void allErrorsAreReported() {
        assertThat(errors("{'when':'x','color':'pink','replicas':-1,'note':'abcdef','tags':['a','a'],"
                        + "'ports':[{'port':1},{'port':1}]}"))
                .containsExactly(
                        "spec.color: Unsupported value: \"pink\": supported values: \"red\", \"green\", \"blue\"",
                        "spec.note: Too long: may not be more than 5 bytes",
                        "spec.replicas: Invalid value: -1: spec.replicas in body should be greater than or equal to 0",
                        "spec.when: Invalid value: \"x\": spec.when in body must be of type date-time: \"x\"",
                        ".spec.replicas: Invalid value: -1: should be a non-negative integer",
                        "spec.ports[1]: Duplicate value: {\"port\":1}",
                        "spec.tags[1]: Duplicate value: \"a\"",
                        SKIPPED);
    }

    @Test
    void aWrongTypeShowsInTheScaleAsWell() {
        assertThat(errors("{'replicas':'x'}"))
                .containsExactly(
                        "spec.replicas: Invalid value: \"string\": spec.replicas in body must be of type integer: \"string\"",
                        ".spec.replicas: Invalid value: 0: .spec.replicas accessor error: x is of the type string, expected "
                                + "int64",
                        SKIPPED);
        assertThat(errors("[]"))
                .contains(
                        ".spec.replicas: Invalid value: 0: .spec accessor error: [] is of the type []interface {}, expected "
                                + "map[string]interface{}");
    }

    @Test
    void anotherKindHidesOtherErrorsOfTheSchemaButNotTheRules() {
        JsonObject object = Definitions.widget("{'color':'pink'}");
        object.put("kind", "Gadget");
        List<FieldError> fromRules = List.of(FieldError.forbidden("spec", "no"));
        assertThat(Definitions.texts(golden((tree, old, tolerated) -> fromRules).validate(object)))
                .containsExactly("kind: Invalid value: \"Gadget\": must be Widget", "spec: Forbidden: no");
    }

    @Test
    void rulesAreEvaluatedWithoutBlockingErrors() {
        List<@Nullable Object> olds = new ArrayList<>();
        ObjectSchema schema = golden((tree, old, tolerated) -> {
            olds.add(old);
            return List.of(FieldError.forbidden("spec.replicas", "replicas must not exceed maxReplicas"));
        });
        JsonObject object = Definitions.widget("{'replicas':3}");
        assertThat(Definitions.texts(schema.validate(object)))
                .containsExactly("spec.replicas: Forbidden: replicas must not exceed maxReplicas");
        assertThat(schema.validateUpdate(object, object)).hasSize(1);
        assertThat(schema.validateStatus(object, object)).hasSize(1);
        assertThat(olds).containsExactly(null, object, object);
    }

    @Test
    void statusIsValidatedOnItsOwn() {
        ObjectSchema schema = golden(ObjectSchema.RuleEvaluator.NONE);
        JsonObject old = Definitions.widget("{'color':'pink'}");
        JsonObject object = old.copy();
        object.put("status", Definitions.value("{'replicas':6,'sel':1}"));
        assertThat(Definitions.texts(schema.validateStatus(object, old)))
                .containsExactly(
                        "status.replicas: Invalid value: 6: replicas in body should be less than or equal to 5",
                        "status.sel: Invalid value: \"integer\": sel in body must be of type string: \"integer\"",
                        ".status.sel: Invalid value: \"\": .status.sel accessor error: 1 is of the type int64, expected string",
                        SKIPPED);
        assertThat(schema.validateStatus(object, object).stream().map(FieldError::field))
                .as("unchanged, but the scale is looked at every time")
                .containsExactly(".status.sel");
    }

    @Test
    void existingDuplicatesMayStay() {
        ObjectSchema schema = golden(ObjectSchema.RuleEvaluator.NONE);
        JsonObject old = Definitions.widget("{'tags':['a','a']}");
        JsonObject object = Definitions.widget("{'tags':['a','a','b','b']}");
        assertThat(schema.validateUpdate(object, old)).isEmpty();
        assertThat(schema.validateUpdate(object, Definitions.widget("{'tags':['a']}")))
                .hasSize(2);
    }

    @Test
    void unknownFieldsAreReportedMetadataFirst() {
        ObjectSchema schema = Definitions.widgets(
                "{'type':'object','properties':{'emb':{'type':'object','x-kubernetes-embedded-resource':true,"
                        + "'x-kubernetes-preserve-unknown-fields':true}}}");
        JsonObject object =
                Definitions.widget("{'zz':1,'aa':1,'emb':{'apiVersion':'v1','kind':'X','metadata':{'foo':1},'any':1}}");
        object.object("metadata").put("bogus", 1L);
        object.put("extra", true);
        assertThat(schema.prune(object))
                .containsExactly("metadata.bogus", "extra", "spec.aa", "spec.zz", "spec.emb.metadata.foo");
        assertThat(Json.text(object.get("spec")))
                .isEqualTo("{\"emb\":{\"apiVersion\":\"v1\",\"kind\":\"X\",\"metadata\":{},\"any\":1}}");
    }

    @Test
    void randomObjectsAreStableAfterPruningAndDefaultingAndValidationChangesNothing() {
        long seed = System.nanoTime();
        System.out.println("ObjectSchemaTest seed " + seed);
        Random random = new Random(seed);
        ObjectSchema schema = Definitions.widgets("""
                {'type':'object','x-kubernetes-preserve-unknown-fields':true,'properties':{
                 'a':{'type':'object','default':{'b':{}},'properties':{'b':{'type':'object','properties':{
                  'c':{'type':'string','default':'x'},'a':{'type':'integer','nullable':true,'default':1}}}}},
                 'b':{'type':'array','x-kubernetes-list-type':'set','items':{'type':'string','default':'i'}},
                 'c':{'type':'object','additionalProperties':{'type':'object','properties':{'a':{'type':'number'}}}}}}""");
        for (int i = 0; i < 2_000; i++) {
            JsonObject object = Definitions.widget("{}");
            object.put("spec", value(random, 0));
            schema.prune(object);
            schema.applyDefaults(object);
            Object once = Json.copy(object);
            assertThat(schema.prune(object)).isEmpty();
            schema.applyDefaults(object);
            schema.validate(object);
            assertThat(schema.validateUpdate(object, object).stream().map(FieldError::field))
                    .allMatch(field -> !field.startsWith("spec"));
            assertThat(object).isEqualTo(once);
        }
    }

    private static @Nullable Object value(Random random, int depth) {
        return switch (random.nextInt(depth > 4 ? 4 : 7)) {
            case 0 -> null;
            case 1 -> "x".repeat(random.nextInt(3));
            case 2 -> (long) random.nextInt(5);
            case 3 -> random.nextBoolean();
            case 4 -> {
                List<@Nullable Object> list = new ArrayList<>();
                for (int i = random.nextInt(3); i > 0; i--) {
                    list.add(value(random, depth + 1));
                }
                yield list;
            }
            default -> {
                JsonObject map = new JsonObject();
                for (int i = random.nextInt(4); i > 0; i--) {
                    map.put(List.of("a", "b", "c", "d").get(random.nextInt(4)), value(random, depth + 1));
                }
                yield map;
            }
        };
    }
}
