package dev.evenkeel.engine.internal.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.internal.type.ObjectMeta;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Schema;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BuiltinTypesTest {
    private static ResourceType type(String id) {
        return BuiltinTypes.all().stream()
                .filter(t -> t.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theResourcesOfADefaultServerExist() {
        assertThat(BuiltinTypes.all().stream()
                        .mapToInt(t -> t.versions().size())
                        .sum())
                .isEqualTo(68);
        assertThat(BuiltinTypes.groups().getFirst().name()).isEmpty();
        assertThat(BuiltinTypes.groups()).hasSize(21);
        ResourceType deployments = type("deployments.apps");
        assertThat(deployments.shortNames()).containsExactly("deploy");
        assertThat(deployments.categories()).containsExactly("all");
        assertThat(deployments.rules().verbs()).hasSize(8).contains("watch");
        assertThat(deployments.rules().generation()).isTrue();
        assertThat(deployments.versions().getFirst().scale()).isPresent();
        assertThat(deployments.versions().getFirst().columns())
                .extracting(ResourceType.Column::name)
                .startsWith("Name", "Ready", "Up-to-date", "Available", "Age");
        assertThat(type("configmaps").rules().generation()).isFalse();
        assertThat(type("leases.coordination.k8s.io").rules().createOnUpdate()).isTrue();
        assertThat(type("horizontalpodautoscalers.autoscaling").versions())
                .extracting(ResourceType.Version::name)
                .containsExactly("v2", "v1");
    }

    @Test
    void listableResourcesHaveColumns() {
        for (ResourceType type : BuiltinTypes.all()) {
            if (type.rules().verbs().contains("list")) {
                type.versions()
                        .forEach(version ->
                                assertThat(version.columns()).as(type.id()).isNotEmpty());
            }
        }
    }

    @Test
    void theSharedMetadataSchemaAgreesWithTheTable() {
        assertSameShape(ObjectMeta.SCHEMA, BuiltinSchemas.compile(ObjectMeta.DEFINITION));
    }

    private static void assertSameShape(Schema ours, Schema table) {
        assertThat(ours.type()).isEqualTo(table.type());
        assertThat(ours.reference()).isEqualTo(table.reference());
        assertThat(ours.format()).isEqualTo(table.format());
        assertThat(ours.listType()).isEqualTo(table.listType());
        assertThat(ours.listTypeSet()).isEqualTo(table.listTypeSet());
        assertThat(ours.listKeys()).isEqualTo(table.listKeys());
        assertThat(ours.atomicMap()).isEqualTo(table.atomicMap());
        assertThat(ours.patchStrategy()).isEqualTo(table.patchStrategy());
        assertThat(ours.patchMergeKey()).isEqualTo(table.patchMergeKey());
        assertThat(ours.required()).isEqualTo(table.required());
        assertThat(ours.defaultValue()).isEqualTo(table.defaultValue());
        assertThat(ours.properties().keySet()).isEqualTo(table.properties().keySet());
        ours.properties().forEach((name, schema) -> {
            Schema other = table.property(name);
            assertThat(other).as(name).isNotNull();
            assertSameShape(schema, other);
        });
        Schema items = ours.items();
        Schema otherItems = table.items();
        assertThat(items == null).isEqualTo(otherItems == null);
        if (items != null && otherItems != null) {
            assertSameShape(items, otherItems);
        }
        Schema values = ours.additional();
        Schema otherValues = table.additional();
        assertThat(values == null).isEqualTo(otherValues == null);
        if (values != null && otherValues != null) {
            assertSameShape(values, otherValues);
        }
    }

    @Test
    void schemasOfAllTypesCompileAndRecursionEnds() {
        Set<String> seen = new HashSet<>();
        for (ResourceType type : BuiltinTypes.all()) {
            type.versions().forEach(version -> visit(version.schema(), seen));
        }
        assertThat(seen).hasSizeGreaterThan(400);
        Schema props = BuiltinTypes.schema("io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps")
                .orElseThrow();
        Schema not = props.property("not");
        assertThat(not).isNotNull();
        assertThat(not.properties()).isEqualTo(props.properties());
    }

    private static void visit(Schema schema, Set<String> seen) {
        if (!schema.reference().isEmpty() && !seen.add(schema.reference())) {
            return;
        }
        schema.properties().values().forEach(property -> visit(property, seen));
        Schema items = schema.items();
        if (items != null) {
            visit(items, seen);
        }
        Schema additional = schema.additional();
        if (additional != null) {
            visit(additional, seen);
        }
    }

    @Test
    void fieldsCarryTheirRules() {
        Schema pod = type("pods").versions().getFirst().schema();
        Schema spec = pod.property("spec");
        assertThat(spec).isNotNull();
        Schema containers = spec.property("containers");
        assertThat(containers).isNotNull();
        assertThat(containers.listType()).isEqualTo(Schema.ListType.MAP);
        assertThat(containers.listKeys()).isEqualTo(List.of("name"));
        assertThat(containers.patchStrategy()).isEqualTo("merge");
        assertThat(containers.patchMergeKey()).isEqualTo("name");
        Schema items = containers.items();
        assertThat(items).isNotNull();
        Schema ports = items.property("ports");
        assertThat(ports).isNotNull();
        assertThat(ports.listKeys()).isEqualTo(List.of("containerPort", "protocol"));
        Schema selector = spec.property("nodeSelector");
        assertThat(selector).isNotNull();
        assertThat(selector.atomicMap()).isTrue();
    }

    @Test
    void podsAreSelectedByTheirFirstAddressOnly() {
        assertThat(BuiltinTypes.all().stream()
                        .filter(type -> type.id().equals("pods"))
                        .flatMap(type -> type.versions().getFirst().selectableFields().stream())
                        .filter(field -> field.label().startsWith("status.podIP")))
                .extracting(field -> String.join(".", field.path()))
                .containsExactly("status.podIP", "");
    }
}
