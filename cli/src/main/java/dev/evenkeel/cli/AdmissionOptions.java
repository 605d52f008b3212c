package dev.evenkeel.cli;

import dev.evenkeel.engine.AdmissionPlugin;
import dev.evenkeel.engine.Engine;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
    private List<AdmissionPlugin> enabled = List.of();

    @Option(
            names = "--disable-admission-plugins",
            paramLabel = "NAME",
            split = ",",
            converter = Plugin.class,
            description = "admission plugins to disable, such as ServiceAccount")
    private List<AdmissionPlugin> disabled = List.of();

    @Option(
            names = "--no-controllers",
            description = "collect no garbage, empty no namespaces, create no service accounts and count no quotas:"
                    + " where kube-controller-manager does")
    private boolean noControllers;

    /** Sets the options on the builder of an engine. */
    Engine.Builder configure(Engine.Builder builder) {
        return builder.controllers(!noControllers)
                .enable(AdmissionPlugin.SERVICE_ACCOUNT)
                .enable(enabled.toArray(AdmissionPlugin[]::new))
                .disable(disabled.toArray(AdmissionPlugin[]::new));
    }

    /** Converts the name of a plugin. */
    static final class Plugin implements ITypeConverter<AdmissionPlugin> {
        @Override
        public AdmissionPlugin convert(String name) {
            return AdmissionPlugin.named(name)
                    .orElseThrow(() -> new TypeConversionException("unknown admission plugin \"" + name + "\"; known: "
                            + Stream.of(AdmissionPlugin.values())
                                    .map(AdmissionPlugin::toString)
                                    .sorted()
                                    .collect(Collectors.joining(", "))));
        }
    }
}
