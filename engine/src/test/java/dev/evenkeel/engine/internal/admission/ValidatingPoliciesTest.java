package dev.evenkeel.engine.internal.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.Manifests;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.engine.Engine;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Validating admission policies, evaluated by the engine. */
class ValidatingPoliciesTest {
    private final Engine engine = Engine.builder().build();
    private final Client client = engine.client();

    @AfterEach
    void close() {
        engine.close();
    }

    private void create(String kind, String name, String spec) {
        String yaml = """
                apiVersion: admissionregistration.k8s.io/v1
                kind: %s
                metadata: {name: %s}
                spec:
                """.formatted(kind, name) + spec.indent(2);
        String plural = kind.toLowerCase(Locale.ROOT).replaceFirst("y$", "ie") + "s";
        var unused = client.create(
                Kind.generic("admissionregistration.k8s.io", "v1", kind, plural, false),
                Manifests.parse(yaml).getFirst(),
                WriteOptions.DEFAULT);
    }

    private void policy(String name, String more) {
        create("ValidatingAdmissionPolicy", name, """
                matchConstraints:
                  resourceRules: [{apiGroups: [''], apiVersions: [v1], resources: [configmaps], operations: [CREATE]}]
                """ + more);
    }

    private void bind(String name, String more) {
        create(
                "ValidatingAdmissionPolicyBinding",
                name,
                "policyName: " + name + "\nvalidationActions: [Deny]\n" + more);
    }

    private void create(String name, String value) {
        ConfigMap map = new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .withData(Map.of("value", value))
                .build();
        var unused = client.create(map);
    }

    @Test
    void aPolicyWithoutBindingHasNoEffect() {
        policy("p", "validations: [{expression: 'false'}]");
        create("a", "1");
        assertThat(engine).isNotNull();
    }

    @Test
    void aComputedMessageThatIsTooLongIsReplaced() {
        policy("p", """
                validations:
                - expression: 'false'
                  message: constant
                  messageExpression: "[object.data.value, object.data.value].join()"
                """);
        bind("p", "");
        assertThatThrownBy(() -> create("a", "x".repeat(2560)))
                .hasMessageEndingWith("denied request: " + "x".repeat(5120));
        assertThatThrownBy(() -> create("b", "x".repeat(2561))).hasMessageEndingWith("denied request: constant");
    }

    @Test
    void thePoliciesValidationsShareABudget() {
        // about 900,000 units each, of 10,000,000
        String costly = "- expression: '!object.data.value.matches(\"" + "b".repeat(1_200) + "\")'\n";
        policy("p", "validations:\n" + costly.repeat(11));
        bind("p", "");
        create("a", "x".repeat(29_000));
        policy("q", "validations:\n" + costly.repeat(12) + "- expression: 'false'\n");
        bind("q", "");
        assertThatThrownBy(() -> create("b", "x".repeat(29_000)))
                .hasMessageEndingWith(
                        "ValidatingAdmissionPolicy 'q' with binding 'q' denied request: validation failed due to"
                                + " running out of cost budget, no further validation rules will be run");
        policy("r", "failurePolicy: Ignore\nvalidations:\n" + costly.repeat(12) + "- expression: 'false'\n");
        bind("r", "");
        assertThatThrownBy(() -> create("c", "x".repeat(29_000))).hasMessageContaining("'q'");
    }

    @Test
    void anExpressionOfSeveralLinesNeedsNoMessage() {
        policy("p", "validations: [{expression: \"true &&\\n false\"}]");
        bind("p", "");
        assertThatThrownBy(() -> create("a", "1")).hasMessageEndingWith("failed expression: true &&\n false");
        assertThatThrownBy(() -> policy("q", "validations: [{expression: 'true', message: \"a\\rb\"}]"))
                .hasMessageContaining("must not contain line breaks");
    }

    @Test
    void allConditionsThatFailAreNamed() {
        policy("p", """
                matchConditions:
                - {name: a, expression: "object.data.a == '1'"}
                - {name: b, expression: "object.data.b == '1'"}
                validations: [{expression: 'true'}]
                """);
        bind("p", "");
        assertThatThrownBy(() -> create("a", "1"))
                .hasMessageEndingWith(
                        "denied request: [expression 'object.data.a == '1'' resulted in error: no such key:"
                                + " a, expression 'object.data.b == '1'' resulted in error: no such key: b]");
    }

    @Test
    void conditionsDoNotSeeTheNamespace() {
        policy("p", """
                matchConditions: [{name: a, expression: "namespaceObject == null"}]
                validations: [{expression: "namespaceObject == null"}]
                """);
        bind("p", "");
        assertThatThrownBy(() -> create("a", "1")).hasMessageEndingWith("failed expression: namespaceObject == null");
    }

    @Test
    void anErrorShowsTheExpressionAsWritten() {
        policy("p", "validations: [{expression: \" object.data.a == '1'\\n\", message: m}]");
        bind("p", "");
        assertThatThrownBy(() -> create("a", "1"))
                .hasMessageEndingWith("expression ' object.data.a == '1'\n' resulted in error: no such key: a");
    }

    @Test
    void aFalseValidationRefusesTheWrite() {
        policy("p", "validations: [{expression: \"object.data.value != 'bad'\", message: no bad values}]");
        bind("p", "");
        create("a", "good");
        assertThatThrownBy(() -> create("b", "bad"))
                .hasMessageContaining("ValidatingAdmissionPolicy 'p' with binding 'p' denied request: no bad values");
    }

    @Test
    void theMessageMayBeComputed() {
        policy("p", """
                variables: [{name: size, expression: size(object.data.value)}]
                validations: [{expression: variables.size < 3, messageExpression: "'size is ' + string(variables.size)"}]
                """);
        bind("p", "");
        assertThatThrownBy(() -> create("a", "long")).hasMessageContaining("denied request: size is 4");
    }

    @Test
    void anErrorRefusesTheWriteUnlessItIsIgnored() {
        policy("strict", "validations: [{expression: object.data.none == 'x'}]");
        bind("strict", "matchResources: {objectSelector: {matchLabels: {no: way}}}");
        policy("lenient", "failurePolicy: Ignore\nvalidations: [{expression: object.data.none == 'x'}]");
        bind("lenient", "");
        create("a", "1");
        policy("all", "validations: [{expression: object.data.none == 'x'}]");
        bind("all", "");
        assertThatThrownBy(() -> create("b", "1"))
                .hasMessageContaining("expression 'object.data.none == 'x'' resulted in error: no such key: none");
    }

    @Test
    void parametersAreReadWithEachWrite() {
        policy("p", """
                paramKind: {apiVersion: v1, kind: ConfigMap}
                validations: [{expression: object.data.value == params.data.value}]
                """);
        create("parameter", "right");
        bind("p", "paramRef: {name: parameter, namespace: default, parameterNotFoundAction: Deny}");
        create("a", "right");
        assertThatThrownBy(() -> create("b", "wrong"))
                .hasMessageContaining("failed expression: object.data.value == params.data.value");
    }

    @Test
    void aMissingParameterIsDenied() {
        policy("p", "paramKind: {apiVersion: v1, kind: ConfigMap}\nvalidations: [{expression: 'true'}]");
        bind("p", "paramRef: {name: absent, namespace: default, parameterNotFoundAction: Deny}");
        assertThatThrownBy(() -> create("a", "1")).hasMessageContaining("no params found for policy binding");
    }
}
