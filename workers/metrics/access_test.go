package metrics_test

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sandtable-farm/sandtable/workers/metrics"
)

// serve serves a handler until the test ends.
func serve(t *testing.T, h http.Handler, o metrics.ServerOptions) *metrics.Server {
	t.Helper()
	s, err := metrics.Listen("127.0.0.1:0", o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx, h) }()
	t.Cleanup(func() {
		stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return s
}

// certificate writes a certificate for loopback with a serial number, and its key.
func certificate(t *testing.T, cert, key string, serial int64) *x509.CertPool {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(serial), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	public := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	for file, text := range map[string][]byte{cert: public, key: pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})} {
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(public)
	return pool
}

func TestEveryPageButTheProbesNeedsTheToken(t *testing.T) {
	s := serve(t, metrics.Handler(metrics.New(metrics.RoleWorker), metrics.Options{Pprof: true}), metrics.ServerOptions{Token: "se cret"})
	for _, c := range []struct {
		path, authorization string
		status              int
	}{
		{"/healthz", "", 200},
		{"/readyz", "", 503},
		{"/metrics", "", 401},
		{"/metrics", "Bearer se", 401},
		{"/metrics", "Bearer se cret ", 200}, // blanks at the end belong to no header
		{"/metrics", "bearer", 401},
		{"/metrics", "Basic se cret", 401},
		{"/metrics", "Bearer se cret", 200},
		{"/", "", 401},
		{"/", "Bearer se cret", 200},
		{"/debug/pprof/cmdline", "", 401},
		{"/healthz/../metrics", "", 401},
		{"/nowhere", "", 401},
	} {
		request, err := http.NewRequest(http.MethodGet, s.URL()+c.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if c.authorization != "" {
			request.Header.Set("Authorization", c.authorization)
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || response.StatusCode != c.status || strings.Contains(string(body), "cret") {
			t.Errorf("%s with %q answers %d %s (%v), must be %d", c.path, c.authorization, response.StatusCode, body, err, c.status)
		}
		if (response.Header.Get("WWW-Authenticate") == "Bearer") != (c.status == 401) {
			t.Errorf("%s with %q asks for %q", c.path, c.authorization, response.Header.Get("WWW-Authenticate"))
		}
	}
}

func TestPagesOverTLSWithACertificateThatIsRenewed(t *testing.T) {
	dir := t.TempDir()
	o := metrics.ServerOptions{Cert: filepath.Join(dir, "cert.pem"), Key: filepath.Join(dir, "key.pem"), Token: "secret"}
	pool := certificate(t, o.Cert, o.Key, 1)
	s := serve(t, metrics.Handler(metrics.New(metrics.RoleWorker), metrics.Options{}), o)
	for serial := int64(1); serial <= 2; serial++ {
		client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}}
		response, err := client.Get(s.URL() + "/healthz")
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		client.CloseIdleConnections()
		if got := response.TLS.PeerCertificates[0].SerialNumber.Int64(); response.StatusCode != 200 || got != serial {
			t.Errorf("status %d by certificate %d, must be %d", response.StatusCode, got, serial)
		}
		pool = certificate(t, o.Cert, o.Key, serial+1)
	}
	if response, err := http.Get("http://" + s.Addr() + "/healthz"); err == nil {
		response.Body.Close()
		if response.StatusCode != http.StatusBadRequest {
			t.Errorf("plain HTTP is answered with %d", response.StatusCode)
		}
	}
}

func TestListenNamesAFaultyCertificate(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		options metrics.ServerOptions
		want    string
	}{
		{metrics.ServerOptions{Cert: "cert.pem"}, "must be given together"},
		{metrics.ServerOptions{Key: "key.pem"}, "must be given together"},
		{metrics.ServerOptions{Cert: filepath.Join(dir, "none.pem"), Key: filepath.Join(dir, "key.pem")}, "none.pem: no such file"},
	} {
		if s, err := metrics.Listen("127.0.0.1:0", c.options); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error is %v, must be %s", c.options, err, c.want)
			if s != nil {
				s.Close()
			}
		}
	}
}

func TestConnectionsAreBounded(t *testing.T) {
	const clients = metrics.MostConnections + 20
	var now, most atomic.Int64
	enough, leave := make(chan struct{}), make(chan struct{})
	reached := sync.OnceFunc(func() { close(enough) })
	s := serve(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		n := now.Add(1)
		defer now.Add(-1)
		for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
		}
		if n == metrics.MostConnections {
			reached()
		}
		<-leave
	}), metrics.ServerOptions{})
	transport := &http.Transport{DisableKeepAlives: true}
	var all sync.WaitGroup
	for range clients {
		all.Go(func() {
			response, err := (&http.Client{Transport: transport}).Get(s.URL())
			if err != nil {
				t.Error(err)
				return
			}
			response.Body.Close()
		})
	}
	<-enough
	time.Sleep(50 * time.Millisecond) // for more to enter, if they can
	close(leave)
	all.Wait()
	if most.Load() != metrics.MostConnections {
		t.Errorf("%d requests were handled at a time, must be %d", most.Load(), metrics.MostConnections)
	}
}

// lockedBuffer is a buffer for several goroutines.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func TestFaultsOfConnectionsAreLogged(t *testing.T) {
	var log lockedBuffer
	s := serve(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("broken page") }),
		metrics.ServerOptions{Log: slog.New(slog.NewJSONHandler(&log, nil))})
	if response, err := http.Get(s.URL()); err == nil {
		response.Body.Close()
		t.Errorf("the page answers %s", response.Status)
	}
	if text := log.String(); !strings.HasPrefix(text, `{"time":`) || !strings.Contains(text, "broken page") {
		t.Errorf("the log is %q", text)
	}
}
