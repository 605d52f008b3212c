package dev.evenkeel.engine.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.internal.crd.Crds;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.ResourceType;
import java.util.List;
import org.junit.jupiter.api.Test;

class MetadataRulesTest {
    private static final ResourceType WIDGETS = Crds.resourceType(Definitions.crd("{'type':'object'}"));

    private static ResourceType builtIn(boolean namespaced) {
        return new ResourceType(
                "",
                "ConfigMap",
                "ConfigMapList",
                "configmaps",
                "configmap",
                List.of(),
                List.of(),
                namespaced,
                ResourceType.Origin.BUILT_IN,
                new ResourceType.Rules(ResourceType.Rules.ALL_VERBS, false, false, true, false),
                List.of());
    }

    private static JsonObject object(String fields) {
        return Definitions.tree("{'metadata':{'name':'a','namespace':'default'" + fields + "}}");
    }

    private static List<String> errors(String fields) {
        return Definitions.texts(MetadataRules.validate(WIDGETS, object(fields)));
    }

    @Test
    void validMetadata() {
        assertThat(errors("""
            ,'labels':{'a':'b','x.y/z':''},'annotations':{'Mixed/Case':'any thing'},'finalizers':['a.b/c','plain'],
            'ownerReferences':[{'apiVersion':'v1','kind':'A','name':'a','uid':'1','controller':true}],
            'managedFields':[{'manager':'kubectl','operation':'Apply','fieldsType':'FieldsV1'}]\
            """)).isEmpty();
    }

    @Test
    void noMoreErrorsAreReportedThanAClientReads() {
        StringBuilder labels = new StringBuilder();
        for (int i = 0; i < 5_000; i++) {
            labels.append(i == 0 ? "" : ",").append("'a b").append(i).append("':'c d'");
        }
        assertThat(errors(",'labels':{" + labels + "}")).hasSize(1_000);
    }

    @Test
    void namesAndNamespaces() {
        assertThat(Definitions.texts(MetadataRules.validate(WIDGETS, Definitions.tree("{'metadata':{}}"))))
                .containsExactly(
                        "metadata.name: Required value: name or generateName is required",
                        "metadata.namespace: Required value");
        assertThat(Definitions.texts(
                        MetadataRules.validate(builtIn(false), ResourceType.Names.PATH_SEGMENT, object(""))))
                .containsExactly("metadata.namespace: Forbidden: not allowed on this type");
        assertThat(Definitions.texts(MetadataRules.validate(
                        builtIn(false),
                        ResourceType.Names.PATH_SEGMENT,
                        Definitions.tree("{'metadata':{'name':'a/b','generateName':'%'}}"))))
                .containsExactly(
                        "metadata.generateName: Invalid value: \"%\": may not contain '%'",
                        "metadata.name: Invalid value: \"a/b\": may not contain '/'");
    }

    @Test
    void labelsAndAnnotations() {
        assertThat(errors(",'labels':{'bad key!':'" + "x".repeat(64) + "'}"))
                .hasSize(2)
                .first()
                .asString()
                .startsWith("metadata.labels: Invalid value: \"bad key!\": name part must consist of");
        assertThat(errors(",'annotations':{'a':'" + "x".repeat(256 << 10) + "'}"))
                .containsExactly("metadata.annotations: Too long: may not be more than 262144 bytes");
    }

    @Test
    void ownerReferencesAreChecked() {
        assertThat(errors(",'ownerReferences':[{'apiVersion':'','kind':'','name':'','uid':''}]"))
                .containsExactly(
                        "metadata.ownerReferences.apiVersion: Invalid value: \"\": version must not be empty",
                        "metadata.ownerReferences.kind: Invalid value: \"\": must not be empty",
                        "metadata.ownerReferences.name: Invalid value: \"\": must not be empty",
                        "metadata.ownerReferences.uid: Invalid value: \"\": must not be empty");
        String reference = "{'apiVersion':'v1','kind':'A','name':'%s','uid':'1','controller':true}";
        assertThat(errors(",'ownerReferences':[" + reference.formatted("a") + "," + reference.formatted("b") + "]"))
                .singleElement()
                .asString()
                .endsWith("Only one reference can have Controller set to true. Found \"true\" in references for A/a and"
                        + " A/b");
    }

    @Test
    void finalizersOfBuiltInKindsNeedADomainAndCustomKindsAreWarned() {
        assertThat(Definitions.texts(MetadataRules.validateFinalizers(object(",'finalizers':['nodomain','orphan']"))))
                .containsExactly(
                        "metadata.finalizers[0]: Invalid value: \"nodomain\": name is neither a standard finalizer "
                                + "name nor is it fully qualified");
        assertThat(MetadataRules.finalizerWarnings(
                        object(",'finalizers':['nodomain','a.b','a.b/c','old']"), object(",'finalizers':['old']")))
                .containsExactly(
                        "metadata.finalizers: \"a.b\": prefer a domain-qualified finalizer name including a path (/)"
                                + " to avoid accidental conflicts with other finalizer writers",
                        "metadata.finalizers: \"nodomain\": prefer a domain-qualified finalizer name to avoid"
                                + " accidental conflicts with other finalizer writers");
        assertThat(errors(",'finalizers':['orphan','foregroundDeletion']"))
                .singleElement()
                .asString()
                .endsWith("finalizer orphan and foregroundDeletion cannot be both set");
    }

    @Test
    void managedFieldsAreChecked() {
        assertThat(errors(",'managedFields':[{'manager':'a\\u0007','operation':'Patch','fieldsType':'V2'}]"))
                .containsExactly(
                        "metadata.managedFields[0].operation: Invalid value: \"Patch\": must be `Apply` or `Update`",
                        "metadata.managedFields[0].fieldsType: Invalid value: \"V2\": must be `FieldsV1`",
                        "metadata.managedFields[0].manager: Invalid value: \"a\\a\": invalid character U+0007 (at "
                                + "position 1)");
        assertThat(Definitions.texts(MetadataRules.validateManager("fieldManager", "x".repeat(129))))
                .containsExactly("fieldManager: Too long: may not be more than 128 bytes");
    }

    @Test
    void immutableMetadata() {
        JsonObject old = object(",'uid':'1','generation':2,'creationTimestamp':'2026-01-01T00:00:00Z'");
        assertThat(MetadataRules.validateUpdate(WIDGETS, old.copy(), old)).isEmpty();
        assertThat(Definitions.texts(MetadataRules.validateUpdate(
                        WIDGETS,
                        Definitions.tree("{'metadata':{'name':'b','namespace':'x','uid':'2','generation':1}}"),
                        old)))
                .containsExactly(
                        "metadata.generation: Invalid value: 1: must not be decremented",
                        "metadata.name: Invalid value: \"b\": field is immutable",
                        "metadata.namespace: Invalid value: \"x\": field is immutable",
                        "metadata.uid: Invalid value: \"2\": field is immutable",
                        "metadata.creationTimestamp: Invalid value: null: field is immutable");
    }

    @Test
    void finalizersCannotBeAddedDuringDeletion() {
        String deleted = ",'deletionTimestamp':'2026-01-01T00:00:00Z'";
        assertThat(Definitions.texts(MetadataRules.validateUpdate(
                        WIDGETS,
                        object(deleted + ",'finalizers':['a.b/y','a.b/x']"),
                        object(deleted + ",'finalizers':['a.b/z']"))))
                .containsExactly(
                        "metadata.finalizers: Forbidden: no new finalizers can be added if the object is being "
                                + "deleted, found new finalizers []string{\"a.b/x\", \"a.b/y\"}");
    }
}
