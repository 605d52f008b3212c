package dev.evenkeel.testing;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.Patch;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonException;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.patch.Patches;
import dev.evenkeel.engine.internal.type.Schema;
import dev.evenkeel.testing.diff.Difference;
import dev.evenkeel.testing.diff.Normalization;
import dev.evenkeel.testing.internal.Source;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.admission.v1.AdmissionRequest;
import io.fabric8.kubernetes.api.model.admission.v1.AdmissionResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The expected answer of a webhook, and its comparison with the actual one.
 *
 * <p>Answers are interpreted as by the server: a code that is not an error becomes 400, a patch is applied by the code
 * that applies patches of users, and the result must be an object that the server accepts.
 */
final class AdmissionAnswer {
    record Denial(int code, String message) {
        @Override
        public String toString() {
            return code + " \"" + message + "\"";
        }
    }

    sealed interface Change {}

    record Nothing() implements Change {}

    record Patched(Given<?> object) implements Change {}

    record Operations(String json) implements Change {}

    Optional<Denial> denial = Optional.empty();
    Change change = new Nothing();
    final List<String> warnings = new ArrayList<>();
    final Map<String, String> auditAnnotations = new LinkedHashMap<>();

    boolean changes() {
        return !(change instanceof Nothing);
    }

    void judge(
            AdmissionQuestion question,
            AdmissionRequest request,
            @Nullable AdmissionResponse answer,
            TestCluster cluster,
            Expectations<?> expectations,
            CaseResult verdict) {
        if (answer == null) {
            verdict.problem("The webhook returned null: it must return a response");
            return;
        }
        if (!request.getUid().equals(answer.getUid())) {
            verdict.problem("The uid of the answer should be that of the request, " + request.getUid() + ", and is "
                    + Optional.ofNullable(answer.getUid()).orElse("not there"));
        }
        decision(answer, verdict);
        List<String> warned = Objects.requireNonNullElse(answer.getWarnings(), List.of());
        Function<String, String> paste = warning -> ".expectWarning(" + Source.literal(warning) + ")";
        verdict.lists("warning", warnings, warned, String::equals, paste);
        Map<String, String> audited = Objects.requireNonNullElse(answer.getAuditAnnotations(), Map.of());
        if (!auditAnnotations.equals(audited)) {
            verdict.problem(
                    "The audit annotations differ:\n- " + auditAnnotations + "\n+ " + new LinkedHashMap<>(audited));
        }
        patch(answer, verdict)
                .ifPresentOrElse(patch -> changed(patch, question, request, cluster, expectations, verdict), () -> {
                    if (changes() && answer.getPatch() == null) {
                        verdict.problem("It should patch the object, and does not");
                    }
                });
    }

    private void decision(AdmissionResponse answer, CaseResult verdict) {
        if (answer.getAllowed() == null) {
            verdict.problem("The answer does not set allowed, which means that it is denied");
        }
        boolean allowed = Boolean.TRUE.equals(answer.getAllowed());
        if (allowed) {
            denial.ifPresent(wanted -> verdict.problem("It should be denied, with " + wanted + ", and is allowed"));
            return;
        }
        Denial found = read(answer.getStatus());
        if (denial.isEmpty()) {
            verdict.problem("It should be allowed, and is denied, with " + found);
        } else if (found.code() != denial.get().code()
                || !found.message().contains(denial.get().message())) {
            verdict.problem("It should be denied with " + denial.get() + "\nand is denied with      " + found);
        }
        if (answer.getPatch() != null) {
            verdict.problem("It is denied, but has a patch, which is ignored");
        }
    }

    /** Returns a denial as the server interprets it. */
    private static Denial read(@Nullable Status status) {
        if (status == null) {
            return new Denial(400, "");
        }
        int code = Math.max(400, Objects.requireNonNullElse(status.getCode(), 400));
        String reason = Objects.requireNonNullElse(status.getReason(), "");
        return new Denial(code, Objects.requireNonNullElse(status.getMessage(), reason));
    }

    /** Returns the text of the patch; empty also when it cannot be read, which is reported. */
    private static Optional<String> patch(AdmissionResponse answer, CaseResult verdict) {
        String patch = answer.getPatch();
        if (patch == null) {
            if (answer.getPatchType() != null) {
                verdict.problem("There is a patchType, " + answer.getPatchType() + ", but no patch");
            }
            return Optional.empty();
        }
        if (!"JSONPatch".equals(answer.getPatchType())) {
            verdict.problem("The patchType should be JSONPatch, which is all that the server reads, and is "
                    + Optional.ofNullable(answer.getPatchType()).orElse("not there"));
        }
        try {
            return Optional.of(new String(Base64.getDecoder().decode(patch), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            verdict.problem("The patch should be in Base64, and is: " + patch);
            return Optional.empty();
        }
    }

    private void changed(
            String patch,
            AdmissionQuestion question,
            AdmissionRequest request,
            TestCluster cluster,
            Expectations<?> expectations,
            CaseResult verdict) {
        if (!question.patchable() || !(request.getObject() instanceof HasMetadata object)) {
            verdict.problem("The server refuses a patch on " + question.operation()
                    + ", which has no object to change:\n  " + patch);
            return;
        }
        byte[] patched;
        try {
            patched = applied(patch, ModelCodec.encode(object));
        } catch (ApiException | JsonException e) {
            verdict.problem("The patch cannot be applied: " + e.getMessage() + "\n  " + patch);
            return;
        }
        Kind<?> kind = Expectations.kind(object);
        cluster.refusal(patched, kind)
                .ifPresent(refusal ->
                        verdict.problem("The server refuses the patched object: " + refusal + "\n  " + patch));
        switch (change) {
            case Nothing unused -> {
                verdict.problem("Unexpected patch: " + patch);
                verdict.paste("expectPatched", patched, question.about().type());
            }
            case Operations(String wanted) -> {
                if (!Difference.between(wanted, patch, Normalization.exact()).isEmpty()) {
                    verdict.problem("The patch differs:\n- " + wanted + "\n+ " + patch);
                }
            }
            case Patched(Given<?> wanted) -> {
                byte[] expected = cluster.completed(wanted.text().json(), Expectations.kind(wanted.object()));
                byte[] found = cluster.completed(patched, kind);
                Runnable paste = () -> verdict.paste("expectPatched", patched, wanted.type());
                verdict.compare("The patched object", expected, found, expectations.normalization, paste);
            }
        }
    }

    private static byte[] applied(String patch, byte[] object) {
        JsonObject before = Json.parseObject(object, JsonLimits.DEFAULT);
        byte[] bytes = patch.getBytes(StandardCharsets.UTF_8);
        Object tree = Patches.apply(Patch.Type.JSON, before, bytes, Schema.ANY, JsonLimits.DEFAULT, strict -> {})
                .tree();
        if (!(tree instanceof Map)) {
            throw new JsonException("the result is not an object: " + Json.text(tree));
        }
        return Json.write(tree);
    }
}
