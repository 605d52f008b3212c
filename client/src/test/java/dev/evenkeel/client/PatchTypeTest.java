package dev.evenkeel.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PatchTypeTest {
    @Test
    void isFoundByItsMediaTypeWhateverTheParameters() {
        for (PatchType type : PatchType.values()) {
            assertThat(PatchType.of(type.mediaType())).contains(type);
            assertThat(PatchType.of(type.mediaType() + "; charset=utf-8")).contains(type);
        }
        assertThat(PatchType.of("Application/Merge-Patch+JSON")).contains(PatchType.MERGE);
    }

    @Test
    void otherMediaTypesAreNoPatches() {
        assertThat(PatchType.of("application/json")).isEmpty();
        assertThat(PatchType.of("")).isEmpty();
    }
}
