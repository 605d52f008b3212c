package dev.evenkeel.reconcile.webhook;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.Patch;
import dev.evenkeel.controller.Result.Problem;
import dev.evenkeel.controller.Result.Severity;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.admission.v1.AdmissionRequest;
import io.fabric8.kubernetes.api.model.admission.v1.AdmissionResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** Requests and responses as JSON: {@code AdmissionReview} of {@code admission.k8s.io/v1}. */
final class AdmissionJson {
    private static final String API_VERSION = "admission.k8s.io/v1";
    private static final String KIND = "AdmissionReview";
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            // numbers stay as they were written
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .defaultPropertyInclusion(
                    JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
            .build();

    /** Readers of whole bodies: unlike the readers of model classes, they refuse trailing text. */
    private static final ObjectReader REVIEWS = MAPPER.reader().with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private AdmissionJson() {}

    /** Returns an object of a request, as it was received. */
    static byte[] text(Object object) {
        if (object instanceof Encoded encoded) {
            return encoded.json();
        }
        return object instanceof HasMetadata resource ? ModelCodec.encode(resource) : write(object);
    }

    private static byte[] write(Object value) {
        try {
            return MAPPER.writeValueAsBytes(value);
        } catch (JacksonException e) {
            throw new IllegalArgumentException(
                    "cannot write " + value.getClass().getName() + " as JSON", e);
        }
    }

    private static JsonNode tree(byte[] json) {
        try {
            return MAPPER.readTree(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the RFC 6902 patch that applies the change of an object to its text; see {@link UnknownFields}. */
    static String patch(byte[] text, byte[] before, byte[] after) {
        JsonNode wanted = UnknownFields.preserve(tree(text), tree(before), tree(after));
        return Patch.jsonBetween(text, write(wanted)).text();
    }

    static List<String> paths(String patch) {
        try {
            List<String> paths = new ArrayList<>();
            MAPPER.readTree(patch)
                    .forEach(step -> paths.add(
                            step.path("op").asText() + " " + step.path("path").asText()));
            return paths;

        } catch (JacksonException e) {
            throw new IllegalArgumentException("no patch: " + patch, e);
        }
    }

    /** Returns the request in a review, with objects in the bytes of the server; refuses malformed ones with 400. */
    static AdmissionRequest question(byte[] review) {
        JsonNode tree;
        try {
            tree = REVIEWS.readTree(review);
        } catch (JacksonException e) {
            throw DenialStatus.refusal(400, "the body is not JSON: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String apiVersion = tree.path("apiVersion").asText();
        String kind = tree.path("kind").asText();
        if (!kind.equals(KIND) || !apiVersion.equals(API_VERSION)) {
            throw DenialStatus.refusal(
                    400,
                    "the body is " + (kind.isEmpty() ? "nothing with a kind" : kind + " of " + apiVersion)
                            + ", and must be " + KIND + " of " + API_VERSION
                            + ": register the webhook with admissionReviewVersions [v1]");
        }
        if (!(tree.get("request") instanceof ObjectNode request)) {
            throw DenialStatus.refusal(400, "request is not there, or no object");
        }
        if (request.path("uid").asText().isEmpty()) {
            throw DenialStatus.refusal(400, "request.uid is not there, and the answer must have it");
        }
        JsonNode object = request.remove("object");
        JsonNode old = request.remove("oldObject");
        try {
            AdmissionRequest question = MAPPER.treeToValue(request, AdmissionRequest.class);
            if (object != null && !object.isNull()) {
                question.setObject(Encoded.of(write(object)));
            }
            if (old != null && !old.isNull()) {
                question.setOldObject(Encoded.of(write(old)));
            }
            return question;
        } catch (JacksonException e) {
            throw DenialStatus.refusal(400, "request cannot be read: " + e.getOriginalMessage());
        }
    }

    static byte[] review(AdmissionResponse answer) {
        ObjectNode review = MAPPER.createObjectNode();
        review.put("apiVersion", API_VERSION);
        review.put("kind", KIND);
        review.set("response", MAPPER.valueToTree(answer));
        return write(review);
    }

    /** Returns a refusal as the API writes it. */
    static byte[] status(ApiException refusal) {
        return write(DenialStatus.of(List.of(new Problem(Severity.FAILED, refusal))));
    }
}
