/** A canvas with a picture of its own, drawn at once. @throws Error where the browser cannot */
export function drawnCanvas(
  { width, height }: { width: number; height: number },
  draw: (context: OffscreenCanvasRenderingContext2D) => void,
): OffscreenCanvas {
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('this browser cannot draw pictures')
  draw(context)
  return canvas
}
