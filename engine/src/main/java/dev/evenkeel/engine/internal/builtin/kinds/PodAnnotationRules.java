package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonException;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Rules of the annotations that mean something for a pod, most of which were the first form of a field. */
final class PodAnnotationRules {
    static final String MIRROR = "kubernetes.io/config.mirror";
    static final String SECCOMP_OF_POD = "seccomp.security.alpha.kubernetes.io/pod";
    static final String SECCOMP = "container.seccomp.security.alpha.kubernetes.io/";
    static final String APP_ARMOR = "container.apparmor.security.beta.kubernetes.io/";
    static final String APP_ARMOR_DEPRECATED = "deprecated since v1.30; use the \"appArmorProfile\" field instead";
    private static final String TOLERATIONS = "scheduler.alpha.kubernetes.io/tolerations";
    private static final String COST = "controller.kubernetes.io/pod-deletion-cost";
    private static final String LOCAL = "localhost/";
    private static final String DEFAULT = "runtime/default";
    private static final Set<String> SECCOMP_DEFAULTS = Set.of(DEFAULT, "docker/default");
    private static final Set<String> APP_ARMOR_DEFAULTS = Set.of(DEFAULT);

    private PodAnnotationRules() {}

    /**
     * Checks the annotations of a pod or template.
     *
     * @param old the annotations before, which may have had a wrong cost; empty when they are new
     */
    static void validate(Field annotations, Field spec, JsonObject old) {
        Field mirror = annotations.entry(MIRROR);
        if (mirror.given() && spec.at("nodeName").text().isEmpty()) {
            mirror.invalid("must set spec.nodeName if mirror pod annotation is set");
        }
        tolerations(annotations);
        Field cost = annotations.entry(COST);
        if (cost.given() && !isCost(cost.text()) && (!old.containsKey(COST) || isCost(old.string(COST)))) {
            cost.invalid("must be a 32bit integer");
        }
        seccomp(annotations.at(SECCOMP_OF_POD));
        for (String key : annotations.object().keySet()) {
            if (key.startsWith(SECCOMP)) {
                seccomp(annotations.at(key));
            }
        }
        List<String> names = containers(spec).stream()
                .map(container -> container.at("name").text())
                .toList();
        for (String key : annotations.object().keySet()) {
            if (key.startsWith(APP_ARMOR)) {
                appArmor(annotations.entry(key), key.substring(APP_ARMOR.length()), names);
            }
        }
    }

    /** Checks how the annotations of a pod change. */
    static void validateUpdate(Field annotations, Field spec, JsonObject old) {
        JsonObject now = annotations.object();
        old.forEach((key, value) -> {
            if (!Objects.equals(now.get(key), value)) {
                forbid(annotations, key, "may not remove or update ");
            }
        });
        now.keySet().stream()
                .filter(key -> !old.containsKey(key))
                .forEach(key -> forbid(annotations, key, "may not add "));
        validate(annotations, spec, old);
    }

    private static void forbid(Field annotations, String key, String verb) {
        if (key.startsWith(APP_ARMOR)) {
            annotations.entry(key).forbidden(verb + "AppArmor annotations");
        }
        if (key.equals(MIRROR)) {
            annotations.entry(key).forbidden(verb + "mirror pod annotation");
        }
    }

    private static void tolerations(Field annotations) {
        String text = annotations.at(TOLERATIONS).text();
        if (text.isEmpty()) {
            return;
        }
        try {
            SchedulingRules.tolerations(annotations.with(TOLERATIONS, Json.parse(text)));
        } catch (JsonException e) {
            annotations.invalid(TOLERATIONS, String.valueOf(e.getMessage()));
        }
    }

    private static boolean isCost(String text) {
        if (!text.matches("0|[1-9][0-9]*|-[0-9]+")) {
            return false;
        }
        try {
            Integer.parseInt(text);
            return true;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private static void seccomp(Field profile) {
        String text = profile.text();
        if (text.startsWith(LOCAL)) {
            FormatRules.relativePath(profile, text.substring(LOCAL.length()));
        } else if (profile.given() && !SECCOMP_DEFAULTS.contains(text) && !text.equals("unconfined")) {
            profile.invalid("must be a valid seccomp profile");
        }
    }

    private static void appArmor(Field profile, String container, List<String> names) {
        if (!names.contains(container)) {
            profile.invalid(container, "container not found");
        }
        String text = profile.text();
        if (!text.isEmpty() && !text.equals(DEFAULT) && !text.equals("unconfined") && !text.startsWith(LOCAL)) {
            profile.invalid("invalid AppArmor profile name: " + Json.text(text));
        }
    }

    /** Requires that the annotations of a new pod or template say the same as the fields that replaced them. */
    static void validateFields(JsonObject annotations, Field spec) {
        Field context = spec.at("securityContext");
        agree(annotations.get(SECCOMP_OF_POD), context.at("seccompProfile"), context.at("seccompProfile"), "seccomp");
        for (Field container : containers(spec)) {
            Field own = container.at("securityContext", "seccompProfile");
            agree(annotations.get(SECCOMP + container.at("name").text()), own, own, "seccomp");
        }
        if (spec.at("os", "name").text().equals("windows")) {
            return;
        }
        for (Field container : containers(spec)) {
            Field own = container.at("securityContext", "appArmorProfile");
            Field effective = own.given() ? own : context.at("appArmorProfile");
            agree(annotations.get(APP_ARMOR + container.at("name").text()), effective, own, "apparmor");
        }
    }

    private static void agree(@Nullable Object annotation, Field profile, Field shown, String what) {
        if (!(annotation instanceof String text) || !profile.given()) {
            return;
        }
        boolean agrees = switch (profile.at("type").text()) {
            case "Unconfined" -> text.equals("unconfined");
            case "RuntimeDefault" -> (what.equals("seccomp") ? SECCOMP_DEFAULTS : APP_ARMOR_DEFAULTS).contains(text);
            case "Localhost" -> text.startsWith(LOCAL);
            default -> true;
        };
        if (!agrees) {
            shown.at("type").forbidden(what + " type in annotation and field must match");
        } else if (profile.at("type").text().equals("Localhost")
                && !text.substring(LOCAL.length())
                        .equals(profile.at("localhostProfile").text())) {
            shown.at("localhostProfile").forbidden(what + " profile in annotation and field must match");
        }
    }

    /**
     * Writes the AppArmor profiles that annotations of a new pod name into the containers without one.
     *
     * @param warnings receives a warning for each annotation that is written, or that names no profile
     */
    static void fillProfiles(JsonObject pod, Consumer<String> warnings) {
        JsonObject annotations = pod.object("metadata", "annotations");
        JsonObject spec = pod.object("spec");
        if (spec.string("os", "name").equals("windows")) {
            return;
        }
        for (String kind : List.of("initContainers", "containers", "ephemeralContainers")) {
            for (JsonObject container : spec.objects(kind)) {
                if (container.has("securityContext", "appArmorProfile")) {
                    continue;
                }
                String key = APP_ARMOR + container.string("name");
                if (!annotations.containsKey(key)) {
                    continue;
                }
                Optional<JsonObject> profile = profile(annotations.string(key));
                if (profile.isPresent() && profile.get().equals(spec.at("securityContext", "appArmorProfile"))) {
                    continue;
                }
                profile.ifPresent(
                        named -> container.withObject("securityContext").put("appArmorProfile", named));
                warnings.accept("metadata.annotations[" + key + "]: " + APP_ARMOR_DEPRECATED);
            }
        }
    }

    /** Returns the field that says the same as an AppArmor annotation; empty if none does. */
    static Optional<JsonObject> profile(String annotation) {
        String local = annotation.startsWith(LOCAL) ? annotation.substring(LOCAL.length()) : "";
        return switch (annotation) {
            case "unconfined" -> Optional.of(JsonObject.of("type", "Unconfined"));
            case DEFAULT -> Optional.of(JsonObject.of("type", "RuntimeDefault"));
            default ->
                local.isBlank() || !local.strip().equals(local)
                        ? Optional.empty()
                        : Optional.of(JsonObject.of("type", "Localhost", "localhostProfile", local));
        };
    }

    /** Returns the containers of a pod in the order in which upstream visits them. */
    static List<Field> containers(Field spec) {
        List<Field> all = new ArrayList<>(spec.at("initContainers").items());
        all.addAll(spec.at("containers").items());
        all.addAll(spec.at("ephemeralContainers").items());
        return all;
    }
}
