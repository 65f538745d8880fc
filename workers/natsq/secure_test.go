package natsq_test

import (
	"cmp"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
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
	// Neither is waited for.
	_, err = natsq.Connect(within(t, soon), natsq.Options{URL: url, Cert: clientCert, Key: clientKey})
	wantError(t, err, url, "certificate")
	_, err = natsq.Connect(within(t, soon), natsq.Options{URL: url, CA: ca})
	wantError(t, err, url, "certificate")
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
	_, err = natsq.Connect(within(t, soon), natsq.Options{URL: url})
	wantError(t, err, "rejects the credentials")
}

// write writes a file for a test and returns its path.
func write(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAUserWithAPassword(t *testing.T) {
	t.Parallel()
	url := plain(t, &server.Options{JetStream: true, Username: "u", Password: "p ass"})
	connect(t, natsq.Options{URL: url, User: "u", Password: "p ass"})
	connect(t, natsq.Options{URL: url, User: "u", PasswordFile: write(t, "p ass\n")})
	_, err := natsq.Connect(within(t, soon), natsq.Options{URL: url, User: "u", Password: "hush"})
	wantError(t, err, "rejects the credentials")
	if strings.Contains(err.Error(), "hush") {
		t.Errorf("error %q contains the password", err)
	}
}

func TestATokenInAFile(t *testing.T) {
	t.Parallel()
	url := plain(t, &server.Options{JetStream: true, Authorization: "s3cret"})
	connect(t, natsq.Options{URL: url, TokenFile: write(t, "s3cret\n")})
	_, err := natsq.Connect(within(t, soon), natsq.Options{URL: url, TokenFile: write(t, "other")})
	wantError(t, err, "rejects the credentials")
}

func TestAnNKey(t *testing.T) {
	t.Parallel()
	user, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	public, err1 := user.PublicKey()
	seed, err2 := user.Seed()
	stranger, err3 := nkeys.CreateUser()
	if err := errors.Join(err1, err2, err3); err != nil {
		t.Fatal(err)
	}
	url := plain(t, &server.Options{JetStream: true, Nkeys: []*server.NkeyUser{{Nkey: public}}})
	connect(t, natsq.Options{URL: url, NKeyFile: write(t, string(seed)+"\n")})
	if seed, err = stranger.Seed(); err != nil {
		t.Fatal(err)
	}
	_, err = natsq.Connect(within(t, soon), natsq.Options{URL: url, NKeyFile: write(t, string(seed))})
	wantError(t, err, "rejects the credentials")
	if strings.Contains(err.Error(), string(seed)) {
		t.Errorf("error %q contains the seed", err)
	}
}

// A login that cannot be right is refused before a connection is made, without the secret.
func TestLoginsThatCannotBe(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	for _, c := range []struct {
		options natsq.Options
		words   []string
	}{
		{natsq.Options{Token: "hush", TokenFile: missing}, []string{"a token and a file with it", "must be one"}},
		{natsq.Options{TokenFile: missing}, []string{"token file", missing}},
		{natsq.Options{TokenFile: write(t, " \n")}, []string{"token file", "is empty"}},
		{natsq.Options{User: "u"}, []string{`user "u" needs a password`}},
		{natsq.Options{Password: "hush"}, []string{"a password needs the name of a user"}},
		{natsq.Options{User: "u", PasswordFile: missing}, []string{"password file", missing}},
		{natsq.Options{NKeyFile: missing}, []string{"NKey file", missing}},
		{natsq.Options{NKeyFile: write(t, "hush")}, []string{"NKey file", "seed of a user"}},
		{natsq.Options{Creds: missing}, []string{"credentials file", missing}},
		{natsq.Options{CA: missing}, []string{"certificate file", missing}},
		{natsq.Options{Token: "hush", User: "u", Password: "hush"}, []string{"a token and a user with a password are given, must be one"}},
		{natsq.Options{URL: "nats://u:hush@host:port:4222"}, []string{"nats://u:hidden@host:port:4222", "nats://HOST:PORT"}},
		{natsq.Options{URL: "http://u:hush@host"}, []string{"http://u:hidden@host", "nats://HOST:PORT"}},
		{natsq.Options{URL: "u:hush@host"}, []string{"host"}},
		{natsq.Options{URL: "nats://u:hu%sh@host"}, []string{"host"}},
	} {
		c.options.URL = cmp.Or(c.options.URL, "nats://127.0.0.1:1")
		_, err := natsq.Connect(within(t, 3*time.Second), c.options)
		wantError(t, err, c.words...)
		if err != nil && (strings.Contains(err.Error(), "hush") || strings.Contains(err.Error(), "hu%sh")) {
			t.Errorf("error %q contains the secret", err)
		}
	}
}
