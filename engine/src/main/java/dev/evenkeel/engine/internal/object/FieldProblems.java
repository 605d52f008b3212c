package dev.evenkeel.engine.internal.object;

import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.write.WriteOptions.FieldValidation;
import java.util.ArrayList;
import java.util.List;

/** What happens about unknown and duplicate fields: nothing, a warning each, or a refusal. */
public final class FieldProblems {
    private FieldProblems() {}

    public static void report(List<String> problems, Target target, FieldValidation validation, List<String> warnings) {
        if (problems.isEmpty()) {
            return;
        }
        switch (validation) {
            case IGNORE -> {}
            case WARN -> warnings.addAll(problems);
            case STRICT -> throw Refusal.malformed(target, "strict decoding error: " + listed(problems));
        }
    }

    /** Duplicate keys of YAML come from the parser, in its words and before all others. */
    private static String listed(List<String> problems) {
        List<String> yaml = problems.stream().filter(FieldProblems::isFromYaml).toList();
        List<String> others = new ArrayList<>();
        if (!yaml.isEmpty()) {
            others.add("yaml: unmarshal errors:\n  " + String.join("\n  ", yaml));
        }
        problems.stream().filter(problem -> !isFromYaml(problem)).forEach(others::add);
        return String.join(", ", others);
    }

    private static boolean isFromYaml(String problem) {
        return problem.startsWith("line ");
    }
}
