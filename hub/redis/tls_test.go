package redis_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"riposte/hub/hubtest"
	"riposte/hub/redis"
)

// certificate writes a certificate for this machine and its key, and returns
// their files and what trusts it.
func certificate(t *testing.T) (cert, key string, roots *x509.CertPool) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "localhost"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for path, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "EC PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	roots = x509.NewCertPool()
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	roots.AddCert(parsed)
	return cert, key, roots
}

// rediss: what goes over the wire is encrypted and the server must be the one
// it says it is.
func TestTLS(t *testing.T) {
	cert, key, roots := certificate(t)
	server := hubtest.StartRedisTLS(t, cert, key)
	options := redis.Options{URL: "rediss://" + server.Addr, TLS: &tls.Config{RootCAs: roots}}
	l := hubtest.Begin(t, opened(t, options), "e1")
	gm, stop := hubtest.Listen(t, opened(t, options), "e1", "gm")
	defer stop()
	l.Append("a")
	hubtest.WantFrames(t, gm, "gm 2 a")
	options.TLS = nil
	if store, err := redis.Open(t.Context(), options); err == nil {
		store.Close()
		t.Fatal("a certificate of nobody was taken")
	}
	options.URL = "redis://" + server.Addr
	if store, err := redis.Open(t.Context(), options); err == nil {
		store.Close()
		t.Fatal("it answers without TLS")
	}
}
