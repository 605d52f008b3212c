package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;
import java.time.Instant;

/** Ingress classes. */
record IngressClassStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void validate(Field root) {
        Field controller = root.at("spec", "controller");
        if (Names.bytes(controller.text()) > 250) {
            controller.tooLong(250);
        }
        FormatRules.prefixedPath(controller);
        Field parameters = root.at("spec", "parameters");
        if (parameters.given()) {
            parameters(parameters);
        }
    }

    private static void parameters(Field parameters) {
        if (parameters.at("apiGroup").given()) {
            parameters.at("apiGroup").obeys(Names::subdomain);
        }
        if (parameters.at("kind").require()) {
            parameters.at("kind").obeys(Names::pathSegment);
        }
        if (parameters.at("name").require()) {
            parameters.at("name").obeys(Names::pathSegment);
        }
        Field scope = parameters.at("scope");
        Field namespace = parameters.at("namespace");
        if (!scope.given()) {
            scope.missing();
        } else {
            scope.oneOf("Cluster", "Namespace");
        }
        if (scope.text().equals("Namespace")) {
            if (namespace.given()) {
                namespace.obeys(Names::label);
            } else {
                namespace.missing("`parameters.scope` is set to 'Namespace'");
            }
        }
        if (scope.text().equals("Cluster") && namespace.given()) {
            namespace.forbidden("`parameters.scope` is set to 'Cluster'");
        }
    }

    @Override
    public boolean checksChangeFirst() {
        return true;
    }

    @Override
    public void validateUpdate(Field root, JsonObject old) {
        if (!root.at("spec", "controller").text().equals(old.string("spec", "controller"))) {
            root.at("spec", "controller").invalid(root.at("spec", "controller").text(), Field.IMMUTABLE);
        }
    }

    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        return Cells.parameters(column, tree);
    }
}
