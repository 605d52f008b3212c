package dev.evenkeel.soak;

import static java.util.Map.entry;

import dev.evenkeel.client.Conditions;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.OwnerReferences;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.examples.stream.Account;
import dev.evenkeel.examples.stream.AccountReconciler;
import dev.evenkeel.examples.stream.AccountSpec;
import dev.evenkeel.examples.stream.AccountSpec.Access;
import dev.evenkeel.examples.stream.AccountSpec.Grant;
import dev.evenkeel.examples.stream.Broker;
import dev.evenkeel.examples.stream.BrokerSpec;
import dev.evenkeel.examples.stream.InMemoryStreamService;
import dev.evenkeel.examples.stream.Mirror;
import dev.evenkeel.examples.stream.MirrorReconciler;
import dev.evenkeel.examples.stream.MirrorSpec;
import dev.evenkeel.examples.stream.StreamService;
import dev.evenkeel.examples.stream.StreamService.AccountState;
import dev.evenkeel.examples.stream.StreamService.TopicState;
import dev.evenkeel.examples.stream.Topic;
import dev.evenkeel.examples.stream.TopicReconciler;
import dev.evenkeel.examples.stream.TopicSpec;
import dev.evenkeel.reconcile.condition.ResourceStatus;
import dev.evenkeel.simulation.Simulation;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.CustomResource;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Creates, changes and deletes topics, accounts and mirrors of two brokers, some of which wait for objects that other
 * ones produce; brokers are ready at times, and calls to them may fail.
 */
final class StreamScenario extends ExampleScenario {
    private static final String MAIN = "main";
    private static final String STORE = "store";
    private static final String ARCHIVE = "archive";

    StreamScenario(List<GenericKubernetesResource> types) {
        super("stream", types);
    }

    private static final class StreamWorld extends World {
        final InMemoryStreamService service = new InMemoryStreamService();

        /** Partitions never shrink, not even of a topic that is created again: its copy may still exist. */
        int partitions = 3;

        StreamWorld(Simulation simulation) {
            super(simulation);
        }
    }

    private static final Map<String, String> CALLS = Map.ofEntries(
            entry("topic", "look at topic"),
            entry("ensureTopic", "ensure topic"),
            entry("removeTopic", "remove topic"),
            entry("topics", "list topics"),
            entry("account", "look at account"),
            entry("ensureAccount", "ensure account"),
            entry("removeAccount", "remove account"));

    @Override
    World world(Simulation simulation) {
        StreamWorld world = new StreamWorld(simulation);
        for (String name : List.of(MAIN, STORE)) {
            world.create(new Broker(), name, new BrokerSpec("broker:4", 3, 10, List.of(), null), Map.of());
            say(world, name, true);
        }
        return world;
    }

    private static void say(World world, String name, boolean ready) {
        Broker broker = world.server().get(Broker.class, key(name));
        broker.getStatus()
                .setConditions(List.of(new ConditionBuilder()
                        .withType("Ready")
                        .withStatus(ready ? "True" : "False")
                        .withReason(ready ? "Ready" : "Starting")
                        .withMessage("")
                        .withLastTransitionTime(
                                world.simulation.clock().instant().toString())
                        .build()));
        world.server().updateStatus(broker);
    }

    @Override
    List<Controller<?>> controllers(World world) {
        StreamService service = remote(world.simulation, StreamService.class, ((StreamWorld) world).service, CALLS);
        return List.of(
                TopicReconciler.controller(service),
                AccountReconciler.controller(service, world.simulation.random()),
                MirrorReconciler.controller());
    }

    @Override
    List<Child> owned(Kind<?> primary, ObjectKey key) {
        return primary.equals(Kind.of(Account.class))
                ? List.of(new Child(Kind.of(Secret.class), credentials(key)))
                : List.of();
    }

    @Override
    void change(World world) {
        switch (world.below(8)) {
            case 0 -> say(world, world.below(2) == 0 ? MAIN : STORE, world.below(3) > 0);
            case 1 -> changeMirror(world);
            case 2, 3 -> changeAccount(world);
            case 4 ->
                world.server()
                        .find(Secret.class, credentials(key("account-" + world.below(2))))
                        .ifPresent(secret -> world.server().delete(secret));
            default -> changeTopic((StreamWorld) world);
        }
    }

    private static void changeTopic(StreamWorld world) {
        world.partitions++;
        int number = world.below(3);
        Map<String, String> labels = number == 0 ? Map.of() : Map.of(ARCHIVE, "yes");
        TopicSpec spec = new TopicSpec(MAIN, world.partitions, 3, Map.of("retention", world.below(9) + "h"));
        world.change(new Topic(), "topic-" + number, spec, labels);
    }

    private static void changeAccount(World world) {
        // grants for the other broker are not made, and reported
        Grant own = new Grant("topic-" + world.below(3), Access.READ);
        Grant other = new Grant(ARCHIVE + "-topic-" + world.below(3), Access.WRITE);
        AccountSpec spec = new AccountSpec(MAIN, List.of(own, other));
        world.change(new Account(), "account-" + world.below(2), spec, Map.of());
    }

    private static void changeMirror(World world) {
        LabelSelector archived =
                new LabelSelectorBuilder().addToMatchLabels(ARCHIVE, "yes").build();
        world.change(new Mirror(), ARCHIVE, new MirrorSpec(MAIN, STORE, archived), Map.of());
    }

    @Override
    boolean converged(World world) {
        InMemoryStreamService service = ((StreamWorld) world).service;
        Map<String, Topic> topics = new TreeMap<>();
        world.all(Topic.class).forEach(topic -> topics.put(topic.getMetadata().getName(), topic));
        return topics.values().stream().allMatch(topic -> isSettled(world, topic) && isKept(service, topic))
                && nothingElse(service, topics)
                && accounts(world, service, topics)
                && mirrors(world, topics);
    }

    /** Returns true if the status is of the present generation, and agrees with the broker. */
    private static boolean isSettled(World world, Topic topic) {
        Broker broker = world.server().get(Broker.class, key(topic.getSpec().broker()));
        return isSeen(topic)
                && Conditions.isTrue(topic.getStatus().getConditions(), "Ready")
                        == Conditions.isTrue(broker.getStatus().getConditions(), "Ready");
    }

    private static boolean isSeen(CustomResource<?, ? extends ResourceStatus> object) {
        return !object.isMarkedForDeletion()
                && object.getStatus().getObservedGeneration()
                        == object.getMetadata().getGeneration();
    }

    /** Returns true if the broker has every ready topic as specified. */
    private static boolean isKept(InMemoryStreamService service, Topic topic) {
        TopicSpec spec = topic.getSpec();
        Optional<TopicState> kept = service.topic(
                NAMESPACE + "/" + spec.broker(), ObjectKey.of(topic).name());
        return !Conditions.isTrue(topic.getStatus().getConditions(), "Ready")
                || kept.filter(state -> Objects.equals(state.partitions(), spec.partitions())
                                && state.settings().equals(spec.settings()))
                        .isPresent();
    }

    private static boolean nothingElse(InMemoryStreamService service, Map<String, Topic> topics) {
        return Stream.of(MAIN, STORE)
                .allMatch(broker -> service.topics(NAMESPACE + "/" + broker).stream()
                        .allMatch(name -> isAt(topics.get(name), broker)));
    }

    private static boolean isAt(@Nullable Topic topic, String broker) {
        return topic != null && topic.getSpec().broker().equals(broker);
    }

    private static boolean accounts(World world, InMemoryStreamService service, Map<String, Topic> topics) {
        TreeSet<String> gone = new TreeSet<>(List.of("account-0", "account-1"));
        for (Account account : world.all(Account.class)) {
            ObjectKey key = ObjectKey.of(account);
            gone.remove(key.name());
            Optional<Secret> secret = world.server().find(Secret.class, credentials(key));
            if (!isSeen(account) || secret.isEmpty() || !OwnerReferences.isControlledBy(secret.get(), account)) {
                return false;
            }
            byte[] password = Base64.getDecoder().decode(secret.get().getData().get("password"));
            AccountSpec spec = account.getSpec();
            List<Grant> possible = spec.grants().stream()
                    .filter(grant -> isAt(topics.get(grant.topic()), spec.broker()))
                    .toList();
            AccountState wanted = new AccountState(new String(password, StandardCharsets.UTF_8), possible);
            if (!service.account(NAMESPACE + "/" + MAIN, key.name()).equals(Optional.of(wanted))) {
                return false;
            }
        }
        return gone.stream()
                .allMatch(name -> service.account(NAMESPACE + "/" + MAIN, name).isEmpty());
    }

    private static boolean mirrors(World world, Map<String, Topic> topics) {
        List<Mirror> mirrors = world.all(Mirror.class);
        Map<String, Integer> wanted = new TreeMap<>();
        Map<String, Integer> copies = new TreeMap<>();
        topics.forEach((name, topic) -> {
            Map<String, String> labels =
                    Objects.requireNonNullElse(topic.getMetadata().getLabels(), Map.of());
            int partitions = Objects.requireNonNullElse(topic.getSpec().partitions(), 0);
            if (labels.containsKey(MirrorReconciler.LABEL)) {
                copies.put(name, partitions);
            } else if (labels.containsKey(ARCHIVE) && !mirrors.isEmpty()) {
                wanted.put(ARCHIVE + "-" + name, partitions);
            }
        });
        return mirrors.stream().allMatch(StreamScenario::isSeen) && copies.equals(wanted);
    }
}
