// Package ntxuva is N'txuva by the school rules, basic level: four rows of
// houses, relay sowing round the own circuit of two rows, and captures from the
// facing column. Who moves first, losing when blocked, and the draws by no
// progress and by repetition are house rules.
//
// # Numbers
//
// Everything is in a player's own numbering of the circuit, as on the rule
// page: 0 to C−1 is defence from left to right, C to 2C−1 attack from right to
// left. An action is the number of the start house. Absolute squares have
// South's defence in the lowest row, y·C + x; North sees the board turned by 180°.
//
// # Kernels
//
// A circuit is held in one of two forms, chosen once for a rule set. The packed
// kernel (packed.go) keeps the houses in the low 60 bits of one word, five bits
// each, and the house a lap begins at in the top four, so that a lap is one
// addition from a table and comparing two moments of a relay one comparison. It
// serves boards of up to twelve houses a player with at most 31 seeds. The wide
// kernel (wide.go) keeps a byte a house in four words and serves every board.
// A test holds the two equal.
//
// # Relays that never end
//
// Sowing is a map on moments (houses, house the lap begins at). Seen from the
// house where a lap ended, its start is the first empty house going back, as
// long as no lap goes a full round: so laps shorter than a round are one-to-one,
// and a relay of such laps is endless exactly when it comes back to the moment
// one started to watch from. Laps of a full round are not one-to-one; after one
// the cycle is looked for with Brent's moving reference (R. P. Brent 1980, "An
// improved Monte Carlo factorization algorithm", section 7), which needs nothing
// of the map. Neither runs during the first laps of a move, where all but few
// moves end.
//
// # Legality
//
// To know the legal starts is to sow them. It is done once in a position, when
// the first of Player, Result and Legal asks, and the outcomes are kept so that
// Apply only has to pick one; a copy takes them along. Single pieces that step
// into an empty house need no sowing.
//
// # Speed
//
// In random play a position of the basic board has 1.9 starts to sow and 5.7
// laps in all, so that the speed is bounded by the dependent load, addition and
// shift of each lap and by one mispredicted branch for each relay that ends when
// nobody can foretell; tried were one call for each start over houses gathered
// bit by bit (68 ns a ply, against 53 for one loop over sets at the stride of the
// circuit with single steps left to Apply), looking out for endless relays from
// the first lap on (59 ns), a list of actions written one by one (1.5 ns more
// than four at a time), and finding the houses of the wide kernel one by one
// (mpale 200 ns, against 111).
//
// A batch with packed masks and observations is bound half by that sowing and a
// fifth by turning seeds into bit planes, which looks up two houses at a time
// (one at a time: 4 ns more a ply).
package ntxuva
