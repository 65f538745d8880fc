// Package plot draws figures as SVG. It is the only package that imports gonum's plot.
//
// The figures also suit print and colour-blind readers: they use the palette of Okabe and
// Ito, and whatever differs in colour also differs in shape or is labelled. Figures of
// games show the number of games.
package plot
