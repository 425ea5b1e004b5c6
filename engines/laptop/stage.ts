import { isBuilt } from '@atrium/web/built-folder.ts'
import { type ModelOffice, openModelOffice } from '../model/office.ts'
import type { Ends } from '../processes.ts'
import { eventually } from '../waiting.ts'
import { type Machine, openMachine } from './device.ts'

/** An office with its media server, and three machines. */
export async function openStage(ends: Ends): Promise<{ office: ModelOffice; machines: readonly Machine[] }> {
  const office = await openModelOffice(ends, { settings: { ATRIUM_ENV: 'development' } })
  await eventually('the web office is built', isBuilt, { withinMs: 240_000, everyMs: 500 })
  const port = Number(new URL(office.url).port)
  const machines = [
    await openMachine(port, ends),
    await openMachine(port, ends),
    await openMachine(port, ends),
  ]
  return { office, machines }
}
