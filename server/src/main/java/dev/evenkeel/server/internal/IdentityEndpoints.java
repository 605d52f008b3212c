package dev.evenkeel.server.internal;

import dev.evenkeel.access.internal.Authentication;
import dev.evenkeel.access.internal.UserTokens;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.server.internal.access.Access;
import dev.evenkeel.server.internal.http.BodyReader;
import dev.evenkeel.server.internal.http.Encoding;
import dev.evenkeel.server.internal.http.Failures;
import dev.evenkeel.server.internal.http.HttpExchange;
import dev.evenkeel.server.internal.http.Representation;
import java.nio.charset.StandardCharsets;

/**
 * The paths about tokens of a partition: their public keys, for those who check tokens elsewhere, and tokens for users.
 */
record IdentityEndpoints(Access access) {
    private static final String KEYS = "/openid/v1/jwks";
    private static final String KEY_SET = "application/jwk-set+json";

    void handle(HttpExchange call, ResourceApi partition) {
        Authentication authentication = access.authentication().orElseThrow(Failures::noSuchPath);
        switch (call.path().text()) {
            case KEYS -> {
                call.requireGet();
                Representation.requireAccepted(call.accept(), KEY_SET);
                byte[] keys = authentication.publicKeys(partition).getBytes(StandardCharsets.UTF_8);
                shared(call, KEY_SET, keys);
            }
            case "/.well-known/openid-configuration" -> {
                call.requireGet();
                Representation.requireAccepted(call.accept(), HttpExchange.JSON);
                String prefix = partition.name().equals("default") ? "" : "/partitions/" + partition.name();
                String keys = "https://" + call.serverAddress() + prefix + KEYS;
                shared(call, HttpExchange.JSON, Json.write(authentication.discovery(partition, keys)));
            }
            case UserTokens.PATH -> {
                if (!call.method().equals("POST")) {
                    throw Refusal.noSuchMethod();
                }
                UserTokens tokens = new UserTokens(authentication, partition);
                call.reply(201, tokens.create(call.user(), BodyReader.tree(BodyReader.object(call))), Encoding.JSON);
            }
            default -> throw Failures.noSuchPath();
        }
    }

    private static void shared(HttpExchange call, String type, byte[] document) {
        call.transport().setHeader("Cache-Control", "public, max-age=3600");
        call.reply(200, type, document);
    }
}
