// Package ntxuva plays N'txuva by the school rules, basic level: four rows of
// houses, relay sowing around the player's own circuit of two rows, and captures from
// the facing column. Who moves first, the loss of a blocked player, and the draws by
// no progress and by repetition are house rules.
//
// # Numbering
//
// Houses have the numbers of their owner's circuit, as on the rule page: 0 to C−1 is
// defence from left to right, C to 2C−1 attack from right to left. An action is the
// number of the start house. On absolute squares, South's defence is the lowest row,
// y·C + x. North sees the board turned by 180°.
//
// # Kernels
//
// There are two kernels, which hold a circuit in different forms. A rule set uses one
// of them. The packed kernel (packedlaps.go) has five bits per house in the low 60
// bits of a word. The top four bits are the house where the next lap begins. A lap is
// then one addition from a table, and two moments of a relay are equal if the words
// are. This kernel serves boards with up to twelve houses and 31 seeds per player. The
// wide kernel (widelaps.go) has one byte per house, in four words, and serves every
// board. A test compares the two.
//
// # Endless relays
//
// A moment of a relay is the seeds of all houses and the house where the next lap
// begins. A lap maps a moment to the next one. A lap shorter than a full round can be
// undone: going back from the house of its last seed, its start is the first empty
// house. So this map is one-to-one, and a relay of such laps is endless exactly if it
// comes back to any moment that is used as reference.
//
// Laps of a full round are not one-to-one. After the first of them, the reference is
// moved as in Brent's cycle detection, which works for every map (R. P. Brent 1980,
// "An improved Monte Carlo factorization algorithm", section 7). Neither test is made
// during the first laps of a relay, because most relays are short.
//
// # Legality
//
// A house is a legal start if its relay ends, so that legal starts are found by
// sowing. A state sows once, when Player, Result or Legal is first called in a
// position. It keeps the outcomes, from which Apply takes one; a copied state has them,
// too. A single seed that moves into an empty house needs no sowing.
//
// # Speed
//
// In random play, a position of the basic board has 1.9 starts to sow with 5.7 laps in
// total. The time is bounded by the dependent load, addition and shift of each lap, and
// by one mispredicted branch at the end of each relay. These variants were slower:
//
//   - one call for each start over houses that are gathered bit by bit: 68 ns per ply,
//     against 53 ns for one loop over sets with the stride of the circuit
//   - looking for endless relays from the first lap on: 59 ns
//   - a list of actions written one by one instead of four at a time: 1.5 ns more
//   - finding the houses of the wide kernel one by one: 200 ns for mpale, against 111 ns
//
// In a batch with packed masks and observations, sowing takes half of the time, and
// turning seeds into bit planes a fifth. A table of bit planes for two houses saves
// 4 ns per ply, compared with one for single houses.
package ntxuva
