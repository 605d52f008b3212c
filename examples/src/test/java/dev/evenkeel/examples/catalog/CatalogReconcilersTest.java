package dev.evenkeel.examples.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Conditions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.engine.TypeSource;
import dev.evenkeel.examples.catalog.v1.Album;
import dev.evenkeel.examples.catalog.v1.RecordLabel;
import dev.evenkeel.examples.catalog.v1.Track;
import dev.evenkeel.examples.catalog.v2.Artist;
import dev.evenkeel.protobuf.ProtobufObject;
import dev.evenkeel.protobuf.StatusPart;
import dev.evenkeel.testing.ScenarioTests;
import dev.evenkeel.testing.TestCluster;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Each controller by itself, one reconciliation after another. */
class CatalogReconcilersTest {
    private static final TypeSource[] TYPES = CatalogTypes.all().toArray(TypeSource[]::new);
    private static final Given<ArtistObject> NINA = Given.of(ArtistObject.of(
            ObjectKey.of("default", "nina"),
            Artist.newBuilder().setTitle("Nina").setRecordLabel("philips").build()));
    private static final Given<RecordLabelObject> PHILIPS = Given.of(RecordLabelObject.of(
            "philips", RecordLabel.newBuilder().setTitle("Philips").build()));
    private static final Given<AlbumObject> LIVE = album("live", "nina");

    private static Given<AlbumObject> album(String name, String artist) {
        return Given.of(AlbumObject.of(
                ObjectKey.of("default", name),
                Album.newBuilder()
                        .setTitle(name)
                        .setArtist(artist)
                        .addTracks(Track.newBuilder().setTitle("one").setSeconds(60))
                        .build()));
    }

    private static Given<ArtistObject> withProfile(String ready) {
        return NINA.statusAt(
                "profile.conditions[+type=Ready]",
                Map.of(
                        "type", "Ready",
                        "status", ready,
                        "reason", "Test",
                        "message", "",
                        "lastTransitionTime", "2026-01-01T00:00:00Z"));
    }

    private static <T extends ProtobufObject<?>> Consumer<TestCluster> says(
            Given<T> object, String key, String type, String reason) {
        return cluster -> assertThat(cluster.client()
                        .get(object.type(), object.key())
                        .status(key)
                        .flatMap(part -> Conditions.find(part.conditions(), type))
                        .map(Condition::getReason))
                .contains(reason);
    }

    @TestFactory
    Stream<DynamicTest> profiles() {
        return ScenarioTests.of(ProfileReconciler::controller)
                .types(TYPES)
                .test(
                        "an artist is ready when its label exists",
                        s -> s.given(NINA)
                                .reconcile(NINA)
                                .then(says(NINA, "profile", "Ready", "NotFound"))
                                .settled(NINA)
                                .then(cluster -> cluster.put(PHILIPS))
                                .reconcile(NINA)
                                .then(says(NINA, "profile", "Ready", "Ready"))
                                .settled(NINA))
                .test(
                        "a genre may be missing",
                        s -> s.given(NINA.at("spec.genres", new String[] {"polka"}), PHILIPS)
                                .reconcile(NINA)
                                .then(says(NINA, "profile", "Ready", "NotFound"))
                                .then(says(NINA, "profile", "LabelFound", "Found")))
                .stream();
    }

    private static Consumer<TestCluster> counts(int albums, int tracks) {
        return cluster -> assertThat(cluster.client()
                        .get(ArtistObject.class, NINA.key())
                        .status("discography")
                        .map(StatusPart::fields))
                .contains(Map.of("albums", albums, "tracks", tracks));
    }

    @TestFactory
    Stream<DynamicTest> discographies() {
        return ScenarioTests.of(DiscographyReconciler::controller)
                .types(TYPES)
                .test(
                        "counts the albums of an artist",
                        s -> s.given(NINA, LIVE, album("more", "odetta"))
                                .reconcile(NINA)
                                .then(counts(1, 1))
                                .settled(NINA)
                                .then(cluster -> cluster.client().delete(AlbumObject.class, LIVE.key()))
                                .reconcile(NINA)
                                .then(counts(0, 0))
                                .settled(NINA))
                .test(
                        "leaves the part of the other controller",
                        s -> s.given(withProfile("True")).reconcile(NINA).then(says(NINA, "profile", "Ready", "Test")))
                .stream();
    }

    private static Consumer<TestCluster> listed(boolean expected) {
        return cluster -> assertThat(
                        cluster.client().find(ListingObject.class, LIVE.key()).isPresent())
                .isEqualTo(expected);
    }

    @TestFactory
    Stream<DynamicTest> releases() {
        return ScenarioTests.of(ReleaseReconciler::controller)
                .types(TYPES)
                .test(
                        "an album without its artist is not listed",
                        s -> s.given(LIVE)
                                .reconcile(LIVE)
                                .then(says(LIVE, "release", "Ready", "NotFound"))
                                .then(listed(false))
                                .settled(LIVE))
                .test(
                        "an album is listed while its artist is ready",
                        s -> s.given(LIVE, withProfile("True"))
                                .reconcile(LIVE)
                                .then(says(LIVE, "release", "Ready", "Ready"))
                                .then(cluster -> assertThat(cluster.owned(ListingObject.class, LIVE))
                                        .hasSize(1))
                                .settled(LIVE)
                                .then(cluster -> cluster.put(withProfile("False")))
                                .reconcile(LIVE)
                                .then(says(LIVE, "release", "Ready", "ArtistNotReady"))
                                .then(listed(false))
                                .settled(LIVE))
                .stream();
    }
}
