package dev.evenkeel.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.RSAPrivateCrtKeySpec;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PemTest {
    private static byte[] der(int tag, byte[]... parts) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            body.writeBytes(part);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        if (body.size() >= 256) {
            out.write(0x82);
            out.write(body.size() >> 8);
        } else if (body.size() >= 128) {
            out.write(0x81);
        }
        out.write(body.size());
        out.writeBytes(body.toByteArray());
        return out.toByteArray();
    }

    private static byte[] number(BigInteger value) {
        return der(2, value.toByteArray());
    }

    @ParameterizedTest
    @CsvSource({"EC,256", "EC,521", "Ed25519,255"})
    void keysInPkcs8(String algorithm, int size) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
        generator.initialize(size);
        PrivateKey key = generator.generateKeyPair().getPrivate();

        assertThat(Pem.privateKey("# a comment\n" + Certificates.pem("PRIVATE KEY", key.getEncoded()), "key"))
                .isEqualTo(key);
    }

    @ParameterizedTest
    @ValueSource(ints = {2048, 4096})
    void rsaKeysInPkcs8(int size) throws Exception {
        PrivateKey key = rsa(size);

        assertThat(Pem.privateKey("# a comment\n" + Certificates.pem("PRIVATE KEY", key.getEncoded()), "key"))
                .isEqualTo(key);
    }

    @ParameterizedTest
    @ValueSource(ints = {1024, 2048})
    void rsaKeysInPkcs1(int size) throws Exception {
        RSAPrivateCrtKey key = rsa(size);
        byte[] pkcs1 = der(
                0x30,
                number(BigInteger.ZERO),
                number(key.getModulus()),
                number(key.getPublicExponent()),
                number(key.getPrivateExponent()),
                number(key.getPrimeP()),
                number(key.getPrimeQ()),
                number(key.getPrimeExponentP()),
                number(key.getPrimeExponentQ()),
                number(key.getCrtCoefficient()));

        assertThat(Pem.privateKey(Certificates.pem("RSA PRIVATE KEY", pkcs1), "key"))
                .isEqualTo(key);
    }

    /** Returns a key that can be written and read, but is of no use: its numbers are not prime, as to find such takes seconds. */
    private static RSAPrivateCrtKey rsa(int size) throws GeneralSecurityException {
        Random random = new Random(size);
        BigInteger[] half = new BigInteger[5];
        for (int i = 0; i < half.length; i++) {
            half[i] = new BigInteger(size / 2, random)
                    .setBit(size / 2 - 1)
                    .setBit(size / 2 - 2)
                    .setBit(0);
        }
        RSAPrivateCrtKeySpec spec = new RSAPrivateCrtKeySpec(
                half[0].multiply(half[1]),
                BigInteger.valueOf(65537),
                new BigInteger(size - 1, random).setBit(size - 2),
                half[0],
                half[1],
                half[2],
                half[3],
                half[4]);
        return (RSAPrivateCrtKey) KeyFactory.getInstance("RSA").generatePrivate(spec);
    }

    @ParameterizedTest
    @CsvSource({"secp256r1,32", "secp384r1,48"})
    void ellipticKeysInSec1(String curve, int size) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec(curve));
        ECPrivateKey key = (ECPrivateKey) generator.generateKeyPair().getPrivate();
        byte[] secret = key.getS().toByteArray();
        byte[] fixed = new byte[size];
        int length = Math.min(size, secret.length);
        System.arraycopy(secret, secret.length - length, fixed, size - length, length);
        byte[] oid = curve.equals("secp256r1")
                ? new byte[] {6, 8, 0x2A, (byte) 0x86, 0x48, (byte) 0xCE, 0x3D, 3, 1, 7}
                : new byte[] {6, 5, 0x2B, (byte) 0x81, 4, 0, 0x22};
        byte[] sec1 = der(0x30, new byte[] {2, 1, 1}, der(4, fixed), der(0xA0, oid));
        // as openssl writes it
        String text = Certificates.pem("EC PARAMETERS", oid) + Certificates.pem("EC PRIVATE KEY", sec1);

        PrivateKey read = Pem.privateKey(text, "key");

        assertThat(((ECPrivateKey) read).getS()).isEqualTo(key.getS());
        assertThat(((ECPrivateKey) read).getParams().getOrder())
                .isEqualTo(key.getParams().getOrder());
        assertThatThrownBy(() -> Pem.privateKey(
                        Certificates.pem("EC PRIVATE KEY", der(0x30, new byte[] {2, 1, 1}, der(4, fixed))), "key"))
                .hasMessageContaining("does not name its curve");
        for (int cut = 0; cut < sec1.length; cut++) {
            byte[] damaged = Arrays.copyOf(sec1, cut);
            assertThatThrownBy(() -> Pem.privateKey(Certificates.pem("EC PRIVATE KEY", damaged), "key"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("key: ");
        }
    }

    @Test
    void unreadableFilesAreReported() {
        assertThatThrownBy(() -> Pem.privateKey("hello", "client key"))
                .hasMessageStartingWith("client key: no private key in it");
        assertThatThrownBy(() -> Pem.privateKey(Certificates.pem("ENCRYPTED PRIVATE KEY", new byte[8]), "k"))
                .hasMessageContaining("take off its pass phrase");
        assertThatThrownBy(() -> Pem.privateKey(
                        "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nQUJD\n-----END RSA PRIVATE KEY-----",
                        "k"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Pem.privateKey(Certificates.pem("PRIVATE KEY", new byte[8]), "k"))
                .hasMessageContaining("is none of RSA, EC");
        assertThatThrownBy(() -> Pem.certificates("hello", "ca")).hasMessageContaining("-----BEGIN CERTIFICATE-----");
        assertThatThrownBy(() -> Pem.certificates(Certificates.pem("CERTIFICATE", new byte[8]), "ca"))
                .hasMessageStartingWith("ca: a certificate cannot be read");
    }
}
