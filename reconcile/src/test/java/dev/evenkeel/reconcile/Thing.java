package dev.evenkeel.reconcile;

import dev.evenkeel.reconcile.condition.ConditionSet;
import dev.evenkeel.reconcile.condition.ResourceStatus;
import dev.evenkeel.testing.TestCluster;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A resource to test roots with. */
@Group("test.evenkeel.dev")
@Plural("things")
@Version("v1")
class Thing extends CustomResource<Thing.Spec, Thing.State> implements Namespaced {
    static final String DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: things.test.evenkeel.dev}
            spec:
              group: test.evenkeel.dev
              scope: Namespaced
              names: {kind: Thing, plural: things, singular: thing}
              versions:
                - name: v1
                  served: true
                  storage: true
                  subresources: {status: {}}
                  schema:
                    openAPIV3Schema:
                      type: object
                      properties:
                        spec: {type: object, x-kubernetes-preserve-unknown-fields: true}
                        status: {type: object, x-kubernetes-preserve-unknown-fields: true}
            """;

    static final ConditionSet CONDITIONS = ConditionSet.living();

    /** One that was never reconciled. */
    static final Given<Thing> NEW =
            Given.yaml(Thing.class, "{metadata: {namespace: default, name: a}, spec: {size: 1}}");

    /** One whose status is as a root without conditions leaves it. */
    static final Given<Thing> SEEN = NEW.statusAt("observedGeneration", 1);

    /** One whose status is as a root with conditions leaves it. */
    static final Given<Thing> KNOWN = SEEN.condition("Ready")
            .since(TestCluster.NOW)
            .unknown("Initializing", "")
            .statusAt("conditions[type=Ready].observedGeneration", 1);

    record Spec(int size, @Nullable String color) {}

    static class State extends ResourceStatus {
        private @Nullable String note;
        private @Nullable Map<String, String> details;

        public @Nullable String getNote() {
            return note;
        }

        public void setNote(@Nullable String value) {
            note = value;
        }

        public @Nullable Map<String, String> getDetails() {
            return details;
        }

        public void setDetails(@Nullable Map<String, String> value) {
            details = value;
        }
    }

    void note(String text) {
        if (getStatus() == null) {
            setStatus(new State());
        }
        getStatus().setNote(text);
    }

    /** A partial view of things and of other kinds. */
    static class Duck implements HasMetadata {
        private String apiVersion = "";
        private String kind = "";
        private ObjectMeta metadata = new ObjectMeta();
        private @Nullable Look status;

        record Look(@Nullable String note) {}

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

        @Override
        public ObjectMeta getMetadata() {
            return metadata;
        }

        @Override
        public void setMetadata(ObjectMeta value) {
            metadata = value;
        }

        public @Nullable Look getStatus() {
            return status;
        }

        public void setStatus(@Nullable Look value) {
            status = value;
        }
    }
}
