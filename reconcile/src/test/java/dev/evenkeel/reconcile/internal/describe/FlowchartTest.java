package dev.evenkeel.reconcile.internal.describe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FlowchartTest {
    @Test
    void showsPartsAndKinds() {
        assertThat(Flowchart.of(Trees.tree())).isEqualTo("""
                flowchart TD
                    p0["ResourceReconciler pages"]
                    p1["Sequence"]
                    p2["ChildReconciler the #quot;web#quot; deployment"]
                    p3["SyncReconciler"]
                    p4["Nothing"]
                    k0(["configmaps"])
                    k1(["configmaps/status"])
                    k2(["deployments.apps"])
                    k3(["secrets"])
                    k4(["namespaces"])
                    k5{{"a clock"}}
                    k0 -.->|"get, list, watch"| p0
                    p0 ==>|"update"| k1
                    p0 -->|"reconciler"| p1
                    p1 -->|"0"| p2
                    k2 -->|"owned"| p2
                    p2 ==>|"create, update, delete"| k2
                    p1 -->|"1"| p3
                    k3 -->|"tracked"| p3
                    k4 -.->|"read"| p3
                    k5 --> p3
                    p1 -->|"2"| p4
                """);
    }

    @Test
    void isTheSameEachTime() {
        assertThat(Flowchart.of(Trees.tree())).isEqualTo(Flowchart.of(Trees.tree()));
    }
}
