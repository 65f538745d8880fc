// Package report writes reports for people. A [Page] is a sequence of headings,
// paragraphs, tables and figures; it is written as one HTML file that asks for nothing
// from outside ([Page.HTML]), as Markdown ([Page.Markdown]) and, without figures and
// what is only for reading at leisure, as text for a terminal ([Page.Text]). All say the
// same, since the numbers of every figure are in a table.
//
// [Balance], [Handicap] and [Compare] make the pages of reports on balance, on
// handicaps and on comparisons of rule variants; [Methods] makes METHODS.md of what
// they say of formulas and where these come from.
package report
