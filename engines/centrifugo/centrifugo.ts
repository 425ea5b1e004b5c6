import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Engine } from '../engine.ts'
import type { Ends } from '../processes.ts'
import { SECRETS, startProxy, tryConformance } from './conformance.ts'
import { tryEnded } from './ended.ts'
import { startCentrifugo } from './node.ts'
import { openOfficeOnCentrifugo, tryOffice } from './office.ts'
import { tryOutage } from './outage.ts'
import { installCentrifugo } from './program.ts'

/** Centrifugo alone, with its memory engine. */
export const centrifugo: Engine = {
  name: 'centrifugo',
  about: 'Centrifugo v5.4.9 (or CENTRIFUGO_BIN), one node, by BROKER=centrifugo',
  install: installCentrifugo,
  async try(check) {
    const folder = await mkdtemp(join(tmpdir(), 'atrium-centrifugo-'))
    const ends: Ends = [() => rm(folder, { recursive: true, force: true })]
    try {
      const proxyUrl = await startProxy(ends)
      const node = await startCentrifugo({ folder, proxyUrl, secrets: SECRETS, shortLimits: true }, ends)
      await tryConformance(node, node, check)
      // long enough to hold all that is published in place of what a broker has missed
      const office = await openOfficeOnCentrifugo({ folder, statusHistory: 100_000 }, ends)
      await tryOffice(office, check)
      await tryEnded(office, check)
      await tryOutage(office, check, ends)
    } finally {
      for (const end of ends.reverse()) await end()
    }
  },
}
