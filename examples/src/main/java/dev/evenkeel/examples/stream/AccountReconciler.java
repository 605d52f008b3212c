package dev.evenkeel.examples.stream;

import static dev.evenkeel.examples.stream.AccountStatus.CONDITIONS;
import static dev.evenkeel.examples.stream.AccountStatus.CREDENTIALS;
import static dev.evenkeel.examples.stream.AccountStatus.GRANTED;

import dev.evenkeel.client.Conditions;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.Stash;
import dev.evenkeel.examples.stream.AccountSpec.Grant;
import dev.evenkeel.examples.stream.StreamService.AccountState;
import dev.evenkeel.reconcile.ResourceReconciler;
import dev.evenkeel.reconcile.child.ChildReconciler;
import dev.evenkeel.reconcile.condition.ConditionManager;
import dev.evenkeel.reconcile.flow.IfThen;
import dev.evenkeel.reconcile.flow.SyncReconciler;
import dev.evenkeel.reconcile.manage.ObjectManager;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * Maintains each {@link Account} in its broker, with a password that is generated once, and kept in a Secret. Deleting
 * the Secret creates a new password.
 *
 * <p>All possible grants are made: a missing topic does not block the others. It is reported in the status, and
 * tracked.
 */
public final class AccountReconciler {
    /** Holds an account until the broker has removed it. */
    public static final String FINALIZER = "stream.evenkeel.dev/account";

    private static final Kind<Topic> TOPICS = Kind.of(Topic.class);
    private static final String PASSWORD = "password";
    private static final int LENGTH = 24;
    private static final String LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789";

    private static final Stash.Key<String> KEPT = Stash.Key.of("password", String.class);
    private static final Stash.Key<AccountState> WANTED = Stash.Key.of("wanted account", AccountState.class);

    private AccountReconciler() {}

    /**
     * Returns the controller.
     *
     * @param random source of passwords; in production a {@link java.security.SecureRandom}
     */
    public static Controller<Account> controller(StreamService service, RandomGenerator random) {
        return root(service, random).controller();
    }

    static ResourceReconciler<Account> root(StreamService service, RandomGenerator random) {
        Provision.Ensure<Account> ensure = (reconciliation, account, broker) ->
                ensure(service, account, broker, reconciliation.stash().require(WANTED));
        return ResourceReconciler.of(Account.class)
                .name("Account")
                .conditions(CONDITIONS)
                .statusDuringFinalization(true)
                .reconciler(
                        FreshnessCheck.of(),
                        credentials(random),
                        SyncReconciler.of(Account.class)
                                .name(GRANTED)
                                .needs(new Part.Requirement.Tracks<>(TOPICS))
                                .sync(AccountReconciler::granted)
                                .build(),
                        BrokerLookup.of(account -> account.getSpec().broker()),
                        IfThen.of(
                                // without a password nothing can be provisioned, but state may have to be removed
                                (reconciliation, account) -> account.isMarkedForDeletion()
                                        || reconciliation.stash().has(WANTED),
                                new Provision<>(FINALIZER, CONDITIONS, ensure, service::removeAccount)
                                        .part(Account.class)))
                .build();
    }

    /** Returns the Secret: desired with a new password, which an existing one replaces. */
    private static Part<Account> credentials(RandomGenerator random) {
        return ChildReconciler.of(Account.class, Secret.class)
                .name(CREDENTIALS)
                .desired((reconciliation, account) -> Optional.of(secret(account, password(random))))
                .manager(ObjectManager.updating(Secret.class, (actual, desired) -> actual.setData(desired.getData()))
                        .harmonizeImmutableFields((actual, desired) -> password(actual)
                                .ifPresent(kept -> desired.getData().put(PASSWORD, encoded(kept)))))
                .reflect(AccountReconciler::reflect)
                .build();
    }

    private static Secret secret(Account account, String password) {
        String name = ObjectKey.of(account).name();
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace(ObjectKey.of(account).namespace())
                .withName(name + "-credentials")
                .endMetadata()
                .addToData("username", encoded(name))
                .addToData(PASSWORD, encoded(password))
                .build();
    }

    private static void reflect(
            Reconciliation<Account> reconciliation, Account account, ChildReconciler.ChildResult<Secret> result) {
        ConditionManager marks = CONDITIONS.manage(reconciliation, account);
        result.error()
                .ifPresentOrElse(
                        error -> marks.markFalse(CREDENTIALS, result.reason(), error),
                        () -> marks.markTrue(CREDENTIALS, "Written"));
        result.child().ifPresent(secret -> {
            account.getStatus().setSecret(ObjectKey.of(secret).name());
            password(secret).ifPresent(password -> reconciliation.stash().put(KEPT, password));
        });
    }

    private static Result granted(Reconciliation<Account> reconciliation, Account account) {
        List<Grant> possible = new ArrayList<>();
        List<Obstacle> obstacles = new ArrayList<>();
        for (Grant grant : account.getSpec().grants()) {
            ObjectKey key = ObjectKey.of(reconciliation.key().namespace(), grant.topic());
            Optional<Topic> topic = reconciliation.tracker().find(TOPICS, key);
            Optional<Obstacle> obstacle = obstacle(account.getSpec().broker(), grant.topic(), topic);
            obstacle.ifPresent(obstacles::add);
            if (obstacle.isEmpty() || obstacle.get().passes()) {
                possible.add(grant);
            }
        }
        ConditionManager marks = CONDITIONS.manage(reconciliation, account);
        if (obstacles.isEmpty()) {
            marks.markTrue(GRANTED, "TopicsReady");
        } else {
            String messages = obstacles.stream().map(Obstacle::message).collect(Collectors.joining("; "));
            marks.markFalse(GRANTED, obstacles.getFirst().reason(), messages);
        }
        Stash stash = reconciliation.stash();
        stash.get(KEPT).ifPresent(password -> stash.put(WANTED, new AccountState(password, possible)));
        return Result.done();
    }

    /**
     * An obstacle to the use of a topic.
     *
     * @param reason for conditions
     * @param message human-readable text
     * @param passes whether it is granted nevertheless
     */
    private record Obstacle(String reason, String message, boolean passes) {}

    private static Optional<Obstacle> obstacle(String broker, String name, Optional<Topic> found) {
        if (found.isEmpty()) {
            return Optional.of(new Obstacle("NoTopic", "there is no topic \"" + name + "\"", false));
        }
        Topic topic = found.get();
        String other = topic.getSpec().broker();
        if (!other.equals(broker)) {
            String message = "topic \"" + name + "\" is at broker \"" + other + "\", not at \"" + broker + "\"";
            return Optional.of(new Obstacle("OtherBroker", message, false));
        }
        return Conditions.isTrue(topic.getStatus().getConditions(), "Ready")
                ? Optional.empty()
                : Optional.of(new Obstacle("TopicNotReady", "topic \"" + name + "\" is not ready", true));
    }

    private static boolean ensure(StreamService service, Account account, Broker broker, AccountState wanted) {
        String id = Provision.id(broker);
        String name = ObjectKey.of(account).name();
        if (service.account(id, name).equals(Optional.of(wanted))) {
            return false;
        }
        service.ensureAccount(id, name, wanted);
        return true;
    }

    private static String password(RandomGenerator random) {
        return random.ints(LENGTH, 0, LETTERS.length())
                .mapToObj(LETTERS::charAt)
                .map(String::valueOf)
                .collect(Collectors.joining());
    }

    /** Returns the password in the Secret; empty when it was removed. */
    private static Optional<String> password(Secret secret) {
        return Optional.ofNullable(secret.getData())
                .map(data -> data.get(PASSWORD))
                .filter(text -> !text.isEmpty())
                .map(text -> new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8));
    }

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
