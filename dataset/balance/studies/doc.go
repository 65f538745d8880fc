// Package studies contains five studies of the games. README.md states their questions and
// results, and the folder of each study has its reports and, as games.csv, the results of
// its games. The tests check that the reports agree with the games and with the rules of
// this program.
package studies
