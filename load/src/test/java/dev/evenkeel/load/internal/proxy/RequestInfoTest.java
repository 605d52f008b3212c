package dev.evenkeel.load.internal.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules by which an API server names requests in its audit log. */
class RequestInfoTest {
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            emptyValue = "",
            value = {
                "GET, /api/v1/pods, '', list, pods, ''",
                "GET, /api/v1/namespaces/a/pods, limit=500, list, pods, a",
                "GET, /api/v1/namespaces/a/pods/p, '', get, pods, a",
                "HEAD, /api/v1/namespaces/a/pods/p, '', get, pods, a",
                "GET, /api/v1/namespaces/a/pods/p/log, follow=true, get, pods/log, a",
                "GET, /api/v1/namespaces/a/pods/p, watch=true, get, pods, a",
                "GET, /api/v1/pods, watch=true, watch, pods, ''",
                "GET, /api/v1/pods, resourceVersion=1&watch=1, watch, pods, ''",
                "GET, /api/v1/pods, watch, watch, pods, ''",
                "GET, /api/v1/pods, watch=, watch, pods, ''",
                "GET, /api/v1/pods, watch=False, list, pods, ''",
                "GET, /api/v1/pods, watch=0, list, pods, ''",
                "GET, /api/v1/pods, watchful=true, list, pods, ''",
                "GET, /api/v1/watch/namespaces/a/pods, '', watch, pods, a",
                "GET, /api/v1/watch/pods, '', watch, pods, ''",
                "GET, /api/v1/namespaces, '', list, namespaces, ''",
                "GET, /api/v1/namespaces/a, '', get, namespaces, a",
                "PUT, /api/v1/namespaces/a/status, '', update, namespaces/status, a",
                "PUT, /api/v1/namespaces/a/finalize, '', update, namespaces/finalize, a",
                "POST, /api/v1/namespaces/a/pods/p/eviction, '', create, pods/eviction, a",
                "POST, /apis/apps/v1/namespaces/a/deployments, '', create, deployments.apps, a",
                "PATCH, /apis/apps/v1/namespaces/a/deployments/d/scale, '', patch, deployments.apps/scale, a",
                "PUT, /apis/example.com/v1/namespaces/a/widgets/w/status, '', update, widgets.example.com/status, a",
                "DELETE, /apis/example.com/v1/widgets/w, '', delete, widgets.example.com, ''",
                "DELETE, /apis/example.com/v1/widgets, '', deletecollection, widgets.example.com, ''",
                "GET, /api, '', get, /api, ''",
                "GET, /apis/apps/v1, '', get, /apis, ''",
                "GET, /openapi/v3, '', get, /openapi, ''",
                "GET, /, '', get, /, ''",
                "GET, //api//v1/pods/, '', list, pods, ''",
            })
    void namesRequests(String method, String path, String query, String verb, String resource, String namespace) {
        assertThat(RequestInfo.of(method, path, query, "")).isEqualTo(new RequestInfo(verb, resource, namespace));
    }

    @ParameterizedTest
    @CsvSource({
        "application/apply-patch+yaml, apply",
        "application/apply-patch+cbor, apply",
        "application/merge-patch+json, patch",
        "application/json-patch+json, patch"
    })
    void tellsApplyFromOtherPatches(String contentType, String verb) {
        assertThat(RequestInfo.of("PATCH", "/api/v1/namespaces/a/pods/p", "force=true", contentType)
                        .verb())
                .isEqualTo(verb);
    }
}
