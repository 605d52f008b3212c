package dev.evenkeel.cli;

import dev.evenkeel.engine.Engine;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options of a server about admission plugins, named as those of kube-apiserver, and about its controllers. */
final class AdmissionOptions {
    @Option(
            names = "--enable-admission-plugins",
            paramLabel = "NAME",
            split = ",",
            converter = Plugin.class,
            description = "admission plugins to enable, in addition to those that kube-apiserver enables by default")
    private List<String> enabled = List.of();

    @Option(
            names = "--disable-admission-plugins",
            paramLabel = "NAME",
            split = ",",
            converter = Plugin.class,
            description = "admission plugins to disable, such as ServiceAccount")
    private List<String> disabled = List.of();

    @Option(
            names = "--no-controllers",
            description = "collect no garbage, empty no namespaces, create no service accounts and count no quotas:"
                    + " where kube-controller-manager does")
    private boolean noControllers;

    /** Sets the options on the builder of an engine. */
    Engine.Builder configure(Engine.Builder builder) {
        return builder.controllers(!noControllers)
                .enableAdmission("ServiceAccount")
                .enableAdmission(enabled.toArray(String[]::new))
                .disableAdmission(disabled.toArray(String[]::new));
    }

    /** Checks the name of a plugin. */
    static final class Plugin implements ITypeConverter<String> {
        @Override
        public String convert(String name) {
            try {
                var _ = Engine.builder().enableAdmission(name);
                return name;
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(String.valueOf(e.getMessage()));
            }
        }
    }
}
