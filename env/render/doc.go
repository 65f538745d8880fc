// Package render draws any state that describes its picture
// ([env.Diagrammer]): [Text] for terminals and logs, [SVG] for pages and papers.
//
// A picture needs nothing but itself: no script, no style sheet, no font that
// has to be fetched. It is made for print and for every eye: grounds differ in
// grey and in hatching, the two players' pieces in shape, dark and sharp or light
// and blunt with a double outline. The points of a piece are the directions in
// which it may go, the longer the further; a piece with a facing is a tank with
// its gun. Wrecks fill and cross out their squares. Colour only marks the last
// ply, which is also told by line style: dots for a move, a line with a burst for
// a shot, an arrow over the edge for leaving the board. Equal states give equal
// bytes.
package render
