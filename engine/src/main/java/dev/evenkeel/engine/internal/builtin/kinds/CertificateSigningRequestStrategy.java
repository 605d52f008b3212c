package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.builtin.Times;
import dev.evenkeel.engine.internal.json.Ages;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.UserInfo;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Certificate signing requests, which name their sender regardless of their content. */
record CertificateSigningRequestStrategy(KindFacts facts) implements KindStrategy {
    private static final String REQUEST = "CERTIFICATE REQUEST";
    private static final String CERTIFICATE = "CERTIFICATE";
    private static final Pattern BLOCK = Pattern.compile("-----BEGIN ([A-Z ]+)-----");
    private static final long SHORTEST_SECONDS = 600;
    private static final int LONGEST_DOMAIN = 253;

    /** A domain, a slash, and a path of a label and a domain. */
    private static final int LONGEST_NAME = 253 + 1 + 63 + 1 + 253;

    private static final List<String> USAGES = List.of(
            "any",
            "cert sign",
            "client auth",
            "code signing",
            "content commitment",
            "crl sign",
            "data encipherment",
            "decipher only",
            "digital signature",
            "email protection",
            "encipher only",
            "ipsec end system",
            "ipsec tunnel",
            "ipsec user",
            "key agreement",
            "key encipherment",
            "microsoft sgc",
            "netscape sgc",
            "ocsp signing",
            "s/mime",
            "server auth",
            "signing",
            "timestamping");

    @Override
    public List<String> resetFields(String subresource) {
        return subresource.equals("approval") ? List.of("spec") : KindStrategy.super.resetFields(subresource);
    }

    @Override
    public void prepareForCreate(JsonObject tree, Context context) {
        KindStrategy.super.prepareForCreate(tree, context);
        JsonObject spec = tree.withObject("spec");
        spec.keySet().removeAll(List.of("extra", "username", "uid", "groups"));
        UserInfo.fields(spec, context.user());
    }

    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        if (column.equals("RequestedDuration")) {
            return tree.at("spec", "expirationSeconds") instanceof Long seconds
                    ? Ages.of(Duration.ofSeconds(seconds))
                    : "<none>";
        }
        List<String> states = new ArrayList<>(List.of("Approved", "Denied", "Failed"));
        states.removeIf(type -> Trees.condition(tree, type) == null);
        if (states.isEmpty()) {
            states.add("Pending");
        }
        if (!tree.string("status", "certificate").isEmpty()) {
            states.add("Issued");
        }
        return String.join(",", states);
    }

    @Override
    public void prepareForUpdate(JsonObject tree, JsonObject old, String subresource, Context context) {
        switch (subresource) {
            case "approval" -> {
                KindStrategy.restore(tree, old, List.of("spec", "status.certificate"));
                setTimes(tree, old, context);
            }
            case "status" -> {
                KindStrategy.restore(tree, old, List.of("spec"));
                setTimes(tree, old, context);
            }
            default -> KindStrategy.super.prepareForUpdate(tree, old, subresource, context);
        }
    }

    /** Completes the times of conditions: of the last update, and of the last change of the status. */
    private static void setTimes(JsonObject tree, JsonObject old, Context context) {
        String now = Times.seconds(context.now());
        for (JsonObject condition : tree.objects("status", "conditions")) {
            if (!condition.has("lastUpdateTime")) {
                condition.put("lastUpdateTime", now);
            }
            if (!condition.has("lastTransitionTime")) {
                String since = old.objects("status", "conditions").stream()
                        .filter(was -> was.string("type").equals(condition.string("type"))
                                && was.string("status").equals(condition.string("status")))
                        .map(was -> was.string("lastTransitionTime"))
                        .filter(time -> !time.isEmpty())
                        .findFirst()
                        .orElse(now);
                condition.put("lastTransitionTime", since);
            }
        }
    }

    @Override
    public void validate(Field root) {
        Field spec = root.at("spec");
        Field request = spec.at("request");
        if (!block(request.text()).equals(REQUEST)) {
            request.invalid("PEM block type must be " + REQUEST);
        }
        Field usages = spec.at("usages");
        if (usages.array().isEmpty()) {
            usages.missing();
        }
        Set<String> seen = new HashSet<>();
        for (Field usage : usages.items()) {
            if (!USAGES.contains(usage.text())) {
                usage.notSupported(usage.value(), USAGES);
            }
        }
        usages.items().forEach(usage -> usage.distinct(seen));
        signer(spec.at("signerName"));
        Field seconds = spec.at("expirationSeconds");
        if (seconds.given() && seconds.number() < SHORTEST_SECONDS) {
            seconds.invalid("may not specify a duration less than 600 seconds (10 minutes)");
        }
        conditions(root.at("status", "conditions"));
        certificate(root.at("status", "certificate"));
    }

    /** Returns the type of the first block of a PEM text in base64; empty when there is none. */
    private static String block(String encoded) {
        try {
            String text = new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
            Matcher begin = BLOCK.matcher(text);
            return begin.find() ? begin.group(1) : "";
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    private static void signer(Field signer) {
        String name = signer.text();
        if (name.equals("kubernetes.io/legacy-unknown")) {
            signer.invalid("the legacy signerName is not allowed via this API version");
            return;
        }
        if (!signer.require()) {
            return;
        }
        String[] parts = name.split("/", -1);
        if (parts.length != 2) {
            signer.invalid("must be a fully qualified domain and path of the form 'example.com/signer-name'");
            return;
        }
        if (Names.bytes(parts[0]) > LONGEST_DOMAIN) {
            signer.tooLong(LONGEST_DOMAIN);
        }
        labels(signer, parts[0]);
        if (!parts[0].contains(".")) {
            signer.invalid(parts[0], "should be a domain with at least two segments separated by dots");
        }
        labels(signer, parts[1]);
        if (Names.bytes(name) > LONGEST_NAME) {
            signer.tooLong(LONGEST_NAME);
        }
    }

    private static void labels(Field signer, String part) {
        for (String label : part.split("\\.", -1)) {
            Names.label(label).forEach(detail -> signer.invalid(part, "validating label \"" + label + "\": " + detail));
        }
    }

    private static void conditions(Field conditions) {
        Set<String> seen = new HashSet<>();
        for (Field condition : conditions.items()) {
            Field type = condition.at("type");
            Field status = condition.at("status");
            if (type.text().isEmpty()) {
                type.missing();
            }
            if (status.require()) {
                if (List.of("Approved", "Denied", "Failed").contains(type.text())) {
                    status.oneOf("True");
                } else {
                    status.oneOf("False", "True", "Unknown");
                }
            }
            if ((type.text().equals("Approved") && seen.contains("Denied"))
                    || (type.text().equals("Denied") && seen.contains("Approved"))) {
                conditions.invalid(type.text(), "Approved and Denied conditions are mutually exclusive");
            }
            type.distinct(seen);
        }
    }

    private static void certificate(Field certificate) {
        String found = block(certificate.text());
        if (!certificate.text().isEmpty() && !found.equals(CERTIFICATE)) {
            certificate.invalid(
                    "<certificate data>",
                    found.isEmpty()
                            ? "must contain at least one CERTIFICATE PEM block"
                            : "only CERTIFICATE PEM blocks are allowed, found \"" + found + "\"");
        }
    }

    @Override
    public void validateUpdate(Field root, JsonObject old) {
        keepsConditions(root, old, false);
        if (!old.string("status", "certificate")
                .equals(root.at("status", "certificate").text())) {
            root.at("status", "certificate").forbidden("updates may not set certificate content");
        }
    }

    @Override
    public void validateStatusUpdate(Field root, JsonObject old) {
        validate(root);
        keepsConditions(root, old, false);
        String issued = old.string("status", "certificate");
        if (!issued.isEmpty() && !issued.equals(root.at("status", "certificate").text())) {
            root.at("status", "certificate").forbidden("updates may not modify existing certificate content");
        }
    }

    @Override
    public void validateSubresourceUpdate(Field root, JsonObject old, String subresource) {
        if (subresource.equals("approval")) {
            validate(root);
            keepsConditions(root, old, true);
        }
    }

    /** Requires the decisions to stay as they are; only an approval may add some. */
    private static void keepsConditions(Field root, JsonObject old, boolean approval) {
        Field conditions = root.at("status", "conditions");
        for (String type : List.of("Approved", "Denied", "Failed")) {
            long before = count(old.objects("status", "conditions"), type);
            long after = count(root.object().objects("status", "conditions"), type);
            if (after < before) {
                conditions.forbidden("updates may not remove a condition of type \"" + type + "\"");
            } else if (after > before && before == 0 && !approval && !type.equals("Failed")) {
                conditions.forbidden("updates may not add a condition of type \"" + type + "\"");
            }
        }
    }

    private static long count(List<JsonObject> conditions, String type) {
        return conditions.stream()
                .filter(condition -> condition.string("type").equals(type))
                .count();
    }
}
