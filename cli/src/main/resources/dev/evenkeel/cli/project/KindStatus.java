package {{package}};

import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;

/**
 * What is, of a {@link {{Kind}}}.
 *
 * @param observedGeneration generation of the spec that the rest is about
 * @param conditions {@code Ready}
 */
public record {{Kind}}Status(long observedGeneration, List<Condition> conditions) {
    /** A status that was never written has no conditions. */
    public {{Kind}}Status {
        conditions = conditions == null ? List.of() : List.copyOf(conditions);
    }
}
