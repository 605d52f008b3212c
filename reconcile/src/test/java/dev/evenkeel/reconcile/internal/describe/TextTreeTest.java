package dev.evenkeel.reconcile.internal.describe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.reconcile.part.Part;
import org.junit.jupiter.api.Test;

class TextTreeTest {
    @Test
    void showsEachPartOnALine() {
        assertThat(TextTree.of(Trees.tree())).isEqualTo("""
                ResourceReconciler "pages" [may get, list, watch configmaps; may update configmaps/status]
                └─ reconciler: Sequence
                   ├─ 0: ChildReconciler "the "web" deployment" [owns deployments.apps; may create, update, delete deployments.apps]
                   ├─ 1: SyncReconciler [tracks secrets; reads namespaces; has a clock]
                   └─ 2: Nothing
                """);
    }

    @Test
    void onePartIsOneLine() {
        assertThat(TextTree.of(Part.Description.of("Nothing"))).isEqualTo("Nothing\n");
    }
}
