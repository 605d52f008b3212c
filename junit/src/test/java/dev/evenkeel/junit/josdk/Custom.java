package dev.evenkeel.junit.josdk;

import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;

/** Reconciles widgets as a test says. */
@ControllerConfiguration
class Custom implements Reconciler<Widget> {
    /** What a test says. */
    interface Body {
        UpdateControl<Widget> reconcile(Widget widget, Context<Widget> context) throws Exception;
    }

    private final Body body;

    Custom(Body body) {
        this.body = body;
    }

    @Override
    public UpdateControl<Widget> reconcile(Widget widget, Context<Widget> context) throws Exception {
        return body.reconcile(widget, context);
    }
}
