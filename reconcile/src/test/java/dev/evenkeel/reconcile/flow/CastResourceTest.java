package dev.evenkeel.reconcile.flow;

import static dev.evenkeel.reconcile.flow.Steps.FAILED;
import static dev.evenkeel.reconcile.flow.Steps.MAP;
import static dev.evenkeel.reconcile.flow.Steps.SECRETS;
import static dev.evenkeel.reconcile.flow.Steps.SOON;
import static dev.evenkeel.reconcile.flow.Steps.declared;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.controller.Controller.Dependencies.Relation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.reconcile.internal.FinalizerUpdates;
import dev.evenkeel.reconcile.part.Part;
import dev.evenkeel.testing.SubReconcilerTests;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class CastResourceTest {
    /** The common fields of config maps and secrets. */
    public static final class Holder extends Other {
        private Map<String, String> data = new LinkedHashMap<>();

        public Map<String, String> getData() {
            return data;
        }

        public void setData(Map<String, String> value) {
            data = value;
        }
    }

    /** Knows nothing but metadata, and cannot hold its data. */
    public static class Other implements HasMetadata {
        private String apiVersion = "";
        private String kind = "";
        private ObjectMeta metadata = new ObjectMeta();

        @Override
        public ObjectMeta getMetadata() {
            return metadata;
        }

        @Override
        public void setMetadata(ObjectMeta value) {
            metadata = value;
        }

        @Override
        public String getApiVersion() {
            return apiVersion;
        }

        @Override
        public void setApiVersion(String value) {
            apiVersion = value;
        }

        @Override
        public String getKind() {
            return kind;
        }

        public void setKind(String value) {
            kind = value;
        }
    }

    /** Takes data for a list. */
    public static final class Misfit extends Other {
        private List<String> data = List.of();

        public List<String> getData() {
            return data;
        }

        public void setData(List<String> value) {
            data = value;
        }
    }

    private static final Given<ConfigMap> FULL =
            MAP.at("data.a", "1").at("data.b", "2").at("binaryData.c", "AAAA").label("x", "y");

    private static Part<ConfigMap> change(Result outcome) {
        return CastResource.to(Holder.class, (reconciliation, holder) -> {
            assertThat(reconciliation.kind().javaType()).isEqualTo(Holder.class);
            assertThat(reconciliation.resource().orElseThrow().getData()).containsEntry("a", "1");
            assertThat(holder.getKind()).isEqualTo("ConfigMap");
            assertThat(holder.getApiVersion()).isEqualTo("v1");
            holder.getData().remove("a");
            holder.getData().put("n", "3");
            holder.getMetadata().setLabels(Map.of());
            return outcome;
        });
    }

    private static Given<ConfigMap> changed() {
        return FULL.without("data.a").at("data.n", "3").without("metadata.labels");
    }

    @TestFactory
    Stream<DynamicTest> casts() {
        return Stream.of(
                        SubReconcilerTests.of(ConfigMap.class, () -> change(SOON))
                                .test(
                                        "changes are copied back, and unknown fields stay",
                                        t -> t.resource(FULL).expectResult(SOON).expectResource(changed())),
                        SubReconcilerTests.of(ConfigMap.class, () -> change(FAILED))
                                .test(
                                        "also of a part that fails",
                                        t -> t.resource(FULL)
                                                .expectError(IllegalStateException.class, "no")
                                                .expectResource(changed())),
                        SubReconcilerTests.of(
                                        ConfigMap.class,
                                        () -> CastResource.<ConfigMap, Holder>to(
                                                Holder.class, (reconciliation, holder) -> {
                                                    holder.getData().put("n", "3");
                                                    return SOON;
                                                }))
                                .test(
                                        "fields added to an empty object are copied back",
                                        t -> t.resource(MAP).expectResult(SOON).expectResource(MAP.at("data.n", "3"))),
                        SubReconcilerTests.of(
                                        ConfigMap.class,
                                        () -> CastResource.<ConfigMap, HasMetadata>to(
                                                HasMetadata.class, (reconciliation, object) -> {
                                                    assertThat(object).isInstanceOf(ConfigMap.class);
                                                    object.getMetadata().setLabels(Map.of());
                                                    return SOON;
                                                }))
                                .test(
                                        "to an interface nothing is cast",
                                        t -> t.resource(FULL)
                                                .expectResult(SOON)
                                                .expectResource(FULL.without("metadata.labels"))),
                        SubReconcilerTests.of(
                                        ConfigMap.class,
                                        () -> CastResource.<ConfigMap, Misfit>to(
                                                Misfit.class, (reconciliation, object) -> SOON))
                                .test(
                                        "a conversion failure fails before the part runs",
                                        t -> t.resource(FULL).expectError(IllegalArgumentException.class, "at data")),
                        SubReconcilerTests.of(
                                        ConfigMap.class,
                                        () -> CastResource.<ConfigMap, Misfit>to(
                                                Misfit.class, (reconciliation, object) -> {
                                                    object.setData(List.of("x"));
                                                    return SOON;
                                                }))
                                .test(
                                        "or after it, added to its outcome, and the object is unchanged",
                                        t -> t.resource(MAP)
                                                .expectResult(SOON)
                                                .expectError(IllegalArgumentException.class, "at data")),
                        SubReconcilerTests.of(
                                        ConfigMap.class,
                                        () -> CastResource.<ConfigMap, Other>to(
                                                Other.class,
                                                (reconciliation, object) ->
                                                        FinalizerUpdates.add(reconciliation, object, "example.com/a")))
                                .test(
                                        "a finalizer that the part adds is copied back",
                                        t -> t.resource(FULL)
                                                .expectFinalizers(FULL, "example.com/a")
                                                .expectEvent(
                                                        FULL,
                                                        "Normal",
                                                        "FinalizerPatched",
                                                        "AddFinalizer",
                                                        "Patched finalizer \"example.com/a\"")
                                                .expectResource(FULL.finalizers("example.com/a"))))
                .flatMap(SubReconcilerTests::stream);
    }

    @Test
    void isNamedAfterTheClassAndDeclaresItsPart() {
        Part<ConfigMap> part = CastResource.to(
                Holder.class,
                Part.of(
                        Part.Description.of("X").needs(new Part.Requirement.Owns<>(SECRETS)),
                        (r, holder) -> Result.done()));
        assertThat(part).hasToString("CastResource \"HolderCastResource\"");
        assertThat(declared(part, Relation.OWNS)).isEqualTo(List.of(SECRETS));
    }
}
