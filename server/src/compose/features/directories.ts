import { SCIM_PATH } from '@atrium/contract'
import { eraseFromDirectories } from '../../features/scim/erase.ts'
import { serveScim } from '../../features/scim/routes.ts'
import { clientAddressOf } from '../../platform/http/connections/client-address.ts'
import type { Access } from '../access.ts'
import type { Databases } from '../database/databases.ts'
import type { Opening, Part } from '../part.ts'
import type { Identity } from '../ports/identity.ts'
import { tellLimit } from '../visitor.ts'

export interface Directories extends Part {
  needs: { scimBaseUrl: string }
}

/** The directories of organizations, which say over SCIM who is a member. */
export function openDirectories(
  { config, clock }: Opening,
  { databases, access, identity }: { databases: Databases; access: Access; identity: Identity },
): Directories {
  const { db } = databases
  const scimBaseUrl = config.baseUrl
  return {
    needs: { scimBaseUrl },
    erasers: [{ name: 'directories', erase: (person) => eraseFromDirectories(databases.background, person) }],
    async routes(server) {
      await serveScim(server, {
        ...{ db, clock, callers: access.callers, identity: identity.needs.identity },
        changesAddresses: config.workos === undefined,
        scimUrl: `${scimBaseUrl}${SCIM_PATH}`,
        async findCaller(token, request) {
          const known = await access.bearers.find(token, 'scim')
          if (!known) return undefined
          const { id } = known.token
          const author = { directory: { id }, requestId: request.id, address: clientAddressOf(request) }
          return { connectionId: id, organization: known.organization.id, author }
        },
        enter({ connectionId, organization }, reply) {
          const caller = { directory: { id: connectionId }, organization: { id: organization } }
          return access.budgets.directoryCall(caller, { tellLimit: tellLimit(reply) })
        },
        underWay: access.underWay,
        databaseWaitMs: config.databaseWaitMs,
      })
    },
  }
}
