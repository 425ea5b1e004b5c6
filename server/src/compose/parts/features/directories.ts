import { SCIM_ACCESS, SCIM_PATH } from '@atrium/contract'
import { eraseFromDirectories } from '../../../features/scim/erase.ts'
import { serveScim } from '../../../features/scim/routes.ts'
import type { Opening, Part } from '../../part.ts'
import type { Access } from '../access.ts'
import type { Databases } from '../platform/databases.ts'
import type { Identity } from '../ports/identity.ts'

export interface Directories extends Part {
  needs: {
    scimBaseUrl: string
    /** Whether accounts are ours to give another address to; the identity provider's otherwise. */
    changesAddresses: boolean
  }
}

/** All that is asked for there, reading too: the methods of the standard are no concern of the guard. */
const SCIM = ['scim', { method: 'POST', access: SCIM_ACCESS }] as const

/** The directories of organizations, which say over SCIM who is a member. */
export function openDirectories(
  { config, clock, log }: Opening,
  { databases, access, identity }: { databases: Databases; access: Access; identity: Identity },
): Directories {
  const { db } = databases
  const scimBaseUrl = config.baseUrl
  const changesAddresses = config.workos === undefined
  return {
    needs: { scimBaseUrl, changesAddresses },
    erasers: [{ name: 'directories', erase: (person) => eraseFromDirectories(databases.background, person) }],
    async routes(server) {
      await serveScim(server, {
        db,
        clock,
        callers: access.callers,
        identity: identity.needs.identity,
        log,
        changesAddresses,
        scimUrl: `${scimBaseUrl}${SCIM_PATH}`,
        admit: (request, reply) => access.guard.admit(SCIM, request, reply),
        run: access.guard.run,
        databaseWaitMs: config.databaseWaitMs,
      })
    },
  }
}
