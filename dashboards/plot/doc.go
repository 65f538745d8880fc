// Package plot draws figures as SVG. It is the only importer of gonum's plot.
//
// Figures are made for print too: colours are those of Okabe and Ito, which
// colour-blind people tell apart, and whatever differs in colour differs in shape.
// Every figure says from how many games it is.
package plot
