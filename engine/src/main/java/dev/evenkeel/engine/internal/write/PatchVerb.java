package dev.evenkeel.engine.internal.write;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Patch;
import dev.evenkeel.engine.internal.admission.Decoder;
import dev.evenkeel.engine.internal.admission.Write.Wanted;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.builtin.EncodedOrder;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.json.SentEmpty;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.Reply;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.object.WriteOptions.FieldValidation;
import dev.evenkeel.engine.internal.patch.Patched;
import dev.evenkeel.engine.internal.patch.Patches;
import dev.evenkeel.engine.internal.schema.MalformedObjectException;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.spi.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Changes objects by JSON patches, merge patches and strategic merge patches. */
public record PatchVerb(WriteContext cluster, UpdateVerb updating) {
    public Reply patch(Target target, Patch.Type patchType, Body body, WriteOptions options) {
        return updating.change(target, options, live -> {
            List<String> problems = new ArrayList<>();
            Patched patched = Patches.apply(
                    patchType,
                    UpdateVerb.present(live, target),
                    body.bytes(),
                    target.version().schema(),
                    cluster.limits(),
                    problems::add,
                    options.validation() != FieldValidation.IGNORE);
            return normalised(target, patched, problems, options);
        });
    }

    private Wanted normalised(Target target, Patched patched, List<String> problems, WriteOptions options) {
        JsonObject tree = Json.object(Json.copy(patched.tree()))
                .orElseThrow(() -> patched.invalid(Decoder.notAnObject(patched.tree())));
        WriteContext.rawFields(target).ifPresent(raw -> raw.unmark(tree));
        tree.computeIfAbsent("apiVersion", key -> target.apiVersion());
        tree.computeIfAbsent("kind", key -> target.type().kind());
        List<SentEmpty> empties = new ArrayList<>(0);
        try {
            if (patched.strategic()) {
                ignoreKind(tree, target);
            } else if (target.type().origin() == ResourceType.Origin.BUILT_IN) {
                cluster.decoder().checkKind(tree, target, cluster.types().get());
            }
            List<String> found = cluster.decoder().normalised(tree, target, List.of(), empties::add);
            problems.addAll(patched.strategic() ? found.stream().sorted().toList() : found);
        } catch (MalformedObjectException e) {
            String why = patched.strategic() ? conversionError(patched, target, e) : String.valueOf(e.getMessage());
            throw refused(patched, target, why);
        }
        return Wanted.of(tree, warnings(problems, options, why -> refused(patched, target, why)))
                .with(empties);
    }

    /**
     * Returns the first error of a conversion to a struct, which goes by its fields in their order, and not by the members
     * of the object in theirs.
     */
    private String conversionError(Patched patched, Target target, MalformedObjectException found) {
        JsonObject ordered =
                EncodedOrder.of(target.version().schema().reference(), Json.asObject(Json.copy(patched.tree())));
        ignoreKind(ordered, target);
        try {
            var unused = cluster.decoder().normalised(ordered, target, List.of(), empty -> {});
            return found.ofConversion();
        } catch (MalformedObjectException first) {
            return first.ofConversion();
        }
    }

    /** Returns the warnings about the result of a patch; refuses one with problems where it may have none. */
    static List<String> warnings(List<String> problems, WriteOptions options, Function<String, ApiException> refused) {
        return switch (options.validation()) {
            case IGNORE -> List.of();
            case WARN -> problems;
            case STRICT -> {
                if (!problems.isEmpty()) {
                    throw refused.apply("strict decoding error: " + String.join(", ", problems));
                }
                yield List.of();
            }
        };
    }

    /** Undoes a change of the kind: upstream has a struct of the kind, in which a strategic merge patch has no say. */
    private static void ignoreKind(JsonObject tree, Target target) {
        if (tree.get("apiVersion") instanceof String) {
            tree.put("apiVersion", target.apiVersion());
        }
        if (tree.get("kind") instanceof String) {
            tree.put("kind", target.type().kind());
        }
    }

    /**
     * Returns an error that shows the result as upstream does. There a patch works on encoded objects: parts that it
     * touches have sorted keys, other parts keep the encoded order, which for built-in kinds is the order of fields in
     * their type.
     */
    private ApiException refused(Patched patched, Target target, String detail) {
        if (!(patched.tree() instanceof JsonObject result)) {
            return patched.invalid(detail);
        }
        Store.Entry entry = cluster.read(target);
        JsonObject shown = target.type().origin() == ResourceType.Origin.BUILT_IN
                ? EncodedOrder.patched(
                        target.version().schema().reference(),
                        result,
                        entry == null ? new JsonObject() : cluster.tree(entry, target))
                : result.sorted();
        return patched.showing(shown).invalid(detail);
    }
}
