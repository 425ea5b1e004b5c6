import { CUTS_NAME, signCutsAnew } from '../../../access/audit/audit-cut-keys.ts'
import type { Job } from '../../../platform/background/jobs.ts'
import { resealPlace } from '../../../platform/secrets/resealing.ts'
import { cutSignersOf } from '../../keys/cut-signers.ts'
import { sealedPlacesOf } from '../../keys/sealed-places.ts'
import type { Opening, Part } from '../../part.ts'
import type { Databases } from '../platform/databases.ts'

/** After a change of SECRET_KEY nodes that are not restarted yet go on sealing with the one before. */
const RESEAL_EVERY_MS = 5 * 60_000

/** Keeps what is sealed openable: nothing is left to a former key that can be sealed again. */
export function openKeys({ config, log }: Opening, { databases }: { databases: Databases }): Part {
  const places = sealedPlacesOf(config)
  const signers = cutSignersOf(config)
  const job: Job = {
    name: 'reseal',
    everyMs: RESEAL_EVERY_MS,
    async run(signal) {
      for (const place of places) {
        const { done, unopenable } = await resealPlace(databases.background, place, signal)
        if (done > 0) log.info({ what: place.name, count: done }, 'sealed anew with SECRET_KEY')
        if (unopenable > 0) log.warn({ what: place.name, count: unopenable }, 'sealed values do not open')
      }
      const { done, changed } = await signCutsAnew(databases.background, signers, signal)
      if (done > 0) log.info({ what: CUTS_NAME, count: done }, 'signed anew with SECRET_KEY')
      if (changed > 0)
        log.warn({ what: CUTS_NAME, count: changed }, 'signed values are not as they were signed')
    },
  }
  return { needs: {}, jobs: config.secretKeys.previous.length > 0 ? [job] : [] }
}
