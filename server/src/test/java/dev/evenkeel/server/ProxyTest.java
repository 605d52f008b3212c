package dev.evenkeel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests to be forwarded to pods, services and nodes. */
class ProxyTest {
    private static final String CORE = "/api/v1/namespaces/default/";

    private final Engine engine = Engine.builder().build();
    private final Server server =
            Server.builder(engine).tls(false).token("admin", User.ADMIN).start();
    private final HttpClient http = HttpClient.newHttpClient();

    @AfterEach
    void stop() {
        server.close();
        http.close();
        engine.close();
    }

    private HttpResponse<String> send(String method, String path, String body) {
        try {
            return http.send(
                    HttpRequest.newBuilder(URI.create(server.url() + path))
                            .header("Authorization", "Bearer admin")
                            .header("Content-Type", "application/json")
                            .method(method, HttpRequest.BodyPublishers.ofString(body.replace('\'', '"')))
                            .build(),
                    BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void write(String method, String path, String body) {
        HttpResponse<String> answer = send(method, path, body);
        assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 201);
    }

    private void assertRefused(String path, int code, String message) {
        HttpResponse<String> answer = send("GET", path, "");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(code);
        JsonObject status = Fixture.tree(answer);
        assertThat(status.string("message")).contains(message);
    }

    @Test
    void aServiceIsReachedByTheEndpointsOfItsName() {
        write("POST", CORE + "services", """
                {'metadata':{'name':'s'},'spec':{'ports':[{'name':'web','port':80}]}}""");
        assertRefused(CORE + "services/s/proxy/", 404, "services \"s\" not found");
        assertRefused(CORE + "services/s:81/proxy", 503, "no service port 81 found for service \"s\"");
        write("POST", CORE + "endpoints", "{'metadata':{'name':'s'}}");
        assertRefused(CORE + "services/http:s:web/proxy", 503, "no endpoints available for service \"s\"");
        write("PUT", CORE + "endpoints/s", """
                {'metadata':{'name':'s'},'subsets':[{'ports':[{'name':'web','port':8080}],'addresses':[
                 {'ip':'10.1.0.1','targetRef':{'kind':'Pod','namespace':'default','name':'p'}}]}]}""");
        assertRefused(CORE + "services/s:80/proxy", 503, "no endpoints available for service \"s:80\"");
        write("POST", CORE + "pods", """
                {'metadata':{'name':'p'},'spec':{'nodeName':'n','containers':[{'name':'a','image':'i'}]}}""");
        write("PUT", CORE + "pods/p/status", """
                {'metadata':{'name':'p'},'spec':{'nodeName':'n','containers':[{'name':'a','image':'i'}]},
                 'status':{'podIP':'10.1.0.1','podIPs':[{'ip':'10.1.0.1'}]}}""");
        assertRefused(CORE + "services/s:80/proxy", 501, "no kubelet on node \"n\"");
        assertRefused(CORE + "services/s:other/proxy", 503, "no endpoints available for service \"s:other\"");
        assertRefused(CORE + "pods/p:8080/proxy", 501, "no kubelet on node \"n\"");
    }

    @Test
    void addressesOfTheServersOwnMachineAndNetworkAreNotReached() {
        String pod = "{'metadata':{'name':'p'},'spec':{'nodeName':'n','containers':[{'name':'a','image':'i'}]}%s}";
        write("POST", CORE + "pods", pod.formatted(""));
        assertRefused(CORE + "pods/p/proxy", 400, "address not allowed");
        for (String address :
                List.of("127.0.0.1", "169.254.169.254", "fe80::1", "::1", "224.0.0.1", "255.255.255.255", "0.0.0.0")) {
            write("PUT", CORE + "pods/p/status", pod.formatted(",'status':{'podIP':'" + address + "'}"));
            assertRefused(CORE + "pods/p/proxy", 400, "address not allowed");
        }
        write("PUT", CORE + "pods/p/status", pod.formatted(",'status':{'podIP':'fd00::1'}"));
        assertRefused(CORE + "pods/p/proxy", 501, "no kubelet on node \"n\"");
    }

    @Test
    void aNodeIsReachedByItsPreferredAddress() {
        write("POST", "/api/v1/nodes", "{'metadata':{'name':'n'}}");
        assertRefused("/api/v1/nodes/n/proxy", 500, "no preferred addresses found; known addresses: []");
        write("POST", "/api/v1/nodes", """
                {'metadata':{'name':'m'},'status':{'daemonEndpoints':{'kubeletEndpoint':{'Port':1250}},'addresses':[
                 {'type':'ExternalIP','address':'192.0.2.1'},{'type':'InternalIP','address':'127.0.0.1'}]}}""");
        for (String name : List.of("m", "m:1250", "https:m:1250")) {
            assertRefused("/api/v1/nodes/" + name + "/proxy", 501, "no kubelet on node \"m\"");
        }
        assertRefused("/api/v1/nodes/m:10250/proxy", 400, "address not allowed");
        write("POST", "/api/v1/nodes", """
                {'metadata':{'name':'o'},'status':{'addresses':[{'type':'Hostname','address':'o.example'}]}}""");
        assertRefused("/api/v1/nodes/o:80/proxy", 501, "no kubelet on node \"o\"");
    }

    @Test
    void namesHaveAtMostASchemeAndAPort() {
        assertRefused(CORE + "services/a:b:c:d/proxy", 400, "invalid service request \"a:b:c:d\"");
        assertRefused(CORE + "pods/ftp:b:c/proxy", 400, "invalid pod request \"ftp:b:c\"");
        assertRefused("/api/v1/nodes/:80/proxy", 400, "invalid node request \":80\"");
        assertRefused("/api/v1/nodes/https:n:80/proxy", 404, "nodes \"n\" not found");
        assertRefused(CORE + "pods/p:80/log", 404, "pods \"p:80\" not found");
    }
}
