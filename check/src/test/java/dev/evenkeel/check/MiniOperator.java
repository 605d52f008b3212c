package dev.evenkeel.check;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A controller in a few lines, which starts fast: it uses nothing but the JDK. A Board has a Secret and then a ConfigMap, both
 * owned. Its argument is a defect, or empty; of those that begin with {@code elected}, several processes elect a leader.
 */
final class MiniOperator {
    private static final Pattern NAME = Pattern.compile("\"name\":\"([a-z]+)\",\"namespace\":\"default\"");
    private static final Pattern UID = Pattern.compile("\"uid\":\"([^\"]+)\"");
    /** The version of a list: of a built-in kind at its beginning, of custom resources at its end. */
    private static final Pattern VERSION = Pattern.compile(
            "\"kind\":\"\\w+List\".*?\"metadata\":\\{(?:\"continue\":\"\",)?\"resourceVersion\":\"(\\d+)\"");

    private static final String NAMESPACED = "/api/v1/namespaces/default/";
    private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
    private static final String ME = "mini-" + ProcessHandle.current().pid();

    private final String defect;
    private final String kubeconfig;
    private final HttpClient http;

    private MiniOperator(String defect, String kubeconfig) throws Exception {
        this.defect = defect;
        this.kubeconfig = kubeconfig;
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        byte[] ca = Base64.getDecoder().decode(field("certificate-authority-data: (\\S+)"));
        trusted.setCertificateEntry(
                "ca", CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(ca)));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(null, trust.getTrustManagers(), null);
        http = HttpClient.newBuilder().sslContext(tls).build();
    }

    /** Returns the words of a command that runs it. */
    static List<String> command(String defect) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-cp",
                Path.of("target/test-classes").toAbsolutePath().toString(),
                MiniOperator.class.getName(),
                defect);
    }

    public static void main(String[] args) throws Exception {
        if (args[0].equals("broken")) {
            System.err.println("no configuration");
            System.exit(3);
        }
        if (args[0].equals("silent")) {
            Thread.sleep(60_000);
        }
        new MiniOperator(args[0], Files.readString(Path.of(System.getenv("KUBECONFIG")))).run();
    }

    private String field(String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(kubeconfig);
        if (!matcher.find()) {
            throw new IllegalArgumentException(pattern);
        }
        return matcher.group(1).replace("\"", "");
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(field("server: (\\S+)") + path))
                .header("Authorization", "Bearer " + field("token: (\\S+)"));
    }

    private void run() throws InterruptedException {
        if (elected()) {
            awaitLeadership();
        }
        while (true) {
            try {
                String list = http.send(
                                request("/apis/example.com/v1/boards?resourceVersion=0")
                                        .build(),
                                HttpResponse.BodyHandlers.ofString())
                        .body();
                Stream.of(list.split("\\{\"apiVersion\":\"example.com/v1\",\"kind\":\"Board\""))
                        .skip(1)
                        .forEach(this::handle);
                Matcher version = VERSION.matcher(list);
                if (version.find()) {
                    watch(version.group(1));
                }
            } catch (IOException | UncheckedIOException e) {
                Thread.sleep(50);
            }
        }
    }

    /** Watches from a version, again when the connection breaks, until the version is too old. */
    private void watch(String version) throws InterruptedException {
        boolean expired = false;
        while (!expired) {
            HttpRequest watch = request("/apis/example.com/v1/boards?watch=1&resourceVersion=" + version)
                    .build();
            try (Stream<String> events =
                    http.send(watch, HttpResponse.BodyHandlers.ofLines()).body()) {
                expired = events.anyMatch(this::isExpired);
            } catch (IOException | UncheckedIOException e) {
                Thread.sleep(50);
            }
        }
    }

    private boolean isExpired(String event) {
        if (event.contains("\"type\":\"ERROR\"")) {
            return true;
        }
        handle(event);
        return false;
    }

    private boolean elected() {
        return defect.startsWith("elected");
    }

    /** Creates the lease; while another process has it, waits for the event of its deletion. */
    private void awaitLeadership() {
        while (create("leases", "Lease", "mini", "", ",\"spec\":{\"holderIdentity\":\"" + ME + "\"}") != 201) {
            String list = get(LEASES);
            Matcher version = VERSION.matcher(list);
            if (version.find() && list.contains("holderIdentity")) {
                awaitDeletion(LEASES + "?watch=1&resourceVersion=" + version.group(1));
            }
        }
    }

    private void awaitDeletion(String watch) {
        try (Stream<String> events = http.send(request(watch).build(), HttpResponse.BodyHandlers.ofLines())
                .body()) {
            var unused = events.anyMatch(event -> event.contains("\"type\":\"DELETED\""));
        } catch (IOException | UncheckedIOException e) {
            // the watch was cut: the lease may be free
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Ends this process if another one has become the leader. */
    private void leads() {
        if (elected() && !get(LEASES + "/mini").contains(ME)) {
            System.exit(0);
        }
    }

    /** Makes what a board needs; repeats that until it succeeds. */
    private void handle(String board) {
        leads();
        Matcher name = NAME.matcher(board);
        Matcher uid = UID.matcher(board);
        boolean deleted = board.contains("\"type\":\"DELETED\"");
        if (deleted && defect.equals("clears-all")) {
            deleteAll(NAMESPACED + "configmaps");
        }
        if (!name.find() || !uid.find() || deleted) {
            return;
        }
        while (!reconcile(name.group(1), uid.group(1))) {
            // again
        }
    }

    private boolean reconcile(String name, String uid) {
        // the defect: the name differs each time, so a leader that has been replaced makes a second ConfigMap
        String child = defect.equals("elected-generated") ? name + "-" : name;
        boolean exists = child.endsWith("-") && get(NAMESPACED + "configmaps").contains("\"generateName\":\"" + child);
        int secret = create("secrets", "Secret", name, uid, "");
        // the defect: where there is a Secret, the ConfigMap is taken for granted
        boolean granted = exists || (defect.equals("lost-step") && secret == 409);
        String data = defect.equals("random") ? UUID.randomUUID().toString() : "text";
        int map =
                granted ? 409 : create("configmaps", "ConfigMap", child, uid, ",\"data\":{\"text\":\"" + data + "\"}");
        while (defect.equals("restless")) {
            create("configmaps", "ConfigMap", name, uid, "");
        }
        return done(secret) && done(map);
    }

    private static boolean done(int status) {
        return status == 201 || status == 409;
    }

    private String get(String path) {
        try {
            return http.send(request(path).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException e) {
            return get(path);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void deleteAll(String path) {
        try {
            var unused = http.send(request(path).DELETE().build(), HttpResponse.BodyHandlers.discarding());
        } catch (IOException e) {
            deleteAll(path);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private int create(String plural, String kind, String name, String uid, String rest) {
        boolean lease = kind.equals("Lease");
        String owners = lease
                ? ""
                : ",\"ownerReferences\":[{\"apiVersion\":\"example.com/v1\",\"kind\":\"Board\",\"name\":\""
                        + name.replace("-", "") + "\",\"uid\":\"" + uid + "\"}]";
        String body = "{\"apiVersion\":\"" + (lease ? "coordination.k8s.io/v1" : "v1") + "\",\"kind\":\"" + kind
                + "\",\"metadata\":{\"" + (name.endsWith("-") ? "generateName" : "name") + "\":\"" + name + "\""
                + owners
                + "}" + rest + "}";
        try {
            return http.send(
                            request((lease ? "/apis/coordination.k8s.io/v1/namespaces/default/" : NAMESPACED) + plural)
                                    .header("Content-Type", "application/json")
                                    .POST(HttpRequest.BodyPublishers.ofString(body, UTF_8))
                                    .build(),
                            HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        } catch (IOException e) {
            return 0;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
