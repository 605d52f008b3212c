package dev.evenkeel.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PatchTypeTest {
    @Test
    void isFoundByItsMediaTypeWhateverTheParameters() {
        for (Patch.Type type : Patch.Type.values()) {
            assertThat(Patch.Type.of(type.mediaType())).contains(type);
            assertThat(Patch.Type.of(type.mediaType() + "; charset=utf-8")).contains(type);
        }
        assertThat(Patch.Type.of("Application/Merge-Patch+JSON")).contains(Patch.Type.MERGE);
    }

    @Test
    void otherMediaTypesAreNoPatches() {
        assertThat(Patch.Type.of("application/json")).isEmpty();
        assertThat(Patch.Type.of("")).isEmpty();
    }
}
