import { expect, it } from 'vitest'
import type { Rect } from '../building.ts'
import { planOf } from '../office-plan.ts'
import type { RoomKind } from '../plan-room.ts'
import type { PlacedRoom } from '../plots.ts'

const kinds = ['meeting', 'office', 'focus', 'kitchen', 'lounge', 'stage', 'desk'] as const
/** An office of two small rooms, which share a column, and others of many sizes. */
const officeOf = (small: RoomKind, count: number) =>
  [small, small, ...Array.from({ length: count }, (_, at) => kinds[at % kinds.length] ?? small)].map(
    (kind, at): PlacedRoom => ({
      ...{ id: `${kind} ${at}`, kind, position: at * 1_000 },
      seats: at < 2 ? 2 : ([1, 6, 20, 2][at % 4] ?? 2),
    }),
  )

/** What a path of `shapes.ts` covers: from corner to corner. */
function extentOf(path: string): Rect {
  const xs: number[] = []
  const ys: number[] = []
  let [x, y] = [0, 0]
  for (const [, command, rest = ''] of path.matchAll(/([A-Za-z])([^A-Za-z]*)/g)) {
    const numbers = (rest.match(/-?[\d.]+/g) ?? []).map(Number)
    const [across = 0, down = 0] = numbers.slice(-2)
    if (command === 'M' || command === 'Q') [x, y] = [across, down]
    if (command === 'a') [x, y] = [x + across, y + down]
    if (command === 'h') x += down === 0 ? across : down
    if (command === 'v') y += down === 0 ? across : down
    xs.push(x)
    ys.push(y)
  }
  const [left, top] = [Math.min(...xs), Math.min(...ys)]
  return { x: left, y: top, width: Math.max(...xs) - left, height: Math.max(...ys) - top }
}

it('no furniture goes through the walls of its room', () => {
  const through: string[] = []
  for (const width of [1_000, 1_152, 1_280, 2_500])
    for (const small of ['focus', 'desk'] as const)
      for (const count of [4, 9, 16, 28]) {
        const { building, furniture } = planOf(officeOf(small, count), { width, height: 720 })
        for (const cell of building.cells) {
          const { tables = '', lines = '' } = furniture.get(cell.room.id)?.drawing ?? {}
          const all = extentOf(`M20 20${tables}${lines}`)
          if (all.x < 0 || all.y < 0 || all.x + all.width > cell.width || all.y + all.height > cell.height)
            through.push(`${cell.room.id} of ${cell.width} × ${cell.height}: ${JSON.stringify(all)}`)
        }
      }
  expect(through).toEqual([])
})
