package dev.evenkeel.engine.internal.builtin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Patch;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.Requests;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.JsonObject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Fields that hold any object: upstream compares the texts of clients, spaces included. */
class RawFieldsTest {
    private static final String REVISIONS = "apps/v1/controllerrevisions";
    private static final String CLASSES = "resource.k8s.io/v1/deviceclasses";

    private final Engine engine = Requests.direct().build();
    private final Requests api = new Requests(ResourceApi.of(engine.partition("default")));

    @AfterEach
    void close() {
        engine.close();
    }

    private JsonObject label(String resource, String namespace) {
        return api.patch(
                api.target(resource, namespace, "a"), Patch.Type.MERGE, "{'metadata':{'labels':{'added':'b'}}}");
    }

    @Test
    void aPatchChangesDataThatWereSentWithSpaces() {
        api.create(REVISIONS, "default", "{'metadata':{'name':'a'},'revision':1,'data':{'x': 1}}");
        assertThatThrownBy(() -> label(REVISIONS, "default"))
                .isInstanceOfSatisfying(
                        ApiException.class,
                        e -> assertThat(e.causes())
                                .singleElement()
                                .satisfies(cause -> assertThat(cause.field()).isEqualTo("data")));
    }

    @Test
    void aPatchDoesNotChangeDataThatWereSentWithoutSpaces() {
        api.create(REVISIONS, "default", "{'metadata':{'name':'a'},'revision':1,'data':{'x':'a b'}}\n");
        assertThat(label(REVISIONS, "default").string("metadata", "labels", "added"))
                .isEqualTo("b");
    }

    @Test
    void anEmptyObjectHasNoSpaces() {
        api.create(REVISIONS, "default", "{'metadata': {'name': 'a'}, 'revision': 1, 'data': {}}");
        assertThat(label(REVISIONS, "default").string("metadata", "labels", "added"))
                .isEqualTo("b");
    }

    @Test
    void theFirstPatchBeginsAGenerationAndTheSecondDoesNot() {
        api.create(
                CLASSES,
                "",
                "{'metadata':{'name':'a'},'spec':{'config':[{'opaque':{'driver':'d.example.com','parameters':{'x': 1}}}]}}");
        assertThat(label(CLASSES, "").integer("metadata", "generation")).isEqualTo(2);
        JsonObject again =
                api.patch(api.target(CLASSES, "", "a"), Patch.Type.MERGE, "{'metadata':{'labels':{'added':'c'}}}");
        assertThat(again.integer("metadata", "generation")).isEqualTo(2);
    }

    @Test
    void theSameObjectWithoutSpacesIsWrittenButHasTheSameOwners() {
        String sent = "{'metadata':{'name':'a'},'spec':{'config':[{'opaque':{'driver':'d.example.com',"
                + "'parameters':{'x': 1}}}]}}";
        JsonObject created = api.create(CLASSES, "", sent);
        JsonObject same = api.update(CLASSES, "", "a", sent);
        assertThat(same.string("metadata", "resourceVersion")).isEqualTo(created.string("metadata", "resourceVersion"));
        JsonObject compact = api.update(CLASSES, "", "a", sent.replace("'x': 1", "'x':1"));
        assertThat(compact.integer("metadata", "generation")).isEqualTo(2);
        assertThat(compact.array("metadata", "managedFields")).isEqualTo(created.array("metadata", "managedFields"));
    }
}
