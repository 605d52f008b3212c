package dev.evenkeel.cli;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import dev.evenkeel.engine.store.MemoryStore;
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

/** Holds the floors of the house: a module imports from lower floors, and what is exported there. */
class FloorsTest {
    /** What each module may import. */
    private static final Map<String, List<String>> FLOORS = Map.ofEntries(
            Map.entry("collection", List.of()),
            Map.entry("client", List.of("collection")),
            Map.entry("engine", List.of("collection", "client")),
            Map.entry("controller", List.of("collection", "client")),
            Map.entry("testing", List.of("client", "controller", "engine")),
            Map.entry("reconcile", List.of("client", "controller")),
            Map.entry("kubernetes", List.of("client")),
            Map.entry("josdk", List.of("client", "controller", "kubernetes")),
            Map.entry("server", List.of("client", "engine")),
            Map.entry("examples", List.of("client", "controller", "reconcile")),
            Map.entry(
                    "benchmarks",
                    List.of("client", "controller", "testing", "reconcile", "kubernetes", "engine", "server")),
            Map.entry(
                    "cli",
                    List.of(
                            "client",
                            "controller",
                            "testing",
                            "reconcile",
                            "kubernetes",
                            "engine",
                            "server",
                            "examples",
                            "benchmarks")));

    /** The rooms of the engine that are open to others. */
    private static final String[] EXPORTED = {
        "dev.evenkeel.engine",
        "dev.evenkeel.engine.spi",
        "dev.evenkeel.engine.type",
        "dev.evenkeel.engine.json",
        "dev.evenkeel.engine.patch"
    };

    /** Inner rooms, but for the store that the engine's builder names. */
    private static final DescribedPredicate<JavaClass> INNER = resideInAPackage("dev.evenkeel.engine..")
            .and(not(resideInAnyPackage(EXPORTED)))
            .and(not(JavaClass.Predicates.belongToAnyOf(MemoryStore.class)));

    private static final JavaClasses HOUSE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("test-classes") && !location.contains("-tests.jar"))
            .importPackages("dev.evenkeel");

    @Test
    void everyModuleIsHere() {
        Assertions.assertThat(HOUSE.stream()
                        .map(type -> type.getPackageName().split("\\.")[2])
                        .distinct())
                .containsExactlyInAnyOrderElementsOf(FLOORS.keySet());
    }

    @TestFactory
    Stream<DynamicTest> modulesImportFromLowerFloorsOnly() {
        return FLOORS.keySet().stream()
                .sorted()
                .map(module -> DynamicTest.dynamicTest(module, () -> {
                    List<String> allowed = FLOORS.get(module);
                    String[] others = FLOORS.keySet().stream()
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
                            .check(HOUSE);
                }));
    }

    @Test
    void theEnginesInnerRoomsAreItsOwn() {
        noClasses()
                .that(not(resideInAnyPackage("dev.evenkeel.engine..", "dev.evenkeel.server..")))
                .should()
                .dependOnClassesThat(INNER)
                .check(HOUSE);
        // discovery and OpenAPI show facts about built-in kinds that no write needs
        noClasses()
                .that(resideInAPackage("dev.evenkeel.server.."))
                .should()
                .dependOnClassesThat(INNER.and(not(resideInAPackage("dev.evenkeel.engine.builtin"))))
                .check(HOUSE);
    }

    @Test
    void theControllersRoomsDoNotKnowTheirFacade() {
        noClasses()
                .that()
                .resideInAPackage("dev.evenkeel.controller.*..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.evenkeel.controller")
                .check(HOUSE);
        SlicesRuleDefinition.slices()
                .matching("dev.evenkeel.controller.(*)..")
                .should()
                .beFreeOfCycles()
                .check(HOUSE);
    }

    @Test
    void reconcilersAreMadeOfPartsThatDoNotKnowTheirRoots() {
        noClasses()
                .that()
                .resideInAPackage("dev.evenkeel.reconcile.*..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.evenkeel.reconcile")
                .check(HOUSE);
        SlicesRuleDefinition.slices()
                .matching("dev.evenkeel.reconcile.(*)..")
                .should()
                .beFreeOfCycles()
                .check(HOUSE);
    }

    @Test
    void noLibraryOfOthersShowsInTheClient() {
        // objects are fabric8's model; what binds them to JSON is not for others to see
        classes()
                .that()
                .resideInAPackage("dev.evenkeel.client")
                .and()
                .arePublic()
                .should(new NoJacksonInSignatures())
                .check(HOUSE);
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
                .check(HOUSE);
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
                .check(HOUSE);
    }
}
