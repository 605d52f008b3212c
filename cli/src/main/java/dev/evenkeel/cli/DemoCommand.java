package dev.evenkeel.cli;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Manager;
import dev.evenkeel.controller.cache.Informer;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.examples.Website;
import dev.evenkeel.examples.WebsiteReconciler;
import dev.evenkeel.server.Server;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code evenkeel demo}. */
@Command(
        name = "demo",
        description = {
            "Runs an engine, its API server and the example controller in one process, and shows their effects.",
            "Each Website becomes a ConfigMap, a Deployment and a Service."
        })
final class DemoCommand extends BaseCommand {
    @Option(
            names = "--once",
            description = "exit after convergence with 0, or after the timeout with 1 and a list of missing objects")
    private boolean once;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "30",
            description = "timeout of convergence (default: ${DEFAULT-VALUE})")
    private int timeout;

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "0",
            description = "loopback port to listen on; 0 selects a free one (default: ${DEFAULT-VALUE})")
    private int port;

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            defaultValue = "${sys:evenkeel.home:-.}/target/demo.kubeconfig",
            description = "kubeconfig to write; removed on exit (default: ${DEFAULT-VALUE})")
    private Path kubeconfig = Path.of("");

    @Option(
            names = "--examples",
            paramLabel = "DIRECTORY",
            defaultValue = "${sys:evenkeel.home:-.}/examples/website",
            description = "directory of crd.yaml and websites.yaml (default: ${DEFAULT-VALUE})")
    private Path examples = Path.of("");

    private static final Kind<GenericKubernetesResource> WEBSITES =
            Kind.generic("examples.evenkeel.dev", "v1", "Website", "websites", true);

    private final BlockingQueue<Informer.Change<? extends HasMetadata>> changes = new LinkedBlockingQueue<>();
    private final Convergence convergence = new Convergence();

    @Override
    public Integer call() throws InterruptedException {
        Terminal terminal = Terminal.of(line().getOut());
        Narrator narrator = new Narrator(terminal, Set.of(Website.class));
        List<GenericKubernetesResource> types = ExampleFiles.read(examples.resolve("crd.yaml"));
        List<GenericKubernetesResource> sites = ExampleFiles.read(examples.resolve("websites.yaml"));
        try (Lifetime lifetime = new Lifetime()) {
            KubeconfigFile file = lifetime.keep(KubeconfigFile.claim(kubeconfig));
            long start = System.nanoTime();
            Engine engine = lifetime.keep(Engine.create());
            narrator.print("engine", "started in " + Narrator.since(start));
            Server server = lifetime.keep(Server.builder(engine).port(port).start());
            if (!once) {
                lifetime.endBySignal();
            }
            file.write(server.kubeconfig());
            narrator.print("api server", server.url().toString());

            Client client = engine.partition(Engine.DEFAULT_PARTITION).client("evenkeel-demo");
            for (GenericKubernetesResource type : types) {
                client.apply(ModelCodec.convert(type, CustomResourceDefinition.class), WriteOptions.DEFAULT);
                narrator.print("type", type.getMetadata().getName());
            }
            Manager manager = lifetime.keep(Manager.of(client)).add(WebsiteReconciler.controller());
            for (Class<? extends HasMetadata> shown :
                    List.of(Website.class, ConfigMap.class, Deployment.class, Service.class)) {
                show(manager, shown);
            }
            manager.start();
            narrator.print("controller", "reconciles websites");

            long applied = System.nanoTime();
            for (GenericKubernetesResource site : sites) {
                convergence.want(ObjectKey.of(site));
                // applied as written, so that the type's defaults fill in absent fields
                client.apply(WEBSITES, site, WriteOptions.DEFAULT);
            }
            if (!follow(terminal, narrator, applied)) {
                convergence.missing().forEach(line -> terminal.line(terminal.style(Terminal.Style.BAD, line)));
                String verdict = "not converged after " + timeout + " s";
                if (once) {
                    throw new Failure(verdict + ": " + String.join("; ", convergence.missing()));
                }
                terminal.line(verdict);
            }
            if (once) {
                return 0;
            }
            hints(terminal, file.path(), sites.getFirst().getMetadata().getName());
            while (true) {
                show(narrator, changes.take(), applied);
            }
        }
    }

    private <T extends HasMetadata> void show(Manager manager, Class<T> shown) {
        var _ = manager.informer(Kind.of(shown)).handle("demo", changes::add);
    }

    /** Shows changes until all websites have converged; returns false when that takes too long. */
    private boolean follow(Terminal terminal, Narrator narrator, long start) throws InterruptedException {
        long deadline = start + Duration.ofSeconds(timeout).toNanos();
        while (!convergence.missing().isEmpty()) {
            var change = changes.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (change == null) {
                return false;
            }
            show(narrator, change, start);
        }
        String verdict = "converged in " + Narrator.since(start) + ": all websites are ready and own "
                + convergence.owned() + " objects";
        terminal.line(terminal.style(Terminal.Style.GOOD, verdict));
        return true;
    }

    private void show(Narrator narrator, Informer.Change<? extends HasMetadata> change, long start) {
        HasMetadata object = change.object().object();
        switch (change) {
            case Informer.Change.Added<?> _, Informer.Change.Updated<?> _ -> convergence.present(object);
            case Informer.Change.Deleted<?> _ -> convergence.absent(object);
            case Informer.Change.Resync<?> _ -> {}
        }
        narrator.printChange(change, start);
    }

    private void hints(Terminal terminal, Path kubeconfig, String site) {
        terminal.line("");
        terminal.line("In another terminal, run:");
        terminal.line("  export KUBECONFIG=" + kubeconfig);
        terminal.line("  kubectl get websites,deployments,services,configmaps");
        terminal.line("  kubectl scale deployment " + site + " --replicas=9    # the controller reverts it");
        terminal.line("  kubectl delete website " + site + "                   # deletes its dependents, too");
        terminal.line("Press Ctrl-C to stop.");
        terminal.line("");
    }
}
