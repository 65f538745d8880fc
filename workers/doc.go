// Package workers spreads self-play over goroutines and machines.
package workers
