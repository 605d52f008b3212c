package dev.evenkeel.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PatchTest {
    private static byte[] json(String text) {
        return text.replace('\'', '"').getBytes(UTF_8);
    }

    private static String merge(String before, String after) {
        return Patch.mergeBetween(json(before), json(after)).text().replace('"', '\'');
    }

    private static String json(String before, String after) {
        return Patch.jsonBetween(json(before), json(after)).text().replace('"', '\'');
    }

    @Test
    void mergesSayWhatIsGoneAndHaveListsWhole() {
        assertThat(merge("{'a':1,'b':{'c':[1,2],'d':true},'e':'x'}", "{'b':{'c':[1],'d':true},'e':'y','f':{}}"))
                .isEqualTo("{'a':null,'b':{'c':[1]},'e':'y','f':{}}");
        assertThat(merge("{'a':1}", "{'a':1}")).isEqualTo("{}");
        assertThat(merge("{'a':{'b':1}}", "{'a':[]}")).isEqualTo("{'a':[]}");
    }

    @Test
    void operationsComeByTheNamesOfTheFields() {
        assertThat(json("{'z':1,'b':{'c':[1,2,3]},'a~/':1}", "{'y':1,'b':{'c':[1,3]},'a~/':2}"))
                .isEqualTo("[{'op':'replace','path':'/a~0~1','value':2},{'op':'remove','path':'/b/c/1'},"
                        + "{'op':'remove','path':'/z'},{'op':'add','path':'/y','value':1}]");
        assertThat(json("{'a':1,'b':2}", "{'b':2,'a':1}")).isEqualTo("[]");
    }

    @Test
    void movedElementsAreRemovedAndAdded() {
        assertThat(json("{'a':{'x':[1,2]}}", "{'b':{'x':[1,2]}}"))
                .isEqualTo("[{'op':'remove','path':'/a'},{'op':'add','path':'/b','value':{'x':[1,2]}}]");
    }

    @Test
    void betweenObjectsOnlyWhatTheySayCounts() {
        Gadget before = new Gadget();
        before.setMetadata(new ObjectMetaBuilder().withName("g").build());
        before.setSpec(new Gadget.Spec(3, "red", List.of("x")));
        Gadget after = ModelCodec.copy(before);
        after.setSpec(new Gadget.Spec(4, null, List.of("x")));
        after.setStatus(new Gadget.State(7L));

        assertThat(Patch.mergeBetween(before, after).text())
                .isEqualTo("{\"spec\":{\"colour\":null,\"size\":4},\"status\":{\"seen\":7}}");
        assertThat(Patch.jsonBetween(before, after).type()).isEqualTo(Patch.Type.JSON);
        assertThat(Patch.jsonBetween(
                                before, ModelCodec.convert(ModelCodec.copy(before), GenericKubernetesResource.class))
                        .text())
                .isEqualTo("[]");
    }

    @Test
    void areAppliedHere() {
        ConfigMap map = new ConfigMapBuilder()
                .withNewMetadata()
                .withName("a")
                .endMetadata()
                .addToData("k", "v")
                .build();

        ConfigMap patched = Patch.merge("{\"data\":{\"k\":null,\"n\":\"w\"}}").appliedTo(map);

        assertThat(patched.getData()).isEqualTo(Map.of("n", "w"));
        assertThat(map.getData()).isEqualTo(Map.of("k", "v"));
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        Patch.json("[{\"op\":\"remove\",\"path\":\"/spec/a\"}]").appliedTo(map))
                .withMessageContaining("/spec/a");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Patch.strategic("{}").appliedTo(map))
                .withMessageContaining("STRATEGIC");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Patch.jsonBetween(json("{"), json("{}")))
                .withMessageContaining("not JSON");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Patch.jsonBetween(new byte[0], json("{}")))
                .withMessageContaining("empty");
    }

    @Test
    void differencesTurnOneSideIntoTheOther() throws JsonProcessingException {
        long seed = Long.getLong("patch.seed", 20261122L);
        Random random = new Random(seed);
        JsonMapper mapper = new JsonMapper();
        for (int round = 0; round < 20_000; round++) {
            byte[] before = mapper.writeValueAsBytes(object(random, 3));
            byte[] after = mapper.writeValueAsBytes(random.nextBoolean() ? object(random, 3) : object(random, 2));
            Patch json = Patch.jsonBetween(before, after);
            Patch merge = Patch.mergeBetween(before, after);
            String where = "seed " + seed + ", round " + round + ": " + new String(before, UTF_8) + " to "
                    + new String(after, UTF_8) + " by ";
            assertThat(mapper.readTree(new String(Difference.applied(json, before), UTF_8)))
                    .as(where + json)
                    .isEqualTo(mapper.readTree(new String(after, UTF_8)));
            assertThat(mapper.readTree(new String(Difference.applied(merge, before), UTF_8)))
                    .as(where + merge)
                    .isEqualTo(mapper.readTree(new String(after, UTF_8)));
        }
    }

    private static Map<String, Object> object(Random random, int depth) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            object.put("~/abc".substring(random.nextInt(5)), value(random, depth - 1));
        }
        return object;
    }

    private static Object value(Random random, int depth) {
        return switch (random.nextInt(depth > 0 ? 6 : 4)) {
            case 0 -> random.nextInt(3);
            case 1 -> random.nextBoolean();
            case 2 -> "x".repeat(random.nextInt(3));
            case 3 -> random.nextInt(4) / 4.0 + 0.125;
            case 4 -> object(random, depth);
            default -> {
                List<Object> list = new ArrayList<>();
                for (int i = random.nextInt(5); i > 0; i--) {
                    list.add(value(random, depth - 1));
                }
                yield list;
            }
        };
    }
}
