// Package deploy contains what runs a farm on several machines: systemd units, a
// Kubernetes set, a compose file, configurations of nats-server and Prometheus, and a
// Dockerfile. README.md says how to use them; the tests check them.
package deploy
