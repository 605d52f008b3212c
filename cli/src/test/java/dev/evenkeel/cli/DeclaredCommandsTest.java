package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.Manifests;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Mapper;
import dev.evenkeel.controller.Placement;
import dev.evenkeel.controller.Result;
import dev.evenkeel.reconcile.ResourceReconciler;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Secret;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commands that look at what controllers declare. */
class DeclaredCommandsTest {
    private static final String HERE = DeclaredCommandsTest.class.getName();

    @TempDir
    Path directory;

    private final Commands commands = new Commands();

    /** A user's parts. */
    static final class Parts {
        private Parts() {}

        static Part<ConfigMap> copy() {
            return Part.of(
                    Part.Description.of("Copy")
                            .needs(
                                    new Part.Requirement.Tracks<>(Kind.of(Secret.class)),
                                    new Part.Requirement.May(Kind.of(ConfigMap.class), "", Set.of("update"))),
                    (reconciliation, map) -> Result.done());
        }

        static Part.Description nothing() {
            return Part.Description.of("Nothing");
        }

        static Controller<ConfigMap> failing() {
            throw new IllegalStateException("no such day");
        }

        static int number() {
            return 1;
        }
    }

    /** A user's controller. */
    static final class Maps {
        private Maps() {}

        static Controller<ConfigMap> controller() {
            return Controller.of(ConfigMap.class, reconciliation -> Result.done())
                    .name("maps")
                    .tracks(Secret.class)
                    .placement(Placement.sharded());
        }
    }

    /** A user's controller of objects without namespaces. */
    static final class Spaces {
        private Spaces() {}

        static Controller<Namespace> controller() {
            return Controller.of(Namespace.class, reconciliation -> Result.done())
                    .name("spaces")
                    .watches(
                            Secret.class,
                            Mapper.of(
                                    "namespace",
                                    secret -> Stream.of(
                                            ObjectKey.cluster(secret.key().namespace()))));
        }
    }

    /** A user's root. */
    static final class Roots {
        private Roots() {}

        static ResourceReconciler<ConfigMap> maps() {
            return ResourceReconciler.of(ConfigMap.class)
                    .name("maps")
                    .skipStatus(true)
                    .reconciler(Parts.copy())
                    .build();
        }

        static Controller<ConfigMap> controller() {
            return maps().controller().reads(Namespace.class);
        }
    }

    @Test
    void rootsAreKnownWhole() {
        assertThat(commands.run("rbac", HERE + "$Roots#maps"))
                .as(commands.err())
                .isZero();
        String rules = commands.out();
        assertThat(rules)
                .startsWith("---\n")
                .contains("  - configmaps\n  verbs:\n  - get\n  - list\n  - watch\n  - update\n");

        commands.clear();
        assertThat(commands.run("rbac", HERE + "$Roots#controller"))
                .as(commands.err())
                .isZero();
        assertThat(commands.out()).startsWith("---\n").contains("  - namespaces\n");

        commands.clear();
        assertThat(commands.run("rbac", HERE + "$Roots#maps", "--tree")).isZero();
        assertThat(commands.out()).isEqualTo("""
                ResourceReconciler "maps" [may get, list, watch configmaps]
                └─ reconciler: Copy [tracks secrets; may update configmaps]
                """);

        commands.clear();
        assertThat(commands.run("skeleton", HERE + "$Roots#controller"))
                .as(commands.err())
                .isZero();
        assertThat(commands.out()).contains("return DeclaredCommandsTest.Roots.controller();");
    }

    @Test
    void rulesOfTheExamples() {
        assertThat(commands.run("rbac", "--name", "examples")).isZero();

        assertThat(commands.out())
                .startsWith("# The writes of the reconciler of websites.examples.evenkeel.dev are not declared")
                .contains(
                        "kind: ClusterRole\n",
                        "  - websites\n",
                        "  - databases\n",
                        "  - deployments\n",
                        "  - events\n");
        assertThat(Manifests.parse(commands.out()))
                .extracting(GenericKubernetesResource::getKind)
                .containsExactly("ClusterRole");
        assertThat(commands.err()).isEmpty();
    }

    @Test
    void rulesOfPartsAreWhole() {
        assertThat(commands.run("rbac", HERE + "$Parts#copy"))
                .as(commands.err())
                .isZero();

        assertThat(commands.out()).isEqualTo("""
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRole
                metadata:
                  name: copy
                rules:
                - apiGroups:
                  - ""
                  resources:
                  - configmaps
                  verbs:
                  - update
                - apiGroups:
                  - ""
                  resources:
                  - events
                  verbs:
                  - create
                  - patch
                - apiGroups:
                  - ""
                  resources:
                  - secrets
                  verbs:
                  - get
                  - list
                  - watch
                - apiGroups:
                  - events.k8s.io
                  resources:
                  - events
                  verbs:
                  - create
                  - patch
                """);
    }

    @Test
    void leasesAndAccounts() {
        assertThat(commands.run(
                        "rbac",
                        HERE + "$Maps",
                        "--namespace",
                        "web",
                        "--leases",
                        "ops",
                        "--service-account",
                        "ops/runner"))
                .as(commands.err())
                .isZero();

        assertThat(Manifests.parse(commands.out()))
                .extracting(
                        object -> object.getKind() + " " + object.getMetadata().getNamespace() + "/"
                                + object.getMetadata().getName())
                .containsExactly(
                        "ServiceAccount ops/runner",
                        "Role ops/maps",
                        "RoleBinding ops/maps",
                        "Role web/maps",
                        "RoleBinding web/maps");
        // keys are shared, so members are listed
        assertThat(commands.out())
                .contains("  - leases\n  verbs:\n  - get\n  - list\n  - create\n  - update\n  - delete\n");
    }

    private List<String> printed() {
        return Manifests.parse(commands.out()).stream()
                .map(object -> object.getKind() + " " + object.getMetadata().getNamespace() + "/"
                        + object.getMetadata().getName())
                .toList();
    }

    @Test
    void severalNamespacesHaveARoleEach() {
        assertThat(commands.run("rbac", HERE + "$Maps", "--namespace", "web", "--namespace", "shop"))
                .as(commands.err())
                .isZero();
        assertThat(printed()).containsExactly("Role shop/maps", "Role web/maps");
    }

    @Test
    void eventsOfObjectsWithoutNamespaceAreInDefault() {
        assertThat(commands.run("rbac", HERE + "$Spaces", "--namespace", "web"))
                .as(commands.err())
                .isZero();
        assertThat(printed()).containsExactly("ClusterRole null/spaces", "Role default/spaces", "Role web/spaces");
        String inDefault = commands.out().split("---\n")[2];
        assertThat(inDefault).contains("namespace: default", "  - events\n").doesNotContain("secrets");
    }

    @Test
    void pictures() {
        assertThat(commands.run("rbac", HERE + "$Maps", "--tree")).isZero();
        assertThat(commands.run("rbac", HERE + "$Parts#copy", "--tree")).isZero();
        assertThat(commands.run("rbac", HERE + "$Parts#nothing", "--mermaid")).isZero();
        assertThat(commands.run("rbac", HERE + "$Maps", "--mermaid")).isZero();

        assertThat(commands.out()).isEqualTo("""
                Controller "maps" [may get, list, watch configmaps; tracks secrets]
                Copy [tracks secrets; may update configmaps]
                flowchart TD
                    p0["Nothing"]
                flowchart LR
                    n0{{"maps"}}
                    n1["configmaps"]
                    n2["secrets"]
                    n1 --> |"reconciles"| n0
                    n2 --> |"tracked"| n0
                """);
    }

    @Test
    void userClassesAreFoundByClasspath() throws Exception {
        Map<String, String> sources = new LinkedHashMap<>();
        sources.put("Mine", """
                package com.example;

                import dev.evenkeel.controller.*;
                import io.fabric8.kubernetes.api.model.*;

                public class Mine {
                    static Controller<Secret> secrets() {
                        return Controller.of(Secret.class, reconciliation -> Result.done()).name("mine");
                    }
                }
                """);
        assertThat(Page.compile(sources, directory)).isEmpty();

        assertThat(commands.run("rbac", "com.example.Mine", "--classpath", directory.toString(), "--tree"))
                .as(commands.err())
                .isZero();
        assertThat(commands.run("skeleton", "com.example.Mine", "--classpath", directory.toString()))
                .as(commands.err())
                .isZero();

        assertThat(commands.out())
                .startsWith("Controller \"mine\" [may get, list, watch secrets]\n")
                .contains("package com.example;", "class MineTest {", "return Mine.secrets();");
    }

    @Test
    void skeletonsAreWrittenOnce() {
        String definitions = "../examples/website/crd.yaml";
        String[] command = {
            "skeleton",
            "dev.evenkeel.examples.WebsiteReconciler",
            "--definitions",
            definitions,
            "--output",
            directory.toString()
        };
        assertThat(commands.run(command)).as(commands.err()).isZero();
        Path file = directory.resolve("dev/evenkeel/examples/WebsiteControllerTest.java");
        assertThat(commands.out().strip()).isEqualTo(file.toString());
        assertThat(file).content().contains("WebsiteReconciler.controller()", "Path.of(\"..\", \"examples\"");
        assertThat(Files.exists(file)).isTrue();

        assertThat(commands.run(command)).isEqualTo(1);
        assertThat(commands.err())
                .contains("existing files are not overwritten")
                .doesNotContain("\tat ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rbac com.example.None | class com.example.None not found",
                "rbac HERE$Parts#none | method none of HERE$Parts is missing",
                "rbac HERE$Parts#number | method number of HERE$Parts is missing or not static",
                "rbac HERE$Parts#failing | HERE$Parts.failing() failed: no such day",
                "rbac java.lang.String | no method of java.lang.String is static",
                "rbac com.example.None --classpath nowhere | --classpath: nowhere: no such file",
                "skeleton HERE$Parts#copy | no static method without parameters of HERE$Parts#copy returns a Controller",
            })
    void uninspectableClassesAreReported(String command, String message) {
        assertThat(commands.run(command.replace("HERE", HERE).split(" "))).isEqualTo(1);

        assertThat(commands.err())
                .startsWith("evenkeel: " + message.replace("HERE", HERE))
                .hasLineCount(1);
    }
}
