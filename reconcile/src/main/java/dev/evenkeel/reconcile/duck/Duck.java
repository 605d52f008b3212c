package dev.evenkeel.reconcile.duck;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;

/**
 * A base class with the fields that all objects have; subclasses add more. Optional; any {@link HasMetadata} will do.
 */
public abstract class Duck implements HasMetadata {
    private String apiVersion = "";
    private String kind = "";
    private ObjectMeta metadata = new ObjectMeta();

    /** Creates an object without a kind. */
    protected Duck() {}

    @Override
    public String getApiVersion() {
        return apiVersion;
    }

    @Override
    public void setApiVersion(String value) {
        apiVersion = value;
    }

    @Override
    public String getKind() {
        return kind;
    }

    /** Sets the kind. */
    public void setKind(String value) {
        kind = value;
    }

    @Override
    public ObjectMeta getMetadata() {
        return metadata;
    }

    @Override
    public void setMetadata(ObjectMeta value) {
        metadata = value;
    }
}
