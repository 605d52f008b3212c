package dev.evenkeel.cli;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Checks the architecture: a module imports from lower layers only, and internal packages are used where allowed. */
class ArchitectureTest {
    /** The allowed imports of each module. */
    private static final Map<String, List<String>> LAYERS = Map.ofEntries(
            Map.entry("collection", List.of()),
            Map.entry("graph", List.of("collection")),
            Map.entry("client", List.of("collection")),
            Map.entry("engine", List.of("collection", "client")),
            Map.entry("store", List.of("client", "engine")),
            Map.entry("simulation", List.of("client")),
            Map.entry("controller", List.of("collection", "graph", "client")),
            Map.entry("testing", List.of("client", "controller", "engine", "kubernetes", "simulation")),
            Map.entry("reconcile", List.of("client", "controller")),
            Map.entry("kubernetes", List.of("client")),
            Map.entry("josdk", List.of("client", "controller", "kubernetes")),
            Map.entry("junit", List.of("client", "engine", "server", "simulation", "testing")),
            Map.entry("policy", List.of("client", "graph", "controller", "engine", "access")),
            Map.entry("load", List.of("client", "kubernetes", "controller", "access", "engine", "simulation")),
            Map.entry("check", List.of("client", "engine", "access", "server", "simulation", "testing", "load")),
            Map.entry("access", List.of("client", "engine")),
            Map.entry("server", List.of("client", "engine", "access")),
            Map.entry("protobuf", List.of("client", "engine")),
            Map.entry("grpc", List.of("client", "engine", "access", "protobuf")),
            Map.entry("examples", List.of("client", "controller", "reconcile", "engine", "protobuf")),
            Map.entry(
                    "soak",
                    List.of(
                            "client",
                            "controller",
                            "simulation",
                            "reconcile",
                            "kubernetes",
                            "engine",
                            "store",
                            "examples")),
            Map.entry(
                    "cli",
                    List.of(
                            "client",
                            "controller",
                            "simulation",
                            "testing",
                            "reconcile",
                            "kubernetes",
                            "engine",
                            "access",
                            "server",
                            "protobuf",
                            "grpc",
                            "store",
                            "graph",
                            "policy",
                            "load",
                            "check",
                            "examples",
                            "soak")));

    /** The modules that may use the internal packages of another. */
    private static final Map<String, List<String>> INTERNALS = Map.ofEntries(
            Map.entry("collection", List.of("engine", "controller", "graph")),
            Map.entry(
                    "client",
                    List.of("engine", "access", "controller", "reconcile", "server", "testing", "kubernetes", "grpc")),
            Map.entry(
                    "engine",
                    List.of("access", "server", "protobuf", "grpc", "testing", "check", "junit", "benchmarks")),
            Map.entry("access", List.of("server", "grpc", "policy", "load")),
            Map.entry("protobuf", List.of("grpc")),
            Map.entry("controller", List.of("testing", "reconcile", "josdk", "benchmarks")),
            Map.entry("reconcile", List.of("cli")),
            Map.entry("policy", List.of("benchmarks")),
            Map.entry("simulation", List.of("testing", "check", "junit", "load")),
            Map.entry("server", List.of("check", "junit")),
            Map.entry("testing", List.of("check", "junit")),
            Map.entry("load", List.of("check")));

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("test-classes") && !location.contains("-tests.jar"))
            .importPackages("dev.evenkeel");

    @Test
    void everyModuleHasALayer() {
        Assertions.assertThat(CLASSES.stream()
                        .map(type -> type.getPackageName().split("\\.")[2])
                        .distinct())
                .containsExactlyInAnyOrderElementsOf(LAYERS.keySet());
    }

    @TestFactory
    Stream<DynamicTest> modulesImportFromLowerLayersOnly() {
        return LAYERS.keySet().stream()
                .sorted()
                .map(module -> DynamicTest.dynamicTest(module, () -> {
                    List<String> allowed = LAYERS.get(module);
                    String[] others = LAYERS.keySet().stream()
                            .filter(other -> !other.equals(module) && !allowed.contains(other))
                            .map(other -> "dev.evenkeel." + other + "..")
                            .toArray(String[]::new);
                    noClasses()
                            .that()
                            .resideInAPackage("dev.evenkeel." + module + "..")
                            .should()
                            .dependOnClassesThat()
                            .resideInAnyPackage(others)
                            .allowEmptyShould(true)
                            .check(CLASSES);
                }));
    }

    @TestFactory
    Stream<DynamicTest> internalPackagesAreUsedWhereAllowed() {
        return LAYERS.keySet().stream()
                .sorted()
                .map(user -> DynamicTest.dynamicTest(user, () -> {
                    String[] closed = LAYERS.keySet().stream()
                            .filter(module -> !module.equals(user)
                                    && !INTERNALS
                                            .getOrDefault(module, List.of())
                                            .contains(user))
                            .map(module -> "dev.evenkeel." + module + "..internal..")
                            .toArray(String[]::new);
                    noClasses()
                            .that()
                            .resideInAPackage("dev.evenkeel." + user + "..")
                            .should()
                            .dependOnClassesThat()
                            .resideInAnyPackage(closed)
                            .allowEmptyShould(true)
                            .check(CLASSES);
                }));
    }

    @TestFactory
    Stream<DynamicTest> internalPackagesHaveNoCycles() {
        // the engine's still have some
        return LAYERS.keySet().stream()
                .filter(module -> !module.equals("engine"))
                .sorted()
                .map(module -> DynamicTest.dynamicTest(
                        module,
                        () -> SlicesRuleDefinition.slices()
                                .matching("dev.evenkeel." + module + ".internal.(*)..")
                                .should()
                                .beFreeOfCycles()
                                .allowEmptyShould(true)
                                .check(CLASSES)));
    }

    @Test
    void theRootsOfReconcilersAreAboveTheirParts() {
        noClasses()
                .that()
                .resideInAPackage("dev.evenkeel.reconcile.*..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.evenkeel.reconcile")
                .check(CLASSES);
        SlicesRuleDefinition.slices()
                .matching("dev.evenkeel.reconcile.(child|condition|duck|flow|manage|part|webhook)..")
                .should()
                .beFreeOfCycles()
                .check(CLASSES);
    }

    @Test
    void clientApiMentionsNoThirdPartyLibrary() {
        // objects are fabric8's model; their binding to JSON is an implementation detail
        classes()
                .that()
                .resideInAPackage("dev.evenkeel.client")
                .and()
                .arePublic()
                .should(new NoJacksonInSignatures())
                .check(CLASSES);
    }

    private static final class NoJacksonInSignatures extends com.tngtech.archunit.lang.ArchCondition<JavaClass> {
        NoJacksonInSignatures() {
            super("have no Jackson type in a public signature");
        }

        @Override
        public void check(JavaClass type, com.tngtech.archunit.lang.ConditionEvents events) {
            type.getCodeUnits().stream()
                    .filter(unit -> unit.getModifiers().contains(JavaModifier.PUBLIC))
                    .flatMap(unit ->
                            Stream.concat(Stream.of(unit.getRawReturnType()), unit.getRawParameterTypes().stream()))
                    .filter(used -> used.getPackageName().startsWith("com.fasterxml"))
                    .forEach(used -> events.add(com.tngtech.archunit.lang.SimpleConditionEvent.violated(
                            type, type.getName() + " shows " + used.getName())));
        }
    }

    @Test
    void librariesDoNotEndTheProcess() {
        noClasses()
                .that(not(resideInAPackage("dev.evenkeel.cli")))
                .should()
                .callMethod(System.class, "exit", int.class)
                .orShould()
                .callMethod(Runtime.class, "halt", int.class)
                .check(CLASSES);
    }

    @Test
    void managersOfOneProcessShareNothing() {
        // what is static is a constant: of several managers and clients none notices another
        fields().that()
                .areStatic()
                .and()
                .areDeclaredInClassesThat()
                .resideInAnyPackage("dev.evenkeel.controller..", "dev.evenkeel.kubernetes..")
                .should()
                .beFinal()
                .andShould()
                .notHaveRawType(assignableTo(ConcurrentMap.class)
                        .or(assignableTo(HashMap.class))
                        .or(assignableTo(ExecutorService.class))
                        .or(assignableTo(Thread.class))
                        .or(assignableTo(ThreadLocal.class))
                        .or(resideInAPackage("java.util.concurrent.atomic"))
                        .or(resideInAPackage("java.util.concurrent.locks")))
                .check(CLASSES);
    }
}
