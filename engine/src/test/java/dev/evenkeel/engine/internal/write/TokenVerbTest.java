package dev.evenkeel.engine.internal.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.Requests;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.Reply;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.type.Requester;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.type.Tokens;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TokenVerbTest {
    private static final long YEAR = 365 * 24 * 3600L;
    private static final String POD = ",'boundObjectRef':{'kind':'Pod','apiVersion':'v1','name':'p'}";

    private final Engine engine = Requests.direct().build();
    private final Requests api = new Requests(ResourceApi.of(engine.partition("default")));
    private final List<Tokens.Claims> issued = new ArrayList<>();

    private final Tokens tokens = new Tokens() {
        @Override
        public String audience() {
            return AUDIENCE;
        }

        @Override
        public Review review(String token, List<String> audiences) {
            return Review.INVALID;
        }

        @Override
        public Optional<String> issue(Claims claims) {
            issued.add(claims);
            return Optional.of("token");
        }
    };

    @BeforeEach
    void create() {
        api.create("v1/serviceaccounts", "default", "{'metadata':{'name':'a'}}");
        api.create(
                "v1/pods",
                "default",
                "{'metadata':{'name':'p'},'spec':{'serviceAccountName':'a','containers':[{'name':'c','image':'i'}]}}");
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private Reply.Shown request(String spec) {
        Target accounts = api.target("v1/serviceaccounts", "default", "a");
        WriteOptions options = new WriteOptions(
                "test",
                false,
                WriteOptions.FieldValidation.WARN,
                false,
                Optional.empty(),
                new Requester(new User("u", "", List.of(User.MASTERS)), tokens));
        return (Reply.Shown) api.partition.create(
                new Target(accounts.type(), accounts.version(), "default", "a", "token"),
                Body.json(("{'spec':{" + spec + "}}").replace('\'', '"')),
                options);
    }

    private Duration life() {
        Tokens.Claims claims = issued.getLast();
        return Duration.between(claims.issued(), claims.expires());
    }

    private static Duration shownLife(Reply.Shown reply, Instant issued) {
        return Duration.between(issued, Instant.parse(reply.document().tree().string("status", "expirationTimestamp")));
    }

    @Test
    void aLifeOfMoreThanAYearIsShortenedWithAWarning() {
        Reply.Shown reply = request("'expirationSeconds':" + (YEAR + 1));
        assertThat(reply.warnings())
                .containsExactly("requested expiration of 31536001 seconds shortened to 31536000 seconds");
        assertThat(reply.document().tree().object("spec").integer("expirationSeconds"))
                .isEqualTo(YEAR);
        assertThat(life()).isEqualTo(Duration.ofSeconds(YEAR));
        assertThat(request("'expirationSeconds':" + YEAR).warnings()).isEmpty();
    }

    @Test
    void theTokenOfAProjectedVolumeIsValidForLongerThanItSays() {
        Reply.Shown reply = request("'expirationSeconds':3607" + POD);
        JsonObject content = issued.getLast().content();
        Instant start = issued.getLast().issued();
        assertThat(life()).isEqualTo(Duration.ofSeconds(YEAR));
        assertThat(shownLife(reply, start)).isEqualTo(Duration.ofSeconds(3607));
        assertThat(content.get("warnafter")).isEqualTo(start.getEpochSecond() + 3607);
    }

    @Test
    void othersAreValidAsLongAsTheySay() {
        for (String spec :
                List.of("'expirationSeconds':3607", "'expirationSeconds':3607,'audiences':['vault']" + POD)) {
            assertThat(shownLife(request(spec), issued.getLast().issued())).isEqualTo(Duration.ofSeconds(3607));
            assertThat(life()).isEqualTo(Duration.ofSeconds(3607));
            assertThat(issued.getLast().content().has("warnafter")).isFalse();
        }
        request("'expirationSeconds':3600" + POD);
        assertThat(life()).isEqualTo(Duration.ofSeconds(3600));
    }
}
