package dev.evenkeel.engine.internal.builtin.kinds;

import com.google.re2j.Pattern;
import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Ingresses. */
record IngressStrategy(KindFacts facts) implements KindStrategy {
    private static final String CLASS_ANNOTATION = "kubernetes.io/ingress.class";
    private static final int LONGEST_HOST = 253;
    private static final String NOT_IP = "must be a DNS name, not an IP address";
    private static final Pattern WILDCARD =
            Pattern.compile("\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    @Override
    public void validate(Field root) {
        Field spec = root.at("spec");
        Field rules = spec.at("rules");
        if (rules.array().isEmpty() && !spec.at("defaultBackend").given()) {
            spec.invalid(rules.value(), "either `defaultBackend` or `rules` must be specified");
        }
        if (spec.at("defaultBackend").given()) {
            backend(spec.at("defaultBackend"));
        }
        for (Field rule : rules.items()) {
            Field host = rule.at("host");
            if (FormatRules.isIp(host.text())) {
                host.invalid(NOT_IP);
            }
            if (!host.text().isEmpty()) {
                host(host);
            }
            if (rule.at("http").given()) {
                Field paths = rule.at("http", "paths");
                if (paths.array().isEmpty()) {
                    paths.missing();
                }
                paths.items().forEach(IngressStrategy::path);
            }
        }
        for (Field tls : spec.at("tls").items()) {
            tls.at("hosts").items().forEach(IngressStrategy::host);
            tls.at("secretName").requireIfGiven(Names::subdomain);
        }
        if (spec.at("ingressClassName").given()) {
            spec.at("ingressClassName").obeys(Names::subdomain);
        }
    }

    /** An annotation that names another class is refused in new objects only. */
    @Override
    public List<FieldError> validate(JsonObject tree, @Nullable JsonObject old, String subresource) {
        List<FieldError> errors = KindStrategy.super.validate(tree, old, subresource);
        Object annotated = tree.at("metadata", "annotations", CLASS_ANNOTATION);
        Object named = tree.at("spec", "ingressClassName");
        if (old == null && annotated != null && named != null && !annotated.equals(named)) {
            errors.add(FieldError.invalid(
                    "annotations." + CLASS_ANNOTATION,
                    annotated,
                    "must match `ingressClassName` when both are specified"));
        }
        return errors;
    }

    @Override
    public List<String> warnings(JsonObject tree, @Nullable JsonObject old) {
        return old == null
                        && tree.has("metadata", "annotations", CLASS_ANNOTATION)
                        && !tree.has("spec", "ingressClassName")
                ? List.of("annotation \"" + CLASS_ANNOTATION
                        + "\" is deprecated, please use 'spec.ingressClassName' instead")
                : List.of();
    }

    @Override
    public List<String> statusWarnings(JsonObject tree) {
        return ServiceRules.statusWarnings(tree);
    }

    private static void host(Field host) {
        if (!host.text().contains("*")) {
            host.obeys(Names::subdomain);
            return;
        }
        if (Names.bytes(host.text()) > LONGEST_HOST) {
            host.invalid("must be no more than " + LONGEST_HOST + " characters");
        }
        if (!WILDCARD.matches(host.text())) {
            host.invalid("a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which"
                    + " must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric"
                    + " character (e.g. '*.example.com', regex used for validation is '" + WILDCARD.pattern() + "')");
        }
    }

    private static void path(Field path) {
        Field type = path.at("pathType");
        if (!type.given()) {
            type.missing("pathType must be specified");
            return;
        }
        Field url = path.at("path");
        switch (type.text()) {
            case "Exact", "Prefix" -> {
                if (!url.text().startsWith("/")) {
                    url.invalid(url.text(), "must be an absolute path");
                }
                for (String wrong : List.of("//", "/./", "/../", "%2f", "%2F")) {
                    if (url.text().contains(wrong)) {
                        url.invalid("must not contain '" + wrong + "'");
                    }
                }
                for (String wrong : List.of("/..", "/.")) {
                    if (url.text().endsWith(wrong)) {
                        url.invalid("cannot end with '" + wrong + "'");
                    }
                }
            }
            case "ImplementationSpecific" -> {
                if (!url.text().isEmpty() && !url.text().startsWith("/")) {
                    url.invalid("must be an absolute path");
                }
            }
            default -> type.oneOf("Exact", "ImplementationSpecific", "Prefix");
        }
        backend(path.at("backend"));
    }

    private static void backend(Field backend) {
        Field resource = backend.at("resource");
        Field service = backend.at("service");
        if (resource.given() && service.given()) {
            backend.invalid("", "cannot set both resource and service backends");
        } else if (resource.given()) {
            if (resource.at("apiGroup").given()) {
                resource.at("apiGroup").obeys(Names::subdomain);
            }
            resource.at("kind").require(Names::pathSegment);
            resource.at("name").require(Names::pathSegment);
        } else if (service.given()) {
            service(backend, service);
        } else {
            backend.invalid("", "resource or service backend is required");
        }
    }

    private static void service(Field backend, Field service) {
        service.at("name").require(Names::label);
        Field name = service.at("port", "name");
        Field number = service.at("port", "number");
        if (!name.text().isEmpty() && number.number() != 0) {
            backend.invalid("", "cannot set both port name & port number");
        } else if (!name.text().isEmpty()) {
            name.obeys(FormatRules::portName);
        } else if (number.number() != 0) {
            number.port();
        } else {
            backend.missing("port name or number is required");
        }
    }

    @Override
    public void validateStatusUpdate(Field root, JsonObject old) {
        for (Field ingress : root.at("status", "loadBalancer", "ingress").items()) {
            ingress.at("ip").requireIfGiven(FormatRules::ip);
            Field host = ingress.at("hostname");
            host.requireIfGiven(Names::subdomain);
            if (FormatRules.isIp(host.text())) {
                host.invalid(NOT_IP);
            }
        }
    }

    /** Returns up to three hosts, and the number of rules beyond three when rules follow the third host. */
    private static String hosts(List<@Nullable Object> rules) {
        List<String> hosts = new ArrayList<>();
        for (Object rule : rules) {
            String host = Json.string(rule, "host");
            if (hosts.size() == 3) {
                return String.join(",", hosts) + " + " + (rules.size() - 3) + " more...";
            }
            if (!host.isEmpty()) {
                hosts.add(host);
            }
        }
        return hosts.isEmpty() ? "*" : String.join(",", hosts);
    }

    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        return switch (column) {
            case "Hosts" -> hosts(tree.array("spec", "rules"));
            case "Address" -> String.join(",", ServiceStrategy.ingresses(tree));
            default -> tree.array("spec", "tls").isEmpty() ? "80" : "80, 443";
        };
    }
}
