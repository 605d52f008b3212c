package dev.evenkeel.cli;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/** HTTP/2 by hand: client libraries do not reset streams as fast. */
final class Http2Frames {
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int SETTINGS = 4;
    private static final int GOAWAY = 7;
    private static final int END_OF_STREAM_AND_HEADERS = 0x5;
    private static final byte[] CANCEL = {0, 0, 0, 8};

    private Http2Frames() {}

    /** Encodes headers, as literals of fewer than 127 bytes. */
    static byte[] headers(String... namesAndValues) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < namesAndValues.length; i++) {
            if (i % 2 == 0) {
                out.write(0);
            }
            byte[] text = namesAndValues[i].getBytes(StandardCharsets.US_ASCII);
            out.write(text.length);
            out.writeBytes(text);
        }
        return out.toByteArray();
    }

    /** Opens streams with these headers and resets them at once, until the server closes the connection. */
    static void reset(DataOutputStream out, byte[] headers, int streams) {
        try {
            out.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
            frame(out, SETTINGS, 0, 0, new byte[0]);
            for (int i = 0; i < streams; i++) {
                frame(out, HEADERS, END_OF_STREAM_AND_HEADERS, 2 * i + 1, headers);
                frame(out, RST_STREAM, 0, 2 * i + 1, CANCEL);
            }
            out.flush();
        } catch (IOException e) {
            // closed before the end, as it should be
        }
    }

    private static void frame(DataOutputStream out, int type, int flags, int stream, byte[] payload)
            throws IOException {
        out.writeByte(0);
        out.writeShort(payload.length);
        out.writeByte(type);
        out.writeByte(flags);
        out.writeInt(stream);
        out.write(payload);
    }

    /** Returns true if the server announces the end of the connection, or closes it. */
    static boolean closed(DataInputStream in) {
        try {
            while (true) {
                int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
                int type = in.readUnsignedByte();
                in.skipNBytes(5 + length);
                if (type == GOAWAY) {
                    return true;
                }
            }
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }
}
