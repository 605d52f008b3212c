package dev.evenkeel.engine.internal.object;

import dev.evenkeel.client.ApiException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The warnings of a write that is refused; they are attached to its exception, since there is no reply to hold them. */
public final class RefusalWarnings extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<String> texts;

    private RefusalWarnings(List<String> texts) {
        super(String.join(", ", texts), null, false, false);
        this.texts = List.copyOf(texts);
    }

    /** Attaches warnings to a refusal, and returns it. */
    public static ApiException attach(ApiException refusal, List<String> texts) {
        if (!texts.isEmpty()) {
            refusal.addSuppressed(new RefusalWarnings(texts));
        }
        return refusal;
    }

    /** Returns the warnings attached to a refusal, each once. */
    public static List<String> of(ApiException refusal) {
        List<String> all = new ArrayList<>();
        Arrays.stream(refusal.getSuppressed())
                .filter(RefusalWarnings.class::isInstance)
                .forEach(warnings -> all.addAll(((RefusalWarnings) warnings).texts));
        return all.stream().distinct().toList();
    }
}
