package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.strategy.Posting;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Service accounts. */
record ServiceAccountStrategy(KindFacts facts) implements KindStrategy {
    private static final String ENFORCE = "kubernetes.io/enforce-mountable-secrets";

    @Override
    public void prepareForCreate(JsonObject tree, Context context) {
        KindStrategy.super.prepareForCreate(tree, context);
        keepNames(tree);
    }

    @Override
    public void prepareForUpdate(JsonObject tree, JsonObject old, Context context) {
        keepNames(tree);
    }

    /** Keeps only the names of secrets: they are in the namespace of the account. */
    private static void keepNames(JsonObject tree) {
        tree.objects("secrets").forEach(secret -> secret.keySet().retainAll(Set.of("name")));
    }

    @Override
    public List<String> warnings(JsonObject tree, @Nullable JsonObject old) {
        boolean had = old != null && old.has("metadata", "annotations", ENFORCE);
        return had || !tree.has("metadata", "annotations", ENFORCE)
                ? List.of()
                : List.of("metadata.annotations[" + ENFORCE + "]: deprecated in v1.32+; prefer separate namespaces to"
                        + " isolate access to mounted secrets");
    }

    @Override
    public Optional<Posting> posting(String subresource) {
        return subresource.equals("token")
                ? Optional.of((request, name, context) -> new Posting.TokenRequest(request))
                : Optional.empty();
    }
}
