package dev.evenkeel.engine.internal;

import dev.evenkeel.client.Encoded;
import dev.evenkeel.engine.internal.builtin.BuiltinTypes;
import dev.evenkeel.engine.internal.object.StoredObject;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.type.Types;
import dev.evenkeel.engine.spi.Store;

/**
 * Decodes what an engine, of this process or of an earlier one, stored.
 *
 * <p>Built-in kinds are shown as they were encoded. The definitions of other types may have changed since, and are
 * themselves objects of the store, so these objects are converted when they are read.
 */
public final class ObjectCodec implements Store.Codec {
    /** The codec of all engines. */
    public static final ObjectCodec INSTANCE = new ObjectCodec();

    private final Types types = new Types(BuiltinTypes.all());

    private ObjectCodec() {}

    @Override
    public Store.Value decode(Store.Key key, byte[] bytes) {
        Encoded.Header header = Encoded.Header.of(bytes);
        return StoredObject.decode(
                bytes,
                header,
                types.kind(header.apiVersion(), header.kind())
                        .filter(target ->
                                key.collection().endsWith("/" + target.type().id()))
                        .map(Target::version)
                        .orElse(null));
    }
}
