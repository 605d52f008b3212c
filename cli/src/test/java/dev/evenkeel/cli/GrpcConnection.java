package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.grpc.resource.v1.ResourceServiceGrpc;
import dev.evenkeel.grpc.resource.v1.ResourceServiceGrpc.ResourceServiceBlockingStub;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.TlsChannelCredentials;
import io.grpc.stub.MetadataUtils;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A connection to the resource service of a server, with the certificate and the token of its kubeconfig. */
record GrpcConnection(ManagedChannel channel, ResourceServiceBlockingStub service) implements AutoCloseable {
    static GrpcConnection of(int port, Path kubeconfig) throws IOException {
        String text = Files.readString(kubeconfig);
        byte[] authority = Base64.getDecoder().decode(find("certificate-authority-data", text));
        ManagedChannel channel = Grpc.newChannelBuilder(
                        "127.0.0.1:" + port,
                        TlsChannelCredentials.newBuilder()
                                .trustManager(new ByteArrayInputStream(authority))
                                .build())
                .build();
        Metadata headers = new Metadata();
        headers.put(
                Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + find("token", text));
        return new GrpcConnection(
                channel,
                ResourceServiceGrpc.newBlockingStub(channel)
                        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers)));
    }

    private static String find(String name, String kubeconfig) {
        Matcher value = Pattern.compile(name + ": \"?([^\\s\"]+)").matcher(kubeconfig);
        assertThat(value.find()).as(name).isTrue();
        return value.group(1);
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
