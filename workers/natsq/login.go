package natsq

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"

	"github.com/nats-io/nats.go"
)

// checkAddress checks the URL.
func (o *Options) checkAddress() error {
	if o.URL == "" {
		return errors.New("URL of the NATS server is empty, must be nats://HOST:PORT")
	}
	for text := range strings.SplitSeq(o.URL, ",") {
		u, err := url.Parse(strings.TrimSpace(text))
		if err == nil && strings.Contains(u.Host, ":") && !strings.HasSuffix(u.Host, "]") {
			_, _, err = net.SplitHostPort(u.Host)
		}
		if err != nil || u.Host == "" || u.Scheme != "nats" && u.Scheme != "tls" && u.Scheme != "ws" && u.Scheme != "wss" {
			return fmt.Errorf("NATS server %q: must be nats://HOST:PORT or tls://HOST:PORT", redacted(text))
		}
	}
	return nil
}

// login returns the options that prove to the server who the user is.
func (o *Options) login() ([]nats.Option, error) {
	var ways []string
	var login []nats.Option
	token, err := secret("token", o.Token, o.TokenFile)
	if err != nil {
		return nil, err
	}
	password, err := secret("password", o.Password, o.PasswordFile)
	if err != nil {
		return nil, err
	}
	if token != nil {
		ways, login = append(ways, "a token"), append(login, nats.TokenHandler(token))
	}
	switch {
	case o.User == "" && password != nil:
		return nil, errors.New("a password needs the name of a user")
	case o.User != "" && password == nil:
		return nil, fmt.Errorf("user %q needs a password", o.User)
	case o.User != "":
		ways = append(ways, "a user with a password")
		login = append(login, nats.UserInfoHandler(func() (string, string) { return o.User, password() }))
	}
	if o.NKeyFile != "" {
		key, err := nats.NkeyOptionFromSeed(o.NKeyFile)
		if err != nil {
			return nil, fmt.Errorf("NKey file %s does not contain the seed of a user: %w", o.NKeyFile, err)
		}
		ways, login = append(ways, "an NKey"), append(login, key)
	}
	if o.Creds != "" {
		if err := readable("credentials", o.Creds); err != nil {
			return nil, err
		}
		ways, login = append(ways, "a credentials file"), append(login, nats.UserCredentials(o.Creds))
	}
	if len(ways) > 1 {
		return nil, fmt.Errorf("%s are given, must be one", strings.Join(ways, " and "))
	}
	return login, nil
}

// secret returns the function that returns a secret, or nil if there is none. A file is
// read at each call.
func secret(name, value, file string) (func() string, error) {
	switch {
	case value != "" && file != "":
		return nil, fmt.Errorf("a %s and a file with it are given, must be one", name)
	case value != "":
		return func() string { return value }, nil
	case file == "":
		return nil, nil
	}
	read := func() string {
		data, err := os.ReadFile(file)
		if err != nil {
			return "" // the server refuses it, and the next attempt reads the file again
		}
		return strings.TrimSpace(string(data))
	}
	if err := readable(name, file); err != nil {
		return nil, err
	}
	if read() == "" {
		return nil, fmt.Errorf("%s file %s is empty", name, file)
	}
	return read, nil
}

// readable says why a file cannot be read.
func readable(name, file string) error {
	f, err := os.Open(file)
	if err != nil {
		return fmt.Errorf("%s file: %w", name, err)
	}
	return f.Close()
}

// certificates returns the options of TLS.
func (o *Options) certificates() ([]nats.Option, error) {
	var options []nats.Option
	if (o.Cert == "") != (o.Key == "") {
		return nil, errors.New("a client certificate and its private key must be given together")
	}
	if o.Cert != "" {
		if _, err := tls.LoadX509KeyPair(o.Cert, o.Key); err != nil {
			return nil, fmt.Errorf("client certificate: %w", err)
		}
		options = append(options, nats.ClientCert(o.Cert, o.Key))
	}
	if o.CA != "" {
		if err := readable("certificate", o.CA); err != nil {
			return nil, err
		}
		options = append(options, nats.RootCAs(o.CA))
	}
	return options, nil
}

// hidden replaces a password or a token in an error.
const hidden = "hidden"

// redacted returns addresses without passwords and tokens.
func redacted(addresses string) string {
	var all []string
	for text := range strings.SplitSeq(addresses, ",") {
		u, err := url.Parse(strings.TrimSpace(text))
		switch {
		case err != nil || u.User == nil && strings.Contains(text, "@"):
			if scheme, rest, found := strings.Cut(text, "://"); found {
				text = scheme + "://" + rest[strings.LastIndex(rest, "@")+1:]
			} else {
				text = text[strings.LastIndex(text, "@")+1:]
			}
		case u.User != nil:
			if _, password := u.User.Password(); password {
				u.User = url.UserPassword(u.User.Username(), hidden)
			} else {
				u.User = url.User(hidden) // it was a token
			}
			text = u.String()
		}
		all = append(all, text)
	}
	return strings.Join(all, ",")
}
