import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFreshOffice } from '../fresh-office.ts'
import type { Ends } from '../processes.ts'
import { type Gate, openGate } from './gate.ts'
import { openScene, type Scene } from './scene.ts'
import type { WebOffice } from './visitor.ts'

/** An office of its own, which is cut off and ended. */
export interface Fragile {
  /** As browsers find it. */
  office: WebOffice
  gate: Gate
  scene: Scene
  restart(): Promise<void>
}

export async function openFragile(office: WebOffice, ends: Ends): Promise<Fragile> {
  const gate = await openGate(ends)
  const folder = await mkdtemp(join(tmpdir(), 'atrium-trouble-'))
  await chmod(folder, 0o755)
  ends.push(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 }))
  let running: Ends = []
  ends.push(async () => {
    for (let end = running.pop(); end; end = running.pop()) await end()
  })
  const settings = { BASE_URL: gate.url, DATA_DIR: folder, RATE_LIMIT_SIGN_IN_PER_ADDRESS: '0' }
  const open = async () => {
    running = []
    const url = await openFreshOffice(settings, running)
    gate.leadTo(url)
    return url
  }
  // whoever changes things from outside goes past the gate
  const scene = await openScene({ ...office, url: await open() })
  return {
    ...{ office: { ...office, url: gate.url }, gate, scene },
    async restart() {
      for (let end = running.pop(); end; end = running.pop()) await end()
      await open()
    },
  }
}
