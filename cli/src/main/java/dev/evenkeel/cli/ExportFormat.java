package dev.evenkeel.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.evenkeel.engine.spi.Store;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Arrays;

/**
 * The lines of an export: a header with the number of objects, then one line for each object, which contains the bytes of
 * the store unchanged.
 */
final class ExportFormat {
    private static final JsonFactory JSON = new JsonFactory();
    private static final int VERSION = 1;

    private ExportFormat() {}

    /** An object of an export. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Line(Store.Key key, byte[] object) {}

    static String header(long objects) {
        return "{\"evenkeel\":\"export\",\"version\":" + VERSION + ",\"objects\":" + objects + "}";
    }

    /** Returns the number of objects that a header announces. */
    static long objects(byte[] header) {
        long objects = -1;
        String what = "";
        int version = 0;
        try (JsonParser parser = JSON.createParser(header)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String field = parser.currentName();
                parser.nextToken();
                switch (field) {
                    case "evenkeel" -> what = parser.getText();
                    case "version" -> version = parser.getIntValue();
                    case "objects" -> objects = parser.getLongValue();
                    default -> parser.skipChildren();
                }
            }
        } catch (IOException e) {
            objects = -1;
        }
        if (objects < 0 || !what.equals("export")) {
            throw new Failure("line 1: not an export of evenkeel");
        }
        if (version != VERSION) {
            throw new Failure("line 1: an export of version " + version + "; this one reads version " + VERSION);
        }
        return objects;
    }

    /** Returns what comes before the object in its line; {@code \}} comes after it. */
    static String prefix(Store.Key key) {
        StringWriter text = new StringWriter();
        try (var generator = JSON.createGenerator(text)) {
            generator.writeStartObject();
            generator.writeStringField("collection", key.collection());
            generator.writeStringField("namespace", key.namespace());
            generator.writeStringField("name", key.name());
            generator.writeFieldName("object");
            generator.writeRawValue("");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String all = text.toString();
        return all.substring(0, all.length() - 1); // the generator closes the object
    }

    static Line parse(byte[] line, long number) {
        String collection = "";
        String namespace = "";
        String name = "";
        byte[] object = {};
        try (JsonParser parser = JSON.createParser(line)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String field = parser.currentName();
                parser.nextToken();
                switch (field) {
                    case "collection" -> collection = parser.getText();
                    case "namespace" -> namespace = parser.getText();
                    case "name" -> name = parser.getText();
                    case "object" -> {
                        int from = (int) parser.currentTokenLocation().getByteOffset();
                        parser.skipChildren();
                        object = Arrays.copyOfRange(
                                line, from, (int) parser.currentLocation().getByteOffset());
                    }
                    default -> parser.skipChildren();
                }
            }
        } catch (IOException e) {
            throw new Failure("line " + number + ": not JSON, or cut off");
        }
        if (!collection.contains("/") || name.isEmpty() || object.length == 0) {
            throw new Failure("line " + number + ": collection, name or object is missing");
        }
        return new Line(new Store.Key(collection, namespace, name), object);
    }
}
