// Package tankbattle plays Tank Battle as on BrainKing, on 11×11 squares or a
// smaller custom board.
package tankbattle
