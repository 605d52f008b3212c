package dev.evenkeel.reconcile.duck;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A partial view of kinds with replicas of a template. */
final class Scaled extends Duck {
    private Spec spec = new Spec();
    private @Nullable Look status;

    /** Lives, as records do not. */
    static final class Spec {
        private @Nullable Integer replicas;
        private Template template = new Template(new ObjectMeta(), null);

        public @Nullable Integer getReplicas() {
            return replicas;
        }

        public void setReplicas(@Nullable Integer value) {
            replicas = value;
        }

        public Template getTemplate() {
            return template;
        }

        public void setTemplate(Template value) {
            template = value;
        }
    }

    record Template(ObjectMeta metadata, @Nullable Containers spec) {}

    record Containers(List<Container> containers) {}

    record Container(String name, String image) {}

    record Look(@Nullable Integer replicas) {}

    public Spec getSpec() {
        return spec;
    }

    public void setSpec(Spec value) {
        spec = value;
    }

    public @Nullable Look getStatus() {
        return status;
    }

    public void setStatus(@Nullable Look value) {
        status = value;
    }
}
