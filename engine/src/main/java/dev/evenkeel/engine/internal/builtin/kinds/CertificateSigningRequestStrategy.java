package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.builtin.Times;
import dev.evenkeel.engine.internal.json.Ages;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.UserInfo;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.CertificationRequest;
import dev.evenkeel.engine.internal.syntax.Names;
import dev.evenkeel.engine.internal.syntax.PemBlock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** Certificate signing requests, which name their sender regardless of their content. */
record CertificateSigningRequestStrategy(KindFacts facts) implements KindStrategy {
    private static final String CERTIFICATE = "CERTIFICATE";
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
        return subresource.equals("approval")
                ? List.of("spec", "status.certificate")
                : KindStrategy.super.resetFields(subresource);
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
        List<String> states = new ArrayList<>();
        states.add(Stream.of("Denied", "Approved")
                .filter(type -> Trees.condition(tree, type) != null)
                .findFirst()
                .orElse("Pending"));
        if (Trees.condition(tree, "Failed") != null) {
            states.add("Failed");
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
                KindStrategy.restore(tree, old, resetFields(subresource));
                setTimes(tree, old, context);
            }
            case "status" -> {
                KindStrategy.restore(tree, old, List.of("spec"));
                keepDecisions(tree, old);
                setTimes(tree, old, context);
            }
            default -> KindStrategy.super.prepareForUpdate(tree, old, subresource, context);
        }
    }

    /** Keeps the decisions as they are, unless there are more or fewer, which is refused later. */
    private static void keepDecisions(JsonObject tree, JsonObject old) {
        for (String type : List.of("Approved", "Denied")) {
            List<JsonObject> before = ofType(old, type);
            List<JsonObject> after = ofType(tree, type);
            if (before.size() == after.size()) {
                for (int i = 0; i < after.size(); i++) {
                    JsonObject condition = after.get(i);
                    condition.clear();
                    condition.putAll(before.get(i));
                }
            }
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
        wrongRequest(decoded(request)).ifPresent(request::invalid);
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

    private static Optional<String> wrongRequest(byte[] pem) {
        try {
            return CertificationRequest.parse(pem).wrongSignature();
        } catch (IllegalArgumentException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private static byte[] decoded(Field field) {
        return Base64.getDecoder().decode(field.text());
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
        labels(signer, parts[0], Names::label);
        if (!parts[0].contains(".")) {
            signer.invalid(parts[0], "should be a domain with at least two segments separated by dots");
        }
        labels(signer, parts[1], Names::subdomain);
        if (Names.bytes(name) > LONGEST_NAME) {
            signer.tooLong(LONGEST_NAME);
        }
    }

    /** Checks the parts between dots, up to the first that is wrong. */
    private static void labels(Field signer, String part, Function<String, List<String>> rule) {
        for (String label : part.split("\\.", -1)) {
            List<String> wrong = rule.apply(label);
            wrong.forEach(detail -> signer.invalid(part, "validating label \"" + label + "\": " + detail));
            if (!wrong.isEmpty()) {
                return;
            }
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
        if (!certificate.text().isEmpty()) {
            wrongCertificates(decoded(certificate))
                    .ifPresent(detail -> certificate.invalid("<certificate data>", detail));
        }
    }

    private static Optional<String> wrongCertificates(byte[] pem) {
        Optional<PemBlock> block = PemBlock.first(pem);
        if (block.isEmpty()) {
            return Optional.of("must contain at least one CERTIFICATE PEM block");
        }
        for (; block.isPresent(); block = block.get().next()) {
            PemBlock found = block.get();
            if (!found.type().equals(CERTIFICATE)) {
                return Optional.of("only CERTIFICATE PEM blocks are allowed, found " + Json.text(found.type()));
            }
            if (found.headers()) {
                return Optional.of("no PEM block headers are permitted");
            }
            if (found.content().length == 0) {
                return Optional.of("found CERTIFICATE PEM block containing 0 certificates");
            }
            if (!found.isCertificate()) {
                return Optional.of("x509: malformed certificate");
            }
        }
        return Optional.empty();
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
            if (added(root, old, type) < 0) {
                conditions.forbidden("updates may not remove a condition of type \"" + type + "\"");
            }
        }
        for (String type : approval ? List.<String>of() : List.of("Approved", "Denied")) {
            if (added(root, old, type) > 0) {
                conditions.forbidden("updates may not add a condition of type \"" + type + "\"");
            }
        }
    }

    private static int added(Field root, JsonObject old, String type) {
        return ofType(root.object(), type).size() - ofType(old, type).size();
    }

    private static List<JsonObject> ofType(JsonObject tree, String type) {
        return tree.objects("status", "conditions").stream()
                .filter(condition -> condition.string("type").equals(type))
                .toList();
    }
}
