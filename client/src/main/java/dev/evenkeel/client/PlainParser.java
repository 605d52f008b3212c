package dev.evenkeel.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.Base64Variant;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.ObjectCodec;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.Version;
import com.fasterxml.jackson.core.base.ParserMinimalBase;
import com.fasterxml.jackson.core.json.JsonReadContext;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * Reads the JSON text of an object from memory: one pass over the bytes, without buffers, and with texts that are made only
 * on demand. A small object is decoded with half of the memory that it takes with Jackson's parser.
 *
 * <p>It reads what servers write, and refuses everything else with a {@link Refused}: texts that are not valid, that do not
 * begin as an object, whole numbers of more than 18 digits, conversions between numbers that may lose something. The caller
 * then reads the text again with Jackson's parser, which knows, or reports, the rest; so errors are always Jackson's.
 */
final class PlainParser extends ParserMinimalBase {
    private static final int DEEPEST = 500;
    private static final int DIGITS = 18;

    /** Longer numbers are left to Jackson, which limits them. */
    private static final int LONGEST_NUMBER = 100;

    /** Longer texts are left to Jackson, which limits them. */
    private static final int LONGEST_DOCUMENT = 20_000_000;

    /** Thrown for a text that Jackson's parser must read. */
    static final class Refused extends JsonParseException {
        private static final long serialVersionUID = 1;

        Refused() {
            super(null, "not plain JSON", JsonLocation.NA);
        }

        /** Records no stack trace, since the exception is never shown. */
        @Override
        @SuppressWarnings("UnsynchronizedOverridesSynchronized")
        public Throwable fillInStackTrace() {
            return this;
        }
    }

    private final byte[] json;
    private @Nullable ObjectCodec codec;
    private JsonReadContext context = JsonReadContext.createRootContext(null);
    private boolean closed;

    /** Position of the next byte. */
    private int next;
    /** True when the next value is that of the name that was read. */
    private boolean named;

    /** The text or number of the current token: its bytes, without quotes. */
    private int from;

    private int to;
    private boolean escaped;
    private boolean ascii;
    private @Nullable String text;
    private long number;

    /**
     * Creates a parser of a text, which must not change.
     *
     * @param codec for deserializers that read a part as a tree
     */
    PlainParser(byte[] json, @Nullable ObjectCodec codec) {
        super(StreamReadConstraints.defaults());
        this.json = json;
        this.codec = codec;
    }

    @Override
    public @Nullable JsonToken nextToken() throws IOException {
        if (named) {
            named = false;
            return value(byteAfterBlanks());
        }
        if (context.inRoot()) {
            return _currToken = root();
        }
        int b = byteAfterBlanks();
        if (b == (context.inObject() ? '}' : ']')) {
            JsonToken end = context.inObject() ? JsonToken.END_OBJECT : JsonToken.END_ARRAY;
            context = context.clearAndGetParent();
            return _currToken = end;
        }
        if (context.expectComma()) {
            if (b != ',') {
                throw new Refused();
            }
            b = byteAfterBlanks();
        }
        return context.inObject() ? name(b) : value(b);
    }

    /** Returns the start of the object, or null after it. */
    private @Nullable JsonToken root() throws IOException {
        if (next > 0) {
            return null;
        }
        if (json.length > LONGEST_DOCUMENT || byteAfterBlanks() != '{') {
            throw new Refused();
        }
        context = context.createChildObjectContext(0, 0);
        return JsonToken.START_OBJECT;
    }

    private int nextByte() throws Refused {
        if (next == json.length) {
            throw new Refused();
        }
        return json[next++];
    }

    private int byteAfterBlanks() throws Refused {
        int b = nextByte();
        while (b == ' ' || b == '\n' || b == '\r' || b == '\t') {
            b = nextByte();
        }
        return b;
    }

    private JsonToken name(int first) throws IOException {
        if (first != '"') {
            throw new Refused();
        }
        scan();
        context.setCurrentName(ascii && !escaped ? FieldNames.recent(json, from, to) : content());
        if (byteAfterBlanks() != ':') {
            throw new Refused();
        }
        named = true;
        return _currToken = JsonToken.FIELD_NAME;
    }

    private JsonToken value(int first) throws IOException {
        return _currToken = switch (first) {
            case '"' -> {
                scan();
                if (ascii && !escaped && isRepeated(context.getCurrentName())) {
                    text = FieldNames.recent(json, from, to);
                }
                yield JsonToken.VALUE_STRING;
            }
            case '{' -> {
                context = inner(context.createChildObjectContext(0, 0));
                yield JsonToken.START_OBJECT;
            }
            case '[' -> {
                context = inner(context.createChildArrayContext(0, 0));
                yield JsonToken.START_ARRAY;
            }
            case 't' -> literal("rue", JsonToken.VALUE_TRUE);
            case 'f' -> literal("alse", JsonToken.VALUE_FALSE);
            case 'n' -> literal("ull", JsonToken.VALUE_NULL);
            default -> number(first);
        };
    }

    /** Returns whether the field has one of a few values in all objects, none of which is a secret. */
    private static boolean isRepeated(@Nullable String field) {
        return "kind".equals(field) || "apiVersion".equals(field) || "namespace".equals(field);
    }

    private static JsonReadContext inner(JsonReadContext context) throws Refused {
        if (context.getNestingDepth() > DEEPEST) {
            throw new Refused();
        }
        return context;
    }

    private JsonToken literal(String rest, JsonToken token) throws Refused {
        for (int i = 0; i < rest.length(); i++) {
            if (nextByte() != rest.charAt(i)) {
                throw new Refused();
            }
        }
        return token;
    }

    /** Finds the end of a text after its quote. */
    private void scan() throws Refused {
        from = next;
        text = null;
        escaped = false;
        int signs = 0;
        byte[] bytes = json;
        int i = next;
        for (; i < bytes.length; i++) {
            int b = bytes[i];
            if (b == '"') {
                to = i;
                next = i + 1;
                ascii = signs >= 0;
                return;
            }
            if (b == '\\') {
                escaped = true;
                i = escape(i + 1);
            } else if (b >= 0 && b < ' ') {
                throw new Refused();
            }
            signs |= b;
        }
        throw new Refused();
    }

    /** Checks an escape sequence after its backslash; returns the position of its last byte. */
    private int escape(int at) throws Refused {
        if (at >= json.length) {
            throw new Refused();
        }
        if (json[at] == 'u') {
            int unused = unicode(at + 1);
            return at + 4;
        }
        if ("\"\\/bfnrt".indexOf(json[at]) < 0) {
            throw new Refused();
        }
        return at;
    }

    private int unicode(int at) throws Refused {
        if (at + 4 > json.length) {
            throw new Refused();
        }
        int value = 0;
        for (int i = at; i < at + 4; i++) {
            int digit = json[i] < 0 ? -1 : Character.digit(json[i], 16);
            if (digit < 0) {
                throw new Refused();
            }
            value = value << 4 | digit;
        }
        return value;
    }

    /** Returns the content of the text that was scanned last. */
    private String content() throws Refused {
        if (!escaped) {
            return new String(json, from, to - from, ascii ? ISO_8859_1 : UTF_8);
        }
        StringBuilder content = new StringBuilder(to - from);
        int plain = from;
        for (int i = from; i < to; i++) {
            if (json[i] == '\\') {
                content.append(new String(json, plain, i - plain, UTF_8));
                i++;
                switch (json[i]) {
                    case 'b' -> content.append('\b');
                    case 'f' -> content.append('\f');
                    case 'n' -> content.append('\n');
                    case 'r' -> content.append('\r');
                    case 't' -> content.append('\t');
                    case 'u' -> {
                        content.append((char) unicode(i + 1));
                        i += 4;
                    }
                    default -> content.append((char) json[i]);
                }
                plain = i + 1;
            }
        }
        return content.append(new String(json, plain, to - plain, UTF_8)).toString();
    }

    private JsonToken number(int first) throws Refused {
        from = next - 1;
        text = null;
        escaped = false;
        ascii = true;
        boolean negative = first == '-';
        int digit = negative ? nextByte() : first;
        int start = next - 1;
        if (!isDigit(digit)) {
            throw new Refused();
        }
        long value = (long) digit - '0';
        while (digit != '0' || next - 1 > start) {
            if (next == json.length || !isDigit(json[next])) {
                break;
            }
            value = 10 * value + (json[next++] - '0');
        }
        int digits = next - start;
        boolean whole = true;
        if (peek() == '.') {
            whole = false;
            next++;
            digits();
        }
        if (peek() == 'e' || peek() == 'E') {
            whole = false;
            next++;
            if (peek() == '+' || peek() == '-') {
                next++;
            }
            digits();
        }
        to = next;
        if (whole ? digits > DIGITS : to - from > LONGEST_NUMBER) {
            throw new Refused();
        }
        number = negative ? -value : value;
        return whole ? JsonToken.VALUE_NUMBER_INT : JsonToken.VALUE_NUMBER_FLOAT;
    }

    private int peek() {
        return next < json.length ? json[next] : -1;
    }

    private void digits() throws Refused {
        if (!isDigit(peek())) {
            throw new Refused();
        }
        while (isDigit(peek())) {
            next++;
        }
    }

    private static boolean isDigit(int b) {
        return b >= '0' && b <= '9';
    }

    @Override
    public @Nullable String getText() throws IOException {
        if (_currToken == null) {
            return null;
        }
        return switch (_currToken) {
            case FIELD_NAME -> context.getCurrentName();
            case VALUE_STRING, VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> {
                String present = text;
                if (present == null) {
                    present = content();
                    text = present;
                }
                yield present;
            }
            default -> _currToken.asString();
        };
    }

    private String some() throws IOException {
        String present = getText();
        if (present == null) {
            throw new Refused();
        }
        return present;
    }

    @Override
    public char[] getTextCharacters() throws IOException {
        return some().toCharArray();
    }

    @Override
    public boolean hasTextCharacters() {
        return false;
    }

    @Override
    public int getTextLength() throws IOException {
        return some().length();
    }

    @Override
    public int getTextOffset() {
        return 0;
    }

    private void require(JsonToken token) throws Refused {
        if (_currToken != token) {
            throw new Refused();
        }
    }

    @Override
    public Number getNumberValue() throws IOException {
        if (_currToken == JsonToken.VALUE_NUMBER_FLOAT) {
            return getDoubleValue();
        }
        if (getNumberType() == NumberType.INT) {
            return (int) number;
        }
        return number;
    }

    @Override
    public Object getNumberValueDeferred() throws IOException {
        return _currToken == JsonToken.VALUE_NUMBER_FLOAT ? some() : getNumberValue();
    }

    @Override
    public NumberType getNumberType() throws IOException {
        if (_currToken == JsonToken.VALUE_NUMBER_FLOAT) {
            return NumberType.DOUBLE;
        }
        require(JsonToken.VALUE_NUMBER_INT);
        return number == (int) number ? NumberType.INT : NumberType.LONG;
    }

    /** Returns that JSON does not say, as Jackson's parsers do. */
    @Override
    public NumberTypeFP getNumberTypeFP() {
        return NumberTypeFP.UNKNOWN;
    }

    @Override
    public int getIntValue() throws IOException {
        if (getNumberType() != NumberType.INT) {
            throw new Refused();
        }
        return (int) number;
    }

    @Override
    public long getLongValue() throws IOException {
        require(JsonToken.VALUE_NUMBER_INT);
        return number;
    }

    @Override
    public BigInteger getBigIntegerValue() throws IOException {
        return BigInteger.valueOf(getLongValue());
    }

    @Override
    public float getFloatValue() throws IOException {
        throw new Refused();
    }

    @Override
    public double getDoubleValue() throws IOException {
        if (_currToken != JsonToken.VALUE_NUMBER_FLOAT) {
            return getLongValue();
        }
        double value = Double.parseDouble(some());
        if (Double.isInfinite(value)) {
            throw new Refused();
        }
        return value;
    }

    @Override
    public BigDecimal getDecimalValue() throws IOException {
        return _currToken == JsonToken.VALUE_NUMBER_FLOAT ? new BigDecimal(some()) : BigDecimal.valueOf(getLongValue());
    }

    @Override
    public byte[] getBinaryValue(Base64Variant variant) throws IOException {
        require(JsonToken.VALUE_STRING);
        try {
            return variant.decode(some());
        } catch (IllegalArgumentException e) {
            throw new Refused();
        }
    }

    @Override
    @SuppressWarnings("deprecation") // abstract in the superclass
    public @Nullable String getCurrentName() {
        boolean begins = _currToken == JsonToken.START_OBJECT || _currToken == JsonToken.START_ARRAY;
        JsonReadContext parent = context.getParent();
        return (begins && parent != null ? parent : context).getCurrentName();
    }

    @Override
    public void overrideCurrentName(String name) {
        boolean begins = _currToken == JsonToken.START_OBJECT || _currToken == JsonToken.START_ARRAY;
        try {
            (begins ? context.getParent() : context).setCurrentName(name);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public JsonReadContext getParsingContext() {
        return context;
    }

    @Override
    protected void _handleEOF() throws JsonParseException {
        throw new JsonParseException(this, "unexpected end", JsonLocation.NA);
    }

    @Override
    public void close() {
        closed = true;
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    @Override
    public @Nullable ObjectCodec getCodec() {
        return codec;
    }

    @Override
    public void setCodec(ObjectCodec value) {
        codec = value;
    }

    @Override
    public Version version() {
        return Version.unknownVersion();
    }

    @Override
    @SuppressWarnings("deprecation") // abstract in the superclass
    public JsonLocation getCurrentLocation() {
        return JsonLocation.NA;
    }

    @Override
    @SuppressWarnings("deprecation") // abstract in the superclass
    public JsonLocation getTokenLocation() {
        return JsonLocation.NA;
    }
}
