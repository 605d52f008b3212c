package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.builtin.InternalForm;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;
import java.util.List;
import java.util.Map;

/** Volume attachments. */
record VolumeAttachmentStrategy(KindFacts facts) implements KindStrategy {
    private static final int LONGEST_MESSAGE = 1_024;
    private static final int LARGEST_METADATA = 256 << 10;

    @Override
    public void validate(Field root) {
        Field spec = root.at("spec");
        VolumeRules.csiDriver(spec.at("attacher"));
        Field source = spec.at("source");
        Field inline = source.at("inlineVolumeSpec");
        Field name = source.at("persistentVolumeName");
        if (inline.given() == name.given()) {
            if (inline.given()) {
                source.forbidden("must specify exactly one of inlineVolumeSpec and persistentVolumeName");
            } else {
                source.missing("must specify exactly one of inlineVolumeSpec and persistentVolumeName");
            }
        } else if (name.given()) {
            name.require("must specify non empty persistentVolumeName");
        } else {
            PersistentVolumeRules.spec(inline, "", true);
        }
        spec.at("nodeName").obeys(Names::subdomain);
        if (name.given()) {
            name.obeys(Names::subdomain);
        }
    }

    @Override
    public void validateStatusUpdate(Field root, JsonObject old) {
        Field metadata = root.at("status", "attachmentMetadata");
        long bytes = 0;
        for (Map.Entry<String, Object> entry : metadata.object().entrySet()) {
            bytes += Names.bytes(entry.getKey()) + Names.bytes(String.valueOf(entry.getValue()));
        }
        if (bytes > LARGEST_METADATA) {
            metadata.tooLong(LARGEST_METADATA);
        }
        for (String error : List.of("attachError", "detachError")) {
            Field message = root.at("status", error, "message");
            if (Names.bytes(message.text()) > LONGEST_MESSAGE) {
                // upstream's error names the limit of metadata
                message.tooLong(LARGEST_METADATA);
            }
            root.at("status", error, "errorCode").between(0, Integer.MAX_VALUE);
        }
    }

    @Override
    public void validateUpdate(Field root, JsonObject old) {
        Field spec = root.at("spec");
        if (!spec.object().equals(old.object("spec"))) {
            spec.invalidText(InternalForm.text("storage.v1.VolumeAttachmentSpec", spec.value()), Field.IMMUTABLE);
        }
    }
}
