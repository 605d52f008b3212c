#!/bin/sh
# Writes what an empty image needs to run Java: a runtime of this JDK under opt/java, and the C library it is linked with.
set -eu
image=$1
java=${JAVA_HOME:?JAVA_HOME must be a JDK 25}
rm -rf "$image"
mkdir -p "$image/opt" "$image/tmp" "$image/run/evenkeel"
"$java/bin/jlink" --output "$image/opt/java" --strip-debug --no-header-files --no-man-pages --compress zip-6 \
    --add-modules java.compiler,java.instrument,java.logging,java.management,java.management.rmi,java.naming,java.net.http,java.security.jgss,java.sql,java.xml,jdk.attach,jdk.crypto.ec,jdk.management,jdk.management.agent,jdk.unsupported,jdk.zipfs
find "$image/opt/java" -type f \( -name java -o -name '*.so' \) -exec ldd {} + 2>/dev/null |
    sed -n 's/^[^/]*\(\/[^ ]*\) (0x.*/\1/p' | grep -v "^$image" | sort -u |
    while IFS= read -r library; do
        mkdir -p "$image$(dirname "$library")"
        cp -L "$library" "$image$library"
    done
