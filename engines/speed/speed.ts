import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { run } from '../commands.ts'
import type { Engine } from '../engine.ts'

const HELD = fileURLToPath(new URL('../../bench/against/held.ts', import.meta.url))

/** Four minutes, and as much again where much looks dearer; packages are installed where those of the mark differ. */
const WITHIN_MS = 15 * 60_000

/** What a request costs of the processor, against the commit that bench/prices.md marks. */
export const speed: Engine = {
  name: 'speed',
  about:
    'processor time of a request, against the office of the commit in bench/prices.md: not a tenth dearer',
  async install() {
    if (process.platform !== 'linux')
      return 'only Linux tells the processor time of a thread (/proc/<pid>/schedstat)'
    return (await run(process.execPath, [HELD, 'missing'])).trim() || undefined
  },
  async try(check) {
    const lines = (await run(process.execPath, [HELD], { withinMs: WITHIN_MS })).trim().split('\n')
    const held = lines.filter((line) => line.startsWith('{'))
    for (const line of lines.filter((one) => !held.includes(one))) console.log(`  ${line.trim()}`)
    assert.ok(held.length > 0, 'nothing was measured')
    for (const line of held) {
      const { told, fault } = JSON.parse(line) as { told: string; fault?: string }
      await check(told, async () => assert.ok(fault === undefined, fault ?? ''))
    }
  },
}
