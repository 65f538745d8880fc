// Package render draws states that implement [env.Diagrammer]: [Text] for terminals
// and logs, [SVG] for pages and papers. Package raster paints the same pictures as pixels.
//
// A picture is self-contained: it needs no script, style sheet or web font. It is
// legible in black and white and for colour-blind readers. Grounds differ in grey and in
// hatching. The players' pieces differ in shape: one side's are dark and sharp, the
// other's light and blunt with a double outline. The points of a piece show the
// directions in which it may move; a longer point means a longer reach. A piece with
// a facing is drawn as a tank with its gun. A wreck fills its square, which is
// crossed out. Colour marks only the last ply. Line styles mark it too: dots for a
// move, a line with a burst for a shot, an arrow over the edge for leaving the board.
// Equal states give equal bytes.
package render
