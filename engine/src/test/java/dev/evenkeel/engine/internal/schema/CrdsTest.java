package dev.evenkeel.engine.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.internal.crd.Crds;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.ResourceType;
import java.util.List;
import org.junit.jupiter.api.Test;

class CrdsTest {
    private static final String SCHEMA = "{'type':'object','properties':{'spec':{'type':'object'}}}";

    private static JsonObject crd(String versions) {
        JsonObject crd = Definitions.crd(SCHEMA);
        crd.object("spec").put("versions", Definitions.value(versions));
        Crds.prepareForCreate(crd);
        return crd;
    }

    @Test
    void defaultsAndAFreshStatus() {
        JsonObject crd = Definitions.crd(SCHEMA);
        assertThat(Json.text(crd.at("spec", "names")))
                .isEqualTo(
                        "{\"plural\":\"widgets\",\"kind\":\"Widget\",\"singular\":\"widget\",\"listKind\":\"WidgetList\"}");
        assertThat(Json.text(crd.at("spec", "conversion"))).isEqualTo("{\"strategy\":\"None\"}");
        assertThat(Json.text(crd.get("status")))
                .isEqualTo(
                        "{\"conditions\":null,\"acceptedNames\":{\"plural\":\"\",\"kind\":\"\"},\"storedVersions\":[\"v1\"]}");
    }

    @Test
    void aNewStorageVersionIsRemembered() {
        JsonObject old = crd("[{'name':'v1','storage':true}]");
        JsonObject now = crd("[{'name':'v1','storage':false},{'name':'v2','storage':true}]");
        Crds.prepareForUpdate(now, old);
        assertThat(now.at("status", "storedVersions")).isEqualTo(List.of("v1", "v2"));
        assertThat(Crds.specChanged(now, old)).isTrue();
    }

    @Test
    void freeNamesAreAcceptedAtOnce() {
        JsonObject crd = Definitions.crd(SCHEMA);
        assertThat(Crds.isEstablished(crd)).isFalse();
        crd.put("status", Crds.status(crd, Definitions.inUse(List.of(crd)), Definitions.NOW));
        assertThat(Crds.isEstablished(crd)).isTrue();
        assertThat(crd.at("status", "acceptedNames")).isEqualTo(crd.at("spec", "names"));
        assertThat(Crds.status(crd, Definitions.inUse(List.of(crd)), Definitions.NOW.plusSeconds(60)))
                .as("nothing changes later")
                .isEqualTo(crd.get("status"));
    }

    @Test
    void aDefinitionIsNotServedUntilItsNameIsFree() {
        JsonObject first = Definitions.crd(SCHEMA);
        first.put("status", Crds.status(first, Definitions.inUse(List.of()), Definitions.NOW));
        JsonObject second = Definitions.crd(SCHEMA);
        second.object("metadata").put("name", "things.demo.example.com");
        second.object("spec", "names").put("plural", "things");
        second.put("status", Crds.status(second, Definitions.inUse(List.of(first, second)), Definitions.NOW));
        assertThat(Crds.isEstablished(second)).isFalse();
        assertThat(Json.text(second.at("status", "conditions")))
                .contains("\"reason\":\"ListKindConflict\",\"message\":\"\\\"WidgetList\\\" is already in use\"");
        second.put("status", Crds.status(second, Definitions.inUse(List.of(second)), Definitions.NOW.plusSeconds(1)));
        assertThat(Crds.isEstablished(second)).isTrue();
        assertThat(Json.text(second.at("status", "conditions"))).contains("2026-11-20T22:42:02Z");
    }

    @Test
    void deletionWaitsForTheObjects() {
        JsonObject crd = Definitions.crd(SCHEMA);
        Crds.markForDeletion(crd, Definitions.NOW);
        assertThat(crd.at("metadata", "finalizers")).isEqualTo(List.of(Crds.FINALIZER));
        assertThat(Json.text(crd.at("status", "conditions"))).contains("InstanceDeletionPending");
    }

    @Test
    void newFormatsThatAreIgnoredCauseWarnings() {
        JsonObject crd = Definitions.crd("{'type':'object','properties':{'a':{'type':'string','format':'made-up'}}}");
        assertThat(Crds.warnings(crd, null)).containsExactly("unrecognized format \"made-up\"");
        assertThat(Crds.warnings(crd, crd)).isEmpty();
    }

    @Test
    void aDefinitionBecomesAType() {
        ResourceType type = Crds.resourceType(crd("""
                [{'name':'v1beta1','served':true,'storage':false,'deprecated':true,'schema':{'openAPIV3Schema':{'type':'object'}}},
                 {'name':'v1alpha1','served':true,'storage':false,'deprecated':true,'deprecationWarning':'old','schema':{}},
                 {'name':'v1','served':true,'storage':true,'schema':{'openAPIV3Schema':{'type':'object'}},
                  'subresources':{'status':{},'scale':{'specReplicasPath':'.spec.n','statusReplicasPath':'.status.n'}},
                  'selectableFields':[{'jsonPath':'.spec.a'}],
                  'additionalPrinterColumns':[{'name':'A','type':'string','jsonPath':'.spec.a','priority':1}]}]"""));
        assertThat(type.id()).isEqualTo("widgets.demo.example.com");
        assertThat(type.namespaced()).isTrue();
        assertThat(type.versions()).extracting(ResourceType.Version::name).containsExactly("v1", "v1beta1", "v1alpha1");
        ResourceType.Version v1 = type.storageVersion();
        assertThat(v1.status()).isTrue();
        assertThat(v1.scale()).contains(new ResourceType.Scale(".spec.n", ".status.n", ""));
        assertThat(v1.selectableFields())
                .containsExactly(new ResourceType.SelectableField("spec.a", List.of("spec", "a")));
        assertThat(v1.columns()).extracting(ResourceType.Column::name).containsExactly("Name", "A");
        assertThat(v1.columns().getLast().description())
                .isEqualTo("Custom resource definition column (in JSONPath format): .spec.a");
        ResourceType.Version beta = type.versions().get(1);
        assertThat(beta.columns()).extracting(ResourceType.Column::name).containsExactly("Name", "Age");
        assertThat(beta.deprecation())
                .isEqualTo("demo.example.com/v1beta1 Widget is deprecated; use demo.example.com/v1 Widget");
        assertThat(type.versions().get(2).deprecation()).isEqualTo("old");
        assertThat(v1.deprecation()).isEmpty();
        assertThat(v1.schema().properties().keySet()).contains("apiVersion", "kind", "metadata");
    }
}
