package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.builtin.Times;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** IP addresses. */
record IpAddressStrategy(KindFacts facts) implements KindStrategy {
    /** Adds nothing to a prefix: addresses have no names that are made up. */
    @Override
    public Optional<String> nameFrom(String prefix, Supplier<String> uuid) {
        return prefix.isEmpty() ? Optional.empty() : Optional.of(prefix);
    }

    @Override
    public void validate(Field root) {
        Field parent = root.at("spec", "parentRef");
        if (!parent.given()) {
            parent.missing();
            return;
        }
        parent.at("group").requireIfGiven(Names::subdomain);
        parent.at("resource").require(Names::pathSegment);
        parent.at("name").require(Names::pathSegment);
        parent.at("namespace").requireIfGiven(Names::pathSegment);
    }

    @Override
    public void validateUpdate(Field root, JsonObject old) {
        Field parent = root.at("spec", "parentRef");
        if (!Objects.equals(parent.value(), old.at("spec", "parentRef"))) {
            parent.invalidText(
                    parent.given()
                            ? StructText.ofTexts(
                                    parent,
                                    "Group",
                                    "group",
                                    "Resource",
                                    "resource",
                                    "Namespace",
                                    "namespace",
                                    "Name",
                                    "name")
                            : "null",
                    Field.IMMUTABLE);
        }
    }

    /** Returns three cells, as upstream does, although there are two columns. */
    @Override
    public List<@Nullable Object> cells(JsonObject tree, Instant now) {
        List<@Nullable Object> cells = KindStrategy.super.cells(tree, now);
        cells.add(Times.since(tree, now, "metadata", "creationTimestamp"));
        return cells;
    }

    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        String group = tree.string("spec", "parentRef", "group");
        String resource = tree.string("spec", "parentRef", "resource");
        String namespace = tree.string("spec", "parentRef", "namespace");
        return (group.isEmpty() ? resource : resource + "." + group).toLowerCase(Locale.ROOT) + "/"
                + (namespace.isEmpty() ? "" : namespace + "/") + tree.string("spec", "parentRef", "name");
    }
}
