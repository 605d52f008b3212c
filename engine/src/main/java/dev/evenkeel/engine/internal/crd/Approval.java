package dev.evenkeel.engine.internal.crd;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.syntax.WebUrl;
import java.net.URISyntaxException;

/**
 * The approval of a definition in one of Kubernetes' own groups, by its annotation.
 *
 * @param text an explanation for messages
 */
public record Approval(State state, String annotation, String text) {
    static final String ANNOTATION = "api-approved.kubernetes.io";
    private static final String SEE = ", see https://github.com/kubernetes/enhancements/pull/1111";

    public enum State {
        MISSING("MissingAnnotation"),
        INVALID("InvalidAnnotation"),
        BYPASSED("UnapprovedAnnotation"),
        APPROVED("ApprovedAnnotation");

        private final String reason;

        State(String reason) {
            this.reason = reason;
        }

        String reason() {
            return reason;
        }
    }

    public static boolean isProtected(String group) {
        return group.equals("k8s.io")
                || group.endsWith(".k8s.io")
                || group.equals("kubernetes.io")
                || group.endsWith(".kubernetes.io");
    }

    public static Approval of(JsonObject crd) {
        String annotation = crd.string("metadata", "annotations", ANNOTATION);
        String must = "protected groups must have approval annotation \"" + ANNOTATION + "\"";
        if (annotation.isEmpty()) {
            return new Approval(State.MISSING, annotation, must + SEE);
        }
        if (annotation.startsWith("unapproved")) {
            return new Approval(State.BYPASSED, annotation, "not approved: " + Json.text(annotation));
        }
        if (hasSchemeAndHost(annotation)) {
            return new Approval(State.APPROVED, annotation, "approved in " + annotation);
        }
        return new Approval(
                State.INVALID, annotation, must + " with either a URL or a reason starting with \"unapproved\"" + SEE);
    }

    private static boolean hasSchemeAndHost(String text) {
        try {
            WebUrl url = WebUrl.parseRequest(text);
            return !url.scheme().isEmpty() && !url.host().isEmpty();
        } catch (URISyntaxException e) {
            return false;
        }
    }
}
