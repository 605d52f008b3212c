package dev.evenkeel.load.internal.measure;

import dev.evenkeel.client.TokenSource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Reads metrics that a process serves in the text format of Prometheus.
 *
 * <p>What answers is under test, and may answer anything: the size and the time of an answer are limited, and redirects,
 * which could send the token elsewhere, are not followed. It reads in the thread of the caller, not with a client that has
 * threads of its own: so the {@link Sampler} knows what it costs.
 */
public final class MetricsMeter implements Meter {
    private static final int MOST_BYTES = 16 << 20;

    private final URI url;
    private final Map<String, MetricName> selections;
    private final TokenSource token;
    private final Optional<SSLSocketFactory> tls;
    private final Duration timeout;
    private final int mostBytes;
    private final LongSupplier nanos;

    private MetricsMeter(Builder builder) {
        this.url = builder.url;
        this.selections = builder.selections;
        this.token = builder.token;
        this.tls = builder.tls;
        this.timeout = builder.timeout;
        this.mostBytes = builder.mostBytes;
        this.nanos = builder.nanos;
    }

    /**
     * Returns a builder of a meter.
     *
     * @param url such as {@code http://127.0.0.1:8080/metrics}
     * @param names the names of the metrics: {@code depth} for the sum of all its series, or {@code depth{queue="pods"}}
     *     for those with the label. The parts {@code _sum} and {@code _count} of a histogram are metrics
     * @throws IllegalArgumentException when the URL or a name is none
     */
    public static Builder of(URI url, List<String> names) {
        return new Builder(url, names);
    }

    /** Builds a meter. */
    public static final class Builder {
        private final URI url;
        private final Map<String, MetricName> selections = new LinkedHashMap<>();
        private TokenSource token = () -> "";
        private Optional<SSLSocketFactory> tls = Optional.empty();
        private Duration timeout = Duration.ofSeconds(5);
        private int mostBytes = MOST_BYTES;
        private LongSupplier nanos = System::nanoTime;

        private Builder(URI url, List<String> names) {
            if (url.getScheme() == null || !url.getScheme().matches("https?") || url.getHost() == null) {
                throw new IllegalArgumentException(
                        "url must be such as http://127.0.0.1:8080/metrics, with http or https: " + url);
            }
            if (names.isEmpty()) {
                throw new IllegalArgumentException("names must not be empty: name one or more metrics of " + url);
            }
            this.url = url;
            names.forEach(name -> selections.put(name, MetricName.parse(name)));
        }

        /** Sets the source of the bearer token. */
        public Builder token(TokenSource value) {
            token = value;
            return this;
        }

        /**
         * Sets the only certificates that are trusted, instead of those of the Java runtime.
         *
         * @param pem a file with certificates in PEM
         * @throws IOException when it can't be read, or has no certificate
         */
        public Builder trust(Path pem) throws IOException {
            try (InputStream input = Files.newInputStream(pem)) {
                KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
                trusted.load(null, null);
                for (Certificate certificate :
                        CertificateFactory.getInstance("X.509").generateCertificates(input)) {
                    trusted.setCertificateEntry("trusted-" + trusted.size(), certificate);
                }
                if (trusted.size() == 0) {
                    throw new IOException("certificate " + pem + ": has no certificate in PEM");
                }
                TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
                trust.init(trusted);
                SSLContext context = SSLContext.getInstance("TLS");
                context.init(null, trust.getTrustManagers(), null);
                tls = Optional.of(context.getSocketFactory());
                return this;
            } catch (GeneralSecurityException e) {
                throw new IOException("certificate " + pem + ": must be certificates in PEM", e);
            }
        }

        /** Sets the time that a reading may take; 5 seconds by default. */
        public Builder timeout(Duration value) {
            if (value.compareTo(Duration.ofMillis(1)) < 0 || value.compareTo(Duration.ofDays(1)) > 0) {
                throw new IllegalArgumentException("timeout must be from 1 ms to a day: " + value);
            }
            timeout = value;
            return this;
        }

        Builder mostBytes(int value) {
            mostBytes = value;
            return this;
        }

        Builder nanos(LongSupplier value) {
            nanos = value;
            return this;
        }

        /** Returns the meter. */
        public MetricsMeter build() {
            return new MetricsMeter(this);
        }
    }

    /**
     * Reads the metrics.
     *
     * @return the values by the names that were given, sums if several series have one; without those that no series has
     * @throws IOException when the answer is not such a text, or too large, or too late
     */
    public Map<String, Double> read() throws IOException {
        return values(scrape());
    }

    private String scrape() throws IOException {
        long deadline = nanos.getAsLong() + timeout.toNanos();
        URLConnection opened = url.toURL().openConnection();
        if (!(opened instanceof HttpURLConnection connection)) {
            throw new IOException(url + ": is not served over HTTP");
        }
        if (connection instanceof HttpsURLConnection secure) {
            tls.ifPresent(secure::setSSLSocketFactory);
        }
        int millis = (int) timeout.toMillis();
        connection.setConnectTimeout(millis);
        connection.setReadTimeout(millis);
        connection.setInstanceFollowRedirects(false);
        connection.setUseCaches(false);
        connection.setRequestProperty("Accept", "text/plain;version=0.0.4, text/plain;q=0.5");
        String secret = token.token();
        if (!secret.isEmpty()) {
            connection.setRequestProperty("Authorization", "Bearer " + secret);
        }
        try {
            int status = connection.getResponseCode();
            if (status != 200) {
                throw new IOException(url + ": must answer 200, and answers " + status
                        + (status == 401 || status == 403 ? "; give a bearer token that may read it" : ""));
            }
            try (InputStream body = connection.getInputStream()) {
                return read(body, deadline);
            }
        } catch (SocketTimeoutException e) {
            connection.disconnect();
            throw tooLate(e);
        } catch (IOException e) {
            // a connection that is not read to its end must not be used again
            connection.disconnect();
            throw e;
        }
    }

    private String read(InputStream body, long deadline) throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        byte[] part = new byte[16 << 10];
        for (int length = body.read(part); length >= 0; length = body.read(part)) {
            text.write(part, 0, length);
            if (text.size() > mostBytes) {
                throw new IOException(url + ": the answer must be at most " + mostBytes + " bytes");
            }
            if (nanos.getAsLong() - deadline > 0) {
                throw tooLate(null);
            }
        }
        return text.toString(StandardCharsets.UTF_8);
    }

    private IOException tooLate(@Nullable Throwable cause) {
        return new IOException(url + ": must answer within " + timeout.toMillis() + " ms", cause);
    }

    private Map<String, Double> values(String text) throws IOException {
        Map<String, Double> values = new LinkedHashMap<>();
        int number = 0;
        for (String line : (Iterable<String>) text.lines()::iterator) {
            number++;
            if (line.isEmpty() || line.charAt(0) == '#' || !isOfInterest(line)) {
                continue;
            }
            try {
                MetricName.Reader reader = new MetricName.Reader(line);
                MetricName series = reader.name();
                double value = number(reader.rest());
                selections.forEach((name, selection) -> {
                    // a summary without observations has quantiles without a value
                    if (selection.selects(series) && !Double.isNaN(value)) {
                        values.merge(name, value, Double::sum);
                    }
                });
            } catch (IllegalArgumentException e) {
                throw new IOException(url + ": line " + number + ": " + e.getMessage(), e);
            }
        }
        return values;
    }

    /** Returns whether a line may be of a selected metric, so that the others are not parsed. */
    private boolean isOfInterest(String line) {
        for (MetricName selection : selections.values()) {
            if (line.startsWith(selection.name()) || Character.isWhitespace(line.charAt(0))) {
                return true;
            }
        }
        return false;
    }

    /** Reads the value; a time and, in OpenMetrics, an exemplar may follow. */
    private static double number(String rest) {
        String value = rest.strip().split("[ \t]", 2)[0];
        return switch (value) {
            case "+Inf", "Inf" -> Double.POSITIVE_INFINITY;
            case "-Inf" -> Double.NEGATIVE_INFINITY;
            case "NaN", "Nan" -> Double.NaN;
            case "" -> throw new IllegalArgumentException("metric: must have a value");
            default -> {
                try {
                    yield Double.parseDouble(value);
                } catch (NumberFormatException e) {
                    throw new IllegalArgumentException("metric: the value must be a number: " + value, e);
                }
            }
        };
    }

    @Override
    public List<Figure> figures() throws IOException {
        List<Figure> figures = new ArrayList<>();
        read().forEach((name, value) -> figures.add(Figure.level("metric." + name, "", value)));
        return figures;
    }
}
