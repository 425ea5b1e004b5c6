import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { same } from '../disagreement.ts'
import { refused } from '../rule.ts'
import { asks, type Cast, DONE, OK, soon } from './once.ts'

interface Receiver {
  url: string
  bodies: { type: string; data: { challenge?: string } }[]
  close(): void
}

async function openReceiver(): Promise<Receiver> {
  const bodies: Receiver['bodies'] = []
  const server = createServer((request, reply) => {
    void text(request).then((body) => {
      bodies.push(JSON.parse(body))
      reply.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/hook`, bodies, close: () => void server.close() }
}

/** (decisions, Webhook endpoints: unverified until the challenge is answered or entered; replay of an unverified one 409) */
export async function webhooks(cast: Cast): Promise<void> {
  const { ada } = cast
  const receiver = await openReceiver()
  try {
    const { id } = await asks<{ id: string }>(
      cast,
      ada,
      'createWebhook',
      { url: receiver.url, events: ['room.created'] },
      { status: 201 },
    )
    await asks(cast, ada, 'replayWebhook', { id }, refused(409, 'webhook-unverified'))
    await asks(cast, ada, 'verifyWebhook', { id, challenge: 'a guess' }, refused(400, 'wrong-challenge'))
    const challenge = await soon('the challenge', async () => receiver.bodies[0]?.data.challenge)
    await asks(cast, ada, 'verifyWebhook', { id, challenge }, { ...OK, body: { state: 'verified' } })
    await asks(cast, ada, 'verifyWebhook', { id }, refused(409, 'already-verified'))
    await asks(cast, ada, 'createRoom', { name: 'A room for webhooks' })
    const told = () => receiver.bodies.filter(({ type }) => type === 'room.created').length
    await soon('the room is told', async () => told() === 1)
    const deliveryId = await soon('the delivery', async () => {
      const { data } = await asks<{ data: { id: string; event: string; state: string }[] }>(
        cast,
        ada,
        'listWebhookDeliveries',
        { id },
      )
      return data.find(({ event, state }) => event === 'room.created' && state === 'delivered')?.id
    })
    await asks(cast, ada, 'replayWebhook', { id, deliveryId })
    await soon('the room is told again', async () => told() === 2)
    await asks(cast, ada, 'updateWebhook', { id, events: ['room.deleted'] })
    await asks(cast, ada, 'rotateWebhook', { id })
    const listed = await asks<{ webhooks: { id: string }[] }>(cast, ada, 'listWebhooks')
    same(
      'the webhooks',
      listed.webhooks.map((one) => one.id),
      [id],
    )
    await asks(cast, ada, 'deleteWebhook', { id }, DONE)
    await asks(cast, ada, 'deleteWebhook', { id }, refused(404, 'webhook-not-found'))
  } finally {
    receiver.close()
  }
}

/** (decisions, What takes access away is done; Re-hire; domains are pending until the DNS or an operator proves them) */
export async function directories(cast: Cast): Promise<void> {
  const { world, ada, bob, acme } = cast
  const domain = `${world.mark}.example`
  await asks(cast, ada, 'claimOrganizationDomain', { domain })
  await world.office.atrium('domain', 'verify', '--without-dns', acme.id, domain)
  const listed = await asks<{ domains: { id: string; state: string }[] }>(
    cast,
    ada,
    'listOrganizationDomains',
  )
  same(
    'the domain is proven',
    listed.domains.map(({ state }) => state),
    ['verified'],
  )
  const { id, token } = await asks<{ id: string; token: string }>(
    cast,
    ada,
    'createDirectoryConnection',
    { name: 'Entra' },
    { status: 201 },
  )
  const scim = async (path: string, body: object) => {
    const answer = await fetch(`${world.office.url}/scim/v2${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
      body: JSON.stringify(body),
    })
    same(`POST ${path}`, answer.status, 201)
    return (await answer.json()) as { id: string }
  }
  const group = await scim('/Groups', { displayName: `Group ${world.mark}`, members: [{ value: bob.id }] })
  const { groups } = await asks<{ groups: { id: string }[] }>(cast, ada, 'listDirectoryGroups')
  same(
    'the group is there',
    groups.map((one) => one.id),
    [group.id],
  )
  await asks(cast, ada, 'updateDirectoryGroup', { id: group.id, role: 'guest' })
  await asks(cast, ada, 'getMember', { id: bob.id }, { ...OK, body: { role: 'moderator' } })
  const schemas = ['urn:ietf:params:scim:schemas:core:2.0:User']
  const held = await scim('/Users', { schemas, userName: `held@${domain}`, active: false })
  await asks(cast, ada, 'getMember', { id: held.id }, refused(404, 'member-not-found'))
  await asks(cast, ada, 'restoreDirectoryUser', { id: held.id }, DONE)
  await asks(
    cast,
    ada,
    'getMember',
    { id: held.id },
    { ...OK, body: { email: `held@${domain}`, role: 'member' } },
  )
  await asks(cast, ada, 'removeMember', { id: held.id }, DONE)
  await asks(cast, ada, 'listDirectoryRefusals')
  await asks(cast, ada, 'listDirectoryConnections')
  await asks(cast, ada, 'revokeDirectoryConnection', { id }, DONE)
  await asks(cast, ada, 'removeOrganizationDomain', { id: listed.domains[0]?.id }, DONE)
}

/** (decisions, Operations added since: exports one at a time; the audit trail, limits, retention and settings are read) */
export async function records(cast: Cast): Promise<void> {
  const { ada, bob } = cast
  for (const kind of ['Organization', 'User'] as const) {
    await asks(cast, ada, `start${kind}Export`, {}, { status: 202 })
    await soon('the export is ready', async () => {
      const { exports } = await asks<{ exports: { state: string }[] }>(cast, ada, `list${kind}Exports`)
      return exports[0]?.state === 'ready'
    })
  }
  const { data } = await asks<{ data: { action: string; actor: { id?: string } }[] }>(
    cast,
    ada,
    'listAuditLog',
    { limit: 100 },
  )
  same('the trail begins with the organization', data.at(-1)?.action, 'organization.created')
  await asks(cast, ada, 'checkpointAuditLog')
  await asks(cast, ada, 'updateOrganizationRetention', { chatDays: 400 }, { ...OK, body: { chatDays: 400 } })
  await asks(cast, bob, 'getOrganizationRetention', {}, { ...OK, body: { chatDays: 400 } })
  await asks(cast, bob, 'getOrganizationSettings', {}, { ...OK, body: { guestAdmission: 'admin' } })
  await asks(cast, ada, 'updateOrganizationSettings', { language: 'en' })
  await asks(cast, ada, 'getOrganizationLimits')
  const issuer = { issuer: 'https://login.example', clientId: 'atrium', clientSecret: 'a secret of a model' }
  await asks(cast, ada, 'saveSingleSignOn', issuer)
  await asks(cast, ada, 'getSingleSignOn')
  await asks(cast, ada, 'removeSingleSignOn', {}, DONE)
}
