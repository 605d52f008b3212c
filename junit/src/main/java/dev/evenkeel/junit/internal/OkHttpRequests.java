package dev.evenkeel.junit.internal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okio.Buffer;

/** Hands the requests of OkHttp to the API of an engine in this process. */
public record OkHttpRequests(RecordingApi api) implements Interceptor {
    @Override
    public Response intercept(Chain chain) throws IOException {
        Request request = chain.request();
        OkHttpAnswer answer = new OkHttpAnswer(chain.call());
        api.answer(new LocalTransport(local(request), false, answer, RequestTap.NONE), answer::fail);
        return answer.response(request);
    }

    private static LocalRequest local(Request request) {
        HttpUrl url = request.url();
        Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.putAll(request.headers().toMultimap());
        RequestBody body = request.body();
        if (body != null && body.contentType() != null) {
            headers.put("Content-Type", List.of(String.valueOf(body.contentType())));
        }
        return new LocalRequest(
                request.method(),
                url.host(),
                url.port(),
                url.encodedPath(),
                Optional.ofNullable(url.encodedQuery()).orElse(""),
                headers,
                Optional.ofNullable(body).map(OkHttpRequests::read));
    }

    private static Supplier<byte[]> read(RequestBody body) {
        return () -> {
            Buffer bytes = new Buffer();
            try {
                body.writeTo(bytes);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return bytes.readByteArray();
        };
    }
}
