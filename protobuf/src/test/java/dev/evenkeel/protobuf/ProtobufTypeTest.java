package dev.evenkeel.protobuf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.Watch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.engine.Authorization;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.TypeSource;
import dev.evenkeel.engine.User;
import dev.evenkeel.protobuf.demo.v1.Album;
import dev.evenkeel.protobuf.demo.v1.Artist;
import dev.evenkeel.protobuf.demo.v1.Genre;
import dev.evenkeel.protobuf.demo.v1.Notice;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Hooks, rules and versions of types, through the client of an engine. */
class ProtobufTypeTest {
    private static final String GROUP = "catalog.demo.example.com";
    private static final User ANN = User.of("ann");
    private static final User BOB = User.of("bob");

    private static Engine engine(TypeSource type) {
        return Engine.builder().executor(Runnable::run).register(type).build();
    }

    private static Kind<GenericKubernetesResource> kind(String version) {
        return Kind.generic(GROUP, version, "Artist", "artists", true);
    }

    private static GenericKubernetesResource artist(String version, Map<String, Object> spec) {
        GenericKubernetesResource artist = new GenericKubernetesResource();
        artist.setApiVersion(GROUP + "/" + version);
        artist.setKind("Artist");
        artist.setMetadata(
                new ObjectMetaBuilder().withNamespace("default").withName("a").build());
        artist.setAdditionalProperty("spec", new LinkedHashMap<>(spec));
        return artist;
    }

    private static GenericKubernetesResource create(Client client, Map<String, Object> spec) {
        return client.create(kind("v1"), artist("v1", spec), WriteOptions.DEFAULT);
    }

    private static Object spec(GenericKubernetesResource artist) {
        return artist.getAdditionalProperties().get("spec");
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> fields(GenericKubernetesResource artist) {
        return (Map<String, Object>) artist.getAdditionalProperties().get("spec");
    }

    private static ApiException refused(Runnable call) {
        ApiException refused = catchThrowableOfType(ApiException.class, call::run);
        assertThat(refused).isNotNull();
        return refused;
    }

    private static ObjectKey key() {
        return ObjectKey.of("default", "a");
    }

    private static ProtobufType<Artist> artists() {
        return ProtobufType.of(Artist.getDefaultInstance());
    }

    @Test
    void aMutatingHookChangesTheDataBeforeItIsValidated() {
        try (Engine engine = engine(artists()
                .mutate(artist ->
                        artist.toBuilder().setName(artist.getName().strip()).build())
                .validate((artist, old) -> artist.getName().endsWith(" ")
                        ? List.of(FieldError.invalid("name", artist.getName(), "ends with a space"))
                        : List.of())
                .build())) {
            assertThat(spec(create(engine.client(), Map.of("name", " Nina ")))).isEqualTo(Map.of("name", "Nina"));
        }
    }

    @Test
    void aForkServesTheTypeWithItsHooks() {
        try (Engine engine = engine(artists()
                        .mutate(artist -> artist.toBuilder().setPlays(7).build())
                        .build());
                Engine fork = engine.fork().build()) {
            assertThat(spec(create(fork.client(), Map.of()))).isEqualTo(Map.of("plays", "7"));
        }
    }

    @Test
    void aValidatingHookSeesTheOldDataAndItsPathsAreBelowSpec() {
        try (Engine engine = engine(artists()
                .validate((artist, old) -> old.filter(before -> before.getPlays() > artist.getPlays())
                        .map(before -> List.of(FieldError.invalid("plays", artist.getPlays(), "must not decrease")))
                        .orElse(List.of()))
                .build())) {
            GenericKubernetesResource made = create(engine.client(), Map.of("plays", "5"));
            fields(made).put("plays", "4");
            ApiException error = refused(() -> engine.client().update(kind("v1"), made, WriteOptions.DEFAULT));
            assertThat(error.code()).isEqualTo(422);
            assertThat(error.causes()).extracting(cause -> cause.field()).containsExactly("spec.plays");
            assertThat(spec(engine.client().get(kind("v1"), key()))).isEqualTo(Map.of("plays", "5"));
        }
    }

    @Test
    void anExceptionOfAHookIsAnInternalErrorThatNamesItAndNothingIsWritten() {
        try (Engine engine = engine(artists()
                .validate((artist, old) -> {
                    throw new IllegalStateException("broken");
                })
                .build())) {
            ApiException error = refused(() -> create(engine.client(), Map.of("name", "x")));
            assertThat(error.code()).isEqualTo(500);
            assertThat(error).hasMessageContaining("the validate hook of artists." + GROUP + " failed");
            assertThat(engine.client().list(kind("v1"), ListOptions.ALL).items())
                    .isEmpty();
        }
    }

    @Test
    void dataThatAHookCannotReadIsAMistakeOfTheClient() {
        try (Engine engine = engine(artists()
                .mutate(artist -> artist)
                .authorizeWrite((access, id, artist) -> artist.get().getPlays() > 0)
                .build())) {
            ApiException error = refused(() -> create(engine.client(), Map.of("plays", "many")));
            assertThat(error.code()).isEqualTo(422);
            assertThat(error.causes()).extracting(cause -> cause.field()).containsExactly("spec.plays");
            ApiException other = refused(() -> create(engine.as(BOB), Map.of("plays", "many")));
            assertThat(other.code()).isEqualTo(422);
        }
    }

    @Test
    void writesThatLeaveTheDataAsItIsDoNotCallHooks() {
        AtomicInteger strict = new AtomicInteger();
        try (Engine engine = engine(artists()
                .mutate(artist -> artist.toBuilder()
                        .setPlays(artist.getPlays() + strict.get())
                        .build())
                .validate((artist, old) ->
                        strict.get() > 0 ? List.of(FieldError.required("genre", "needed now")) : List.of())
                .build())) {
            GenericKubernetesResource made = artist("v1", Map.of("name", "x"));
            made.getMetadata().setFinalizers(List.of("example.com/keep"));
            GenericKubernetesResource stored = engine.client().create(kind("v1"), made, WriteOptions.DEFAULT);
            strict.set(1);
            stored.getMetadata().setFinalizers(List.of());
            GenericKubernetesResource after = engine.client().update(kind("v1"), stored, WriteOptions.DEFAULT);
            assertThat(after.getMetadata().getFinalizers()).isEmpty();
            assertThat(spec(after)).isEqualTo(Map.of("name", "x"));
        }
    }

    @Test
    void theRulesOfFieldsAreEnforcedWithTheirPaths() {
        try (Engine engine = engine(artists().build())) {
            List<Map<String, Object>> songs =
                    List.of(Map.of("title", "a", "secondsLong", 1), Map.of("title", "", "secondsLong", -1));
            ApiException error =
                    refused(() -> create(engine.client(), Map.of("songs", songs, "name", "more than twenty letters")));
            assertThat(error.code()).isEqualTo(422);
            assertThat(error.causes())
                    .extracting(cause -> cause.field())
                    .containsExactlyInAnyOrder("spec.name", "spec.songs[1].title", "spec.songs[1].secondsLong");
            assertThat(error).hasMessageContaining("must be at least 1 character");

            create(engine.client(), Map.of("name", "short"));
            Patch patch = Patch.merge("{\"spec\":{\"songs\":[{}]}}");
            assertThat(refused(() -> engine.client().patch(kind("v1"), key(), patch, WriteOptions.DEFAULT))
                            .code())
                    .isEqualTo(422);
        }
    }

    @Test
    void fieldsOfTheDefaultsAreSetWhereAbsent() {
        try (Engine engine = engine(artists()
                .defaults(Artist.newBuilder()
                        .setGenre(Genre.GENRE_FOLK)
                        .setAlbum(Album.newBuilder().setTitle("none"))
                        .build())
                .build())) {
            assertThat(spec(create(engine.client(), Map.of("genre", "GENRE_JAZZ"))))
                    .isEqualTo(Map.of("genre", "GENRE_JAZZ", "album", Map.of("title", "none")));
        }
    }

    @Test
    void anAppliedConfigurationMayHaveEveryFormThatTheMappingReads() {
        try (Engine engine = engine(artists().build())) {
            GenericKubernetesResource given = artist("v1", Map.of("plays", 5, "genre", 1, "name", ""));
            assertThat(spec(engine.client().apply(kind("v1"), given, WriteOptions.DEFAULT)))
                    .isEqualTo(Map.of("plays", "5", "genre", "GENRE_JAZZ"));
            String version =
                    engine.client().get(kind("v1"), key()).getMetadata().getResourceVersion();
            assertThat(engine.client()
                            .apply(kind("v1"), given, WriteOptions.DEFAULT)
                            .getMetadata()
                            .getResourceVersion())
                    .isEqualTo(version);
        }
    }

    private static ProtobufType<dev.evenkeel.protobuf.demo.v2.Artist> twoVersions() {
        return ProtobufType.of(dev.evenkeel.protobuf.demo.v2.Artist.getDefaultInstance())
                .version(Artist.getDefaultInstance(), ProtobufTypeTest::upgrade, ProtobufTypeTest::downgrade);
    }

    private static dev.evenkeel.protobuf.demo.v2.Artist upgrade(Artist artist) {
        String[] names = artist.getName().split(" ", 2);
        var result = dev.evenkeel.protobuf.demo.v2.Artist.newBuilder()
                .setFirstName(names[0])
                .setPlays(artist.getPlays());
        if (names.length > 1) {
            result.setLastName(names[1]);
        }
        return result.build();
    }

    private static Artist downgrade(dev.evenkeel.protobuf.demo.v2.Artist artist) {
        return Artist.newBuilder()
                .setName((artist.getFirstName() + " " + artist.getLastName()).strip())
                .setPlays(artist.getPlays())
                .build();
    }

    @Test
    void versionsAreConvertedAndHooksSeeTheStorageVersion() {
        List<String> seen = new ArrayList<>();
        try (Engine engine = engine(twoVersions()
                .mutate(artist -> {
                    seen.add(artist.getFirstName() + "/" + artist.getLastName());
                    return artist.toBuilder().setPlays(artist.getPlays() + 1).build();
                })
                .build())) {
            GenericKubernetesResource made = create(engine.client(), Map.of("name", "Nina Simone"));
            assertThat(spec(made)).isEqualTo(Map.of("name", "Nina Simone", "plays", "1"));
            assertThat(seen).containsExactly("Nina/Simone");
            GenericKubernetesResource two = engine.client().get(kind("v2"), key());
            assertThat(spec(two)).isEqualTo(Map.of("firstName", "Nina", "lastName", "Simone", "plays", "1"));
            assertThat(two.getApiVersion()).isEqualTo(GROUP + "/v2");
            fields(two).put("lastName", "Hagen");
            engine.client().update(kind("v2"), two, WriteOptions.DEFAULT);
            assertThat(spec(engine.client().get(kind("v1"), key())))
                    .isEqualTo(Map.of("name", "Nina Hagen", "plays", "2"));
            assertThat(refused(() -> engine.client()
                                    .create(
                                            kind("v1"),
                                            artist("v1", Map.of("name", "a name that is far too long")),
                                            WriteOptions.DEFAULT))
                            .causes())
                    .extracting(cause -> cause.field())
                    .containsExactly("spec.name");
        }
    }

    @Test
    void aFailingConversionIsAnInternalErrorThatNamesTheVersion() {
        try (Engine engine = engine(ProtobufType.of(dev.evenkeel.protobuf.demo.v2.Artist.getDefaultInstance())
                .version(
                        Artist.getDefaultInstance(),
                        artist -> {
                            throw new IllegalStateException("broken");
                        },
                        ProtobufTypeTest::downgrade)
                .build())) {
            ApiException error = refused(() -> create(engine.client(), Map.of("name", "x")));
            assertThat(error.code()).isEqualTo(500);
            assertThat(error).hasMessageContaining("the conversion of version v1 failed");
        }
    }

    @Test
    void aVersionWithoutFunctionsIsConvertedByItsBinaryFormWithoutLoss() {
        try (Engine engine = engine(ProtobufType.of(dev.evenkeel.protobuf.demo.v2.Artist.getDefaultInstance())
                .version(Artist.getDefaultInstance())
                .build())) {
            // number 4, an album in version 1, is a list of strings in version 2: read as one, and written back the
            // same
            create(engine.client(), Map.of("name", "n", "plays", "3", "owner", "ann"));
            GenericKubernetesResource two = engine.client().get(kind("v2"), key());
            assertThat(spec(two)).isEqualTo(Map.of("firstName", "n", "plays", "3"));
            fields(two).put("plays", "4");
            engine.client().update(kind("v2"), two, WriteOptions.DEFAULT);
            assertThat(spec(engine.client().get(kind("v1"), key())))
                    .isEqualTo(Map.of("name", "n", "plays", "4", "owner", "ann"));
        }
    }

    @Test
    void anObjectOfClusterScopeIsOneForAllPartitions() throws InterruptedException {
        Kind<GenericKubernetesResource> notices = Kind.generic(GROUP, "v1", "Notice", "notices", false);
        GenericKubernetesResource notice = artist("v1", Map.of("text", "hello"));
        notice.setKind("Notice");
        notice.getMetadata().setNamespace(null);
        ObjectKey name = ObjectKey.of("", "a");
        try (Engine engine = engine(ProtobufType.of(Notice.getDefaultInstance()).build())) {
            Client system = engine.partition(Engine.SYSTEM_PARTITION).client("test");
            Client other = engine.partition("other").client("test");
            try (Watch<GenericKubernetesResource> watch = other.watch(notices, ListOptions.ALL)) {
                system.create(notices, notice, WriteOptions.DEFAULT);
                assertThat(events(watch)).containsExactly("ADDED a {text=hello}");
                assertThat(spec(engine.client().get(notices, name))).isEqualTo(Map.of("text", "hello"));
                assertThat(other.list(notices, ListOptions.ALL).items()).hasSize(1);
                List<ApiException> refusals = List.of(
                        refused(() -> other.create(notices, notice, WriteOptions.DEFAULT)),
                        refused(() -> other.patch(notices, name, Patch.merge("{}"), WriteOptions.DEFAULT)),
                        refused(() -> other.patchStatus(notices, name, Patch.merge("{}"), WriteOptions.DEFAULT)),
                        refused(() -> other.delete(notices, name, DeleteOptions.DEFAULT)));
                assertThat(refusals).allSatisfy(error -> {
                    assertThat(error.code()).isEqualTo(403);
                    assertThat(error).hasMessageContaining("write it in the partition \"system\"");
                });
                system.delete(notices, name, DeleteOptions.DEFAULT);
                assertThat(events(watch)).containsExactly("DELETED a {text=hello}");
            }
        }
    }

    @Test
    void twoMessagesForOneVersionAreRefused() {
        assertThatThrownBy(() -> artists().version(Artist.getDefaultInstance()).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("two messages for version v1");
    }

    @Test
    void aTypeThatIsRegisteredTwiceIsRefused() {
        Engine.Builder builder =
                Engine.builder().register(artists().build()).register(artists().build());
        assertThatThrownBy(builder::build).hasMessageContaining("artists." + GROUP + " is registered twice");
    }

    /** Who owns an artist may do everything with it; others read artists without an owner. */
    private static ProtobufType<Artist> owned() {
        return artists()
                .authorizeRead((access, id, artist) -> {
                    String owner = artist.get().getOwner();
                    return owner.isEmpty() || owner.equals(access.user().name());
                })
                .authorizeWrite((access, id, artist) ->
                        artist.get().getOwner().equals(access.user().name()));
    }

    @Test
    void anObjectThatTheUserMayNotSeeIsNotFoundWhateverTheRequest() {
        try (Engine engine = engine(owned().build())) {
            GenericKubernetesResource made = create(engine.as(ANN), Map.of("owner", "ann"));
            Client bob = engine.as(BOB);
            fields(made).put("owner", "bob");
            assertThat(bob.find(kind("v1"), key())).isEmpty();
            List<ApiException> refusals = List.of(
                    refused(() -> bob.update(kind("v1"), made, WriteOptions.DEFAULT)),
                    refused(() -> bob.patch(
                            kind("v1"), key(), Patch.merge("{\"spec\":{\"owner\":\"bob\"}}"), WriteOptions.DEFAULT)),
                    refused(() -> bob.delete(kind("v1"), key(), DeleteOptions.DEFAULT)));
            assertThat(refusals).extracting(ApiException::code).containsOnly(404);
            engine.client().delete(kind("v1"), key(), DeleteOptions.DEFAULT);
            assertThat(List.of(
                            refused(() -> bob.update(kind("v1"), made, WriteOptions.DEFAULT)),
                            refused(() -> bob.patch(kind("v1"), key(), Patch.merge("{}"), WriteOptions.DEFAULT)),
                            refused(() -> bob.delete(kind("v1"), key(), DeleteOptions.DEFAULT))))
                    .extracting(ApiException::getMessage)
                    .containsExactlyElementsOf(
                            refusals.stream().map(ApiException::getMessage).toList());
        }
    }

    @Test
    void theOldContentAndTheNewOneAreAuthorized() {
        try (Engine engine = engine(owned().build())) {
            GenericKubernetesResource made = create(engine.client(), Map.of("name", "x"));
            fields(made).put("owner", "bob");
            // content that bob may write, over content that bob may only read
            assertThat(refused(() -> engine.as(BOB).update(kind("v1"), made, WriteOptions.DEFAULT))
                            .code())
                    .isEqualTo(403);
            // content that ann may write, to content that ann may not
            engine.client().delete(kind("v1"), key(), DeleteOptions.DEFAULT);
            GenericKubernetesResource own = create(engine.as(ANN), Map.of("owner", "ann"));
            fields(own).put("owner", "bob");
            ApiException error = refused(() -> engine.as(ANN).update(kind("v1"), own, WriteOptions.DEFAULT));
            assertThat(error.code()).isEqualTo(403);
            assertThat(error).hasMessageContaining("refused by the access rules of the type");
            assertThat(refused(() -> engine.as(ANN).create(kind("v1"), artist("v1", Map.of()), WriteOptions.DEFAULT))
                            .code())
                    .isEqualTo(403);
        }
    }

    @Test
    void aUserWithoutARightLearnsNothingFromValidators() {
        AtomicInteger calls = new AtomicInteger();
        try (Engine engine = engine(artists()
                .validate((artist, old) -> {
                    calls.incrementAndGet();
                    return List.of(FieldError.required("genre", "secret"));
                })
                .authorizeWrite((access, id, artist) -> false)
                .build())) {
            ApiException error = refused(() -> create(engine.as(BOB), Map.of("name", "a name that is far too long")));
            assertThat(error.code()).isEqualTo(403);
            assertThat(calls).hasValue(0);
        }
    }

    @Test
    void aRuleThatDecidesByNameRefusesObjectsThatDoNotExistToo() {
        try (Engine engine = engine(artists()
                .authorizeRead((access, id, artist) ->
                        id.name().startsWith(access.user().name()))
                .build())) {
            assertThat(refused(() -> engine.as(BOB).find(kind("v1"), key())).code())
                    .isEqualTo(403);
            create(engine.client(), Map.of());
            assertThat(refused(() -> engine.as(BOB).find(kind("v1"), key())).code())
                    .isEqualTo(403);
            assertThat(engine.as(User.of("a")).find(kind("v1"), key())).isPresent();
        }
    }

    @Test
    void aRuleThatFailsIsAnInternalErrorThatNamesIt() {
        try (Engine engine = engine(artists()
                .authorizeRead((access, id, artist) -> {
                    throw new IllegalStateException("broken");
                })
                .build())) {
            ApiException error = refused(() -> engine.as(BOB).find(kind("v1"), key()));
            assertThat(error.code()).isEqualTo(500);
            assertThat(error).hasMessageContaining("the read rule of artists." + GROUP + " failed");
        }
    }

    @Test
    void aListShowsWhatTheUserMayRead() {
        try (Engine engine = engine(
                owned().authorizeList(access -> !access.user().equals(ANN)).build())) {
            for (String owner : List.of("ann", "bob", "")) {
                GenericKubernetesResource artist = artist("v1", Map.of("owner", owner));
                artist.getMetadata().setName("of" + owner);
                engine.client().create(kind("v1"), artist, WriteOptions.DEFAULT);
            }
            assertThat(engine.as(BOB).list(kind("v1"), ListOptions.ALL).items())
                    .extracting(artist -> artist.getMetadata().getName())
                    .containsExactly("of", "ofbob");
            assertThat(engine.as(BOB).list(kind("v1"), ListOptions.ALL.limit(1)).items())
                    .hasSize(1);
            assertThat(refused(() -> engine.as(ANN).list(kind("v1"), ListOptions.ALL))
                            .code())
                    .isEqualTo(403);
            assertThat(refused(() -> engine.as(ANN).watch(kind("v1"), ListOptions.ALL))
                            .code())
                    .isEqualTo(403);
        }
    }

    private static List<String> events(Watch<GenericKubernetesResource> watch) throws InterruptedException {
        List<String> events = new ArrayList<>();
        while (watch.ready()) {
            Optional<Watch.Event<GenericKubernetesResource>> event = watch.next();
            event.filter(found -> found.type() != Watch.Type.BOOKMARK)
                    .ifPresent(found -> events.add(
                            found.type() + " " + found.object().getMetadata().getName() + " " + spec(found.object())));
        }
        return events;
    }

    @Test
    void aWatchTurnsALostPermissionIntoADelete() throws InterruptedException {
        try (Engine engine = engine(owned().build());
                Watch<GenericKubernetesResource> watch = engine.as(BOB).watch(kind("v1"), ListOptions.ALL)) {
            GenericKubernetesResource made = create(engine.client(), Map.of("owner", "bob", "name", "x"));
            assertThat(events(watch)).containsExactly("ADDED a {name=x, owner=bob}");
            fields(made).put("owner", "ann");
            fields(made).put("name", "secret");
            GenericKubernetesResource gone = engine.client().update(kind("v1"), made, WriteOptions.DEFAULT);
            assertThat(events(watch)).containsExactly("DELETED a {name=x, owner=bob}");
            fields(gone).put("name", "more secret");
            GenericKubernetesResource again = engine.client().update(kind("v1"), gone, WriteOptions.DEFAULT);
            assertThat(events(watch)).isEmpty();
            fields(again).put("owner", "bob");
            engine.client().update(kind("v1"), again, WriteOptions.DEFAULT);
            assertThat(events(watch)).containsExactly("ADDED a {name=more secret, owner=bob}");
            engine.client().delete(kind("v1"), key(), DeleteOptions.DEFAULT);
            assertThat(events(watch)).containsExactly("DELETED a {name=more secret, owner=bob}");
        }
    }

    private static ClusterRoleBinding bind(Client admin, String verb) {
        String name = "may-" + verb;
        admin.create(new ClusterRoleBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withRules(new PolicyRuleBuilder()
                        .withApiGroups(GROUP)
                        .withResources("artists", "catalog")
                        .withVerbs(verb)
                        .build())
                .build());
        return admin.create(new ClusterRoleBindingBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", name)
                .addNewSubject("rbac.authorization.k8s.io", "User", "bob", null)
                .build());
    }

    @Test
    void aWatchFollowsChangesOfRoles() throws InterruptedException {
        try (Engine engine = Engine.builder()
                .executor(Runnable::run)
                .authorization(Authorization.RBAC)
                .register(artists()
                        .authorizeRead((access, id, artist) -> access.allows("read", "catalog", id))
                        .build())
                .build()) {
            Client admin = engine.client();
            GenericKubernetesResource made = create(admin, Map.of("name", "x"));
            bind(admin, "watch");
            try (Watch<GenericKubernetesResource> watch = engine.as(BOB).watch(kind("v1"), ListOptions.ALL)) {
                assertThat(events(watch)).isEmpty();
                ClusterRoleBinding binding = bind(admin, "read");
                assertThat(events(watch)).containsExactly("ADDED a {name=x}");
                ListOptions resumed =
                        ListOptions.ALL.resourceVersion(made.getMetadata().getResourceVersion());
                try (Watch<GenericKubernetesResource> second = engine.as(BOB).watch(kind("v1"), resumed)) {
                    admin.delete(
                            ClusterRoleBinding.class,
                            ObjectKey.of("", binding.getMetadata().getName()));
                    assertThat(events(watch)).containsExactly("DELETED a {name=x}");
                    assertThat(events(second)).containsExactly("DELETED a {name=x}");
                }
            }
        }
    }
}
