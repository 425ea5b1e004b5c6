/** Path data of what is drawn, in whole units. */

const r = Math.round
const tenth = (value: number) => Math.round(value * 10) / 10

/** A box with round corners. */
export function box(x: number, y: number, width: number, height: number, corner = 0): string {
  const [w, h] = [r(width), r(height)]
  if (corner <= 0) return `M${r(x)} ${r(y)}h${w}v${h}h${-w}z`
  const c = r(Math.min(corner, w / 2, h / 2))
  const turn = (dx: number, dy: number) => `a${c} ${c} 0 0 1 ${dx} ${dy}`
  const [across, down] = [w - 2 * c, h - 2 * c]
  return `M${r(x) + c} ${r(y)}h${across}${turn(c, c)}v${down}${turn(-c, c)}h${-across}${turn(-c, -c)}v${-down}${turn(c, -c)}z`
}

export function disc(x: number, y: number, radius: number): string {
  const c = r(radius)
  return `M${r(x) - c} ${r(y)}a${c} ${c} 0 1 0 ${2 * c} 0a${c} ${c} 0 1 0 ${-2 * c} 0z`
}

/** @param length to the right, or down where `isUpright` */
export function line(x: number, y: number, length: number, isUpright = false): string {
  return `M${r(x)} ${r(y)}${isUpright ? 'v' : 'h'}${r(length)}`
}

/** A plant as one sees it from above: leaves around its stem. */
export function plant(x: number, y: number, radius: number, leaves = 6): string {
  let path = ''
  for (let leaf = 0; leaf < leaves; leaf += 1) {
    const angle = ((leaf + 0.2 * (leaf % 2)) / leaves) * 2 * Math.PI
    const point = (turned: number, length: number) =>
      `${tenth(x + Math.cos(angle + turned) * radius * length)} ${tenth(y + Math.sin(angle + turned) * radius * length)}`
    path += `M${r(x)} ${r(y)}Q${point(-0.42, 0.72)} ${point(0, 1)}Q${point(0.42, 0.72)} ${r(x)} ${r(y)}`
  }
  return path
}
