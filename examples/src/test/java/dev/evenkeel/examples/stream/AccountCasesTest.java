package dev.evenkeel.examples.stream;

import static dev.evenkeel.examples.stream.AccountReconciler.FINALIZER;
import static dev.evenkeel.examples.stream.Streams.BROKER;
import static dev.evenkeel.examples.stream.Streams.DEFINITIONS;
import static dev.evenkeel.examples.stream.Streams.EARLIER;
import static dev.evenkeel.examples.stream.Streams.MAIN;
import static dev.evenkeel.examples.stream.Streams.expectFinalizer;
import static dev.evenkeel.examples.stream.Streams.expectStatus;
import static dev.evenkeel.examples.stream.Streams.says;
import static dev.evenkeel.testing.call.Calls.on;
import static dev.evenkeel.testing.call.Reactor.Failure.conflict;
import static dev.evenkeel.testing.call.Reactor.Failure.forbidden;
import static dev.evenkeel.testing.call.RecordedCall.Verb.CREATE;
import static dev.evenkeel.testing.call.RecordedCall.Verb.PATCH;
import static dev.evenkeel.testing.call.RecordedCall.Verb.UPDATE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.Tracker;
import dev.evenkeel.examples.stream.AccountSpec.Access;
import dev.evenkeel.examples.stream.AccountSpec.Grant;
import dev.evenkeel.examples.stream.StreamService.AccountState;
import dev.evenkeel.examples.stream.StreamService.UnavailableException;
import dev.evenkeel.testing.Expectations;
import dev.evenkeel.testing.ReconcilerTests;
import dev.evenkeel.testing.ScenarioTests;
import dev.evenkeel.testing.TestCluster;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.Secret;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class AccountCasesTest {
    /** The password of a constant generator. */
    private static final String FRESH = "A".repeat(24);

    private static final String KEPT = "a password of old";

    private static final Given<Account> NEW = Given.yaml(Account.class, """
            metadata: {namespace: default, name: shop, generation: 1}
            spec: {broker: main, grants: [{topic: orders, access: WRITE}, {topic: bills, access: READ}]}
            """);
    private static final Given<Account> HELD = NEW.finalizers(FINALIZER);
    private static final Given<Topic> ORDERS = Streams.ready("orders", "main");
    private static final Given<Topic> BILLS = Streams.ready("bills", "main");
    private static final Grant WRITE_ORDERS = new Grant("orders", Access.WRITE);
    private static final Grant READ_BILLS = new Grant("bills", Access.READ);
    private static final Result REGULARLY = Result.after(Duration.ofMinutes(10));

    private static final Given<Secret> SECRET = secret(FRESH);
    private static final Given<Secret> OLD_SECRET = secret(KEPT);

    /** As it is said when all is well. */
    private static final Given<Account> READY = said(HELD, "True", "TopicsReady", "", "True", "Provisioned", "");

    private static Given<Secret> secret(String password) {
        return Given.yaml(Secret.class, "metadata: {namespace: default, name: shop-credentials}")
                .at("data.username", encoded("shop"))
                .at("data.password", encoded(password))
                .ownedBy(NEW);
    }

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static Given<Account> said(
            Given<Account> account,
            String granted,
            String grantedReason,
            String grantedMessage,
            String provisioned,
            String provisionedReason,
            String provisionedMessage) {
        Given<Account> said = says(
                says(
                        says(account.statusAt("secret", "shop-credentials"), "Credentials", "True", "Written", ""),
                        "Granted",
                        granted,
                        grantedReason,
                        grantedMessage),
                "Provisioned",
                provisioned,
                provisionedReason,
                provisionedMessage);
        Given<Account> summed = granted.equals("True")
                ? provisioned.equals("True")
                        ? says(said, "Ready", "True", "Ready", "")
                        : says(said, "Ready", provisioned, provisionedReason, provisionedMessage)
                : says(said, "Ready", granted, grantedReason, grantedMessage);
        return summed.statusAt("observedGeneration", 1);
    }

    private static Given<Account> ungranted(Given<Account> account, String reason, String message) {
        return said(account, "False", reason, message, "True", "Provisioned", "");
    }

    private static UnreliableStreamService service(TestCluster cluster) {
        return UnreliableStreamService.of(cluster);
    }

    /** The broker has it already. */
    private static void kept(TestCluster cluster) {
        service(cluster)
                .within()
                .ensureAccount(MAIN, "shop", new AccountState(KEPT, List.of(WRITE_ORDERS, READ_BILLS)));
    }

    private static <S extends Expectations<S>> S expectAsked(Expectations<S> t, String... calls) {
        return t.verify(run -> assertThat(service(run.cluster()).writes()).containsExactly(calls));
    }

    /** The broker has it so in the end. */
    private static <S extends Expectations<S>> S expectAccount(Expectations<S> t, String password, Grant... grants) {
        return t.verify(run -> assertThat(service(run.cluster()).account(MAIN, "shop"))
                .contains(new AccountState(password, List.of(grants))));
    }

    private static ReconcilerTests.Case<Account> tracks(ReconcilerTests.Case<Account> t) {
        return t.expectTrack(Streams.tracked(Topic.class, "orders"))
                .expectTrack(Streams.tracked(Topic.class, "bills"))
                .expectTrack(Streams.tracked(Broker.class, "main"));
    }

    private static ReconcilerTests.Case<Account> provisioned(ReconcilerTests.Case<Account> t) {
        return tracks(t)
                .expectEvent(NEW, "Normal", "Provisioned", "Provision", "Provisioned at broker \"main\"")
                .expectResult(REGULARLY);
    }

    private static ReconcilerTests.Case<Account> created(ReconcilerTests.Case<Account> t) {
        return t.expectCreate(SECRET)
                .expectEvent(NEW, "Normal", "Created", "CreateChild", "Created Secret \"shop-credentials\"");
    }

    private static ReconcilerTests<Account> tests() {
        return ReconcilerTests.<Account>in(cluster -> AccountReconciler.controller(service(cluster), () -> 0))
                .definitions(DEFINITIONS);
    }

    @TestFactory
    Stream<DynamicTest> wishes() {
        return tests()
                .test("a deleted account needs nothing", t -> expectAsked(t.request("default", "shop")))
                .test(
                        "a new account gets a password and a finalizer, is created by the broker, and is ready",
                        t -> expectAccount(
                                expectStatus(
                                        provisioned(expectFinalizer(
                                                created(t.given(NEW, BROKER, ORDERS, BILLS)), NEW, FINALIZER, true)),
                                        READY),
                                FRESH,
                                WRITE_ORDERS,
                                READ_BILLS))
                .test(
                        "an account that is as it should be: nothing is written",
                        t -> expectAsked(tracks(t.given(READY, BROKER, ORDERS, BILLS, OLD_SECRET)
                                        .prepare(AccountCasesTest::kept))
                                .expectResult(REGULARLY)))
                .test(
                        "without grants there is nothing to be tracked but the broker",
                        t -> expectStatus(
                                created(t.given(HELD.at("spec.grants", List.of()), BROKER))
                                        .expectTrack(Streams.tracked(Broker.class, "main"))
                                        .expectEvent(
                                                NEW,
                                                "Normal",
                                                "Provisioned",
                                                "Provision",
                                                "Provisioned at broker \"main\"")
                                        .expectResult(REGULARLY),
                                READY))
                .test(
                        "a grant that is taken away is taken away at the broker",
                        t -> expectAccount(
                                t.given(READY.at("spec.grants", List.of()), BROKER, OLD_SECRET)
                                        .prepare(AccountCasesTest::kept)
                                        .expectTrack(Streams.tracked(Broker.class, "main"))
                                        .expectEvent(
                                                NEW,
                                                "Normal",
                                                "Provisioned",
                                                "Provision",
                                                "Provisioned at broker \"main\"")
                                        .expectResult(REGULARLY),
                                KEPT))
                .test(
                        "changes at the broker are reverted",
                        t -> expectAccount(
                                expectAsked(
                                        provisioned(t.given(READY, BROKER, ORDERS, BILLS, OLD_SECRET)
                                                .prepare(cluster -> service(cluster)
                                                        .within()
                                                        .ensureAccount(
                                                                MAIN, "shop", new AccountState("x", List.of())))),
                                        "ensureAccount default/main shop"),
                                KEPT,
                                WRITE_ORDERS,
                                READ_BILLS))
                .stream();
    }

    @TestFactory
    Stream<DynamicTest> credentials() {
        return tests()
                .test(
                        "a deleted Secret is created again, with another password, which the broker gets",
                        t -> expectAccount(
                                provisioned(created(
                                        t.given(READY, BROKER, ORDERS, BILLS).prepare(AccountCasesTest::kept))),
                                FRESH,
                                WRITE_ORDERS,
                                READ_BILLS))
                .test(
                        "a password that was taken out of the Secret is replaced",
                        t -> expectAccount(
                                provisioned(t.given(READY, BROKER, ORDERS, BILLS, OLD_SECRET.without("data.password"))
                                        .prepare(AccountCasesTest::kept)
                                        .expectUpdate(SECRET)
                                        .expectEvent(
                                                NEW,
                                                "Normal",
                                                "Updated",
                                                "UpdateChild",
                                                "Updated Secret \"shop-credentials\"")),
                                FRESH,
                                WRITE_ORDERS,
                                READ_BILLS))
                .test(
                        "a password that a user set is the password",
                        t -> expectAccount(
                                provisioned(t.given(READY, BROKER, ORDERS, BILLS, secret("mine"))
                                        .prepare(AccountCasesTest::kept)),
                                "mine",
                                WRITE_ORDERS,
                                READ_BILLS))
                .test(
                        "other changes of the Secret are reverted, and the password kept",
                        t -> expectAsked(tracks(t.given(
                                                READY,
                                                BROKER,
                                                ORDERS,
                                                BILLS,
                                                OLD_SECRET.at("data.username", encoded("root")))
                                        .prepare(AccountCasesTest::kept)
                                        .expectUpdate(OLD_SECRET)
                                        .expectEvent(
                                                NEW,
                                                "Normal",
                                                "Updated",
                                                "UpdateChild",
                                                "Updated Secret \"shop-credentials\""))
                                .expectResult(REGULARLY)))
                .test(
                        "a foreign Secret is left alone: the account waits for its name",
                        t -> expectAsked(expectStatus(
                                tracks(t.given(
                                                NEW,
                                                BROKER,
                                                ORDERS,
                                                BILLS,
                                                OLD_SECRET.without("metadata.ownerReferences"))
                                        .expectTrack(Tracker.Target.of(Kind.of(Secret.class), SECRET.key()))
                                        .expectCreate(SECRET)
                                        .expectEvent(
                                                NEW,
                                                "Warning",
                                                "CreationFailed",
                                                "CreateChild",
                                                "Failed to create Secret \"shop-credentials\": secrets"
                                                        + " \"shop-credentials\" already exists")),
                                withoutSecret("AlreadyExists", "secrets \"shop-credentials\" already exists"))))
                .test(
                        "a refused Secret: the status has the reason, and it is not retried",
                        t -> expectAsked(expectStatus(
                                tracks(t.given(NEW, BROKER, ORDERS, BILLS)
                                        .react(on(CREATE).kind(Secret.class).fails(forbidden("quota")))
                                        .expectCreate(SECRET)
                                        .expectEvent(
                                                NEW,
                                                "Warning",
                                                "CreationFailed",
                                                "CreateChild",
                                                "Failed to create Secret \"shop-credentials\": secrets"
                                                        + " \"shop-credentials\" is forbidden: quota")),
                                withoutSecret("Forbidden", "secrets \"shop-credentials\" is forbidden: quota"))))
                .test(
                        "another client changes the Secret meanwhile: it is retried, and not reported",
                        t -> t.given(READY, BROKER, ORDERS, BILLS, OLD_SECRET.at("data.username", encoded("root")))
                                .prepare(AccountCasesTest::kept)
                                .react(on(UPDATE).kind(Secret.class).fails(conflict()))
                                .expectUpdate(OLD_SECRET)
                                .expectError(ConflictException.class)
                                .verify(run ->
                                        assertThat(run.outcome().severity()).isEqualTo(Result.Severity.QUIET)))
                .stream();
    }

    /** Nothing came of the Secret. */
    private static Given<Account> withoutSecret(String reason, String message) {
        return says(
                        says(
                                says(
                                        says(NEW.statusAt("secret", ""), "Credentials", "False", reason, message),
                                        "Granted",
                                        "True",
                                        "TopicsReady",
                                        ""),
                                "Provisioned",
                                "Unknown",
                                "Initializing",
                                ""),
                        "Ready",
                        "False",
                        reason,
                        message)
                .statusAt("observedGeneration", 1);
    }

    @TestFactory
    Stream<DynamicTest> grants() {
        return tests()
                .test(
                        "a topic that is missing: the others are granted",
                        t -> expectAccount(
                                expectStatus(
                                        provisioned(t.given(HELD, BROKER, ORDERS, OLD_SECRET)),
                                        ungranted(HELD, "NoTopic", "there is no topic \"bills\"")),
                                KEPT,
                                WRITE_ORDERS))
                .test(
                        "a topic of another broker is not granted",
                        t -> expectAccount(
                                expectStatus(
                                        provisioned(t.given(
                                                HELD, BROKER, ORDERS, BILLS.at("spec.broker", "other"), OLD_SECRET)),
                                        ungranted(
                                                HELD,
                                                "OtherBroker",
                                                "topic \"bills\" is at broker \"other\", not at \"main\"")),
                                KEPT,
                                WRITE_ORDERS))
                .test(
                        "a topic that is not ready is granted, and waited for",
                        t -> expectAccount(
                                expectStatus(
                                        provisioned(t.given(
                                                HELD,
                                                BROKER,
                                                ORDERS,
                                                BILLS.condition("Ready").isFalse("Refused", "no"),
                                                OLD_SECRET)),
                                        ungranted(HELD, "TopicNotReady", "topic \"bills\" is not ready")),
                                KEPT,
                                WRITE_ORDERS,
                                READ_BILLS))
                .test(
                        "all problems are reported, the first of them as the reason",
                        t -> expectAccount(
                                expectStatus(
                                        provisioned(
                                                t.given(HELD, BROKER, BILLS.at("spec.broker", "other"), OLD_SECRET)),
                                        ungranted(
                                                HELD,
                                                "NoTopic",
                                                "there is no topic \"orders\"; topic \"bills\" is at broker \"other\","
                                                        + " not at \"main\"")),
                                KEPT))
                .test(
                        "a deleted topic is not granted any more",
                        t -> expectAccount(
                                expectStatus(
                                        provisioned(t.given(READY, BROKER, ORDERS, OLD_SECRET)
                                                .prepare(AccountCasesTest::kept)),
                                        ungranted(HELD, "NoTopic", "there is no topic \"bills\"")),
                                KEPT,
                                WRITE_ORDERS))
                .stream();
    }

    @TestFactory
    Stream<DynamicTest> brokers() {
        return tests()
                .test(
                        "without its broker an account has its password, and waits",
                        t -> expectAsked(expectStatus(
                                tracks(t.given(HELD, ORDERS, BILLS, OLD_SECRET)).expectResult(Result.halted()),
                                said(HELD, "True", "TopicsReady", "", "False", "NoBroker", "there is no such broker"))))
                .test(
                        "a broker that does not answer is called again, with growing delays",
                        t -> expectStatus(
                                        tracks(t.given(HELD, BROKER, ORDERS, BILLS, OLD_SECRET)
                                                        .prepare(cluster -> service(cluster)
                                                                .within()
                                                                .stop(MAIN)))
                                                .expectError(UnavailableException.class),
                                        said(
                                                        HELD,
                                                        "True",
                                                        "TopicsReady",
                                                        "",
                                                        "Unknown",
                                                        "Unavailable",
                                                        "broker default/main does not answer: is it running?")
                                                .without("status.observedGeneration"))
                                .verify(run ->
                                        assertThat(run.outcome().retries()).isTrue()))
                .test(
                        "a lost answer: the call is repeated",
                        t -> tracks(t.given(READY, BROKER, ORDERS, BILLS, OLD_SECRET)
                                        .prepare(cluster -> service(cluster).losesAnswers()))
                                .expectError(IllegalStateException.class, "no answer"))
                .stream();
    }

    @TestFactory
    Stream<DynamicTest> deletions() {
        return tests()
                .test(
                        "a terminating account: its Secret is deleted, it is removed, and released",
                        t -> expectAsked(
                                expectFinalizer(
                                                t.given(READY.deleted(EARLIER), BROKER, OLD_SECRET)
                                                        .prepare(AccountCasesTest::kept)
                                                        .expectTrack(Streams.tracked(Broker.class, "main"))
                                                        .expectDelete(OLD_SECRET)
                                                        .expectEvent(
                                                                NEW,
                                                                "Normal",
                                                                "Deleted",
                                                                "DeleteChild",
                                                                "Deleted Secret \"shop-credentials\""),
                                                NEW,
                                                FINALIZER,
                                                false)
                                        .expectResult(Result.done().skipStatus())
                                        .verify(run -> assertThat(Streams.exists(run, NEW))
                                                .isFalse()),
                                "removeAccount default/main shop"))
                .test(
                        "the broker is deleted: the account is released",
                        t -> expectAsked(expectFinalizer(
                                        t.given(READY.deleted(EARLIER))
                                                .expectTrack(Streams.tracked(Broker.class, "main")),
                                        NEW,
                                        FINALIZER,
                                        false)
                                .expectResult(Result.done().skipStatus())))
                .test(
                        "the finalizer may not be taken away: the account is not let go",
                        t -> t.given(READY.deleted(EARLIER), BROKER)
                                .react(on(PATCH).kind(Account.class).fails(conflict()))
                                .expectTrack(Streams.tracked(Broker.class, "main"))
                                .expectFinalizers(NEW)
                                .expectError(ConflictException.class)
                                .verify(run ->
                                        assertThat(run.outcome().severity()).isEqualTo(Result.Severity.QUIET)))
                .stream();
    }

    @TestFactory
    Stream<DynamicTest> lives() {
        return ScenarioTests.<Account>in(cluster -> AccountReconciler.controller(
                        service(cluster), cluster.part(RandomGenerator.class, its -> new SplittableRandom(7))))
                .definitions(DEFINITIONS)
                .test(
                        "an account that waits for a topic, and gets a new password",
                        s -> s.given(NEW, BROKER, ORDERS)
                                .reconcile(NEW)
                                .then(cluster -> cluster.put(BILLS))
                                .reconcile(NEW)
                                .settled(NEW)
                                .restarts()
                                .settled(NEW)
                                .then(cluster -> cluster.client().delete(Secret.class, SECRET.key()))
                                .then(AccountCasesTest::remember)
                                .reconcile(NEW)
                                .then(cluster -> assertThat(passwordOf(cluster))
                                        .isNotEqualTo(cluster.part(Remembered.class, its -> new Remembered(""))
                                                .password())
                                        .hasSize(24))
                                .settled(NEW))
                .stream();
    }

    /** The password that the broker had. */
    private record Remembered(String password) {}

    private static void remember(TestCluster cluster) {
        var _ = cluster.part(Remembered.class, its -> new Remembered(passwordOf(its)));
    }

    private static String passwordOf(TestCluster cluster) {
        return service(cluster).account(MAIN, "shop").orElseThrow().password();
    }
}
