import { fileURLToPath } from 'node:url'
import type { Benchmark } from './benchmark.ts'
import { signUp } from './first-person.ts'
import { changeAt, listen, subscribed, timeChanges } from './listener.ts'
import { prepareOffice } from './office.ts'
import { pinLoad, pinMeasured } from './pinning.ts'
import { freePort, startServer } from './server-process.ts'

const BASELINE = fileURLToPath(new URL('status-change-baseline.ts', import.meta.url))
const CHANGES = 200
const WARM_UP_CHANGES = 50

export const statusChange: Benchmark = {
  name: 'status-change',
  describe:
    'POST /presence/status until it arrives at a subscribed client, through table, outbox and embedded broker (median), against bare node:http that hands the text to a WebSocket',
  unit: 'ms',
  goal: { subjectMax: 10 },
  async prepare() {
    const office = await prepareOffice()
    const closing: (() => Promise<unknown>)[] = [() => office.remove()]
    const close = async () => {
      for (let next = closing.pop(); next; next = closing.pop()) await next()
    }
    try {
      const development = await office.start('development')
      const person = await signUp(office.url).finally(() => development.stop())
      const production = await office.start('production')
      closing.push(() => production.stop())
      const port = await freePort()
      const bare = await startServer({
        script: BASELINE,
        args: [String(port)],
        environment: {},
        port,
        readyPath: '/',
      })
      closing.push(() => bare.stop())
      for (const { pid } of [production, bare]) pinMeasured(pid)
      const unpin = pinLoad()
      closing.push(async () => unpin())

      const ours = await subscribed(office.url, person)
      closing.push(async () => ours.close())
      const theirs = await listen(`ws://127.0.0.1:${port}/`)
      closing.push(async () => theirs.close())
      const subject = (changes: number) => timeChanges(ours, changeAt(office.url, person.cookie), changes)
      const baseline = (changes: number) =>
        timeChanges(theirs, changeAt(`http://127.0.0.1:${port}`, ''), changes)
      for (const side of [subject, baseline]) await side(WARM_UP_CHANGES)
      return { subject: () => subject(CHANGES), baseline: () => baseline(CHANGES), close }
    } catch (error) {
      await close()
      throw error
    }
  },
}
