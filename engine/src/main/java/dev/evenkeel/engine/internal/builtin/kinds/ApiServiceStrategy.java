package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;
import dev.evenkeel.engine.internal.type.ResourceType;
import java.time.Instant;
import java.util.Base64;

/** API services, whose name is that of their version. */
record ApiServiceStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void validate(Field root) {
        Field spec = root.at("spec");
        String group = spec.at("group").text();
        String version = spec.at("version").text();
        String wanted = version + "." + group;
        String detail = "must be `spec.version+\".\"+spec.group`: \"" + wanted + "\"";
        for (String name : new String[] {"generateName", "name"}) {
            Field given = root.at("metadata", name);
            boolean fitsPath =
                    Names.check(ResourceType.Names.PATH_SEGMENT, given.text()).isEmpty();
            if (!given.text().isEmpty() && fitsPath && !given.text().equals(wanted)) {
                given.invalid(detail);
            }
        }
        if (!group.isEmpty()) {
            spec.at("group").obeys(Names::subdomain);
        } else if (!version.equals("v1")) {
            spec.at("group").missing("only v1 may have an empty group and it better be legacy kube");
        }
        spec.at("version").obeys(Names::label1035);
        inRange(spec.at("groupPriorityMinimum"), 20_000);
        inRange(spec.at("versionPriority"), 1_000);
        Field service = spec.at("service");
        Field insecure = spec.at("insecureSkipTLSVerify");
        boolean unchecked = Boolean.TRUE.equals(insecure.value());
        if (!service.given()) {
            String bundle = spec.at("caBundle").text();
            if (!bundle.isEmpty()) {
                int bytes = Base64.getDecoder().decode(bundle).length;
                spec.at("caBundle").invalid(bytes + " bytes", "local APIServices may not have a caBundle");
            }
            if (unchecked) {
                insecure.invalid("local APIServices may not have insecureSkipTLSVerify");
            }
            return;
        }
        service.at("namespace").require();
        service.at("name").require();
        service.at("port").between(1, 65_535, "port is not valid: must be between 1 and 65535, inclusive");
        if (unchecked && !spec.at("caBundle").text().isEmpty()) {
            insecure.invalid("may not be true if caBundle is present");
        }
    }

    private static void inRange(Field priority, long limit) {
        if (priority.number() <= 0 || priority.number() > limit) {
            priority.invalid(priority.number(), "must be positive and less than " + limit);
        }
    }

    @Override
    public void validateStatusUpdate(Field root, JsonObject old) {
        for (Field condition : root.at("status", "conditions").items()) {
            condition.at("status").oneOf("True", "False", "Unknown");
        }
    }

    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        return Cells.availability(column, tree);
    }
}
