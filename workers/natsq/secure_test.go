package natsq_test

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
	"strings"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"

	"github.com/sandtable-farm/sandtable/workers/natsq"
)

// authority signs certificates for a test.
type authority struct {
	dir  string
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t *testing.T) *authority {
	a := &authority{dir: t.TempDir()}
	a.sign(t, "ca", &x509.Certificate{IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign})
	return a
}

// sign writes NAME.pem and NAME.key. The first certificate is the authority's own.
func (a *authority) sign(t *testing.T, name string, template *x509.Certificate) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template.SerialNumber = big.NewInt(time.Now().UnixNano())
	template.Subject = pkix.Name{CommonName: name}
	template.NotBefore, template.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	if a.cert == nil {
		a.cert, a.key = template, private
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, &private.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(a.dir, name+".pem"), filepath.Join(a.dir, name+".key")
	for path, block := range map[string]*pem.Block{
		cert: {Type: "CERTIFICATE", Bytes: der},
		key:  {Type: "EC PRIVATE KEY", Bytes: secret},
	} {
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key
}

func TestTLSWithCertificatesOnBothSides(t *testing.T) {
	a := newAuthority(t)
	serverCert, serverKey := a.sign(t, "server", &x509.Certificate{
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	})
	clientCert, clientKey := a.sign(t, "client", &x509.Certificate{ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}})
	ca := filepath.Join(a.dir, "ca.pem")
	config, err := server.GenTLSConfig(&server.TLSConfigOpts{CertFile: serverCert, KeyFile: serverKey, CaFile: ca, Verify: true})
	if err != nil {
		t.Fatal(err)
	}
	config.MinVersion = tls.VersionTLS12
	url := plain(t, &server.Options{JetStream: true, TLS: true, TLSVerify: true, TLSConfig: config, TLSTimeout: 5})
	url = strings.Replace(url, "nats://", "tls://", 1)

	connect(t, natsq.Options{URL: url, CA: ca, Cert: clientCert, Key: clientKey})
	_, err = natsq.Connect(t.Context(), natsq.Options{URL: url, Cert: clientCert, Key: clientKey})
	wantError(t, err, url, "certificate")
	_, err = natsq.Connect(t.Context(), natsq.Options{URL: url, CA: ca})
	wantError(t, err, url)
}

func TestCredentialsFile(t *testing.T) {
	newKey := func(create func() (nkeys.KeyPair, error)) (pair nkeys.KeyPair, public string) {
		pair, err := create()
		if err != nil {
			t.Fatal(err)
		}
		if public, err = pair.PublicKey(); err != nil {
			t.Fatal(err)
		}
		return pair, public
	}
	encoded := func(claims jwt.Claims, by nkeys.KeyPair) string {
		text, err := claims.Encode(by)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	operator, operatorID := newKey(nkeys.CreateOperator)
	account, accountID := newKey(nkeys.CreateAccount)
	user, userID := newKey(nkeys.CreateUser)
	claims := jwt.NewAccountClaims(accountID)
	claims.Limits.JetStreamLimits = jwt.JetStreamLimits{DiskStorage: -1, MemoryStorage: -1, Streams: -1, Consumer: -1}
	resolver := new(server.MemAccResolver)
	if err := resolver.Store(accountID, encoded(claims, operator)); err != nil {
		t.Fatal(err)
	}
	_, systemID := newKey(nkeys.CreateAccount)
	if err := resolver.Store(systemID, encoded(jwt.NewAccountClaims(systemID), operator)); err != nil {
		t.Fatal(err)
	}
	url := plain(t, &server.Options{
		JetStream: true, JetStreamMaxStore: 8 << 30,
		TrustedKeys: []string{operatorID}, AccountResolver: resolver, SystemAccount: systemID,
	})

	seed, err := user.Seed()
	if err != nil {
		t.Fatal(err)
	}
	creds, err := jwt.FormatUserConfig(encoded(jwt.NewUserClaims(userID), account), seed)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "user.creds")
	if err := os.WriteFile(path, creds, 0o600); err != nil {
		t.Fatal(err)
	}
	connect(t, natsq.Options{URL: url, Creds: path})
	_, err = natsq.Connect(t.Context(), natsq.Options{URL: url})
	wantError(t, err, "rejects the credentials")
}
