package dev.evenkeel.cli;

import dev.evenkeel.controller.Controller;
import dev.evenkeel.testing.Skeleton;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code evenkeel skeleton}. */
@Command(
        name = "skeleton",
        description = {
            "Generates a test class for a controller, with cases for each kind that it declares.",
            "",
            "The class compiles and runs; each case fails with the lines that expect the observed effects. Review and"
                    + " paste them.",
            ""
        })
final class SkeletonCommand extends BaseCommand {
    @Parameters(
            index = "0",
            paramLabel = "CLASS[#METHOD]",
            description =
                    "a class with a static method without parameters that returns a Controller; with several, name"
                            + " the method")
    private String type = "";

    @Mixin
    private UserClass user = new UserClass();

    @Option(
            names = "--definitions",
            paramLabel = "FILE",
            description = "CustomResourceDefinitions of its kinds; the test reads this path")
    private @Nullable Path definitions;

    @Option(
            names = "--output",
            paramLabel = "DIRECTORY",
            description =
                    "write the class below this directory, such as src/test/java, instead of printing it; existing files are not overwritten")
    private @Nullable Path output;

    @Override
    public Integer call() {
        List<UserClass.Made> made = user.declarations(type).stream()
                .filter(one -> one.declared().controller().isPresent())
                .toList();
        if (made.size() != 1) {
            throw new Failure(
                    made.isEmpty()
                            ? "no static method without parameters of " + type + " returns a Controller"
                            : "several methods of " + type + " return a Controller: name one, as in " + type + "#"
                                    + made.getFirst().method());
        }
        UserClass.Made one = made.getFirst();
        Controller<?> controller = one.declared().controller().orElseThrow();
        try {
            Skeleton skeleton = Skeleton.of(controller)
                    .inPackage(one.type().getPackageName())
                    .madeBy(one.type().getCanonicalName().substring(prefix(one.type())) + "." + one.method() + "()");
            if (definitions != null) {
                skeleton = skeleton.definitions(definitions);
                // reports errors with the name of the file
                var _ = ExampleFiles.read(definitions);
            }
            var out = line().getOut();
            if (output == null) {
                out.print(skeleton.source());
            } else {
                out.println(skeleton.writeTo(output));
            }
            out.flush();
            return 0;
        } catch (IllegalArgumentException | UncheckedIOException e) {
            boolean undefined = definitions == null
                    && !controller.primary().javaType().getPackageName().startsWith("io.fabric8");
            throw new Failure(Failure.reason(e)
                    + (undefined ? "\nPass the file of its CustomResourceDefinition with --definitions FILE" : ""));
        }
    }

    private static int prefix(Class<?> type) {
        return type.getPackageName().isEmpty() ? 0 : type.getPackageName().length() + 1;
    }
}
