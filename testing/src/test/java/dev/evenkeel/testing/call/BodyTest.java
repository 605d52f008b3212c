package dev.evenkeel.testing.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Patch;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BodyTest {
    private static Encoded object(String json) {
        return Encoded.of(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    private static RecordedCall.Body whole(String json) {
        return new RecordedCall.Body.Whole(object(json));
    }

    private static RecordedCall.Body update(String present, String object) {
        return new RecordedCall.Body.Replacement(object(object), Optional.of(object(present)), "");
    }

    private static RecordedCall.Body merge(String json) {
        return new RecordedCall.Body.Change(Patch.merge(json.replace('\'', '"')));
    }

    private static RecordedCall.Body json(String json) {
        return new RecordedCall.Body.Change(Patch.json(json.replace('\'', '"')));
    }

    private static RecordedCall.Body strategic(String json) {
        return new RecordedCall.Body.Change(Patch.strategic(json.replace('\'', '"')));
    }

    private static void assertTouches(RecordedCall.Body body, String... paths) {
        for (String path : paths) {
            assertThat(RecordedCall.Body.touches(path).test(body)).as(path).isTrue();
        }
    }

    private static void assertLeavesAlone(RecordedCall.Body body, String... paths) {
        for (String path : paths) {
            assertThat(RecordedCall.Body.touches(path).test(body)).as(path).isFalse();
        }
    }

    @Test
    void anObjectTouchesWhatItHas() {
        RecordedCall.Body body =
                whole("{'metadata':{'name':'x','labels':{}},'spec':{'list':[{'a':1},{'b':2}],'none':null}}");
        assertTouches(body, "metadata", "metadata.name", "spec", "spec.list", "spec.list.1.b", "spec.list[0].a");
        assertLeavesAlone(body, "metadata.labels", "metadata.na", "spec.list.0.b", "spec.list.2", "status");
    }

    @Test
    void keysWithDotsAreInBrackets() {
        RecordedCall.Body body = whole("{'metadata':{'annotations':{'example.com/owner':'me'}}}");
        assertTouches(body, "metadata.annotations[example.com/owner]", "metadata.annotations");
        assertLeavesAlone(body, "metadata.annotations[example.com]", "metadata.annotations.example.com/owner");
        assertThat(RecordedCall.Body.sets("metadata.annotations[example.com/owner]", "me")
                        .test(body))
                .isTrue();
    }

    @Test
    void anUpdateTouchesWhatDiffers() {
        String present =
                "{'metadata':{'uid':'u','resourceVersion':'5','labels':{'a':'1'}},'spec':{'n':1,'l':['x','y']}}";
        RecordedCall.Body same =
                update(present, "{'metadata':{'resourceVersion':'4','labels':{'a':'1'}},'spec':{'n':1,'l':['x','y']}}");
        assertLeavesAlone(same, "metadata", "spec", "metadata.uid", "metadata.resourceVersion");
        RecordedCall.Body more = update(present, "{'metadata':{'labels':{'a':'1','b':'2'}},'spec':{'n':2,'l':['y']}}");
        assertTouches(more, "metadata.labels", "metadata.labels.b", "spec.n", "spec.l", "spec.l.0", "spec.l.1");
        assertLeavesAlone(more, "metadata.labels.a", "spec.m");
        RecordedCall.Body less = update(present, "{'metadata':{}}");
        assertTouches(less, "metadata.labels", "metadata.labels.a", "spec", "spec.l.1");
        assertLeavesAlone(less, "metadata.finalizers", "status");
    }

    @Test
    void anUpdateOfWhatIsNotThereTouchesWhatItHas() {
        RecordedCall.Body body = new RecordedCall.Body.Replacement(
                object("{'metadata':{'name':'x'},'data':{'a':'b'}}"), Optional.empty(), "");
        assertTouches(body, "data.a", "metadata.name");
    }

    @Test
    void anUpdateOfStatusTouchesOnlyThat() {
        RecordedCall.Body body = new RecordedCall.Body.Replacement(
                object("{'spec':{'n':2},'status':{'ready':true}}"), Optional.of(object("{'spec':{'n':1}}")), "status");
        assertTouches(body, "status", "status.ready");
        assertLeavesAlone(body, "spec");
        RecordedCall.Body removed = new RecordedCall.Body.Replacement(
                object("{'spec':{'n':1}}"), Optional.of(object("{'status':{'ready':true}}")), "status");
        assertTouches(removed, "status.ready");
    }

    @Test
    void aMergePatchTouchesWhatItNames() {
        RecordedCall.Body body = merge("{'metadata':{'finalizers':null,'labels':{}},'spec':{'l':[1,2],'n':{'a':'b'}}}");
        assertTouches(body, "metadata", "metadata.finalizers", "metadata.finalizers.0", "spec.l.5", "spec.n.a");
        assertLeavesAlone(body, "metadata.labels", "metadata.name", "spec.n.b");
        assertThat(RecordedCall.Body.sets("spec.l", List.of(1, 2)).test(body)).isTrue();
        assertThat(RecordedCall.Body.sets("spec.l.0", 1).test(body)).isTrue();
        assertThat(RecordedCall.Body.sets("spec.n", Map.of("a", "b")).test(body))
                .isTrue();
        assertThat(RecordedCall.Body.sets("spec.n.a", "c").test(body)).isFalse();
    }

    @Test
    void aJsonPatchTouchesWhereItOperates() {
        RecordedCall.Body body = json(
                "[{'op':'test','path':'/spec/n','value':1},"
                        + "{'op':'add','path':'/metadata/annotations/example.com~1owner','value':'me'},"
                        + "{'op':'remove','path':'/metadata/finalizers/0'},"
                        + "{'op':'move','from':'/spec/a','path':'/spec/b'},{'op':'replace','path':'/spec/c','value':{'d':1.5}}]");
        assertTouches(
                body,
                "metadata.annotations[example.com/owner]",
                "metadata.finalizers",
                "spec.a",
                "spec.b.inner",
                "spec.c.d");
        assertLeavesAlone(body, "spec.n", "metadata.finalizers.1", "metadata.annotations.other");
        assertThat(RecordedCall.Body.sets("spec.c.d", 1.5).test(body)).isTrue();
        assertThat(RecordedCall.Body.sets("spec.c.d", 1.5f).test(body)).isTrue();
        assertTouches(json("[{'op':'remove','path':''}]"), "anything");
    }

    @Test
    void directivesOfAStrategicPatchTouchTheirFields() {
        RecordedCall.Body body =
                strategic("{'metadata':{'$deleteFromPrimitiveList/finalizers':['x'],'$setElementOrder/owners':[]},"
                        + "'spec':{'$patch':'delete'}}");
        assertTouches(body, "metadata.finalizers", "metadata.owners", "spec", "spec.anything");
        assertLeavesAlone(body, "metadata.labels", "status");
    }

    @Test
    void anApplyPatchTouchesWhatItHas() {
        RecordedCall.Body body = new RecordedCall.Body.Change(Patch.apply("{kind: ConfigMap, data: {a: b}}"));
        assertTouches(body, "data.a");
        assertLeavesAlone(body, "data.b", "metadata");
        assertThat(RecordedCall.Body.sets("data.a", "b").test(body)).isTrue();
    }

    @Test
    void aScaleTouchesTheReplicas() {
        RecordedCall.Body body = new RecordedCall.Body.Scale(3);
        assertTouches(body, "spec.replicas");
        assertThat(RecordedCall.Body.sets("spec.replicas", 3).test(body)).isTrue();
        assertThat(body.text()).isEqualTo("{\"spec\":{\"replicas\":3}}");
    }

    @Test
    void whatCannotBeReadAndNothingTouchNothing() {
        assertLeavesAlone(merge("{'metadata':"), "metadata");
        assertLeavesAlone(json("{'op':'remove','path':'/metadata'}"), "metadata");
        assertLeavesAlone(new RecordedCall.Body.Nothing(), "metadata");
    }

    @Test
    void objectsComeInTheirClass() {
        RecordedCall.Body body = whole("{'data':{'a':'b'}}");
        assertThat(body.object(ConfigMap.class).orElseThrow().getData()).containsEntry("a", "b");
        assertThat(merge("{}").object(ConfigMap.class)).isEmpty();
        RecordedCall.Body changed = body.with(ConfigMap.class, map -> {
            map.getData().put("a", "c");
            return map;
        });
        assertThat(RecordedCall.Body.sets("data.a", "c").test(changed)).isTrue();
        assertThat(RecordedCall.Body.sets("data.a", "b").test(body)).isTrue();
        assertThat(merge("{}").with(ConfigMap.class, map -> map)).isEqualTo(merge("{}"));
    }

    @Test
    void aPathThatIsNoneSaysWhatWouldBeRight() {
        for (String path : List.of("", "a..b", ".a", "a.", "a[b", "a[]")) {
            assertThatIllegalArgumentException()
                    .as(path)
                    .isThrownBy(() -> RecordedCall.Body.touches(path))
                    .withMessageContaining("path \"" + path + "\"")
                    .withMessageContaining("metadata.annotations[example.com/owner]");
        }
    }
}
