package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;

/** Device classes. */
record DeviceClassStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void validate(Field root) {
        Field spec = root.at("spec");
        DeviceRules.selectors(spec.at("selectors"));
        DeviceRules.each(spec.at("config"), DeviceRules.MOST_CONFIGURATIONS, DeviceRules::configuration);
        Field extended = spec.at("extendedResourceName");
        if (extended.given() && !isExtended(extended.text())) {
            extended.invalid("must be a valid extended resource name");
        }
    }

    /** Returns whether a resource is of a domain other than Kubernetes' own. */
    private static boolean isExtended(String name) {
        return ResourceRules.isExtended(name)
                && Names.qualified("requests." + name).isEmpty();
    }
}
