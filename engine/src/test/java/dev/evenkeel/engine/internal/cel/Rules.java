package dev.evenkeel.engine.internal.cel;

import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.CompiledRule;
import dev.evenkeel.engine.internal.schema.RuleBudget;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Single rules for tests; schemas and values are JSON with single quotes. */
final class Rules {
    private Rules() {}

    static CompiledRule compile(String schema, JsonObject rule) {
        JsonObject source = new JsonObject(Json.asObject(value(schema)));
        source.put("x-kubernetes-validations", List.of(rule));
        return Cel.RULES.compile(source, false).rules().getFirst();
    }

    static CompiledRule compile(String schema, String rule) {
        return compile(schema, JsonObject.of("rule", rule));
    }

    /** Returns the result of a rule on a value: {@code true}, {@code false}, or the error. */
    static String outcome(String schema, String self, String rule) {
        return outcome(compile(schema, rule), self, Optional.empty());
    }

    static String outcome(CompiledRule rule, String self, Optional<String> old) {
        if (!rule.error().isEmpty()) {
            return rule.error();
        }
        return switch (rule.evaluation()
                .of(Objects.requireNonNull(value(self)), old.map(Rules::value), new RuleBudget())) {
            case CompiledRule.Outcome.Holds unused -> "true";
            case CompiledRule.Outcome.Broken broken -> broken.message().orElse("false");
            case CompiledRule.Outcome.Failed failed -> failed.reason();
            case CompiledRule.Outcome.Stopped stopped -> stopped.limit().name();
        };
    }

    static @Nullable Object value(String json) {
        return Json.parse(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8), JsonLimits.DEFAULT);
    }
}
