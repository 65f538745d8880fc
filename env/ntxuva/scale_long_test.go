//go:build long

package ntxuva_test

// differentialGames scales the comparison with the reference.
const differentialGames = 600
