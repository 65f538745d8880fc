// Package report puts results into words. Together with package main of cmd, it is the
// only package that writes sentences about results; the packages below return numbers and
// codes.
//
// A [Page] is a sequence of headings, paragraphs, tables and figures. It can be written as
// one HTML file without external resources ([Page.HTML]), as Markdown ([Page.Markdown]),
// and as text for a terminal ([Page.Text]), which omits figures and explanations. All
// forms hold the same numbers, because every figure has a table.
//
// [Balance], [Handicap] and [Compare] return the pages of reports on balance, on handicaps
// and on comparisons of rule variants, and [BalanceJSON] a report for encoding as JSON.
// Reports quote the section of METHODS.md on their kind. [Count], [Decimal] and [Share] format
// numbers.
package report
