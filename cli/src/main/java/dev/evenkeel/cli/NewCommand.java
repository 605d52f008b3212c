package dev.evenkeel.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code evenkeel new}. */
@Command(
        name = "new",
        description = {
            "Creates a project with an operator for one kind, which builds, has tests, and runs.",
            "",
            "Existing files are not overwritten.",
            ""
        })
final class NewCommand extends BaseCommand {
    @Parameters(index = "0", paramLabel = "NAME", description = "name of the project, such as my-operator")
    private String name = "";

    @Option(
            names = "--group",
            paramLabel = "DOMAIN",
            defaultValue = "example.com",
            description = "API group of the kind (default: ${DEFAULT-VALUE})")
    private String group = "";

    @Option(
            names = "--kind",
            paramLabel = "KIND",
            defaultValue = "Widget",
            description = "kind to reconcile (default: ${DEFAULT-VALUE})")
    private String kind = "";

    @Option(
            names = "--package",
            paramLabel = "PACKAGE",
            defaultValue = "",
            description = "package of the classes (default: from group and kind, such as com.example.widget)")
    private String packageName = "";

    @Option(
            names = "--directory",
            paramLabel = "DIRECTORY",
            description = "directory of the project (default: its name)")
    private @Nullable Path directory;

    private final LocalRepository repository;
    private final Path checkout;

    NewCommand() {
        this(LocalRepository.ofUser(), Path.of(System.getProperty("evenkeel.home", ".")));
    }

    /** Creates the command for a local repository, and the checkout that its artifacts are installed from. */
    NewCommand(LocalRepository repository, Path checkout) {
        this.repository = repository;
        this.checkout = checkout;
    }

    @Override
    public Integer call() {
        Project project =
                new Project(name, group, kind, packageName.isEmpty() ? Project.packageOf(group, kind) : packageName);
        Path place = directory == null ? Path.of(name) : directory;
        project.writeTo(place);
        PrintWriter out = line().getOut();
        out.println(project.files().size() + " files are in " + place + "; see " + place.resolve("README.md")
                + ". Begin with");
        out.println();
        String version = Release.of("version");
        if (version.endsWith("-SNAPSHOT") && !repository.has(version)) {
            out.println("  mvn -q -f " + checkout + " install -DskipTests    # once: Evenkeel " + version
                    + " is not in " + repository.directory());
        }
        out.println("  cd " + place + " && mvn test");
        out.flush();
        return 0;
    }
}
