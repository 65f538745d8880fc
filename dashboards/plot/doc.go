// Package plot draws figures as SVG. It is the only package that imports gonum's plot.
//
// The figures also suit print and colour-blind readers. They use the palette of Okabe and
// Ito; elements that differ in colour also differ in shape or have labels. Figures about
// games state the number of games.
package plot
