import type { Input, Reply } from '@atrium/contract'
import { recordAudit } from '../../access/audit/audit-trail.ts'
import { newBearerToken } from '../../access/bearers/bearer-token.ts'
import { countBearerTokens, insertBearerToken } from '../../access/bearers/bearer-token-store.ts'
import type { OrganizationLimits } from '../../access/budgets/organization-limits.ts'
import type { CallerOf } from '../../access/caller.ts'
import { requireName } from '../../directory/display-name.ts'
import { lockMembers } from '../../directory/members/members.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { invalidInput, Refusal } from '../../platform/refusal.ts'
import { hashToken } from '../../platform/secrets/secret.ts'

interface Needs {
  db: Db
  clock: Clock
  limits: Pick<OrganizationLimits, 'of'>
}

/** Makes a token of the active organization. Only its hash is kept. */
export async function createServiceToken(
  needs: Needs,
  caller: CallerOf<'createServiceToken'>,
  input: Input<'createServiceToken'>,
): Promise<Reply<'createServiceToken'>> {
  const now = needs.clock.now()
  const organization = caller.organization.id
  const expiresAt = input.expiresAt === undefined ? null : new Date(input.expiresAt)
  if (expiresAt && expiresAt <= now) {
    throw invalidInput([{ field: 'expiresAt', message: 'Enter a time in the future' }])
  }
  const operations = [...new Set(input.operations)].sort()
  const name = requireName(input.name, 'name', { min: 1, max: 100 })
  const token = newBearerToken('service')
  const most = needs.limits.of(organization, 'service-tokens')
  const id = await transaction(needs.db, async (tx) => {
    // two at once are counted one after the other
    await lockMembers(tx, organization)
    if ((await countBearerTokens(tx, organization, 'service')) >= most) throw tooMany(most)
    const made = { organization, kind: 'service', name, operations, expiresAt } as const
    const created = { ...made, tokenHash: hashToken(token), createdBy: caller.user.id }
    const tokenId = await insertBearerToken(tx, created, now)
    await recordAudit(tx, organization, caller, now, {
      action: 'service-token.created',
      target: { kind: 'service-token', id: tokenId },
      detail: { name, operations: operations.join(' '), expiresAt: expiresAt?.toISOString() ?? null },
    })
    return tokenId
  })
  return { status: 201, body: { id, token } }
}

function tooMany(most: number): Refusal {
  const message = `This organization has at most ${most} tokens; revoke one first`
  return Refusal.of('too-many-tokens', { message })
}
