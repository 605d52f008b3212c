package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.Writer;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The project of a user who writes a {@code module-info.java}. The libraries are jars, as a repository has them. */
class ModulePathTest {
    private static final List<String> LIBRARIES = List.of(
            "collection",
            "graph",
            "client",
            "engine",
            "access",
            "simulation",
            "controller",
            "testing",
            "reconcile",
            "server",
            "protobuf",
            "kubernetes",
            "josdk",
            "junit",
            "policy",
            "load");
    private static final Pattern NAME = Pattern.compile("<module.name>(.+)</module.name>");

    /** Jars of this test's class path that a user's project does not have: our own, and those that run tests. */
    private static final Pattern OTHERS =
            Pattern.compile("evenkeel|junit|surefire|opentest4j|archunit|assertj|logback");

    private static final String MODULE = """
            module user {
                requires dev.evenkeel.client;
                requires dev.evenkeel.controller;
                requires dev.evenkeel.engine;
                requires dev.evenkeel.kubernetes;
                requires dev.evenkeel.reconcile;
                requires dev.evenkeel.server;
                requires dev.evenkeel.testing;
                requires kubernetes.model.core;
                requires kubernetes.model.common;
            }
            """;

    /** Uses each library that reads or writes text by another one: JSON, YAML, CEL, HTTP. */
    private static final String MAIN = """
            package user;

            import dev.evenkeel.client.Client;
            import dev.evenkeel.client.ListOptions;
            import dev.evenkeel.controller.Controller;
            import dev.evenkeel.controller.Result;
            import dev.evenkeel.engine.Engine;
            import dev.evenkeel.kubernetes.Connection;
            import dev.evenkeel.kubernetes.KubernetesClient;
            import dev.evenkeel.server.Server;
            import dev.evenkeel.testing.object.Given;
            import io.fabric8.kubernetes.api.model.ConfigMap;
            import io.fabric8.kubernetes.api.model.HasMetadata;
            import java.nio.file.Files;
            import java.nio.file.Path;

            public class Main {
                private static final String DEFINITION = ""\"
                        apiVersion: apiextensions.k8s.io/v1
                        kind: CustomResourceDefinition
                        metadata: {name: boats.example.com}
                        spec:
                          group: example.com
                          scope: Namespaced
                          names: {plural: boats, kind: Boat}
                          versions:
                            - name: v1
                              served: true
                              storage: true
                              schema:
                                openAPIV3Schema:
                                  type: object
                                  x-kubernetes-validations: [{rule: "!has(self.length) || self.length > 0"}]
                                  properties: {length: {type: integer}}
                        ""\";

                public static void main(String[] args) throws Exception {
                    Controller<ConfigMap> controller = Controller.of(ConfigMap.class, reconciliation -> Result.done());
                    Path kubeconfig = Files.createTempFile("user", ".yaml");
                    try (Engine engine = Engine.create(); Server server = Server.builder(engine).start()) {
                        HasMetadata definition = Given.yaml(DEFINITION).object();
                        engine.client().create(definition);
                        Files.writeString(kubeconfig, server.kubeconfig());
                        try (KubernetesClient client = KubernetesClient.connect(Connection.fromKubeconfig(kubeconfig))) {
                            client.list(ConfigMap.class, ListOptions.ALL);
                        }
                    } finally {
                        Files.delete(kubeconfig);
                    }
                }
            }
            """;

    @TempDir
    private Path directory;

    private final List<Path> modules = new ArrayList<>();
    private final List<Path> unnamed = new ArrayList<>();

    @BeforeEach
    void packs() throws IOException {
        for (String library : LIBRARIES) {
            modules.add(jar(library));
        }
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path path = Path.of(entry);
            // the jars of CEL have packages in common, so no two of them can be modules
            if (entry.endsWith(".jar")
                    && !path.startsWith(Page.ROOT)
                    && !OTHERS.matcher(path.getFileName().toString()).find()) {
                (path.toString().contains(Path.of("dev", "cel").toString()) ? unnamed : modules).add(path);
            }
        }
    }

    private Path jar(String library) throws IOException {
        Matcher name = NAME.matcher(Files.readString(Page.ROOT.resolve(library, "pom.xml")));
        assertThat(name.find()).isTrue();
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Automatic-Module-Name", name.group(1));
        Path classes = Page.ROOT.resolve(library, "target/classes");
        Path jar = directory.resolve(library + ".jar");
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out, manifest);
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                entries.putNextEntry(new JarEntry(classes.relativize(file).toString()));
                Files.copy(file, entries);
            }
        }
        return jar;
    }

    private static String path(List<Path> jars) {
        return jars.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    /** Compiles the user's project; returns the compiler's errors. */
    private String compile(String module, String main) throws IOException {
        Path sources = Files.createDirectories(directory.resolve("src/user"));
        Path info = Files.writeString(sources.resolveSibling("module-info.java"), module);
        Path type = Files.writeString(sources.resolve("Main.java"), main);
        JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "needs a JDK");
        Writer messages = new StringWriter();
        List<String> options = List.of(
                "-d", directory.resolve("out").toString(), "-p", path(modules), "-cp", path(unnamed), "-nowarn");
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            boolean compiled = compiler.getTask(
                            messages, files, null, options, null, files.getJavaFileObjects(info, type))
                    .call();
            return compiled ? "" : messages.toString();
        }
    }

    @Test
    void aProjectCompilesAndRunsOnTheModulePath() throws Exception {
        assertThat(compile(MODULE, MAIN)).isEmpty();

        modules.add(directory.resolve("out"));
        Process java = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-p",
                        path(modules),
                        "-cp",
                        path(unnamed),
                        "--add-modules",
                        "ALL-MODULE-PATH,ALL-SYSTEM",
                        "-m",
                        "user/user.Main")
                .redirectErrorStream(true)
                .start();
        String output = new String(java.getInputStream().readAllBytes());
        assertThat(java.waitFor()).as(output).isZero();
    }

    @Test
    void aModuleThatIsNotRequiredCannotBeUsed() throws IOException {
        assertThat(compile("module user {}", MAIN)).contains("package dev.evenkeel.engine is not visible");
    }

    @Test
    void theLibrariesAreAutomaticModulesWithTheirNames() {
        List<ModuleDescriptor> found =
                ModuleFinder.of(modules.subList(0, LIBRARIES.size()).toArray(Path[]::new)).findAll().stream()
                        .map(ModuleReference::descriptor)
                        .toList();
        assertThat(found)
                .allMatch(ModuleDescriptor::isAutomatic)
                .extracting(ModuleDescriptor::name)
                .containsExactlyInAnyOrderElementsOf(LIBRARIES.stream()
                        .map(library -> "dev.evenkeel." + library)
                        .toList());
    }
}
