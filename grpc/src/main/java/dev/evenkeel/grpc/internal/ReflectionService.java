package dev.evenkeel.grpc.internal;

import com.google.protobuf.Descriptors.FileDescriptor;
import dev.evenkeel.grpc.internal.call.Access;
import dev.evenkeel.grpc.internal.call.Answers;
import dev.evenkeel.grpc.internal.call.CallInfo;
import dev.evenkeel.grpc.internal.resource.TypeTable;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.grpc.reflection.v1.FileDescriptorResponse;
import io.grpc.reflection.v1.ServerReflectionGrpc.ServerReflectionImplBase;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Server reflection of the services, as the library has it, and also of the messages that are the data of types: without
 * them, a client such as grpcurl cannot show the content of an {@code Any}.
 */
public final class ReflectionService extends ServerReflectionImplBase {
    private final ServerReflectionImplBase services = (ServerReflectionImplBase) ProtoReflectionServiceV1.newInstance();
    private final Access access;

    public ReflectionService(Access access) {
        this.access = access;
    }

    @Override
    public StreamObserver<ServerReflectionRequest> serverReflectionInfo(
            StreamObserver<ServerReflectionResponse> client) {
        ServerCallStreamObserver<ServerReflectionResponse> call =
                (ServerCallStreamObserver<ServerReflectionResponse>) client;
        StreamObserver<ServerReflectionRequest> others = services.serverReflectionInfo(client);
        CallInfo info = CallInfo.current();
        return new StreamObserver<>() {
            @Override
            public void onNext(ServerReflectionRequest request) {
                Optional<FileDescriptor> file;
                try {
                    file = file(TypeTable.of(access.enter("", info).types()), request);
                } catch (RuntimeException e) {
                    Answers.fail(client, e); // such as an expired token
                    return;
                }
                if (file.isPresent()) {
                    client.onNext(response(request, file.get()));
                    call.request(1);
                } else {
                    others.onNext(request);
                }
            }

            @Override
            public void onError(Throwable error) {
                others.onError(error);
            }

            @Override
            public void onCompleted() {
                others.onCompleted();
            }
        };
    }

    /** Returns the file that a request names, or that defines what it names; empty when no type depends on it. */
    private static Optional<FileDescriptor> file(TypeTable types, ServerReflectionRequest request) {
        return switch (request.getMessageRequestCase()) {
            case FILE_BY_FILENAME -> Optional.ofNullable(files(types).get(request.getFileByFilename()));
            case FILE_CONTAINING_SYMBOL -> {
                String name = request.getFileContainingSymbol();
                yield files(types).values().stream()
                        .filter(file -> defines(file, name))
                        .findFirst();
            }
            default -> Optional.empty();
        };
    }

    private static boolean defines(FileDescriptor file, String name) {
        String prefix = file.getPackage().isEmpty() ? "" : file.getPackage() + ".";
        if (!name.startsWith(prefix)) {
            return false;
        }
        String outermost = name.substring(prefix.length()).split("\\.", 2)[0];
        return file.findMessageTypeByName(outermost) != null || file.findEnumTypeByName(outermost) != null;
    }

    private static Map<String, FileDescriptor> files(TypeTable types) {
        Map<String, FileDescriptor> files = new LinkedHashMap<>();
        types.all()
                .forEach(type -> type.content().definition().ifPresent(message -> collect(message.getFile(), files)));
        return files;
    }

    private static void collect(FileDescriptor file, Map<String, FileDescriptor> files) {
        if (files.putIfAbsent(file.getName(), file) == null) {
            file.getDependencies().forEach(dependency -> collect(dependency, files));
        }
    }

    private static ServerReflectionResponse response(ServerReflectionRequest request, FileDescriptor file) {
        Map<String, FileDescriptor> needed = new LinkedHashMap<>();
        collect(file, needed);
        FileDescriptorResponse.Builder files = FileDescriptorResponse.newBuilder();
        needed.values()
                .forEach(one -> files.addFileDescriptorProto(one.toProto().toByteString()));
        return ServerReflectionResponse.newBuilder()
                .setValidHost(request.getHost())
                .setOriginalRequest(request)
                .setFileDescriptorResponse(files)
                .build();
    }
}
