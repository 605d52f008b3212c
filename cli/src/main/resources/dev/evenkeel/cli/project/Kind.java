package {{package}};

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;

/** A text that is kept in a ConfigMap. */
@Group("{{group}}")
@Version("v1")
@Plural("{{plural}}")
public final class {{Kind}} extends CustomResource<{{Kind}}Spec, {{Kind}}Status> implements Namespaced {
    /** An object without a spec, to be filled. */
    public {{Kind}}() {}
}
