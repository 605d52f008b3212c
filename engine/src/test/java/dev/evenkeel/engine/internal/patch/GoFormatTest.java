package dev.evenkeel.engine.internal.patch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GoFormatTest {
    @Test
    void printsTreesLikeGo() {
        assertThat(GoFormat.of(Trees.tree("{'b':['x',1,1.5,null,true],'a':{},'c':''}")))
                .isEqualTo("map[a:map[] b:[x 1 1.5 <nil> true] c:]");
    }
}
