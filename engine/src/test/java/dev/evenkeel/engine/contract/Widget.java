package dev.evenkeel.engine.contract;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** A custom resource with a class of its own; fields are bound by name. */
@Group("demo.example.com")
@Version("v1")
public class Widget implements HasMetadata, Namespaced {
    static final String CRD = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: widgets.demo.example.com}
            spec:
              group: demo.example.com
              names: {plural: widgets, singular: widget, kind: Widget}
              scope: Namespaced
              versions:
              - name: v1
                served: true
                storage: true
                subresources:
                  status: {}
                  scale:
                    specReplicasPath: .spec.size
                    statusReplicasPath: .status.ready
                    labelSelectorPath: .status.selector
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      spec:
                        type: object
                        properties:
                          size: {type: integer, minimum: 0}
                          colour: {type: string, maxLength: 10}
                      status:
                        type: object
                        properties:
                          ready: {type: integer}
                          selector: {type: string}
            """;

    /** The wanted state. */
    public record Spec(long size, String colour) {}

    /** The observed state. */
    public record State(long ready, String selector) {}

    private String apiVersion = "demo.example.com/v1";
    private String kind = "Widget";
    private ObjectMeta metadata = new ObjectMeta();
    private Spec spec;
    private State status;

    static Widget of(String namespace, String name, long size, String colour) {
        Widget widget = new Widget();
        widget.metadata.setNamespace(namespace);
        widget.metadata.setName(name);
        widget.spec = new Spec(size, colour);
        return widget;
    }

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

    public Spec getSpec() {
        return spec;
    }

    public void setSpec(Spec value) {
        spec = value;
    }

    public State getStatus() {
        return status;
    }

    public void setStatus(State value) {
        status = value;
    }
}
