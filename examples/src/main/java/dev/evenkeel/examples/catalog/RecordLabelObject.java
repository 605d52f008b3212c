package dev.evenkeel.examples.catalog;

import dev.evenkeel.client.Kind;
import dev.evenkeel.examples.catalog.v1.RecordLabel;
import dev.evenkeel.protobuf.ProtobufObject;

/** A company that publishes records, outside of namespaces. */
public final class RecordLabelObject extends ProtobufObject<RecordLabel> {
    public static final Kind<RecordLabelObject> KIND = ProtobufObject.kind(RecordLabelObject.class);

    /** Creates an object without data. */
    public RecordLabelObject() {
        super(RecordLabel.getDefaultInstance());
    }

    /** Returns an object with this data. */
    public static RecordLabelObject of(String name, RecordLabel data) {
        RecordLabelObject label = new RecordLabelObject();
        label.getMetadata().setName(name);
        label.data(data);
        return label;
    }
}
