package dev.evenkeel.examples.database;

import static dev.evenkeel.examples.database.DatabaseReconciler.FINALIZER;
import static dev.evenkeel.examples.database.DatabaseStatus.READY;
import static dev.evenkeel.examples.database.UnreliableDatabaseService.Call.ENSURE;
import static dev.evenkeel.examples.database.UnreliableDatabaseService.Call.REMOVE;
import static dev.evenkeel.testing.call.Calls.on;
import static dev.evenkeel.testing.call.Reactor.Failure.conflict;
import static dev.evenkeel.testing.call.Reactor.Failure.forbidden;
import static dev.evenkeel.testing.call.Reactor.Failure.internal;
import static dev.evenkeel.testing.call.Reactor.Failure.invalid;
import static dev.evenkeel.testing.call.Reactor.Failure.serverTimeout;
import static dev.evenkeel.testing.call.Reactor.Failure.tooManyRequests;
import static dev.evenkeel.testing.call.Reactor.Failure.unavailable;
import static dev.evenkeel.testing.call.RecordedCall.Verb.APPLY;
import static dev.evenkeel.testing.call.RecordedCall.Verb.GET;
import static dev.evenkeel.testing.call.RecordedCall.Verb.UPDATE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.ForbiddenException;
import dev.evenkeel.client.InvalidException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Result;
import dev.evenkeel.testing.Expectations;
import dev.evenkeel.testing.ReconcilerTests;
import dev.evenkeel.testing.ScenarioTests;
import dev.evenkeel.testing.TestCluster;
import dev.evenkeel.testing.diff.Normalization;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** All that a database's reconciler does, case by case: here, and with the service elsewhere. */
public class DatabaseCasesTest {
    private static final Path DEFINITIONS = Path.of("database", "crd.yaml");
    private static final Instant EARLIER = TestCluster.NOW.minus(Duration.ofHours(1));
    private static final String SINCE = "status.conditions[type=Ready].lastTransitionTime";
    private static final Normalization WITH_TIMES = Normalization.status().comparing("status.**.lastTransitionTime");

    static final Given<DatabaseClass> STANDARD = Given.yaml(DatabaseClass.class, """
            metadata: {name: standard}
            spec: {maximumGigabytes: 50, parameters: {max_connections: "100"}}
            """);

    private static final Given<Database> NEW = Given.yaml(Database.class, """
            metadata: {namespace: default, name: orders, generation: 1}
            spec: {className: standard, version: "17", gigabytes: 20, users: [shop, reports]}
            """);
    private static final Given<Database> HELD = NEW.finalizers(FINALIZER);
    private static final Given<Database> GOING = HELD.deleted(EARLIER);

    /** The database of the same name that was made after the first was gone. */
    private static final Given<Database> ANEW = NEW.uid("6ba7b810-9dad-41d1-80b4-00c04fd430c8");

    private static final String ID = Given.uidOf(NEW.object());
    private static final String HOST = "db-" + ID + ".databases.example.com";

    private static final Given<Secret> SECRET = Given.yaml(Secret.class, """
                    metadata: {namespace: default, name: orders-credentials}
                    """)
            .at("stringData.host", HOST)
            .at("stringData.password", "secret-of-" + ID)
            .ownedBy(NEW);
    private static final Given<Service> ADDRESS =
            Given.yaml(Service.class, """
                    metadata: {namespace: default, name: orders}
                    spec: {type: ExternalName}
                    """).at("spec.externalName", HOST).ownedBy(NEW);

    /** As it is said when it can be used. */
    static final Given<Database> USABLE = said(HELD, HOST, READY, "it can be used");

    private static Given<Database> said(Given<Database> database, String host, String reason, String message) {
        long generation = database.object().getMetadata().getGeneration();
        Given<Database> observed = database.statusAt("observedGeneration", generation)
                .statusAt(
                        "conditions[+type=Ready]",
                        Map.of(
                                "type", READY,
                                "status", reason.equals(READY) ? "True" : "False",
                                "observedGeneration", generation,
                                "lastTransitionTime", TestCluster.NOW,
                                "reason", reason,
                                "message", message));
        return host.isEmpty() ? observed : observed.statusAt("host", host);
    }

    private static Given<Database> tooLarge(Given<Database> database, String host) {
        return said(database, host, "TooLarge", "class \"standard\" has at most 10 gigabytes");
    }

    private static Given<Database> noClass(Given<Database> database, String host) {
        return said(database, host, "NoSuchClass", "class \"standard\" does not exist");
    }

    private static UnreliableDatabaseService service(TestCluster cluster) {
        return UnreliableDatabaseService.of(cluster);
    }

    /** Creates an instance at the service. */
    private static void kept(TestCluster cluster) {
        var _ = service(cluster)
                .ensure(
                        ID,
                        new DatabaseService.Wanted(
                                "17", 20, List.of("shop", "reports"), Map.of("max_connections", "100")));
        service(cluster).calls().clear();
    }

    private static <S extends Expectations<S>> S expectChildren(Expectations<S> t) {
        return t.expectApply(SECRET).expectApply(ADDRESS);
    }

    private static <S extends Expectations<S>> S expectUsable(Expectations<S> t) {
        return expectChildren(t).expectStatusUpdate(USABLE);
    }

    /** Expects this call of the service, and no others. */
    private static <S extends Expectations<S>> S expectAsked(Expectations<S> t, String... calls) {
        return t.verify(run -> assertThat(service(run.cluster()).calls()).containsExactly(calls));
    }

    private static <S extends Expectations<S>> S expectKept(Expectations<S> t, String... ids) {
        return t.verify(run -> assertThat(service(run.cluster()).ids()).containsExactly(ids));
    }

    private static <T extends HasMetadata> T present(Expectations.Run run, Given<T> object) {
        return run.cluster().client().get(object.type(), object.key());
    }

    private static boolean exists(Expectations.Run run, Given<?> object) {
        return run.cluster().client().find(object.type(), object.key()).isPresent();
    }

    private static void patch(TestCluster cluster, Given<?> object, String merge) {
        var _ = cluster.client().patch(Kind.of(object.type()), object.key(), Patch.merge(merge), WriteOptions.DEFAULT);
    }

    private static void delete(TestCluster cluster, Given<?> object) {
        var _ = cluster.client().delete(object.type(), object.key());
    }

    /** Deletes an object completely, as when all its finalizers are removed. */
    private static void vanish(TestCluster cluster, Given<?> object) {
        delete(cluster, object);
        if (cluster.client().find(object.type(), object.key()).isPresent()) {
            patch(cluster, object, "{\"metadata\":{\"finalizers\":null}}");
        }
    }

    /** One reconciliation each. */
    @TestFactory
    public Stream<DynamicTest> reconciliations() {
        ReconcilerTests<Database> tests = ReconcilerTests.<Database>in(
                        cluster -> DatabaseReconciler.controller(service(cluster)))
                .definitions(DEFINITIONS);
        wishes(tests);
        classes(tests);
        deletions(tests);
        refusals(tests);
        elsewhere(tests);
        children(tests);
        statuses(tests);
        return tests.stream();
    }

    /** Cases of the spec of a database. */
    private static void wishes(ReconcilerTests<Database> tests) {
        tests.test(
                        "a new database gets its finalizer first, then is created by the service, and then can be reached",
                        t -> expectUsable(t.given(NEW)
                                        .given(STANDARD)
                                        .prepare(cluster -> service(cluster)
                                                .during(
                                                        ENSURE,
                                                        () -> assertThat(cluster.client()
                                                                        .get(Database.class, NEW.key())
                                                                        .getMetadata()
                                                                        .getFinalizers())
                                                                .containsExactly(FINALIZER)))
                                        .expectUpdate(HELD))
                                .expectOrder(
                                        on(UPDATE),
                                        on(APPLY).kind(Secret.class),
                                        on(APPLY).kind(Service.class),
                                        on(UPDATE).status()))
                .test("a deleted database needs nothing", t -> expectAsked(t.request("default", "orders")))
                .test(
                        "a database that is held already is not held again",
                        t -> expectUsable(t.given(HELD).given(STANDARD)))
                .test(
                        "finalizers of others stay",
                        t -> expectChildren(t.given(NEW.finalizers("example.com/hold"))
                                        .given(STANDARD)
                                        .expectUpdate(NEW.finalizers("example.com/hold", FINALIZER)))
                                .expectStatusUpdate(USABLE))
                .test(
                        "the service hears the version, the size, the users in their order, and the parameters of the class",
                        t -> expectUsable(t.given(HELD).given(STANDARD))
                                .verify(run -> assertThat(service(run.cluster()).wanted(ID))
                                        .isEqualTo(new DatabaseService.Wanted(
                                                "17",
                                                20,
                                                List.of("shop", "reports"),
                                                Map.of("max_connections", "100")))))
                .test(
                        "without size and users it gets 10 gigabytes and no users, by the defaults of the type",
                        t -> expectUsable(t.request(HELD).given(STANDARD).given(Given.yaml("""
                                                apiVersion: examples.evenkeel.dev/v1
                                                kind: Database
                                                metadata:
                                                  namespace: default
                                                  name: orders
                                                  finalizers: [examples.evenkeel.dev/database]
                                                spec: {className: standard, version: "17"}
                                                """)))
                                .verify(run -> assertThat(service(run.cluster()).wanted(ID))
                                        .satisfies(wanted -> {
                                            assertThat(wanted.gigabytes()).isEqualTo(10);
                                            assertThat(wanted.users()).isEmpty();
                                        })))
                .test(
                        "a database whose size grows is extended",
                        t -> expectChildren(
                                        t.given(USABLE.at("spec.gigabytes", 30).generation(2))
                                                .given(STANDARD)
                                                .prepare(DatabaseCasesTest::kept))
                                .expectStatusUpdate(said(HELD.generation(2), HOST, READY, "it can be used"))
                                .verify(run -> assertThat(service(run.cluster())
                                                .wanted(ID)
                                                .gigabytes())
                                        .isEqualTo(30)))
                .test(
                        "a database that is up to date: its status is not written again",
                        t -> expectAsked(
                                expectChildren(t.given(USABLE).given(STANDARD).prepare(DatabaseCasesTest::kept)),
                                "ensure " + ID));
    }

    /** Cases of the class of a database. */
    private static void classes(ReconcilerTests<Database> tests) {
        tests.test(
                        "without its class a database gets its finalizer, and the service is not called",
                        t -> expectAsked(t.given(NEW).expectUpdate(HELD).expectStatusUpdate(noClass(HELD, ""))))
                .test(
                        "a class of another name is not its class",
                        t -> expectAsked(
                                t.given(HELD).given(STANDARD.name("premium")).expectStatusUpdate(noClass(HELD, ""))))
                .test(
                        "a database too large for its class is not created",
                        t -> expectAsked(t.given(HELD)
                                .given(STANDARD.at("spec.maximumGigabytes", 10))
                                .expectStatusUpdate(tooLarge(HELD, ""))))
                .test(
                        "a database of the maximum size of its class is created",
                        t -> expectUsable(t.given(HELD).given(STANDARD.at("spec.maximumGigabytes", 20))))
                .test(
                        "a class that says no maximum allows 100 gigabytes, by the defaults of the type",
                        t -> expectChildren(
                                        t.given(HELD.at("spec.gigabytes", 100)).given(Given.yaml("""
                                                apiVersion: examples.evenkeel.dev/v1
                                                kind: DatabaseClass
                                                metadata: {name: standard}
                                                spec: {}
                                                """)))
                                .expectStatusUpdate(USABLE)
                                .verify(run -> assertThat(service(run.cluster())
                                                .wanted(ID)
                                                .parameters())
                                        .isEmpty()))
                .test(
                        "a class that changed its parameters changes the database",
                        t -> expectChildren(t.given(USABLE)
                                        .given(STANDARD.at("spec.parameters.max_connections", "200"))
                                        .prepare(DatabaseCasesTest::kept))
                                .verify(run -> assertThat(service(run.cluster())
                                                .wanted(ID)
                                                .parameters())
                                        .containsEntry("max_connections", "200")))
                .test(
                        "a class that shrank is reported; the existing database stays, and where it is",
                        t -> expectKept(
                                t.given(USABLE)
                                        .given(STANDARD.at("spec.maximumGigabytes", 10))
                                        .prepare(DatabaseCasesTest::kept)
                                        .expectStatusUpdate(tooLarge(HELD, HOST)),
                                ID))
                .test(
                        "a deleted class is reported; the existing database stays, and where it is",
                        t -> expectKept(
                                t.given(USABLE)
                                        .prepare(DatabaseCasesTest::kept)
                                        .expectStatusUpdate(noClass(HELD, HOST)),
                                ID))
                .test(
                        "a class that is not in the cache yet does not exist",
                        t -> expectAsked(t.given(HELD).givenOnServer(STANDARD).expectStatusUpdate(noClass(HELD, ""))));
    }

    /** Cases of deleted databases. */
    private static void deletions(ReconcilerTests<Database> tests) {
        tests.test(
                        "a terminating database is removed, and released",
                        t -> expectKept(expectAsked(
                                t.given(GOING)
                                        .given(STANDARD)
                                        .prepare(DatabaseCasesTest::kept)
                                        .expectUpdate(NEW)
                                        .verify(run ->
                                                assertThat(exists(run, NEW)).isFalse()),
                                "remove " + ID)))
                .test(
                        "the service never had it: it is let go all the same",
                        t -> expectAsked(t.given(GOING).expectUpdate(NEW), "remove " + ID))
                .test(
                        "finalizers of others hold it longer",
                        t -> t.given(GOING.finalizers("example.com/hold"))
                                .expectUpdate(NEW.finalizers("example.com/hold"))
                                .verify(run -> assertThat(
                                                present(run, NEW).getMetadata().getFinalizers())
                                        .containsExactly("example.com/hold")))
                .test(
                        "a terminating database without the finalizer is not removed, and gets none",
                        t -> expectAsked(
                                t.given(NEW.finalizers("example.com/hold").deleted(EARLIER))
                                        .given(STANDARD)))
                .test(
                        "a service that does not remove it: it is not let go",
                        t -> expectKept(
                                t.given(GOING)
                                        .prepare(DatabaseCasesTest::kept)
                                        .prepare(cluster -> service(cluster).fails(REMOVE))
                                        .expectError(IllegalStateException.class, "does not REMOVE"),
                                ID))
                .test(
                        "a lost answer to the removal: it is removed again before the finalizer",
                        t -> expectKept(t.given(GOING)
                                .prepare(DatabaseCasesTest::kept)
                                .prepare(cluster -> service(cluster).losesAnswer(REMOVE))
                                .expectError(IllegalStateException.class, "no answer")
                                .verify(run -> assertThat(exists(run, NEW)).isTrue())))
                .test(
                        "another client changed it meanwhile: it is released the next time",
                        t -> t.given(GOING)
                                .givenOnServer(GOING.label("team", "shop"))
                                .expectUpdate(NEW)
                                .expectError(ConflictException.class)
                                .verify(run -> assertThat(exists(run, NEW)).isTrue()))
                .test(
                        "another client released it meanwhile: that is an error, and nothing is left to do",
                        t -> t.given(GOING)
                                .meanwhile(cluster -> patch(cluster, GOING, "{\"metadata\":{\"finalizers\":null}}"))
                                .expectUpdate(NEW)
                                .expectError(NotFoundException.class))
                .test(
                        "it may not be let go: it is not",
                        t -> t.given(GOING)
                                .react(on(UPDATE).kind(Database.class).fails(forbidden("finalizers")))
                                .expectUpdate(NEW)
                                .expectError(ForbiddenException.class)
                                .verify(run -> assertThat(exists(run, NEW)).isTrue()))
                .test(
                        "a lost answer when it is released: it is deleted",
                        t -> t.given(GOING)
                                .react(on(UPDATE).kind(Database.class).losesAnswer())
                                .expectUpdate(NEW)
                                .expectError(UncheckedIOException.class)
                                .verify(run -> assertThat(exists(run, NEW)).isFalse()))
                .test(
                        "a slow removal is waited for",
                        t -> t.given(GOING)
                                .prepare(cluster -> service(cluster).takes(REMOVE, Duration.ofMinutes(3)))
                                .expectUpdate(NEW));
    }

    /** Cases of failures of the first write, and of the reads around the call of the service. */
    private static void refusals(ReconcilerTests<Database> tests) {
        tests.test(
                        "a database that must not get the finalizer is not created",
                        t -> expectAsked(t.given(NEW)
                                .given(STANDARD)
                                .react(on(UPDATE).kind(Database.class).fails(forbidden("finalizers")))
                                .expectUpdate(HELD)
                                .expectError(ForbiddenException.class)))
                .test(
                        "a database whose finalizer a webhook refuses is not created",
                        t -> expectAsked(t.given(NEW)
                                .given(STANDARD)
                                .react(on(UPDATE)
                                        .kind(Database.class)
                                        .fails(invalid("metadata.finalizers", "unknown finalizer")))
                                .expectUpdate(HELD)
                                .expectError(InvalidException.class, "unknown finalizer")))
                .test(
                        "a database changed by another client gets its finalizer the next time",
                        t -> expectAsked(t.given(NEW)
                                .given(STANDARD)
                                .givenOnServer(NEW.at("spec.gigabytes", 30).generation(2))
                                .expectUpdate(HELD)
                                .expectError(ConflictException.class)))
                .test(
                        "a lost answer when the finalizer is added: it is there, and the next reconciliation creates the database",
                        t -> expectAsked(t.given(NEW)
                                .given(STANDARD)
                                .react(on(UPDATE).kind(Database.class).losesAnswer())
                                .expectUpdate(HELD)
                                .expectError(UncheckedIOException.class)
                                .verify(run -> assertThat(
                                                present(run, NEW).getMetadata().getFinalizers())
                                        .containsExactly(FINALIZER))))
                .test(
                        "deleted before it got the finalizer: nothing is created",
                        t -> expectAsked(t.given(NEW)
                                .given(STANDARD)
                                .meanwhile(cluster -> delete(cluster, NEW))
                                .expectUpdate(HELD)
                                .expectError(NotFoundException.class)))
                .test(
                        "deleted and created again before it got the finalizer: the new one is not taken for the old one",
                        t -> expectAsked(t.given(NEW)
                                .given(STANDARD)
                                .meanwhile(cluster -> {
                                    delete(cluster, NEW);
                                    cluster.put(ANEW);
                                })
                                .expectUpdate(HELD)
                                .expectError(ConflictException.class)))
                .test(
                        "vanished in spite of the finalizer: the service is not called",
                        t -> expectAsked(t.given(HELD)
                                .given(STANDARD)
                                .meanwhile(cluster -> vanish(cluster, HELD))
                                .expectResult(Result.retry())))
                .test(
                        "created again in spite of the finalizer: the service is not called",
                        t -> expectAsked(t.given(HELD)
                                .given(STANDARD)
                                .meanwhile(cluster -> {
                                    vanish(cluster, HELD);
                                    cluster.put(ANEW);
                                })
                                .expectResult(Result.retry())))
                .test(
                        "released by another client, with a stale cache: the service is not called",
                        t -> expectAsked(
                                t.given(HELD).given(STANDARD).givenOnServer(NEW).expectResult(Result.retry())))
                .test(
                        "it is unknown whether it is desired: the service is not called",
                        t -> expectAsked(t.given(HELD)
                                .given(STANDARD)
                                .react(on(GET).kind(Database.class).fails(unavailable()))
                                .expectError(ApiException.class)))
                .test(
                        "it is unknown whether it is still desired: the new database stays until that is known",
                        t -> expectKept(
                                t.given(HELD)
                                        .given(STANDARD)
                                        .react(on(GET).kind(Database.class)
                                                .nth(2)
                                                .fails(serverTimeout()))
                                        .expectError(ApiException.class),
                                ID));
    }

    /** Cases of the external service. */
    private static void elsewhere(ReconcilerTests<Database> tests) {
        tests.test(
                        "a failing service is an error, and the status does not claim a database",
                        t -> t.given(HELD)
                                .given(STANDARD)
                                .prepare(cluster -> service(cluster).fails(ENSURE))
                                .expectError(IllegalStateException.class, "does not ENSURE"))
                .test(
                        "a lost answer of the service: the database exists, without a record",
                        t -> expectKept(
                                t.given(HELD)
                                        .given(STANDARD)
                                        .prepare(cluster -> service(cluster).losesAnswer(ENSURE))
                                        .expectError(IllegalStateException.class, "no answer"),
                                ID))
                .test(
                        "a service that is at it: where it will be is known, and it is looked at again",
                        t -> expectChildren(t.given(HELD)
                                        .given(STANDARD)
                                        .prepare(cluster ->
                                                UnreliableDatabaseService.slow(cluster, Duration.ofMinutes(1))))
                                .expectStatusUpdate(said(HELD, HOST, "Provisioning", "the service is at it"))
                                .expectResult(Result.after(Duration.ofSeconds(5))))
                .test(
                        "a service that changes a database that could be used",
                        t -> expectChildren(t.given(USABLE)
                                        .given(STANDARD.at("spec.parameters.max_connections", "200"))
                                        .prepare(cluster ->
                                                UnreliableDatabaseService.slow(cluster, Duration.ofMinutes(1)))
                                        .prepare(DatabaseCasesTest::kept))
                                .expectStatusUpdate(said(HELD, HOST, "Provisioning", "the service is at it"))
                                .expectResult(Result.after(Duration.ofSeconds(5))))
                .test(
                        "a service that takes half a minute to answer: it can be used since the reconciliation began",
                        t -> expectChildren(t.given(HELD)
                                        .given(STANDARD)
                                        .prepare(cluster -> service(cluster).takes(ENSURE, Duration.ofSeconds(30))))
                                .comparingStatus(WITH_TIMES)
                                .expectStatusUpdate(USABLE.at(SINCE, TestCluster.NOW)))
                .test(
                        "vanished during the call of the service: the new database is removed",
                        t -> expectKept(t.given(HELD)
                                .given(STANDARD)
                                .prepare(cluster -> service(cluster).during(ENSURE, () -> vanish(cluster, HELD)))
                                .expectResult(Result.retry())))
                .test(
                        "created again during the call of the service: the database of the old one is removed",
                        t -> expectKept(t.given(HELD)
                                .given(STANDARD)
                                .prepare(cluster -> service(cluster).during(ENSURE, () -> {
                                    vanish(cluster, HELD);
                                    cluster.put(ANEW);
                                }))
                                .expectResult(Result.retry())))
                .test(
                        "vanished, and the service does not remove the database: that is an error",
                        t -> expectKept(
                                t.given(HELD)
                                        .given(STANDARD)
                                        .prepare(cluster -> service(cluster)
                                                .during(ENSURE, () -> vanish(cluster, HELD))
                                                .fails(REMOVE))
                                        .expectError(IllegalStateException.class, "does not REMOVE"),
                                ID))
                .test(
                        "deleted while the service was at it, and held: it is finished, and removed the next time",
                        t -> expectChildren(t.given(HELD)
                                        .given(STANDARD)
                                        .prepare(cluster ->
                                                service(cluster).during(ENSURE, () -> delete(cluster, HELD))))
                                .expectStatusUpdate(USABLE)
                                .expectError(ConflictException.class))
                .test(
                        "the remains of a dead process are removed when the next one starts",
                        t -> expectKept(
                                t.request("default", "other")
                                        .given(HELD)
                                        .prepare(DatabaseCasesTest::kept)
                                        .prepare(cluster -> service(cluster)
                                                .ensure(
                                                        "orphan",
                                                        new DatabaseService.Wanted("17", 1, List.of(), Map.of()))),
                                ID));
    }

    /** The Secret and the Service. */
    private static void children(ReconcilerTests<Database> tests) {
        tests.test(
                        "no quota for the Secret: nothing is reported, and it is retried",
                        t -> t.given(HELD)
                                .given(STANDARD)
                                .react(on(APPLY).kind(Secret.class).fails(forbidden("quota")))
                                .expectApply(SECRET)
                                .expectError(ForbiddenException.class, "quota"))
                .test(
                        "a server with too much to do, at the Secret",
                        t -> t.given(HELD)
                                .given(STANDARD)
                                .react(on(APPLY).kind(Secret.class).fails(tooManyRequests(Duration.ofSeconds(3))))
                                .expectApply(SECRET)
                                .expectError(ApiException.class, "too many requests"))
                .test(
                        "a lost answer at the Secret: it exists",
                        t -> t.given(HELD)
                                .given(STANDARD)
                                .react(on(APPLY).kind(Secret.class).losesAnswer())
                                .expectApply(SECRET)
                                .expectError(UncheckedIOException.class)
                                .verify(run -> assertThat(exists(run, SECRET)).isTrue()))
                .test(
                        "a conflict at the Service",
                        t -> expectChildren(t.given(HELD).given(STANDARD))
                                .react(on(APPLY).kind(Service.class).fails(conflict()))
                                .expectError(ConflictException.class))
                .test(
                        "a broken server at the Service: the Secret stays",
                        t -> expectChildren(t.given(HELD).given(STANDARD))
                                .react(on(APPLY).kind(Service.class).fails(internal()))
                                .expectError(ApiException.class)
                                .verify(run -> assertThat(exists(run, SECRET)).isTrue()))
                .test(
                        "a password changed by hand is reverted, and fields of other managers stay",
                        t -> expectChildren(t.given(USABLE)
                                        .given(STANDARD)
                                        .given(SECRET.at("stringData.password", "mine")
                                                .at("stringData.port", "5432")))
                                .verify(run -> assertThat(present(run, SECRET).getData())
                                        .containsEntry("password", base64("secret-of-" + ID))
                                        .containsEntry("port", base64("5432"))))
                .test(
                        "a Service that leads elsewhere is led back",
                        t -> expectChildren(t.given(USABLE)
                                        .given(STANDARD)
                                        .given(ADDRESS.at("spec.externalName", "elsewhere.example.com")))
                                .verify(run -> assertThat(
                                                present(run, ADDRESS).getSpec().getExternalName())
                                        .isEqualTo(HOST)))
                .test(
                        "a Secret of the same name that belongs to another is left alone, and in the way",
                        t -> t.given(HELD)
                                .given(STANDARD)
                                .given(HELD.name("other"))
                                .given(SECRET.without("metadata.ownerReferences")
                                        .at("stringData.password", "theirs")
                                        .ownedBy(NEW.name("other")))
                                .expectApply(SECRET)
                                .expectError(InvalidException.class, "Only one reference can have Controller")
                                .verify(run -> assertThat(present(run, SECRET).getData())
                                        .containsEntry("password", base64("theirs"))))
                .test(
                        "a Service of the same name that belongs to another is left alone, and in the way",
                        t -> expectChildren(t.given(HELD)
                                        .given(STANDARD)
                                        .given(HELD.name("other"))
                                        .given(ADDRESS.without("metadata.ownerReferences")
                                                .ownedBy(NEW.name("other"))))
                                .expectError(InvalidException.class, "Only one reference can have Controller"));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Cases of the status, and its times. */
    private static void statuses(ReconcilerTests<Database> tests) {
        tests.test(
                        "a status changed by another client is not overwritten",
                        t -> expectUsable(t.given(HELD).given(STANDARD).givenOnServer(HELD.statusAt("host", "other")))
                                .expectError(ConflictException.class)
                                .verify(run -> assertThat(
                                                present(run, HELD).getStatus().host())
                                        .isEqualTo("other")))
                .test(
                        "a status that may not be written is an error",
                        t -> expectUsable(t.given(HELD).given(STANDARD))
                                .react(on(UPDATE).status().fails(forbidden("no status")))
                                .expectError(ForbiddenException.class, "no status"))
                .test(
                        "a status that takes too long is an error",
                        t -> t.given(HELD)
                                .react(on(UPDATE).status().fails(serverTimeout()))
                                .expectStatusUpdate(noClass(HELD, ""))
                                .expectError(ApiException.class, "Timeout"))
                .test(
                        "a lost answer of the status: it is written all the same",
                        t -> expectUsable(t.given(HELD).given(STANDARD))
                                .react(on(UPDATE).status().losesAnswer())
                                .expectError(UncheckedIOException.class)
                                .verify(run -> assertThat(
                                                present(run, HELD).getStatus().host())
                                        .isEqualTo(HOST)))
                .test(
                        "an unusable database that is usable now, is usable since now",
                        t -> expectUsable(t.given(noClass(HELD, "").at(SINCE, EARLIER))
                                        .given(STANDARD))
                                .comparingStatus(WITH_TIMES))
                .test(
                        "a usable database that is unusable now, is unusable since now",
                        t -> t.given(USABLE.at(SINCE, EARLIER))
                                .comparingStatus(WITH_TIMES)
                                .expectStatusUpdate(noClass(HELD, HOST)))
                .test(
                        "a database that is unusable for another reason keeps its transition time",
                        t -> t.given(noClass(HELD, "").at(SINCE, EARLIER))
                                .given(STANDARD.at("spec.maximumGigabytes", 10))
                                .comparingStatus(WITH_TIMES)
                                .expectStatusUpdate(tooLarge(HELD, "").at(SINCE, EARLIER)))
                .test(
                        "conditions of other managers stay unchanged",
                        t -> t.given(HELD.condition("Audited").since(EARLIER).isTrue("Clean", "by hand"))
                                .comparingStatus(WITH_TIMES)
                                .expectStatusUpdate(noClass(
                                        HELD.condition("Audited").since(EARLIER).isTrue("Clean", "by hand"), "")));
    }

    /** Several, with what happens between them. */
    @TestFactory
    public Stream<DynamicTest> scenarios() {
        return ScenarioTests.<Database>in(cluster -> DatabaseReconciler.controller(service(cluster)))
                .definitions(DEFINITIONS)
                .test(
                        "the life of a database: created, usable, settled, its class shrinks and grows, and it is deleted with all children",
                        s -> s.given(NEW)
                                .given(STANDARD)
                                .prepare(cluster -> UnreliableDatabaseService.slow(cluster, Duration.ofMinutes(1)))
                                .reconcile(
                                        NEW,
                                        r -> expectChildren(r.expectUpdate(HELD))
                                                .expectStatusUpdate(
                                                        said(HELD, HOST, "Provisioning", "the service is at it"))
                                                .expectResult(Result.after(Duration.ofSeconds(5))))
                                .passes(Duration.ofSeconds(5))
                                .reconcile(
                                        NEW, r -> expectChildren(r).expectResult(Result.after(Duration.ofSeconds(5))))
                                .passes(Duration.ofSeconds(55))
                                .reconcile(
                                        NEW,
                                        r -> expectChildren(r)
                                                .comparingStatus(WITH_TIMES)
                                                .expectStatusUpdate(USABLE.at(SINCE, TestCluster.NOW.plusSeconds(60))))
                                .settled(NEW)
                                .then(cluster -> patch(cluster, STANDARD, "{\"spec\":{\"maximumGigabytes\":10}}"))
                                .reconcile(NEW, r -> r.expectStatusUpdate(tooLarge(HELD, HOST)))
                                .settled(NEW)
                                .then(cluster -> patch(cluster, STANDARD, "{\"spec\":{\"maximumGigabytes\":50}}"))
                                .reconcile(NEW, DatabaseCasesTest::expectUsable)
                                .settled(NEW)
                                .then(cluster -> delete(cluster, NEW))
                                .reconcile(NEW, r -> expectKept(r.expectUpdate(NEW)))
                                .reconcile(
                                        NEW,
                                        r -> r.verify(run -> {
                                            assertThat(exists(run, NEW)).isFalse();
                                            assertThat(exists(run, SECRET)).isFalse();
                                            assertThat(exists(run, ADDRESS)).isFalse();
                                        })))
                .test(
                        "a class that is created later",
                        s -> s.given(NEW)
                                .reconcile(NEW)
                                .settled(NEW)
                                .then(cluster -> cluster.put(STANDARD))
                                .reconcile(NEW, DatabaseCasesTest::expectUsable)
                                .settled(NEW))
                .test(
                        "the process dies after creating the database without a record: the next one finds it, and there are not two",
                        s -> s.given(NEW)
                                .given(STANDARD)
                                .then(cluster -> service(cluster).losesAnswer(ENSURE))
                                .reconcile(NEW, r -> r.expectUpdate(HELD).expectError(IllegalStateException.class))
                                .then(cluster -> service(cluster).recovers())
                                .restarts()
                                .reconcile(NEW, r -> expectKept(expectUsable(r), ID))
                                .settled(NEW))
                .test(
                        "the process dies, and meanwhile the database vanishes: the next one removes the remains",
                        s -> s.given(NEW)
                                .given(STANDARD)
                                .reconcile(NEW)
                                .then(cluster -> vanish(cluster, NEW))
                                .restarts()
                                .then(cluster ->
                                        assertThat(service(cluster).ids()).isEmpty()))
                .test(
                        "a failed removal is repeated the next time, and the finalizer stays until then",
                        s -> s.given(NEW)
                                .given(STANDARD)
                                .reconcile(NEW)
                                .then(cluster -> delete(cluster, NEW))
                                .then(cluster -> service(cluster).fails(REMOVE))
                                .reconcile(NEW, r -> r.expectError(IllegalStateException.class))
                                .passes(Duration.ofMinutes(1))
                                .then(cluster -> service(cluster).recovers())
                                .reconcile(NEW, r -> expectKept(r.expectUpdate(NEW)))
                                .then(cluster -> assertThat(cluster.client().find(Database.class, NEW.key()))
                                        .isEmpty()))
                .test(
                        "removed at the service by hand, it is created again",
                        s -> s.given(NEW)
                                .given(STANDARD)
                                .reconcile(NEW)
                                .then(cluster -> service(cluster).remove(ID))
                                .reconcile(NEW, r -> expectKept(expectChildren(r), ID))
                                .settled(NEW))
                .test(
                        "a cache without the own writes does no harm to them",
                        s -> s.given(NEW).given(STANDARD).reconcile(NEW).reconcile(NEW, r -> expectChildren(r.stale())))
                .test(
                        "deleted and created again, it is another database",
                        s -> s.given(NEW)
                                .given(STANDARD)
                                .reconcile(NEW)
                                .then(cluster -> delete(cluster, NEW))
                                .reconcile(NEW)
                                .then(cluster -> cluster.put(ANEW))
                                .reconcile(NEW)
                                .then(cluster -> assertThat(service(cluster).ids())
                                        .containsExactly(
                                                ANEW.object().getMetadata().getUid()))
                                .settled(NEW))
                .stream();
    }
}
