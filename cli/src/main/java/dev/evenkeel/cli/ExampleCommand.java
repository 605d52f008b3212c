package dev.evenkeel.cli;

import dev.evenkeel.cli.ExampleFiles.Example;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Watch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.ControllerEvent;
import dev.evenkeel.controller.Endpoint;
import dev.evenkeel.controller.Leases;
import dev.evenkeel.controller.Manager;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.kubernetes.Connection;
import dev.evenkeel.kubernetes.KubernetesClient;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionStatus;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code evenkeel example}. */
@Command(
        name = "example",
        description = {
            "Runs the example controllers until SIGTERM or Ctrl-C, and shows their effects.",
            "",
            "Without a kubeconfig they run on an engine in this process, with the sample objects. With a kubeconfig"
                    + " they run against that server, Evenkeel's or any cluster; with --leases several"
                    + " processes share them.",
            ""
        },
        subcommands = CatalogCommand.class)
final class ExampleCommand extends BaseCommand {
    private static final Duration ESTABLISHED = Duration.ofSeconds(30);

    private static final WriteOptions WRITE =
            WriteOptions.DEFAULT.fieldManager("evenkeel-example").force(true);

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "run against this server; requires permission to install types and to write")
    private @Nullable Path kubeconfig;

    @Option(
            names = "--context",
            paramLabel = "NAME",
            defaultValue = "",
            description = "context of the kubeconfig (default: the current context)")
    private String context = "";

    @Option(
            names = "--play",
            description =
                    "imitate a cluster's workload controllers: mark pods as ready, and assign addresses to"
                            + " load balancers; for servers without nodes. Always enabled in process, where example stream needs it")
    private boolean play;

    @Option(names = "--samples", description = "apply the sample objects, too; always enabled in process")
    private boolean samples;

    @Mixin
    private ExampleFiles files = new ExampleFiles();

    @Mixin
    private FleetOptions fleet = new FleetOptions();

    @Override
    public Integer call() throws InterruptedException {
        require(kubeconfig != null || context.isEmpty(), "--context requires --kubeconfig FILE");
        Optional<Leases> leases = fleet.leases();
        List<ExampleProgram> programs =
                files.example().each().stream().map(ExampleProgram::of).toList();
        Set<Class<? extends HasMetadata>> primary = new LinkedHashSet<>();
        programs.forEach(program -> primary.addAll(program.primary()));
        Set<Class<? extends HasMetadata>> shown = new LinkedHashSet<>(primary);
        programs.forEach(program -> shown.addAll(program.owned()));
        Narrator narrator = new Narrator(Terminal.of(line().getOut()), primary);

        try (Lifetime lifetime = new Lifetime()) {
            Client client = client(lifetime, narrator);
            lifetime.endBySignal();
            for (ExampleProgram program : programs) {
                install(client, program, narrator);
            }
            PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
            Manager.Builder builder =
                    Manager.builder(client).metrics(registry).listener(event -> printEvent(event, narrator));
            leases.ifPresent(builder::leases);
            Manager manager = lifetime.keep(builder.build());
            for (ExampleProgram program : programs) {
                for (Controller<?> controller : program.controllers()) {
                    manager.add(fleet.withPlacement(controller));
                }
            }
            // streams wait for pods
            if (play || (kubeconfig == null && files.example().each().contains(Example.stream))) {
                SimulatedCluster.controllers().forEach(manager::add);
            }
            long start = System.nanoTime();
            for (Class<? extends HasMetadata> kind : shown) {
                show(manager, kind, narrator, start);
            }
            manager.start();
            fleet.endpoint().ifPresent(port -> {
                Endpoint endpoint = lifetime.keep(Endpoint.start(manager, port, registry::scrape));
                narrator.print(
                        "endpoint", "http://127.0.0.1:" + endpoint.address().getPort() + "/readyz");
            });
            leases.ifPresent(shared ->
                    narrator.print("identity", shared.identity() + ", leases in namespace " + shared.namespace()));
            if (samples || kubeconfig == null) {
                for (ExampleProgram program : programs) {
                    files.samples(program.name()).forEach(sample -> apply(client, program, sample));
                }
            }
            lifetime.awaitSignal();
        }
        return 0;
    }

    private Client client(Lifetime lifetime, Narrator narrator) {
        if (kubeconfig == null) {
            Engine engine = lifetime.keep(Engine.create());
            narrator.print("engine", "in this process");
            return engine.client();
        }
        Connection connection = Connection.fromKubeconfig(kubeconfig, context);
        narrator.print("server", connection.server().toString());
        return lifetime.keep(KubernetesClient.builder(connection)
                .fieldManager("evenkeel-example")
                .build());
    }

    private static <T extends HasMetadata> void show(Manager manager, Class<T> kind, Narrator narrator, long start) {
        var _ = manager.informer(Kind.of(kind)).handle("example", change -> narrator.printChange(change, start));
    }

    private static void printEvent(ControllerEvent event, Narrator narrator) {
        switch (event) {
            case ControllerEvent.Active active -> narrator.print("controller", active.controller() + " is active");
            case ControllerEvent.Inactive inactive ->
                narrator.print("controller", inactive.controller() + " is inactive");
            default -> {}
        }
    }

    private void install(Client client, ExampleProgram program, Narrator narrator) throws InterruptedException {
        for (GenericKubernetesResource type : files.types(program.name())) {
            CustomResourceDefinition definition = ModelCodec.convert(type, CustomResourceDefinition.class);
            client.apply(definition, WRITE);
            established(client, definition.getMetadata().getName());
            narrator.print("type", definition.getMetadata().getName());
        }
    }

    /** Waits until the server serves a type. */
    private static void established(Client client, String name) throws InterruptedException {
        Kind<CustomResourceDefinition> kind = Kind.of(CustomResourceDefinition.class);
        long deadline = System.nanoTime() + ESTABLISHED.toNanos();
        try (Watch<CustomResourceDefinition> watch = client.watch(kind, ListOptions.ALL.timeout(ESTABLISHED))) {
            for (var next = watch.next(); next.isPresent(); next = watch.next()) {
                if (name.equals(next.get().object().getMetadata().getName())
                        && isEstablished(next.get().object().getStatus())) {
                    return;
                }
                if (System.nanoTime() > deadline) {
                    break;
                }
            }
        }
        throw new Failure("the server does not serve " + name + ", " + ESTABLISHED.toSeconds()
                + " s after its creation: see the conditions of that CustomResourceDefinition");
    }

    private static boolean isEstablished(@Nullable CustomResourceDefinitionStatus status) {
        return status != null
                && status.getConditions().stream()
                        .anyMatch(condition -> condition.getType().equals("Established")
                                && condition.getStatus().equals("True"));
    }

    static void apply(Client client, ExampleProgram program, GenericKubernetesResource sample) {
        Kind<?> typed = Stream.of(program.primary(), program.owned(), List.of(Namespace.class))
                .<Kind<?>>flatMap(classes -> classes.stream().map(Kind::of))
                .filter(kind -> kind.kind().equals(sample.getKind()))
                .findFirst()
                .orElseThrow(() -> new Failure(ObjectKey.of(sample) + ": the example " + program.name()
                        + " does not contain the kind " + sample.getKind()));
        try {
            // applied as written, so that the type's defaults fill in absent fields
            client.apply(typed.in(GenericKubernetesResource.class), sample, WRITE);
        } catch (NotFoundException e) {
            throw new Failure(
                    sample.getKind() + " " + ObjectKey.of(sample) + " cannot be applied: " + Failure.reason(e));
        }
    }
}
