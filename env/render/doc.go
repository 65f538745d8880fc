// Package render draws any state that describes its picture
// ([env.Diagrammer]): [Text] for terminals and logs, [SVG] for pages and papers.
//
// A picture needs nothing but itself: no script, no style sheet, no font that
// has to be fetched. It is made for print and for every eye: grounds differ in
// grey and in hatching, pieces in shape. The points of a piece are the
// directions in which it may go, the longer the further; the first player's
// pieces are dark with sharp points, the second player's light with blunt ones
// and a double outline. Colour only marks the last move, which is also told by
// line style. Equal states give equal bytes.
package render
