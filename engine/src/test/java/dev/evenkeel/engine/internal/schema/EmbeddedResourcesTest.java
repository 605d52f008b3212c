package dev.evenkeel.engine.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EmbeddedResourcesTest {
    private static final EmbeddedResources RESOURCES = EmbeddedResources.of(Definitions.schema(
            "{'properties':{'list':{'items':{'type':'object','x-kubernetes-embedded-resource':true}},"
                    + "'map':{'additionalProperties':{'type':'object','x-kubernetes-embedded-resource':true}}}}"));

    private static List<String> errors(String object) {
        List<FieldError> errors = new ArrayList<>();
        RESOURCES.validate(Definitions.value(object), errors);
        return Definitions.texts(errors);
    }

    @Test
    void typeIsRequiredAndMetadataIsCheckedLikeThatOfAnyKind() {
        assertThat(errors("{'list':[{'apiVersion':'v1','kind':'Pod','metadata':{'name':'A_'}}]}"))
                .isEmpty();
        assertThat(errors("{'list':[{}],'map':{'k':{'apiVersion':'a/b/c','kind':'','metadata':{'namespace':'_'}}}}"))
                .hasSize(5)
                .startsWith(
                        "list[0].apiVersion: Required value",
                        "list[0].kind: Required value",
                        "map[k].apiVersion: Invalid value: \"a/b/c\": unexpected GroupVersion string: a/b/c",
                        "map[k].kind: Invalid value: \"\": must not be empty");
    }

    @Test
    void metadataIsCoercedInPlace() {
        JsonObject object = Definitions.tree("{'list':[{'metadata':{'foo':1,'name':'a','labels':{}}}]}");
        List<String> unknown = new ArrayList<>();
        RESOURCES.coerce(object, unknown::add);
        assertThat(unknown).containsExactly("list[0].metadata.foo");
        assertThat(Json.text(object)).isEqualTo("{\"list\":[{\"metadata\":{\"name\":\"a\"}}]}");
    }

    @Test
    void wrongTypesAreRefusedWithTheirPath() {
        assertThatThrownBy(() -> RESOURCES.coerce(
                        Definitions.value("{'list':[{'metadata':{'name':'B','labels':{'a':1}}}]}"), text -> {}))
                .isInstanceOf(MalformedObjectException.class)
                .hasMessage(
                        "list[0].metadata: Invalid value: {\"labels\":{\"a\":1},\"name\":\"B\"}: json: cannot unmarshal "
                                + "number into Go struct field ObjectMeta.labels of type string");
        assertThatThrownBy(() -> RESOURCES.coerce(Definitions.value("{'list':[{'kind':1}]}"), text -> {}))
                .hasMessage("list[0].kind: Invalid value: 1: must be a string");
    }
}
