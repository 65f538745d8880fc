// Package studies keeps four questions about the games, with what was played to
// answer them: README.md says what was asked and found, and the folder of each study
// holds its reports and, as games.csv, the outcomes of its games. The tests hold the
// reports to the games and to the rules of this program.
package studies
