package dev.evenkeel.grpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.Deletion;
import dev.evenkeel.client.Fence;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Listing;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.RetryPolicy;
import dev.evenkeel.client.Status;
import dev.evenkeel.client.TokenSource;
import dev.evenkeel.client.Watch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.client.internal.retry.Attempts.Repeat;
import dev.evenkeel.grpc.resource.v1.CreateObjectRequest;
import dev.evenkeel.grpc.resource.v1.DeleteCollectionRequest;
import dev.evenkeel.grpc.resource.v1.DeleteObjectRequest;
import dev.evenkeel.grpc.resource.v1.DeleteObjectResponse;
import dev.evenkeel.grpc.resource.v1.DeleteRequest;
import dev.evenkeel.grpc.resource.v1.GetObjectRequest;
import dev.evenkeel.grpc.resource.v1.GetScaleRequest;
import dev.evenkeel.grpc.resource.v1.LeaseFence;
import dev.evenkeel.grpc.resource.v1.ListObjectsRequest;
import dev.evenkeel.grpc.resource.v1.ListObjectsResponse;
import dev.evenkeel.grpc.resource.v1.ObjectCollection;
import dev.evenkeel.grpc.resource.v1.ObjectDeleteOptions;
import dev.evenkeel.grpc.resource.v1.ObjectResponse;
import dev.evenkeel.grpc.resource.v1.ObjectScale;
import dev.evenkeel.grpc.resource.v1.ObjectServiceGrpc;
import dev.evenkeel.grpc.resource.v1.ObjectWriteOptions;
import dev.evenkeel.grpc.resource.v1.PatchObjectRequest;
import dev.evenkeel.grpc.resource.v1.PatchObjectRequest.PatchType;
import dev.evenkeel.grpc.resource.v1.SetScaleRequest;
import dev.evenkeel.grpc.resource.v1.Subresource;
import dev.evenkeel.grpc.resource.v1.UpdateObjectRequest;
import dev.evenkeel.grpc.resource.v1.WatchObjectsRequest;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PartialObjectMetadata;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The client of a {@link GrpcServer}, by its service {@code evenkeel.resource.v1.ObjectService}: for objects of all types, those
 * defined in protobuf, custom and built-in ones.
 *
 * <pre>{@code
 * try (GrpcClient client = GrpcClient.builder(server.target()).ca(server.caCertificate()).token(server.token()).build()) {
 *     client.list(ConfigMap.class, ListOptions.in("default"));
 * }
 * }</pre>
 *
 * <p>In addition to the {@link dev.evenkeel.client.ApiException}s of every client there are two of the network:
 * {@link dev.evenkeel.client.ConnectionException} and {@link dev.evenkeel.client.RequestInterruptedException}.
 *
 * <p>It uses two connections, one for calls and one for watches, so that watches delay no call. Both are opened when they are
 * needed, and again after they broke.
 */
public final class GrpcClient implements Client, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GrpcClient.class);

    private final String partition;
    private final String fieldManager;
    private final GrpcTransport transport;

    private GrpcClient(Builder builder) {
        partition = builder.partition;
        fieldManager = builder.fieldManager;
        transport = new GrpcTransport(builder);
    }

    /**
     * Returns a builder of a client.
     *
     * @param target address of the server, such as {@code catalog.example.com:8502}, or another name that gRPC resolves
     */
    public static Builder builder(String target) {
        return new Builder(target);
    }

    @Override
    public <T extends HasMetadata> Optional<T> find(Kind<T> kind, ObjectKey key) {
        GetObjectRequest request = GetObjectRequest.newBuilder()
                .setCollection(collection(kind, kind.requireName(key).namespace()))
                .setName(key.name())
                .setMetadataOnly(metadataOnly(kind))
                .build();
        try {
            return Optional.of(object(kind, transport.call(ObjectServiceGrpc.getGetMethod(), request, Repeat.READ)));
        } catch (NotFoundException e) {
            if (e.isAbout(kind, key.name())) {
                return Optional.empty();
            }
            throw e;
        }
    }

    @Override
    public <T extends HasMetadata> Listing<T> list(Kind<T> kind, ListOptions options) {
        ListObjectsRequest.Builder request = ListObjectsRequest.newBuilder()
                .setCollection(collection(kind, options.namespace()))
                .setLabelSelector(options.labels().toString())
                .setFieldSelector(options.fields().toString())
                .setLimit(options.limit())
                .setContinueToken(options.continueToken())
                .setResourceVersion(options.resourceVersion())
                .setMetadataOnly(metadataOnly(kind));
        List<T> items = new ArrayList<>();
        while (true) {
            ListObjectsResponse page = transport.call(ObjectServiceGrpc.getListMethod(), request.build(), Repeat.READ);
            page.getObjectsList().forEach(json -> items.add(decode(kind, json)));
            if (options.limit() > 0 || page.getContinueToken().isEmpty()) {
                return new Listing<>(items, page.getResourceVersion(), page.getContinueToken());
            }
            // all objects are larger than one response
            request.setContinueToken(page.getContinueToken()).setResourceVersion("");
        }
    }

    @Override
    public <T extends HasMetadata> Watch<T> watch(Kind<T> kind, ListOptions options) {
        WatchObjectsRequest.Builder request = WatchObjectsRequest.newBuilder()
                .setCollection(collection(kind, options.namespace()))
                .setLabelSelector(options.labels().toString())
                .setFieldSelector(options.fields().toString())
                .setResourceVersion(options.resourceVersion())
                .setSendInitialEvents(options.sendInitialEvents())
                .setMetadataOnly(metadataOnly(kind));
        if (!options.timeout().isZero()) {
            // in whole seconds, rounded up, as in HTTP
            long seconds = options.timeout().plusNanos(999_999_999).toSeconds();
            request.setTimeout(com.google.protobuf.Duration.newBuilder().setSeconds(seconds));
        }
        return transport.watch(kind, request.build());
    }

    @Override
    public <T extends HasMetadata> T create(Kind<T> kind, T object, WriteOptions options) {
        CreateObjectRequest request = CreateObjectRequest.newBuilder()
                .setCollection(
                        collection(kind, kind.requireScope(ObjectKey.of(object)).namespace()))
                .setObject(encode(object))
                .setOptions(options(options))
                .build();
        return object(kind, transport.call(ObjectServiceGrpc.getCreateMethod(), request, Repeat.NEVER));
    }

    @Override
    public <T extends HasMetadata> T update(Kind<T> kind, T object, WriteOptions options) {
        return update(kind, object, Subresource.SUBRESOURCE_UNSPECIFIED, options);
    }

    @Override
    public <T extends HasMetadata> T updateStatus(Kind<T> kind, T object, WriteOptions options) {
        return update(kind, object, Subresource.SUBRESOURCE_STATUS, options);
    }

    private <T extends HasMetadata> T update(Kind<T> kind, T object, Subresource part, WriteOptions options) {
        ObjectKey key = kind.requireName(ObjectKey.of(object));
        UpdateObjectRequest request = UpdateObjectRequest.newBuilder()
                .setCollection(collection(kind, key.namespace()))
                .setName(key.name())
                .setSubresource(part)
                .setObject(encode(object))
                .setOptions(options(options))
                .build();
        return object(kind, transport.call(ObjectServiceGrpc.getUpdateMethod(), request, Repeat.SAME_EFFECT));
    }

    @Override
    public <T extends HasMetadata> T patch(Kind<T> kind, ObjectKey key, Patch patch, WriteOptions options) {
        return patch(kind, key, Subresource.SUBRESOURCE_UNSPECIFIED, patch.type(), patch.bytes(), options);
    }

    @Override
    public <T extends HasMetadata> T patchStatus(Kind<T> kind, ObjectKey key, Patch patch, WriteOptions options) {
        return patch(kind, key, Subresource.SUBRESOURCE_STATUS, patch.type(), patch.bytes(), options);
    }

    @Override
    public <T extends HasMetadata> T apply(Kind<T> kind, T object, WriteOptions options) {
        return patch(
                kind,
                ObjectKey.of(object),
                Subresource.SUBRESOURCE_UNSPECIFIED,
                Patch.Type.APPLY,
                ModelCodec.encode(object),
                options);
    }

    @Override
    public <T extends HasMetadata> T applyStatus(Kind<T> kind, T object, WriteOptions options) {
        return patch(
                kind,
                ObjectKey.of(object),
                Subresource.SUBRESOURCE_STATUS,
                Patch.Type.APPLY,
                ModelCodec.encode(object),
                options);
    }

    private <T extends HasMetadata> T patch(
            Kind<T> kind, ObjectKey key, Subresource part, Patch.Type type, byte[] patch, WriteOptions options) {
        PatchObjectRequest request = PatchObjectRequest.newBuilder()
                .setCollection(collection(kind, kind.requireName(key).namespace()))
                .setName(key.name())
                .setSubresource(part)
                .setType(
                        switch (type) {
                            case JSON -> PatchType.PATCH_TYPE_JSON;
                            case MERGE -> PatchType.PATCH_TYPE_MERGE;
                            case STRATEGIC -> PatchType.PATCH_TYPE_STRATEGIC;
                            case APPLY -> PatchType.PATCH_TYPE_APPLY;
                        })
                .setPatch(UnsafeByteOperations.unsafeWrap(patch))
                .setOptions(options(options))
                .build();
        Repeat repeat = type == Patch.Type.APPLY ? Repeat.SAME_EFFECT : Repeat.NEVER;
        return object(kind, transport.call(ObjectServiceGrpc.getPatchMethod(), request, repeat));
    }

    @Override
    public Replicas scale(Kind<?> kind, ObjectKey key) {
        GetScaleRequest request = GetScaleRequest.newBuilder()
                .setCollection(collection(kind, kind.requireName(key).namespace()))
                .setName(key.name())
                .build();
        return replicas(transport.call(ObjectServiceGrpc.getGetScaleMethod(), request, Repeat.READ));
    }

    @Override
    public Replicas scale(Kind<?> kind, ObjectKey key, int replicas, WriteOptions options) {
        SetScaleRequest request = SetScaleRequest.newBuilder()
                .setCollection(collection(kind, kind.requireName(key).namespace()))
                .setName(key.name())
                .setReplicas(replicas)
                .setOptions(options(options))
                .build();
        return replicas(transport.call(ObjectServiceGrpc.getSetScaleMethod(), request, Repeat.NEVER));
    }

    private static Replicas replicas(ObjectScale scale) {
        warn(scale.getWarningsList());
        return new Replicas(scale.getDesiredReplicas(), scale.getObservedReplicas(), scale.getSelector());
    }

    @Override
    public <T extends HasMetadata> Deletion<T> delete(Kind<T> kind, ObjectKey key, DeleteOptions options) {
        DeleteObjectRequest request = DeleteObjectRequest.newBuilder()
                .setCollection(collection(kind, kind.requireName(key).namespace()))
                .setName(key.name())
                .setOptions(options(options))
                .build();
        DeleteObjectResponse response =
                transport.call(ObjectServiceGrpc.getDeleteMethod(), request, Repeat.SAME_EFFECT);
        warn(response.getWarningsList());
        return response.getObject().isEmpty()
                ? new Deletion<>(response.getUid(), Optional.empty())
                : Deletion.of(decode(kind, response.getObject()));
    }

    @Override
    public <T extends HasMetadata> List<T> deleteAll(Kind<T> kind, ListOptions selection, DeleteOptions options) {
        ObjectKey scope = kind.requireScope(ObjectKey.of(selection.namespace(), ""));
        DeleteCollectionRequest request = DeleteCollectionRequest.newBuilder()
                .setCollection(collection(kind, scope.namespace()))
                .setLabelSelector(selection.labels().toString())
                .setFieldSelector(selection.fields().toString())
                .setOptions(options(options))
                .build();
        return transport
                .call(ObjectServiceGrpc.getDeleteCollectionMethod(), request, Repeat.SAME_EFFECT)
                .getObjectsList()
                .stream()
                .map(json -> decode(kind, json))
                .toList();
    }

    private ObjectCollection collection(Kind<?> kind, String namespace) {
        return ObjectCollection.newBuilder()
                .setPartition(partition)
                .setGroup(kind.group())
                .setVersion(kind.version())
                .setPlural(kind.plural())
                .setNamespace(namespace)
                .build();
    }

    private ObjectWriteOptions options(WriteOptions options) {
        ObjectWriteOptions.Builder written = ObjectWriteOptions.newBuilder()
                .setFieldManager(options.fieldManager().isEmpty() ? fieldManager : options.fieldManager())
                .setDryRun(options.dryRun())
                .setForce(options.force());
        options.fence().ifPresent(fence -> written.setFence(fence(fence)));
        return written.build();
    }

    private static ObjectDeleteOptions options(DeleteOptions options) {
        if (options.gracePeriod().isPresent()) {
            throw ApiException.of(Status.of(
                    400, "BadRequest", "gracePeriod: the resource service does not take it; use the API server"));
        }
        ObjectDeleteOptions.Builder written = ObjectDeleteOptions.newBuilder().setDryRun(options.dryRun());
        options.propagation()
                .ifPresent(policy -> written.setDependents(
                        switch (policy) {
                            case ORPHAN -> DeleteRequest.Dependents.DEPENDENTS_ORPHAN;
                            case BACKGROUND -> DeleteRequest.Dependents.DEPENDENTS_BACKGROUND;
                            case FOREGROUND -> DeleteRequest.Dependents.DEPENDENTS_FOREGROUND;
                        }));
        options.uid().ifPresent(written::setUid);
        options.resourceVersion().ifPresent(written::setResourceVersion);
        options.fence().ifPresent(fence -> written.setFence(fence(fence)));
        return written.build();
    }

    private static LeaseFence fence(Fence fence) {
        return LeaseFence.newBuilder()
                .setNamespace(fence.lease().namespace())
                .setName(fence.lease().name())
                .setHolder(fence.holder())
                .setTransitions(fence.transitions())
                .build();
    }

    private static boolean metadataOnly(Kind<?> kind) {
        return kind.javaType() == PartialObjectMetadata.class;
    }

    private static ByteString encode(HasMetadata object) {
        return UnsafeByteOperations.unsafeWrap(ModelCodec.encode(object));
    }

    private static <T extends HasMetadata> T object(Kind<T> kind, ObjectResponse response) {
        warn(response.getWarningsList());
        return decode(kind, response.getObject());
    }

    static <T extends HasMetadata> T decode(Kind<T> kind, ByteString json) {
        return ModelCodec.decode(json.toByteArray(), kind.javaType());
    }

    private static void warn(List<String> warnings) {
        warnings.forEach(warning -> LOG.warn("{}", warning));
    }

    /** Ends all watches and aborts all calls. */
    @Override
    public void close() {
        transport.close();
    }

    /** Builds a client. */
    public static final class Builder {
        final String target;
        private String partition = "";
        private String fieldManager = "evenkeel";
        String userAgent = "evenkeel";
        boolean tls = true;
        String ca = "";
        String certificate = "";
        String key = "";
        Optional<TokenSource> tokens = Optional.empty();
        String user = "";
        List<String> groups = List.of();
        RetryPolicy retry = RetryPolicy.DEFAULT;
        Duration requestTimeout = Duration.ofSeconds(30);

        private Builder(String target) {
            if (target.isBlank()) {
                throw new IllegalArgumentException("target: must not be blank; an address is like localhost:8502");
            }
            this.target = target;
        }

        /** Sets the partition of the objects; {@code default} by default. */
        public Builder partition(String value) {
            partition = value;
            return this;
        }

        /** Sets the field manager of writes without one; {@code evenkeel} by default. */
        public Builder fieldManager(String value) {
            if (value.isBlank()) {
                throw new IllegalArgumentException("fieldManager: must not be blank");
            }
            fieldManager = value;
            return this;
        }

        /** Sets the user agent; {@code evenkeel} by default. */
        public Builder userAgent(String value) {
            userAgent = value;
            return this;
        }

        /** Uses TLS; true by default. */
        public Builder tls(boolean value) {
            tls = value;
            return this;
        }

        /** Trusts certificates of these authorities, in PEM; default: those that the JDK trusts. */
        public Builder ca(String pem) {
            ca = pem;
            return this;
        }

        /** Authenticates with a client certificate, in PEM; the key in PKCS#8. */
        public Builder clientCertificate(String certificatePem, String keyPem) {
            certificate = certificatePem;
            key = keyPem;
            return this;
        }

        /** Authenticates with this token. */
        public Builder token(String value) {
            return tokens(() -> value);
        }

        /** Authenticates with tokens from this source. */
        public Builder tokens(TokenSource source) {
            tokens = Optional.of(source);
            return this;
        }

        /** Impersonates another user, if the server allows it. */
        public Builder impersonate(String userName, List<String> groupNames) {
            user = userName;
            groups = List.copyOf(groupNames);
            return this;
        }

        /** Sets the retry policy; default: {@link RetryPolicy#DEFAULT}. */
        public Builder retry(RetryPolicy value) {
            retry = value;
            return this;
        }

        /** Sets the deadline of each attempt of a call, and of the opening of a watch; 30 seconds by default. */
        public Builder requestTimeout(Duration value) {
            if (!value.isPositive()) {
                throw new IllegalArgumentException("requestTimeout: must be positive: " + value);
            }
            requestTimeout = value;
            return this;
        }

        /**
         * Returns the client; nothing is sent before the first call.
         *
         * @throws IllegalArgumentException when the target, a certificate or the key cannot be read, or a token would be sent
         *     unencrypted beyond loopback
         */
        public GrpcClient build() {
            if (certificate.isEmpty() != key.isEmpty()) {
                throw new IllegalArgumentException("a client certificate needs its key, and the other way round");
            }
            if (!tls && !(ca.isEmpty() && certificate.isEmpty())) {
                throw new IllegalArgumentException("certificates need TLS: tls(true)");
            }
            if (!tls && tokens.isPresent() && !GrpcTransport.loopback(target)) {
                throw new IllegalArgumentException(
                        "target \"" + target + "\": a token would be sent unencrypted; use TLS");
            }
            return new GrpcClient(this);
        }
    }
}
