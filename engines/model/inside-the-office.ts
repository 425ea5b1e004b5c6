import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { plantedDefects } from './planted-defects.ts'

/**
 * Loaded by `--import` into the process of an office that the model holds: its clock can be moved, and where a defect is
 * named it is planted into the source as that is read. The product knows nothing of either.
 */

const RealDate = Date
/** How far its clock is ahead. */
let aheadMs = Number(process.env.MODEL_CLOCK_MS ?? 0)
const now = () => RealDate.now() + aheadMs

class MovedDate extends RealDate {
  constructor(...given: [] | [number]) {
    if (given.length === 0) super(now())
    else super(...given)
  }
  static override now = now
  static override [Symbol.hasInstance] = (value: unknown) =>
    Function.prototype[Symbol.hasInstance].call(RealDate, value)
}
globalThis.Date = MovedDate as DateConstructor

process.on('message', (said: { aheadMs?: number }) => {
  aheadMs = said.aheadMs ?? aheadMs
})
// the channel is for the clock, and keeps nothing open
process.channel?.unref()

/** The office puts its clock right by that of the database: not where the trial has moved it. */
const LEFT_ALONE = {
  file: 'server/src/platform/database/database-clock.ts',
  from: 'offsetMs = awayMs\n',
  to: 'offsetMs = 0\n',
}
const named = plantedDefects.find(({ name }) => name === process.env.MODEL_DEFECT)
const root = new URL('../../', import.meta.url)
for (const { file, from, to } of [LEFT_ALONE, ...(named ? [named] : [])]) {
  const place = new URL(file, root).href
  const source = readFileSync(fileURLToPath(place), 'utf8')
  if (source.split(from).length !== 2) throw new Error(`${file} does not have this text once: ${from}`)
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      if (url !== place) return loaded
      return { ...loaded, source: String(loaded.source).replace(from, () => to) }
    },
  })
}
