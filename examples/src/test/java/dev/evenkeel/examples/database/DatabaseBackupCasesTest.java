package dev.evenkeel.examples.database;

import static dev.evenkeel.examples.database.DatabaseBackupStatus.COMPLETE;
import static dev.evenkeel.examples.database.UnreliableDatabaseService.Call.SNAPSHOT;
import static dev.evenkeel.testing.call.Calls.on;
import static dev.evenkeel.testing.call.Reactor.Failure.forbidden;
import static dev.evenkeel.testing.call.Reactor.Failure.invalid;
import static dev.evenkeel.testing.call.Reactor.Failure.unavailable;
import static dev.evenkeel.testing.call.RecordedCall.Verb.UPDATE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.ForbiddenException;
import dev.evenkeel.client.InvalidException;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.testing.Expectations;
import dev.evenkeel.testing.ReconcilerTests;
import dev.evenkeel.testing.ScenarioTests;
import dev.evenkeel.testing.TestCluster;
import dev.evenkeel.testing.diff.Normalization;
import dev.evenkeel.testing.object.Given;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** All that a backup's reconciler does, case by case. */
public class DatabaseBackupCasesTest {
    private static final Path DEFINITIONS = Path.of("database", "crd.yaml");
    private static final Instant EARLIER = TestCluster.NOW.minus(Duration.ofHours(1));
    private static final String SINCE = "status.conditions[type=Complete].lastTransitionTime";
    private static final Normalization WITH_TIMES = Normalization.status().comparing("status.**.lastTransitionTime");

    private static final Given<Database> ORDERS = Given.yaml(Database.class, """
            metadata: {namespace: default, name: orders, finalizers: [examples.evenkeel.dev/database]}
            spec: {className: standard, version: "17", gigabytes: 20}
            """);
    private static final Given<Database> USABLE = ORDERS.condition("Ready").isTrue("Ready");
    private static final Given<DatabaseBackup> FIRST = Given.yaml(DatabaseBackup.class, """
            metadata: {namespace: default, name: orders-first, generation: 1}
            spec: {database: orders}
            """);

    private static final String ID = Given.uidOf(ORDERS.object());
    private static final String PLACE = ID + "/" + Given.uidOf(FIRST.object());

    private static final Given<DatabaseBackup> TAKEN = said(FIRST, PLACE, COMPLETE, "it was taken");
    private static final Given<DatabaseBackup> WAITING =
            said(FIRST, "", "DatabaseNotReady", "waits for the database to be ready");
    private static final Given<DatabaseBackup> ALONE = said(FIRST, "", "NoSuchDatabase", "there is no such database");

    private static Given<DatabaseBackup> said(
            Given<DatabaseBackup> backup, String snapshot, String reason, String message) {
        return backup.statusAt("observedGeneration", 1)
                .statusAt("snapshot", snapshot)
                .statusAt(
                        "conditions[+type=Complete]",
                        Map.of(
                                "type",
                                COMPLETE,
                                "status",
                                reason.equals(COMPLETE) ? "True" : "False",
                                "observedGeneration",
                                1,
                                "lastTransitionTime",
                                TestCluster.NOW,
                                "reason",
                                reason,
                                "message",
                                message));
    }

    private static UnreliableDatabaseService service(TestCluster cluster) {
        return UnreliableDatabaseService.of(cluster);
    }

    /** The service has the database. */
    private static void kept(TestCluster cluster) {
        var _ = service(cluster).ensure(ID, new DatabaseService.Wanted("17", 20, List.of(), Map.of()));
        service(cluster).calls().clear();
    }

    private static <S extends Expectations<S>> S expectTaken(Expectations<S> t, String... places) {
        return t.verify(run -> assertThat(service(run.cluster()).snapshots()).containsExactlyInAnyOrder(places));
    }

    /** Expects no call of the service. */
    private static <S extends Expectations<S>> S expectNotAsked(Expectations<S> t) {
        return t.verify(run -> assertThat(service(run.cluster()).calls()).isEmpty());
    }

    private static DatabaseBackupStatus status(Expectations.Run run) {
        return run.cluster().client().get(DatabaseBackup.class, FIRST.key()).getStatus();
    }

    /** One reconciliation each. */
    @TestFactory
    public Stream<DynamicTest> reconciliations() {
        ReconcilerTests<DatabaseBackup> tests = ReconcilerTests.<DatabaseBackup>in(
                        cluster -> DatabaseBackupReconciler.controller(service(cluster)))
                .definitions(DEFINITIONS);
        wishes(tests);
        refusals(tests);
        statuses(tests);
        return tests.stream();
    }

    private static void wishes(ReconcilerTests<DatabaseBackup> tests) {
        tests.test(
                        "a backup of a database that can be used is taken",
                        t -> expectTaken(
                                t.given(FIRST)
                                        .given(USABLE)
                                        .prepare(DatabaseBackupCasesTest::kept)
                                        .expectStatusUpdate(TAKEN),
                                PLACE))
                .test("a deleted backup needs nothing", t -> expectNotAsked(t.request("default", "orders-first")))
                .test(
                        "a terminating backup, held by another finalizer, is not taken any more",
                        t -> expectNotAsked(
                                t.given(FIRST.finalizers("example.com/hold").deleted(EARLIER))
                                        .given(USABLE)
                                        .prepare(DatabaseBackupCasesTest::kept)))
                .test(
                        "a backup that was taken is not taken again",
                        t -> expectNotAsked(t.given(TAKEN).given(USABLE).prepare(DatabaseBackupCasesTest::kept)))
                .test("a backup that was taken outlives its database", t -> expectNotAsked(t.given(TAKEN)))
                .test(
                        "a backup of no database reports that",
                        t -> expectNotAsked(t.given(FIRST).expectStatusUpdate(ALONE)))
                .test(
                        "a database of that name in another namespace is not the one",
                        t -> expectNotAsked(
                                t.given(FIRST).given(USABLE.namespace("shop")).expectStatusUpdate(ALONE)))
                .test(
                        "a database that is not in the cache yet does not exist",
                        t -> expectNotAsked(t.given(FIRST).givenOnServer(USABLE).expectStatusUpdate(ALONE)))
                .test(
                        "a database without a status is waited for",
                        t -> expectNotAsked(t.given(FIRST).given(ORDERS).expectStatusUpdate(WAITING)))
                .test(
                        "a database that cannot be used is waited for",
                        t -> expectNotAsked(t.given(FIRST)
                                .given(ORDERS.condition("Ready").isFalse("TooLarge", "too large"))
                                .expectStatusUpdate(WAITING)))
                .test(
                        "a database in an unknown state is waited for",
                        t -> expectNotAsked(t.given(FIRST)
                                .given(ORDERS.condition("Ready").unknown("Lost"))
                                .expectStatusUpdate(WAITING)))
                .test(
                        "a terminating database is not used any more",
                        t -> expectNotAsked(
                                t.given(FIRST).given(USABLE.deleted(EARLIER)).expectStatusUpdate(WAITING)))
                .test(
                        "a waiting backup is not reported again",
                        t -> expectNotAsked(t.given(WAITING).given(ORDERS)));
    }

    private static void refusals(ReconcilerTests<DatabaseBackup> tests) {
        tests.test(
                        "a failing service is an error, and nothing is reported",
                        t -> expectTaken(t.given(FIRST)
                                .given(USABLE)
                                .prepare(DatabaseBackupCasesTest::kept)
                                .prepare(cluster -> service(cluster).fails(SNAPSHOT))
                                .expectError(IllegalStateException.class, "does not SNAPSHOT")))
                .test(
                        "a service that does not have the database is an error",
                        t -> t.given(FIRST).given(USABLE).expectError(IllegalStateException.class, "no database"))
                .test(
                        "a lost answer of the service: it was taken, without a record",
                        t -> expectTaken(
                                t.given(FIRST)
                                        .given(USABLE)
                                        .prepare(DatabaseBackupCasesTest::kept)
                                        .prepare(cluster -> service(cluster).losesAnswer(SNAPSHOT))
                                        .expectError(IllegalStateException.class, "no answer"),
                                PLACE))
                .test(
                        "a status changed by another client is not overwritten",
                        t -> t.given(FIRST)
                                .given(USABLE)
                                .givenOnServer(ALONE)
                                .prepare(DatabaseBackupCasesTest::kept)
                                .expectStatusUpdate(TAKEN)
                                .expectError(ConflictException.class))
                .test(
                        "a status that may not be written is an error; it was taken",
                        t -> expectTaken(
                                t.given(FIRST)
                                        .given(USABLE)
                                        .prepare(DatabaseBackupCasesTest::kept)
                                        .react(on(UPDATE).status().fails(forbidden("no status")))
                                        .expectStatusUpdate(TAKEN)
                                        .expectError(ForbiddenException.class),
                                PLACE))
                .test(
                        "a status that is refused while it waits is an error",
                        t -> t.given(FIRST)
                                .given(ORDERS)
                                .react(on(UPDATE).status().fails(invalid("status.conditions", "too many")))
                                .expectStatusUpdate(WAITING)
                                .expectError(InvalidException.class, "too many"))
                .test(
                        "no server: it was taken, and is reported the next time",
                        t -> expectTaken(
                                t.given(FIRST)
                                        .given(USABLE)
                                        .prepare(DatabaseBackupCasesTest::kept)
                                        .react(on(UPDATE).status().fails(unavailable()))
                                        .expectStatusUpdate(TAKEN)
                                        .expectError(ApiException.class),
                                PLACE))
                .test(
                        "a lost answer of the status: it is written all the same",
                        t -> t.given(FIRST)
                                .given(USABLE)
                                .prepare(DatabaseBackupCasesTest::kept)
                                .react(on(UPDATE).status().losesAnswer())
                                .expectStatusUpdate(TAKEN)
                                .expectError(UncheckedIOException.class)
                                .verify(run ->
                                        assertThat(status(run).snapshot()).isEqualTo(PLACE)))
                .test(
                        "a backup deleted meanwhile has no status any more",
                        t -> t.given(FIRST)
                                .given(USABLE)
                                .prepare(DatabaseBackupCasesTest::kept)
                                .meanwhile(cluster -> cluster.client().delete(DatabaseBackup.class, FIRST.key()))
                                .expectStatusUpdate(TAKEN)
                                .expectError(NotFoundException.class))
                .test(
                        "a status is not written to a backup that was deleted and created again meanwhile",
                        t -> t.given(FIRST)
                                .given(USABLE)
                                .prepare(DatabaseBackupCasesTest::kept)
                                .meanwhile(cluster -> {
                                    var _ = cluster.client().delete(DatabaseBackup.class, FIRST.key());
                                    cluster.put(FIRST.uid("6ba7b810-9dad-41d1-80b4-00c04fd430c8"));
                                })
                                .expectStatusUpdate(TAKEN)
                                .expectError(ConflictException.class)
                                .verify(run -> assertThat(run.cluster()
                                                .client()
                                                .get(DatabaseBackup.class, FIRST.key())
                                                .getStatus())
                                        .isNull()));
    }

    private static void statuses(ReconcilerTests<DatabaseBackup> tests) {
        tests.test(
                        "a backup that had no database and waits for it now keeps its transition time",
                        t -> t.given(ALONE.at(SINCE, EARLIER))
                                .given(ORDERS)
                                .comparingStatus(WITH_TIMES)
                                .expectStatusUpdate(WAITING.at(SINCE, EARLIER)))
                .test(
                        "a waiting backup that is taken now is complete since now",
                        t -> t.given(WAITING.at(SINCE, EARLIER))
                                .given(USABLE)
                                .prepare(DatabaseBackupCasesTest::kept)
                                .comparingStatus(WITH_TIMES)
                                .expectStatusUpdate(TAKEN))
                .test(
                        "a service that takes an hour: it is complete since the reconciliation began",
                        t -> t.given(FIRST)
                                .given(USABLE)
                                .prepare(DatabaseBackupCasesTest::kept)
                                .prepare(cluster -> service(cluster).takes(SNAPSHOT, Duration.ofHours(1)))
                                .comparingStatus(WITH_TIMES)
                                .expectStatusUpdate(TAKEN.at(SINCE, TestCluster.NOW)));
    }

    /** Several, with what happens between them. */
    @TestFactory
    public Stream<DynamicTest> scenarios() {
        return ScenarioTests.<DatabaseBackup>in(cluster -> DatabaseBackupReconciler.controller(service(cluster)))
                .definitions(DEFINITIONS)
                .test(
                        "the life of a backup: without database, waiting, taken, and kept when its database is deleted",
                        s -> s.given(FIRST)
                                .reconcile(FIRST, r -> r.expectStatusUpdate(ALONE))
                                .settled(FIRST)
                                .then(cluster -> cluster.put(ORDERS))
                                .reconcile(FIRST, r -> r.expectStatusUpdate(WAITING))
                                .settled(FIRST)
                                .then(cluster -> cluster.put(USABLE))
                                .then(DatabaseBackupCasesTest::kept)
                                .reconcile(FIRST, r -> expectTaken(r.expectStatusUpdate(TAKEN), PLACE))
                                .settled(FIRST)
                                .then(cluster -> service(cluster).remove(ID))
                                .then(cluster -> cluster.client().delete(Database.class, ORDERS.key()))
                                .settled(FIRST))
                .test(
                        "the process dies after taking it without a record: the next one finds it, and there are not two",
                        s -> s.given(FIRST)
                                .given(USABLE)
                                .prepare(DatabaseBackupCasesTest::kept)
                                .then(cluster -> service(cluster).losesAnswer(SNAPSHOT))
                                .reconcile(FIRST, r -> r.expectError(IllegalStateException.class))
                                .then(cluster -> service(cluster).recovers())
                                .restarts()
                                .reconcile(FIRST, r -> expectTaken(r.expectStatusUpdate(TAKEN), PLACE))
                                .settled(FIRST))
                .test(
                        "two backups of one database are two",
                        s -> s.given(FIRST, FIRST.name("orders-second"))
                                .given(USABLE)
                                .prepare(DatabaseBackupCasesTest::kept)
                                .reconcile(FIRST)
                                .reconcile(
                                        FIRST.name("orders-second"),
                                        r -> expectTaken(
                                                r.expectStatusUpdate(said(
                                                        FIRST.name("orders-second"),
                                                        ID + "/"
                                                                + Given.uidOf(FIRST.name("orders-second")
                                                                        .object()),
                                                        COMPLETE,
                                                        "it was taken")),
                                                PLACE,
                                                ID + "/"
                                                        + Given.uidOf(FIRST.name("orders-second")
                                                                .object()))))
                .stream();
    }
}
