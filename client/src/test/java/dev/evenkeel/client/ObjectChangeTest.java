package dev.evenkeel.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ObjectChangeTest {
    private static GenericKubernetesResource object(String spec) {
        return ModelCodec.decode(
                ("{'apiVersion':'e.com/v1','kind':'Thing','metadata':{'name':'a'},'spec':" + spec + "}")
                        .replace('\'', '"')
                        .getBytes(StandardCharsets.UTF_8),
                GenericKubernetesResource.class);
    }

    private static String made(String before, String after, String target) {
        GenericKubernetesResource object = object(target);
        ObjectChange.between(object(before), object(after)).applyTo(object);
        String text = new String(ModelCodec.encode(object), StandardCharsets.UTF_8).replace('"', '\'');
        int spec = text.indexOf("'spec':");
        return spec < 0 ? "" : text.substring(spec + 7, text.length() - 1);
    }

    private static Iterable<String> conflicts(String before, String one, String other) {
        return ObjectChange.between(object(before), object(one)).conflicts(object(other));
    }

    @Test
    void fieldsAreChangedOneByOne() {
        assertThat(made("{'a':1,'b':2}", "{'a':3,'c':4}", "{'a':1,'b':2,'d':{'e':5}}"))
                .isEqualTo("{'a':3,'d':{'e':5},'c':4}");
        assertThat(made("{'a':{'b':1}}", "{'a':{'b':1}}", "{'a':2}")).isEqualTo("{'a':2}");
        assertThat(made("{'a':{'b':1}}", "{'a':{'b':2}}", "{'a':{'b':1,'c':3}}"))
                .isEqualTo("{'a':{'b':2,'c':3}}");
    }

    @Test
    void missingFieldsAreAdded() {
        assertThat(made("{'a':{},'l':[]}", "{'a':{'b':1},'l':['x']}", "{}")).isEqualTo("{'a':{'b':1},'l':['x']}");
        assertThat(made("{'a':{'b':1}}", "{'a':{}}", "{}")).isEqualTo("{'a':{}}");
    }

    @Test
    void elementsAreKnownByTypeOrName() {
        assertThat(made(
                        "{'l':[{'name':'x','i':1},{'name':'y'}]}",
                        "{'l':[{'name':'x','i':2},{'name':'z'}]}",
                        "{'l':[{'name':'w'},{'name':'y'},{'name':'x','i':1,'more':true}]}"))
                .isEqualTo("{'l':[{'name':'w'},{'name':'x','i':2,'more':true},{'name':'z'}]}");
        assertThat(made("{'l':[]}", "{'l':[{'type':'B','s':1}]}", "{'l':[{'type':'A','s':1}]}"))
                .isEqualTo("{'l':[{'type':'A','s':1},{'type':'B','s':1}]}");
    }

    @Test
    void orByTheirPlaceOrNotAtAll() {
        assertThat(made("{'l':[{'p':1},{'p':2}]}", "{'l':[{'p':1},{'p':3}]}", "{'l':[{'p':1,'q':0},{'p':2,'q':0}]}"))
                .isEqualTo("{'l':[{'p':1,'q':0},{'p':3,'q':0}]}");
        assertThat(made("{'l':[1]}", "{'l':[1,2]}", "{'l':[3,4,5]}")).isEqualTo("{'l':[1,2]}");
    }

    @Test
    void twoMayChangeDifferentThingsOrTheSameAlike() {
        assertThat(conflicts("{'a':1,'b':1}", "{'a':2,'b':1}", "{'a':1,'b':2}")).isEmpty();
        assertThat(conflicts("{'a':1}", "{'a':2}", "{'a':2}")).isEmpty();
        assertThat(conflicts("{}", "{'l':[{'type':'A'}]}", "{'l':[{'type':'B'}]}"))
                .isEmpty();
        assertThat(conflicts("{'l':[]}", "{'l':[{'type':'A'}]}", "{'l':[{'type':'B'}]}"))
                .isEmpty();
    }

    @Test
    void anEmptiedFieldMayBeFilledInEitherOrder() {
        assertThat(made("{'a':{'b':1}}", "{}", "{'a':{'b':1,'c':2}}")).isEqualTo("{'a':{'c':2}}");
        assertThat(made("{'a':{'b':1}}", "{'a':{'b':1,'c':2}}", "{}")).isEqualTo("{'a':{'c':2}}");
        assertThat(made("{'a':{'b':{'c':1}}}", "{}", "{'a':{'b':{'c':1}}}")).isEqualTo("{}");
        assertThat(conflicts("{'a':{'b':1}}", "{}", "{'a':{'b':1,'c':2}}")).isEmpty();
        assertThat(conflicts("{'a':{'b':1}}", "{'a':{'b':1,'c':2}}", "{}")).isEmpty();
        assertThat(conflicts("{'a':{'b':1}}", "{}", "{'a':{'b':3}}")).containsExactly("spec.a.b: nothing or 3");
    }

    @Test
    void aRemovedPartIsRemovedAsAWholeInAClassWithMoreFields() {
        GenericKubernetesResource other = object("{}");
        other.setAdditionalProperty("data", new HashMap<>(Map.of("a", "1", "more", "2")));
        ConfigMap before = new ConfigMapBuilder().addToData("a", "1").build();
        ObjectChange.between(before, new ConfigMap()).applyTo(other);
        assertThat(other.getAdditionalProperties()).doesNotContainKey("data");
    }

    @Test
    void butNotTheSameDifferently() {
        assertThat(conflicts("{'a':{'b':1}}", "{'a':{'b':2}}", "{'a':{'b':3}}")).containsExactly("spec.a.b: 2 or 3");
        assertThat(conflicts("{'a':1}", "{}", "{'a':2}")).containsExactly("spec.a: nothing or 2");
        assertThat(conflicts("{'l':[1]}", "{'l':[1,2]}", "{'l':[1,3]}")).containsExactly("spec.l: [1,2] or [1,3]");
        assertThat(conflicts("{'l':[{'type':'A','s':1}]}", "{'l':[{'type':'A','s':2}]}", "{'l':[{'type':'A','s':3}]}"))
                .containsExactly("spec.l[A].s: 2 or 3");
    }
}
