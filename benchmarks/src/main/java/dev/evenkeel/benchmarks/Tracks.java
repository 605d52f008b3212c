package dev.evenkeel.benchmarks;

import com.google.protobuf.Any;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import dev.evenkeel.grpc.resource.v1.ID;
import dev.evenkeel.grpc.resource.v1.Resource;
import dev.evenkeel.grpc.resource.v1.Type;
import dev.evenkeel.protobuf.type.v1.TypeProto;
import java.nio.charset.StandardCharsets;

/** Objects of a type that is defined in protobuf, with about 1 KB of data each. */
final class Tracks {
    static final String COLLECTION = "/apis/bench.evenkeel.dev/v1/namespaces/default/tracks";
    static final Descriptor MESSAGE = message();
    static final Type TYPE = Type.newBuilder()
            .setGroup("bench")
            .setGroupVersion("v1")
            .setKind("Track")
            .build();

    private static final FieldDescriptor TITLE = MESSAGE.findFieldByName("title");
    private static final FieldDescriptor SECONDS = MESSAGE.findFieldByName("seconds");
    private static final FieldDescriptor LYRICS = MESSAGE.findFieldByName("lyrics");
    private static final String TEXT = "x".repeat(900);

    private Tracks() {}

    private static Descriptor message() {
        FileDescriptorProto.Builder file = FileDescriptorProto.newBuilder()
                .setName("bench.proto")
                .setPackage("bench.v1")
                .setSyntax("proto3")
                .addMessageType(DescriptorProto.newBuilder()
                        .setName("Track")
                        .addField(field("title", 1, FieldDescriptorProto.Type.TYPE_STRING))
                        .addField(field("seconds", 2, FieldDescriptorProto.Type.TYPE_INT32))
                        .addField(field("lyrics", 3, FieldDescriptorProto.Type.TYPE_STRING)));
        file.getOptionsBuilder().setExtension(TypeProto.domain, "evenkeel.dev");
        try {
            return FileDescriptor.buildFrom(file.build(), new FileDescriptor[0]).findMessageTypeByName("Track");
        } catch (DescriptorValidationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static FieldDescriptorProto field(String name, int number, FieldDescriptorProto.Type type) {
        return FieldDescriptorProto.newBuilder()
                .setName(name)
                .setNumber(number)
                .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL)
                .setType(type)
                .build();
    }

    static String path(int number) {
        return COLLECTION + "/" + StoredObjects.name(number);
    }

    static ID id(int number) {
        return ID.newBuilder().setType(TYPE).setName(StoredObjects.name(number)).build();
    }

    /** Returns a track for a write over gRPC. */
    static Resource resource(int number, int version) {
        DynamicMessage data = DynamicMessage.newBuilder(MESSAGE)
                .setField(TITLE, "Track " + number)
                .setField(SECONDS, version)
                .setField(LYRICS, TEXT)
                .build();
        return Resource.newBuilder().setId(id(number)).setData(Any.pack(data)).build();
    }

    /** Returns a merge patch with all data of a track, since the Kubernetes API refuses updates without a version. */
    static byte[] patch(int number, int version) {
        return ("{\"spec\":{\"title\":\"Track " + number + "\",\"seconds\":" + version + ",\"lyrics\":\"" + TEXT
                        + "\"}}")
                .getBytes(StandardCharsets.US_ASCII);
    }
}
