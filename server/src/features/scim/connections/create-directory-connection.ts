import { type Input, type Reply, SCIM_PATH } from '@atrium/contract'
import { recordAudit } from '../../../access/audit/audit-trail.ts'
import { newBearerToken } from '../../../access/bearers/bearer-token.ts'
import { countBearerTokens, insertBearerToken } from '../../../access/bearers/bearer-token-store.ts'
import type { OrganizationLimits } from '../../../access/budgets/organization-limits.ts'
import type { CallerOf } from '../../../access/caller.ts'
import { requireName } from '../../../directory/display-name.ts'
import { lockMembers } from '../../../directory/members/members.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/database/database.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { hashToken } from '../../../platform/secrets/secret.ts'

interface Needs {
  db: Db
  clock: Clock
  limits: Pick<OrganizationLimits, 'of'>
  /** Where this office is reached. */
  scimBaseUrl: string
}

/** Makes the token with which a directory keeps the people of the active organization. Only its hash is kept. */
export async function createDirectoryConnection(
  needs: Needs,
  caller: CallerOf<'createDirectoryConnection'>,
  input: Input<'createDirectoryConnection'>,
): Promise<Reply<'createDirectoryConnection'>> {
  const now = needs.clock.now()
  const organization = caller.organization.id
  const name = requireName(input.name, 'name', { min: 1, max: 100 })
  const token = newBearerToken('scim')
  const most = needs.limits.of(organization, 'directory-connections')
  const id = await transaction(needs.db, async (tx) => {
    // two at once are counted one after the other
    await lockMembers(tx, organization)
    if ((await countBearerTokens(tx, organization, 'scim')) >= most) throw tooMany(most)
    const made = { organization, kind: 'scim', name, operations: [], expiresAt: null } as const
    const created = { ...made, tokenHash: hashToken(token), createdBy: caller.user.id }
    const connectionId = await insertBearerToken(tx, created, now)
    await recordAudit(tx, organization, caller, now, {
      action: 'directory-connection.created',
      target: { kind: 'directory-connection', id: connectionId },
      detail: { name },
    })
    return connectionId
  })
  return { status: 201, body: { id, token, url: `${needs.scimBaseUrl}${SCIM_PATH}` } }
}

function tooMany(most: number): Refusal {
  const message = `This organization has at most ${most} directory connections; revoke one first`
  return Refusal.of('too-many-directory-connections', { message })
}
