import { createAtriumClient } from '@atrium/client'
import { ADMINS, type Expected, refusalFirst, type Worker } from '../caller.ts'
import { calling } from '../calling.ts'
import { Disagreement, same } from '../disagreement.ts'
import { picked, type Rule, refused } from '../rule.ts'
import type { Organization, ServiceToken } from '../state.ts'
import type { World } from '../world.ts'

const tokensOf = ({ organizations }: World) =>
  organizations.flatMap((organization) => organization.tokens.map((token) => ({ organization, token })))

const make: Rule = {
  name: 'a service token is made',
  written: 'decisions, tokens/create: by an admin, for the operations that it names, until it expires',
  plan(world, drawn) {
    const caller = world.caller(drawn)
    const name = `Program ${drawn.one}`
    const expiresAt = drawn.yes ? world.now() + 3_600_000 : undefined
    const expiry = expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt).toISOString() }
    return calling(world, caller, {
      id: 'createServiceToken',
      input: { name, operations: ['listMembers'], ...expiry },
      says: `makes a token for ${name}`,
      expected: refusalFirst(caller, ADMINS) ?? { status: 201 },
      after({ id, token }: { id: string; token: string }) {
        ;(caller as Worker).organization.tokens.unshift({ id, token, name, isRevoked: false, expiresAt })
      },
    })
  },
}

const revoke: Rule = {
  name: 'a service token is revoked',
  written: 'decisions, tokens/revoke: by an admin; another organization’s is not found',
  plan(world, drawn) {
    const caller = world.caller(drawn)
    const found = picked(tokensOf(world), drawn.one)
    if (!found) return undefined
    const { organization, token } = found
    const isTheirs = caller.organization === organization && !token.isRevoked
    return calling(world, caller, {
      id: 'revokeServiceToken',
      input: { id: token.id },
      says: `revokes the token of ${token.name}`,
      expected:
        refusalFirst(caller, ADMINS) ?? (isTheirs ? { status: 204 } : refused(404, 'token-not-found')),
      after() {
        token.isRevoked = true
      },
    })
  },
}

const use: Rule = {
  name: 'a program calls with its token',
  written:
    'decisions, Bearers: an invalid one is 401; a token calls what it was made for alone (403), in its organization',
  weight: 2,
  plan(world, drawn) {
    const found = picked(tokensOf(world), drawn.one)
    if (!found || found.organization.isDeleted) return undefined
    const { organization, token } = found
    return {
      says: `${token.name} calls with its token`,
      act: () => call(world, organization, token, drawn.yes),
    }
  },
}

async function call(
  world: World,
  organization: Organization,
  token: ServiceToken,
  asItMay: boolean,
): Promise<void> {
  const isOver = token.isRevoked || (token.expiresAt !== undefined && token.expiresAt <= world.now())
  const client = createAtriumClient({
    baseUrl: world.office.url,
    serviceToken: token.token,
    fetch: world.fetch,
  })
  const id = asItMay ? 'listMembers' : 'listInvitation'
  const answer = await client.request(id, {})
  const refusal: Expected = asItMay ? { status: 200 } : refused(403, 'token-not-allowed')
  const expected = isOver ? refused(401, 'unauthenticated') : refusal
  const { error } = answer.body as { error?: string }
  same(`${id} by ${token.name}`, [answer.status, error], [expected.status, expected.error])
  if (answer.status !== 200) return
  const { page } = answer.body as { page?: { total: number } }
  if (page?.total !== organization.members.size)
    throw new Disagreement(`${token.name} sees ${page?.total} of ${organization.members.size} members`)
}

export const tokenRules: readonly Rule[] = [make, revoke, use]
