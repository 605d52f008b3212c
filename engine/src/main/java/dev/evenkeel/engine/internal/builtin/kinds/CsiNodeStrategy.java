package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.builtin.InternalForm;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;
import java.util.HashSet;
import java.util.Set;

/** CSI nodes. */
record CsiNodeStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void validate(Field root) {
        Set<String> names = new HashSet<>();
        for (Field driver : root.at("spec", "drivers").items()) {
            VolumeRules.csiDriver(driver.at("name"));
            Field node = driver.at("nodeID");
            if (node.require() && Names.bytes(node.text()) > 256) {
                node.invalid("must be 256 characters or less");
            }
            driver.at("allocatable", "count").notNegative();
            if (!names.add(driver.at("name").text())) {
                driver.at("name").duplicate(driver.at("name").text());
            }
            Set<String> keys = new HashSet<>();
            for (Field key : driver.at("topologyKeys").items()) {
                if (key.text().isEmpty()) {
                    driver.missing();
                }
                if (!keys.add(key.text())) {
                    driver.duplicate(key.text());
                }
                Names.qualified(key.text()).forEach(detail -> driver.invalid(key.text(), detail));
            }
        }
    }

    /** Requires that drivers stay as they are, except for how many volumes they can attach. */
    @Override
    public void validateUpdate(Field root, JsonObject old) {
        for (JsonObject former : old.objects("spec", "drivers")) {
            for (Field driver : root.at("spec", "drivers").items()) {
                JsonObject fixed = withoutAllocatable(driver.object());
                if (driver.at("name").text().equals(former.string("name"))
                        && !fixed.equals(withoutAllocatable(former))) {
                    root.at("spec", "drivers")
                            .invalidText(InternalForm.text("storage.v1.CSINodeDriver", fixed), Field.IMMUTABLE);
                }
            }
        }
    }

    private static JsonObject withoutAllocatable(JsonObject driver) {
        JsonObject rest = driver.copy();
        rest.remove("allocatable");
        return rest;
    }
}
