// Package trench plays Trench (R. A. Monteiro, 2013) on 8×8 squares.
//
// Player 0 is Black with the home corner a1, player 1 is White with h8. Black
// moves first.
package trench
