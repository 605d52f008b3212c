package dev.evenkeel.protobuf.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.Any;
import com.google.protobuf.BoolValue;
import com.google.protobuf.ByteString;
import com.google.protobuf.BytesValue;
import com.google.protobuf.DoubleValue;
import com.google.protobuf.Duration;
import com.google.protobuf.Empty;
import com.google.protobuf.FieldMask;
import com.google.protobuf.FloatValue;
import com.google.protobuf.Int32Value;
import com.google.protobuf.Int64Value;
import com.google.protobuf.ListValue;
import com.google.protobuf.Message;
import com.google.protobuf.NullValue;
import com.google.protobuf.StringValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Timestamp;
import com.google.protobuf.UInt32Value;
import com.google.protobuf.UInt64Value;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.Value;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.Reply;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.protobuf.ProtobufType;
import dev.evenkeel.protobuf.demo.v1.Album;
import dev.evenkeel.protobuf.demo.v1.Artist;
import dev.evenkeel.protobuf.demo.v1.Everything;
import dev.evenkeel.protobuf.demo.v1.Genre;
import dev.evenkeel.protobuf.demo.v1.Strict;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Both forms of data, and the way of an object through the engine. */
class DataFormatTest {
    private static final String GROUP = "catalog.demo.example.com";

    private static final Engine TYPES = Engine.builder()
            .executor(Runnable::run)
            .register(ProtobufType.of(Everything.getDefaultInstance()).build())
            .register(ProtobufType.of(Artist.getDefaultInstance()).build())
            .register(ProtobufType.of(Strict.getDefaultInstance()).build())
            .build();

    private final ResourceApi partition = ResourceApi.of(TYPES.fork().build().partition("default"));

    private Target target(String plural) {
        String namespace = plural.equals("everything") ? "" : "default";
        return partition.resource(GROUP, "v1", plural).orElseThrow().withName(namespace, "");
    }

    private DataFormat format(String plural) {
        return DataFormat.of(partition, target(plural)).orElseThrow();
    }

    private static JsonObject shown(Reply reply) {
        return ((Reply.Shown) reply).document().tree();
    }

    private JsonObject create(String plural, JsonObject members) {
        Target target = target(plural);
        JsonObject object = JsonObject.of(
                "apiVersion", target.apiVersion(),
                "kind", target.type().kind(),
                "metadata", JsonObject.of("name", "a"));
        object.putAll(members);
        return shown(partition.create(target, Body.json(Json.write(object)), WriteOptions.DEFAULT));
    }

    private JsonObject update(String plural, JsonObject object) {
        Target target = target(plural);
        return shown(partition.update(
                target.withName(target.namespace(), "a"), Body.json(Json.write(object)), WriteOptions.DEFAULT));
    }

    private JsonObject get(String plural) {
        Target target = target(plural);
        return partition
                .get(target.withName(target.namespace(), "a"), "", User.ADMIN)
                .tree();
    }

    private static Everything.Builder some() {
        return Everything.newBuilder();
    }

    /** A message for each kind of field, and for the corners of its values. */
    static Stream<Everything> everyKind() {
        Album album = Album.newBuilder().setTitle("t").setYear(1959).build();
        return Stream.of(
                        some(),
                        some().setADouble(0.1),
                        some().setADouble(1e300),
                        some().setADouble(Double.NaN),
                        some().setADouble(Double.POSITIVE_INFINITY),
                        some().setADouble(Double.NEGATIVE_INFINITY),
                        some().setADouble(3),
                        some().setAFloat(0.1f),
                        some().setAFloat(Float.MAX_VALUE),
                        some().setAnInt32(Integer.MIN_VALUE),
                        some().setAnInt64(Long.MIN_VALUE),
                        some().setAnInt64(Long.MAX_VALUE),
                        some().setAUint32(-1),
                        some().setAUint64(-1),
                        some().setASint32(-5),
                        some().setASint64(-5),
                        some().setAFixed32(-1),
                        some().setAFixed64(-1),
                        some().setAnSfixed32(-5),
                        some().setAnSfixed64(-5),
                        some().setABool(true),
                        some().setAString("ünïcode \u0000 \" \ud83d\ude00"),
                        some().setSomeBytes(ByteString.copyFrom(new byte[] {-1, 0, 1})),
                        some().setAnEnum(Genre.GENRE_FOLK),
                        some().setAMessage(album),
                        some().setAMessage(Album.getDefaultInstance()),
                        some().addManyInt64(0).addManyInt64(-1),
                        some().addManyDoubles(Double.NaN).addManyDoubles(0),
                        some().addManyMessages(album).addManyMessages(Album.getDefaultInstance()),
                        some().addManyEnums(Genre.GENRE_UNSPECIFIED).addManyEnums(Genre.GENRE_JAZZ),
                        some().addManyBytes(ByteString.EMPTY).addManyBytes(ByteString.copyFromUtf8("x")),
                        some().putByString("a/b~c.d", album).putByString("", Album.getDefaultInstance()),
                        some().putByInt64(-1, "x"),
                        some().putByBool(true, 0.5).putByBool(false, Double.NaN),
                        some().putEnumByString("k", Genre.GENRE_JAZZ),
                        some().setChosenText(""),
                        some().setChosenNumber(0),
                        some().setChosenAlbum(album),
                        some().setChosenNull(NullValue.NULL_VALUE),
                        some().setOptionalInt32(0),
                        some().setOptionalString(""),
                        some().setATimestamp(Timestamp.newBuilder()
                                .setSeconds(1_700_000_000)
                                .setNanos(1)),
                        some().setATimestamp(Timestamp.newBuilder().setSeconds(-62135596800L)),
                        some().setADuration(Duration.newBuilder().setSeconds(-1).setNanos(-500_000_000)),
                        some().setAMask(FieldMask.newBuilder().addPaths("a_b.c").addPaths("d")),
                        some().setAStruct(Struct.newBuilder()
                                .putFields(
                                        "n",
                                        Value.newBuilder()
                                                .setNullValue(NullValue.NULL_VALUE)
                                                .build())
                                .putFields(
                                        "x",
                                        Value.newBuilder().setNumberValue(1.5).build())),
                        some().setAValue(Value.newBuilder().setNullValue(NullValue.NULL_VALUE)),
                        some().setAValue(Value.newBuilder().setBoolValue(false)),
                        some().setAList(ListValue.newBuilder()
                                .addValues(Value.newBuilder().setNullValue(NullValue.NULL_VALUE))
                                .addValues(Value.newBuilder().setStringValue("s"))),
                        some().setAnAny(Any.pack(album)),
                        some().setAnAny(Any.pack(
                                Duration.newBuilder().setSeconds(3).build())),
                        some().setAnAny(Any.pack(Any.pack(album))),
                        some().setAnEmpty(Empty.getDefaultInstance()),
                        some().setAWrappedBool(BoolValue.of(false)),
                        some().setAWrappedInt32(Int32Value.of(0)),
                        some().setAWrappedInt64(Int64Value.of(Long.MIN_VALUE)),
                        some().setAWrappedUint32(UInt32Value.of(-1)),
                        some().setAWrappedUint64(UInt64Value.of(-1)),
                        some().setAWrappedFloat(FloatValue.of(1.5f)),
                        some().setAWrappedDouble(DoubleValue.of(Double.NaN)),
                        some().setAWrappedString(StringValue.of("")),
                        some().setWrappedBytes(BytesValue.of(ByteString.copyFromUtf8("b"))),
                        some().addManyTimestamps(Timestamp.newBuilder().setSeconds(1)),
                        some().addManyValues(Value.newBuilder().setNullValue(NullValue.NULL_VALUE))
                                .addManyValues(Value.newBuilder().setNumberValue(0)),
                        some().setItself(some().setItself(some().setAnInt64(7).setItself(some().setAString("deep")))),
                        some().setRenamed("x"))
                .map(Everything.Builder::build);
    }

    @ParameterizedTest
    @MethodSource("everyKind")
    void everyKindOfFieldRoundTripsThroughTheSchemaAndTheStore(Everything data) throws Exception {
        DataFormat format = format("everything");
        JsonObject members = format.members(Any.pack(data));
        JsonObject stored = create("everything", members);
        assertThat(stored.get("spec")).isEqualTo(members.get("spec"));
        assertThat(format.data(get("everything")).orElseThrow().unpack(Everything.class))
                .isEqualTo(data);

        long generation = stored.object("metadata").integer("generation");
        String version = stored.string("metadata", "resourceVersion");
        JsonObject again = update("everything", stored);
        assertThat(again.string("metadata", "resourceVersion")).isEqualTo(version);
        assertThat(again.object("metadata").integer("generation")).isEqualTo(generation);
    }

    @Test
    void theSignOfZeroIsLost() {
        JsonObject members =
                format("everything").members(Any.pack(some().setADouble(-0.0).build()));
        assertThat(create("everything", members).get("spec")).isEqualTo(new JsonObject());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'an_int64': 5}                    | {'anInt64':'5'}",
                "{'anInt64': 5}                     | {'anInt64':'5'}",
                "{'aDouble': '1.5'}                 | {'aDouble':1.5}",
                "{'anEnum': 1}                      | {'anEnum':'GENRE_JAZZ'}",
                "{'someBytes': '_-8'}               | {'someBytes':'/+8='}",
                "{'aTimestamp': '2024-01-01T01:00:00.000+01:00'} | {'aTimestamp':'2024-01-01T00:00:00Z'}",
                "{'aDuration': '1.500s'}            | {'aDuration':'1.500s'}",
                "{'anInt32': 0, 'aString': ''}      | {}",
                "{'aMessage': null}                 | {}",
                "{'a_message': {'title': 'x'}}      | {'aMessage':{'title':'x'}}",
                "{'by_string': {'k': {'year': 3.0, 'title': 't'}}} | {'byString':{'k':{'title':'t','year':3}}}",
                "{'renamed': 'x'}                   | {'otherName':'x'}"
            })
    void whatTheMappingReadsIsStoredAsItPrints(String given, String shown) {
        JsonObject spec = Json.asObject(Json.parse(given.replace('\'', '"')));
        JsonObject stored = create("everything", JsonObject.of("spec", spec));
        assertThat(Json.text(stored.get("spec"))).isEqualTo(shown.replace('\'', '"'));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'anInt64': 'x'}                        | spec.anInt64",
                "{'anInt64': '9223372036854775808'}      | spec.anInt64",
                "{'anInt32': 3000000000}                 | spec.anInt32",
                "{'anEnum': 'GENRE_POLKA'}               | spec.anEnum",
                "{'someBytes': '***'}                    | spec.someBytes",
                "{'aTimestamp': 'yesterday'}             | spec.aTimestamp",
                "{'aDuration': '1h'}                     | spec.aDuration",
                "{'aDouble': 'many'}                     | spec.aDouble",
                "{'manyMessages': [{}, {'year': 'x'}]}   | spec.manyMessages[1].year",
                "{'byString': {'k': {'year': 'x'}}}      | spec.byString.k.year",
                "{'chosenText': 'x', 'chosenNumber': '1'} | spec",
                "{'anAny': {'@type': 'example.com/none'}} | spec.anAny",
                "{'itself': {'itself': {'anInt64': 'x'}}} | spec.itself.itself.anInt64"
            })
    void aValueThatDoesNotFitIsRefusedWithItsPath(String given, String path) {
        JsonObject spec = Json.asObject(Json.parse(given.replace('\'', '"')));
        var refused = catchThrowableOfType(
                dev.evenkeel.client.ApiException.class, () -> create("everything", JsonObject.of("spec", spec)));
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.causes()).extracting(cause -> cause.field()).contains(path);
    }

    private static InvalidDataException refused(Runnable call) {
        return catchThrowableOfType(InvalidDataException.class, call::run);
    }

    @Test
    void dataOfAnotherMessageIsRefused() {
        InvalidDataException error = refused(() -> format("artists").members(Any.pack(Album.getDefaultInstance())));
        assertThat(error.errors())
                .extracting(FieldError::text)
                .singleElement()
                .asString()
                .contains("demo.catalog.v1.Album", "expected demo.catalog.v1.Artist");
    }

    @Test
    void dataThatCannotBeDecodedIsRefused() {
        Any broken = Any.newBuilder()
                .setTypeUrl("type.googleapis.com/demo.catalog.v1.Artist")
                .setValue(ByteString.copyFrom(new byte[] {10, 100}))
                .build();
        assertThat(refused(() -> format("artists").members(broken)).getMessage())
                .contains("cannot be decoded");
    }

    @Test
    void valuesWithoutAJsonFormAreRefusedWithTheirPaths() {
        Everything data = Everything.newBuilder()
                .addManyEnums(Genre.GENRE_JAZZ)
                .addManyEnumsValue(77)
                .setAnAny(Any.newBuilder().setTypeUrl("example.com/none").setValue(ByteString.copyFromUtf8("x")))
                .build();
        assertThat(refused(() -> format("everything").members(Any.pack(data))).errors())
                .extracting(FieldError::field)
                .containsExactlyInAnyOrder("spec.manyEnums[1]", "spec.anAny");
    }

    private static <M extends Message> M withUnknown(M message, String text) {
        @SuppressWarnings("unchecked")
        M result = (M) message.toBuilder()
                .setUnknownFields(UnknownFieldSet.newBuilder()
                        .addField(
                                1000,
                                UnknownFieldSet.Field.newBuilder()
                                        .addLengthDelimited(ByteString.copyFromUtf8(text))
                                        .build())
                        .build())
                .build();
        return result;
    }

    @Test
    void unknownFieldsOfAllPartsAreGivenBack() throws Exception {
        Everything data = withUnknown(
                Everything.newBuilder()
                        .setAMessage(withUnknown(Album.getDefaultInstance(), "message"))
                        .addManyMessages(Album.getDefaultInstance())
                        .addManyMessages(withUnknown(Album.getDefaultInstance(), "item"))
                        .putByString("a/b", withUnknown(Album.getDefaultInstance(), "value"))
                        .setAnAny(Any.pack(
                                withUnknown(Album.newBuilder().setTitle("t").build(), "any")))
                        .setATimestamp(
                                withUnknown(Timestamp.newBuilder().setSeconds(1).build(), "time"))
                        .build(),
                "root");
        DataFormat format = format("everything");
        create("everything", format.members(Any.pack(data)));
        Any found = format.data(get("everything")).orElseThrow();
        assertThat(found.unpack(Everything.class)).isEqualTo(data);
        assertThat(found.getTypeUrl()).isEqualTo("type.googleapis.com/demo.catalog.v1.Everything");
    }

    private JsonObject artistWithUnknownFields() {
        Artist artist = withUnknown(
                Artist.newBuilder()
                        .setName("Nina")
                        .setAlbum(withUnknown(Album.newBuilder().setTitle("a").build(), "album"))
                        .addAlbums(withUnknown(Album.newBuilder().setTitle("b").build(), "first"))
                        .addAlbums(withUnknown(Album.newBuilder().setTitle("c").build(), "second"))
                        .build(),
                "artist");
        return create("artists", format("artists").members(Any.pack(artist)));
    }

    private Artist artist() throws Exception {
        return format("artists").data(get("artists")).orElseThrow().unpack(Artist.class);
    }

    @Test
    void anUpdateInJsonKeepsUnknownFieldsOfUnchangedParts() throws Exception {
        JsonObject object = artistWithUnknownFields();
        object.object("spec").put("name", "Miriam");
        object.object("spec").remove("album");
        object.object("spec").objects("albums").get(1).put("title", "changed");
        Target target = target("artists");
        Reply reply =
                partition.update(target.withName("default", "a"), Body.json(Json.write(object)), WriteOptions.DEFAULT);
        assertThat(reply.warnings())
                .containsExactly(
                        "unknown fields of the binary form at /spec/album are removed",
                        "unknown fields of the binary form at /spec/albums/1 are removed");
        Artist artist = artist();
        assertThat(artist.getName()).isEqualTo("Miriam");
        assertThat(artist.getUnknownFields().hasField(1000)).isTrue();
        assertThat(artist.getAlbums(0).getUnknownFields().hasField(1000)).isTrue();
        assertThat(artist.getAlbums(1).getUnknownFields().hasField(1000)).isFalse();
    }

    @Test
    void anUpdateInJsonThatDoesNotMentionUnknownFieldsKeepsThem() throws Exception {
        JsonObject object = artistWithUnknownFields();
        object.remove("unknownFields");
        update("artists", object);
        assertThat(artist().getAlbum().getUnknownFields().hasField(1000)).isTrue();
    }

    @Test
    void anEmptyListOfUnknownFieldsRemovesThem() throws Exception {
        JsonObject object = artistWithUnknownFields();
        object.put("unknownFields", List.of());
        update("artists", object);
        assertThat(artist().getAlbum().getUnknownFields().asMap()).isEmpty();
        assertThat(get("artists").has("unknownFields")).isFalse();
    }

    @Test
    void aWriteOfTheBinaryFormReplacesUnknownFields() throws Exception {
        JsonObject object = artistWithUnknownFields();
        object.putAll(format("artists")
                .members(Any.pack(Artist.newBuilder().setName("Nina").build())));
        update("artists", object);
        assertThat(artist()).isEqualTo(Artist.newBuilder().setName("Nina").build());
    }

    @Test
    void unknownFieldsOfManyItemsAreGivenBack() throws Exception {
        Artist.Builder artist = Artist.newBuilder();
        for (int i = 0; i < 5_000; i++) {
            artist.addAlbums(withUnknown(Album.newBuilder().setYear(i).build(), "x"));
        }
        create("artists", format("artists").members(Any.pack(artist.build())));
        assertThat(artist()).isEqualTo(artist.build());
    }

    @Test
    void aBrokenListIsRefusedWithAHundredErrors() {
        List<Object> albums = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            albums.add(JsonObject.of("year", 1e12));
        }
        var refused = catchThrowableOfType(
                InvalidDataException.class,
                () -> format("artists").data(JsonObject.of("spec", JsonObject.of("albums", albums))));
        assertThat(refused.errors()).hasSize(100);
    }

    @Test
    void aTypeMayRefuseUnknownFields() {
        Strict data = Strict.newBuilder()
                .setAlbum(withUnknown(Album.newBuilder().setTitle("t").build(), "x"))
                .build();
        InvalidDataException error = refused(() -> format("stricts").members(Any.pack(data)));
        assertThat(error.errors()).singleElement().satisfies(found -> {
            assertThat(found.field()).isEqualTo("spec.album");
            assertThat(found.detail()).contains("numbers [1000]");
        });

        JsonObject entry = JsonObject.of("path", "/spec", "data", "wj4BeA==");
        JsonObject members = JsonObject.of("spec", new JsonObject(), "unknownFields", List.of(entry));
        var refused = catchThrowableOfType(dev.evenkeel.client.ApiException.class, () -> create("stricts", members));
        assertThat(refused.causes()).extracting(cause -> cause.field()).containsExactly("unknownFields[0]");
    }
}
