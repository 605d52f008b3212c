package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.strategy.Posting;
import java.util.Optional;

/** Service accounts. */
record ServiceAccountStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public Optional<Posting> posting(String subresource) {
        return subresource.equals("token")
                ? Optional.of((request, context) -> new Posting.TokenRequest(request))
                : Optional.empty();
    }
}
