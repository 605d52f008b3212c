package dev.evenkeel.engine.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.internal.cel.Cel;
import dev.evenkeel.engine.internal.crd.Approval;
import dev.evenkeel.engine.internal.crd.Crds;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Rules that the recorded definitions (see {@link CrdTranscriptTest}) do not cover. */
class CrdValidationTest {
    private static final String SCHEMA = "{'type':'object','properties':{'spec':{'type':'object','properties':"
            + "{'a':{'type':'string'},'n':{'type':'integer'},'o':{'type':'object'},"
            + "'m':{'type':'object','additionalProperties':{'type':'string'}}}}}}";

    private static List<String> errors(Consumer<JsonObject> change) {
        JsonObject crd = Definitions.crd(SCHEMA);
        change.accept(crd);
        return Definitions.texts(Crds.validate(crd, null));
    }

    private static JsonObject spec(JsonObject crd) {
        return crd.object("spec");
    }

    private static JsonObject version(JsonObject crd) {
        return Json.asObject(spec(crd).array("versions").getFirst());
    }

    @Test
    void aValidDefinition() {
        assertThat(errors(crd -> {})).isEmpty();
    }

    @Test
    void metadataIsCheckedLikeThatOfAnyKind() {
        assertThat(errors(crd -> crd.object("metadata").put("name", "B_")))
                .hasSize(2)
                .last()
                .isEqualTo("metadata.name: Invalid value: \"B_\": must be spec.names.plural+\".\"+spec.group");
        assertThat(errors(crd -> crd.object("metadata").put("namespace", "x")))
                .containsExactly("metadata.namespace: Forbidden: not allowed on this type");
    }

    @Test
    void names() {
        assertThat(errors(crd -> {
                    JsonObject names = spec(crd).object("names");
                    names.put("listKind", "Widget");
                    names.put("shortNames", Definitions.value("['w','W']"));
                    names.put("categories", Definitions.value("['1']"));
                }))
                .hasSize(3)
                .anyMatch(text -> text.startsWith("spec.names.shortNames[1]: Invalid value: \"W\""))
                .anyMatch(text -> text.equals(
                        "spec.names.listKind: Invalid value: \"Widget\": kind and listKind may not be the same"))
                .anyMatch(text -> text.startsWith("spec.names.categories[0]: Invalid value: \"1\""));
    }

    @Test
    void deprecationWarnings() {
        assertThat(errors(crd -> version(crd).put("deprecationWarning", "x")))
                .containsExactly(
                        "spec.versions[0].deprecationWarning: Invalid value: \"x\": can only be set for deprecated versions");
        assertThat(errors(crd -> {
                    version(crd).put("deprecated", true);
                    version(crd).put("deprecationWarning", "a\nb");
                }))
                .containsExactly(
                        "spec.versions[0].deprecationWarning: Invalid value: \"a\\nb\": must only contain printable "
                                + "UTF-8 characters; non-printable character found at index 1");
    }

    @Test
    void selectableFieldsAreChecked() {
        assertThat(
                        errors(
                                crd -> version(crd)
                                        .put(
                                                "selectableFields",
                                                Definitions.value(
                                                        "[{'jsonPath':'.spec.a'},{'jsonPath':'.spec.a'},{'jsonPath':'.spec.o'},"
                                                                + "{'jsonPath':'.spec.list[0]'},{'jsonPath':'spec'},{'jsonPath':''}]"))))
                .containsExactly(
                        "spec.selectableFields[1].jsonPath: Duplicate value: \".spec.a\"",
                        "spec.selectableFields[2].jsonPath: Invalid value: \".spec.o\": must point to a field of type string, "
                                + "boolean or integer. Enum string fields and strings with formats are allowed.",
                        "spec.selectableFields[3].jsonPath: Invalid value: \".spec.list[0]\": is an invalid path: does not "
                                + "refer to a valid field",
                        "spec.selectableFields[4].jsonPath: Invalid value: \"spec\": is an invalid path: expected [ or . but "
                                + "got: spec",
                        "spec.selectableFields[5].jsonPath: Required value");
    }

    @Test
    void selectableFieldsNeedTheSchemaWhereTheyAre() {
        String other = "{'type':'object','properties':{'spec':{'type':'object','properties':{'a':{'type':'string'}}}}}";
        String fields = "[{'jsonPath':'.spec.a'}]";
        assertThat(errors(crd -> addVersion(crd, SCHEMA).put("selectableFields", Definitions.value(fields))))
                .containsExactly("spec.versions[1].selectableFields: Invalid value: \"\": may only be set when "
                        + "`version.schema.openAPIV3Schema` is not included");
        assertThat(errors(crd -> {
                    addVersion(crd, other).put("selectableFields", Definitions.value(fields));
                    version(crd).put("selectableFields", Definitions.value(fields));
                }))
                .containsExactly(
                        "spec.selectableFields: Invalid value: \"\": may only be set when validations.schema is "
                                + "included");
        assertThat(errors(crd -> addVersion(crd, other).put("selectableFields", Definitions.value(fields))))
                .isEmpty();
    }

    private static JsonObject addVersion(JsonObject crd, String schema) {
        JsonObject version = Definitions.tree(
                "{'name':'v2','served':true,'storage':false,'schema':{'openAPIV3Schema':" + schema + "}}");
        spec(crd).array("versions").add(version);
        return version;
    }

    @Test
    void aVersionWithoutNameIsReportedOnce() {
        assertThat(errors(crd -> version(crd).put("name", "")))
                .noneMatch(text -> text.startsWith("spec.version:"))
                .anyMatch(text -> text.startsWith("spec.versions[0].name: Invalid value: \"\""));
    }

    private static List<String> ofProperty(String property) {
        JsonObject crd = Definitions.crd(
                "{'type':'object','properties':{'spec':{'type':'object','properties':{'p':" + property + "}}}}");
        String path = "spec.validation.openAPIV3Schema.properties[spec].properties[p].";
        return Definitions.texts(Crds.validate(crd, null, Cel.RULES)).stream()
                .map(text -> text.replace(path, ""))
                .toList();
    }

    @Test
    void defaultsObeyRules() {
        assertThat(ofProperty("{'type':'integer','default':1,'x-kubernetes-validations':[{'rule':'self > 3'}]}"))
                .containsExactly("default: Invalid value: 1: failed rule: self > 3");
        assertThat(
                        ofProperty(
                                "{'type':'array','default':[{'a':1}],'items':{'type':'object','properties':{'a':"
                                        + "{'type':'integer','x-kubernetes-validations':[{'rule':'self > 3','message':'too small'}]}}}}"))
                .containsExactly("default[0].a: Invalid value: 1: too small");
        assertThat(ofProperty("{'type':'integer','default':5,'x-kubernetes-validations':[{'rule':'self > 3'}]}"))
                .isEmpty();
        assertThat(ofProperty("{'type':'integer','default':1,'x-kubernetes-validations':[{'rule':' '}]}"))
                .containsExactly("x-kubernetes-validations[0].rule: Required value: rule is not specified");
    }

    @Test
    void defaultsObeyRulesThatCompareWithTheSameValueOrNone() {
        assertThat(ofProperty("{'type':'integer','default':1,'x-kubernetes-validations':[{'rule':'self > oldSelf'}]}"))
                .containsExactly("default: Invalid value: 1: failed rule: self > oldSelf");
        assertThat(ofProperty("{'type':'integer','default':1,'x-kubernetes-validations':[{'rule':'oldSelf.hasValue()',"
                        + "'optionalOldSelf':true}]}"))
                .containsExactly("default: Invalid value: 1: failed rule: oldSelf.hasValue()");
    }

    @Test
    void defaultsOfResourcesHaveAType() {
        String resource = "'type':'object','x-kubernetes-embedded-resource':true,"
                + "'x-kubernetes-preserve-unknown-fields':true";
        assertThat(ofProperty("{'default':{}," + resource + "}"))
                .containsExactly("default.apiVersion: Required value", "default.kind: Required value");
        assertThat(ofProperty("{'type':'array','default':[{'kind':'','apiVersion':'v1'}],'items':{" + resource + "}}"))
                .containsExactly("default[0].kind: Invalid value: \"\": must not be empty");
    }

    @Test
    void defaultsOfMetadataMayHaveFieldsThatTheSchemaOmits() {
        assertThat(ofProperty("{'type':'object','x-kubernetes-embedded-resource':true,'properties':{'metadata':"
                        + "{'type':'object','default':{'labels':{'a':'b'}}}}}"))
                .isEmpty();
        assertThat(ofProperty("{'type':'object','properties':{'metadata':"
                        + "{'type':'object','default':{'labels':{'a':'b'}}}}}"))
                .containsExactly(
                        "properties[metadata].default: Invalid value: {\"labels\":{\"a\":\"b\"}}: must not have "
                                + "unknown fields");
    }

    @Test
    void aStatusWithoutStoredVersionsHasTheStorageVersion() {
        JsonObject old = Definitions.crd(SCHEMA);
        JsonObject crd = old.copy();
        crd.object("status").put("storedVersions", Definitions.value("[]"));
        Crds.prepareForStatusUpdate(crd, old);
        assertThat(crd.at("status", "storedVersions")).isEqualTo(List.of("v1"));
        crd.object("status").put("storedVersions", Definitions.value("['v0']"));
        Crds.prepareForStatusUpdate(crd, old);
        assertThat(crd.at("status", "storedVersions")).isEqualTo(List.of("v0"));
    }

    @Test
    void theFirstPropertyThatARootWithStatusMayNotHaveIsReported() {
        JsonObject crd = Definitions.crd("{'id':'x','type':'array','items':{'type':'string'}}");
        version(crd).put("subresources", Definitions.value("{'status':{}}"));
        assertThat(Definitions.texts(Crds.validate(crd, null)))
                .first()
                .asString()
                .startsWith("spec.validation.openAPIV3Schema: Invalid value: {");
    }

    @Test
    void pathsOfConversionsLoseTheirFirstCharacter() {
        assertThat(
                        errors(
                                crd -> spec(crd)
                                        .put(
                                                "conversion",
                                                Definitions.value(
                                                        "{'strategy':'Webhook','webhook':{'conversionReviewVersions':['v1'],"
                                                                + "'clientConfig':{'service':{'namespace':'n','name':'s','path':'Convert'}}}}"))))
                .containsExactly(
                        "spec.conversion.webhookClientConfig.service.path: Invalid value: \"Convert\": must start "
                                + "with a '/'");
    }

    @Test
    void whatIsMerelyThereIsChecked() {
        assertThat(ofProperty("{'type':'array','items':{'type':'string'},'x-kubernetes-list-type':''}"))
                .containsExactly(
                        "x-kubernetes-list-type: Unsupported value: \"\": supported values: \"atomic\", \"set\", \"map\"");
        assertThat(ofProperty("{'type':'object','dependencies':{'a':{'type':'x'}}}"))
                .containsExactly(
                        "dependencies: Forbidden: dependencies is not supported",
                        "dependencies[a].type: Unsupported value: \"x\": supported values: \"array\", \"boolean\", "
                                + "\"integer\", \"number\", \"object\", \"string\"");
    }

    @Test
    void emptyListsAtTheRootOfASchemaWithStatusCount() {
        JsonObject crd = Definitions.crd("{'type':'object','enum':[]}");
        version(crd).put("subresources", Definitions.value("{'status':{}}"));
        assertThat(Definitions.texts(Crds.validate(crd, null)))
                .singleElement()
                .asString()
                .startsWith("spec.validation.openAPIV3Schema: Invalid value: {")
                .endsWith("fields are allowed at the root of the schema if the status subresource is enabled");
    }

    @Test
    void propertiesThatDifferAreReportedUnderTheVersion() {
        assertThat(errors(crd -> spec(crd)
                        .array("versions")
                        .add(Definitions.value("{'name':'v2','served':true,'storage':false,'schema':{'openAPIV3Schema':"
                                + "{'type':'object','properties':{'x':{}}}},"
                                + "'additionalPrinterColumns':[{'name':'','type':'','jsonPath':'','format':'x'}]}"))))
                .containsExactly(
                        "spec.versions[1].schema.openAPIV3Schema.properties[x].type: Required value: must not be empty for "
                                + "specified object fields",
                        "spec.versions[1].additionalPrinterColumns[0].name: Required value",
                        "spec.versions[1].additionalPrinterColumns[0].type: Required value: must be one of "
                                + "boolean,date,integer,number,string",
                        "spec.versions[1].additionalPrinterColumns[0].format: Invalid value: \"x\": must be one of "
                                + "byte,date,date-time,double,float,int32,int64,password",
                        "spec.versions[1].additionalPrinterColumns[0].JSONPath: Required value");
    }

    @Test
    void namesAndScopeOfAnEstablishedDefinitionAreImmutable() {
        JsonObject old = Definitions.crd(SCHEMA);
        JsonObject crd = old.copy();
        spec(crd).put("scope", "Cluster");
        spec(crd).object("names").put("kind", "Gadget");
        assertThat(Crds.validate(crd, old)).isEmpty();
        old.put("status", Crds.status(old, Definitions.inUse(List.of()), Definitions.NOW));
        crd.put("status", Json.copy(old.get("status")));
        assertThat(Definitions.texts(Crds.validate(crd, old)))
                .containsExactly(
                        "spec.scope: Invalid value: \"Cluster\": field is immutable",
                        "spec.names.kind: Invalid value: \"Gadget\": field is immutable");
    }

    @Test
    void statusIsCheckedOnItsOwn() {
        JsonObject old = Definitions.crd(SCHEMA);
        JsonObject crd = old.copy();
        crd.object("status", "acceptedNames").put("plural", "W");
        spec(crd).put("group", "changed");
        Crds.prepareForStatusUpdate(crd, old);
        assertThat(Definitions.texts(Crds.validateStatus(crd, old)))
                .singleElement()
                .asString()
                .startsWith("status.acceptedNames.plural: Invalid value: \"W\": a DNS-1035 label must");
    }

    @Test
    void conversionByWebhook() {
        assertThat(errors(crd -> spec(crd)
                        .put(
                                "conversion",
                                Definitions.value("{'strategy':'Webhook','webhook':{'clientConfig':"
                                        + "{'url':'http://u@h?q#f'},'conversionReviewVersions':['v2','v2']}}"))))
                .containsExactly(
                        "spec.conversion.webhookClientConfig.url: Invalid value: \"http\": 'https' is the only allowed URL "
                                + "scheme; desired format: https://host[/path]",
                        "spec.conversion.webhookClientConfig.url: Invalid value: \"u\": user information is not permitted in "
                                + "the URL",
                        "spec.conversion.webhookClientConfig.url: Invalid value: \"f\": fragments are not permitted in the URL",
                        "spec.conversion.webhookClientConfig.url: Invalid value: \"q\": query parameters are not permitted in "
                                + "the URL",
                        "spec.conversion.conversionReviewVersions[1]: Invalid value: \"v2\": duplicate version",
                        "spec.conversion.conversionReviewVersions: Invalid value: [\"v2\",\"v2\"]: must include at least one "
                                + "of v1, v1beta1");
        assertThat(errors(crd -> spec(crd)
                        .put(
                                "conversion",
                                Definitions.value("{'strategy':'Webhook','webhook':{'clientConfig':{'service':"
                                        + "{'name':'s','namespace':'n','port':443,'path':'/a/b'}},"
                                        + "'conversionReviewVersions':['v1']}}"))))
                .isEmpty();
        assertThat(errors(crd -> spec(crd)
                        .put(
                                "conversion",
                                Definitions.value("{'strategy':'None','webhook':{'clientConfig':{'url':'https://h'},"
                                        + "'conversionReviewVersions':['v1']}}"))))
                .containsExactly(
                        "spec.conversion.webhookClientConfig: Forbidden: should not be set when strategy is not set to "
                                + "Webhook",
                        "spec.conversion.conversionReviewVersions: Forbidden: should not be set when strategy is not set to "
                                + "Webhook");
    }

    @Test
    void rulesAreCheckedForTheirForm() {
        assertThat(errors(crd -> version(crd)
                        .object("schema", "openAPIV3Schema")
                        .put(
                                "x-kubernetes-validations",
                                Definitions.value("[{'rule':'a\\nb'},{'rule':'true','message':' '},"
                                        + "{'rule':'true','fieldPath':\".spec.m['x']\".x'}]"
                                                .replace("\".spec.m['x']\".x'", "'.spec.nope'")))))
                .containsExactly(
                        "spec.validation.openAPIV3Schema.x-kubernetes-validations[0].message: Required value: message must be "
                                + "specified if rule contains line breaks",
                        "spec.validation.openAPIV3Schema.x-kubernetes-validations[1].message: Invalid value: \" \": must be "
                                + "non-empty if specified",
                        "spec.validation.openAPIV3Schema.x-kubernetes-validations[2].fieldPath: Invalid value: \".spec.nope\": "
                                + "must be a valid path");
    }

    @Test
    void theRootOfASchemaWithStatusIsRestricted() {
        assertThat(errors(crd -> {
                    version(crd).put("subresources", Definitions.value("{'status':{}}"));
                    version(crd).object("schema", "openAPIV3Schema").put("maxProperties", 5L);
                }))
                .singleElement()
                .asString()
                .startsWith("spec.validation.openAPIV3Schema: Invalid value: {")
                .contains("only [Description Type Format Title Maximum");
    }

    @Test
    void approvalOfProtectedGroups() {
        assertThat(Approval.of(annotated("unapproved, experimental")).state()).isEqualTo(Approval.State.BYPASSED);
        assertThat(Approval.of(annotated("https://github.com/kubernetes/pull/1"))
                        .state())
                .isEqualTo(Approval.State.APPROVED);
        assertThat(Approval.of(annotated("because")).state()).isEqualTo(Approval.State.INVALID);
        assertThat(Approval.isProtected("gateway.networking.k8s.io")).isTrue();
        assertThat(Approval.isProtected("notk8s.io")).isFalse();
    }

    private static JsonObject annotated(String approval) {
        return Definitions.tree("{'metadata':{'annotations':{'api-approved.kubernetes.io':'" + approval + "'}}}");
    }
}
