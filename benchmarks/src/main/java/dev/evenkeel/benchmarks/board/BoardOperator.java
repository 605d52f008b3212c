package dev.evenkeel.benchmarks.board;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * An operator: a Board has a Secret with a key, a ConfigMap with its text, and a status that repeats the text. Its argument
 * seeds a defect: {@code stale-read}, {@code lost-step} or {@code missed-deletion}.
 */
public final class BoardOperator {
    private static final String FINALIZER = "example.com/board";
    private static final ResourceDefinitionContext BOARDS = new ResourceDefinitionContext.Builder()
            .withGroup("example.com")
            .withVersion("v1")
            .withKind("Board")
            .withPlural("boards")
            .withNamespaced(true)
            .build();

    private final KubernetesClient client = new KubernetesClientBuilder().build();
    private final ScheduledExecutorService worker = Executors.newSingleThreadScheduledExecutor();
    private final Set<String> queued = ConcurrentHashMap.newKeySet();
    private final String defect;
    private final SharedIndexInformer<ConfigMap> maps;
    private final SharedIndexInformer<GenericKubernetesResource> boards;

    private BoardOperator(String defect) {
        this.defect = defect;
        maps = client.configMaps().inAnyNamespace().runnableInformer(0);
        boards = client.genericKubernetesResources(BOARDS).inAnyNamespace().runnableInformer(0);
    }

    /** Runs the operator until its process is ended. */
    public static void main(String[] args) throws InterruptedException {
        new BoardOperator(args.length == 0 ? "" : args[0]).run();
        new CountDownLatch(1).await();
    }

    private void run() {
        maps.addEventHandler(new Enqueueing<>(
                map -> Optional.ofNullable(map.getMetadata().getLabels()).map(labels -> labels.get("board")), false));
        boards.addEventHandler(new Enqueueing<>(
                board -> Optional.of(board.getMetadata().getName()), defect.equals("missed-deletion")));
        maps.run();
        boards.run();
    }

    private void enqueue(String namespace, String name, long delay) {
        if (queued.add(namespace + "/" + name)) {
            var _ = worker.schedule(
                    () -> {
                        queued.remove(namespace + "/" + name);
                        try {
                            reconcile(namespace, name);
                        } catch (RuntimeException e) {
                            System.err.println(namespace + "/" + name + ": " + e.getMessage());
                            enqueue(namespace, name, Math.min(2000, 100 + 2 * delay));
                        }
                    },
                    delay,
                    TimeUnit.MILLISECONDS);
        }
    }

    private void reconcile(String namespace, String name) {
        GenericKubernetesResource cached = boards.getStore().getByKey(namespace + "/" + name);
        if (cached == null) {
            return;
        }
        GenericKubernetesResource board = client.getKubernetesSerialization().clone(cached);
        List<String> finalizers = new ArrayList<>(board.getMetadata().getFinalizers());
        if (board.isMarkedForDeletion()) {
            cleanUp(namespace, name);
            if (finalizers.remove(FINALIZER)) {
                board.getMetadata().setFinalizers(finalizers);
                unless(404, () -> client.resource(board).update());
            }
            return;
        }
        if (!defect.equals("missed-deletion") && !finalizers.contains(FINALIZER)) {
            finalizers.add(FINALIZER);
            board.getMetadata().setFinalizers(finalizers);
            client.resource(board).update();
            return;
        }
        boolean created = unless(
                409,
                () -> client.resource(new SecretBuilder()
                                .withMetadata(metadata(board).withName(name).build())
                                .addToStringData("key", "key of " + name)
                                .build())
                        .create());
        // the defect: where there is a Secret, the ConfigMap is taken for granted
        if (created || !defect.equals("lost-step")) {
            writeText(board);
        }
        String text = text(board);
        if (!(board.getAdditionalProperties().get("status") instanceof Map<?, ?> status)
                || !text.equals(status.get("text"))) {
            board.setAdditionalProperty("status", Map.of("text", text));
            client.resource(board).updateStatus();
        }
    }

    private void writeText(GenericKubernetesResource board) {
        String namespace = board.getMetadata().getNamespace();
        String name = board.getMetadata().getName();
        Map<String, String> data = Map.of("text", text(board));
        // the defect: the cache decides whether there is a ConfigMap, and its name is new each time
        boolean generated = defect.equals("stale-read");
        Optional<ConfigMap> found = generated
                ? maps.getStore().list().stream()
                        .filter(map -> namespace.equals(map.getMetadata().getNamespace()) && isOf(map, name))
                        .findFirst()
                : Optional.ofNullable(maps.getStore().getByKey(namespace + "/" + name));
        ObjectMetaBuilder metadata = metadata(board);
        ObjectMeta named = generated
                ? metadata.withGenerateName(name + "-").build()
                : metadata.withName(name).build();
        if (found.isEmpty()) {
            client.resource(new ConfigMapBuilder()
                            .withMetadata(named)
                            .withData(data)
                            .build())
                    .create();
        } else if (!data.equals(found.get().getData())) {
            client.resource(new ConfigMapBuilder(found.get()).withData(data).build())
                    .update();
        }
    }

    private static boolean isOf(ConfigMap map, String board) {
        return map.getMetadata().getLabels() != null
                && board.equals(map.getMetadata().getLabels().get("board"));
    }

    private static String text(GenericKubernetesResource board) {
        return board.getAdditionalProperties().get("spec") instanceof Map<?, ?> spec
                ? String.valueOf(spec.get("text"))
                : "";
    }

    private ObjectMetaBuilder metadata(GenericKubernetesResource board) {
        ObjectMetaBuilder metadata = new ObjectMetaBuilder()
                .withNamespace(board.getMetadata().getNamespace())
                .addToLabels("board", board.getMetadata().getName());
        return defect.equals("missed-deletion")
                ? metadata
                : metadata.addToOwnerReferences(new OwnerReferenceBuilder()
                        .withApiVersion(board.getApiVersion())
                        .withKind(board.getKind())
                        .withName(board.getMetadata().getName())
                        .withUid(board.getMetadata().getUid())
                        .build());
    }

    private void cleanUp(String namespace, String name) {
        var _ = client.secrets().inNamespace(namespace).withName(name).delete();
        var _ = client.configMaps().inNamespace(namespace).withName(name).delete();
    }

    /** Returns false if a call is refused with a status. */
    private static boolean unless(int status, Supplier<?> call) {
        try {
            var _ = call.get();
            return true;
        } catch (KubernetesClientException e) {
            if (e.getCode() == status) {
                return false;
            }
            throw e;
        }
    }

    /** Enqueues the board of an object. */
    private final class Enqueueing<T extends HasMetadata> implements ResourceEventHandler<T> {
        private final Function<T, Optional<String>> board;
        private final boolean cleaning;

        Enqueueing(Function<T, Optional<String>> board, boolean cleaning) {
            this.board = board;
            this.cleaning = cleaning;
        }

        private void seen(T object) {
            board.apply(object).ifPresent(name -> enqueue(object.getMetadata().getNamespace(), name, 0));
        }

        @Override
        public void onAdd(T object) {
            seen(object);
        }

        @Override
        public void onUpdate(T before, T object) {
            seen(object);
        }

        @Override
        public void onDelete(T object, boolean unknown) {
            if (cleaning) {
                // the defect: a deletion that happens while the operator is away is never seen
                worker.execute(() -> cleanUp(
                        object.getMetadata().getNamespace(),
                        object.getMetadata().getName()));
            }
            seen(object);
        }
    }
}
