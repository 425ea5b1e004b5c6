import assert from 'node:assert/strict'
import type { AtriumClient } from '@atrium/client'
import { UNUSABLE_ROWS } from '@atrium/server/src/ports/broker.conformance.ts'
import pg from 'pg'
import { WebSocket } from 'ws'
import type { Check } from '../engine.ts'
import { eventually } from '../waiting.ts'
import type { CentrifugoOffice } from './office.ts'
import { signUp } from './people.ts'

/** What is promised: a connection of an ended session is closed, and the person offline, within so long. */
const CLOSED_WITHIN_MS = 2_000

/** A session ends what was minted from it, though Centrifugo checks tokens by itself; useless outbox rows go. */
export async function tryEnded(office: CentrifugoOffice, check: Check): Promise<void> {
  const database = new pg.Client({ connectionString: office.databaseUrl })
  await database.connect()
  const statusOf = async (user: string) => {
    const { rows } = await database.query<{ status: string }>(
      'select p.status from presence p join users u on u.id = p.user_id where u.identity_user_id = $1',
      [user],
    )
    return rows[0]?.status
  }
  const [one, two] = office.nodes
  try {
    await check('ended: a sign-out closes the connection, and the person is offline at once', async () => {
      const person = await founder(office.url)
      const connection = await connect(one.url, person.token)
      await person.client.call('confirmPresence')
      await eventually('online', async () => (await statusOf(person.user)) === 'online')
      // Centrifugo came after the office, which counts as a loss of the broker: as a minute later
      await database.query('update presence_poll set quiet_until = null')
      const began = performance.now()
      await person.client.call('signOut')
      assert.deepEqual(await connection.closed, [4502, 'session ended'])
      await eventually('offline', async () => (await statusOf(person.user)) === 'offline')
      assertInTime(began)
    })
    await check(
      'ended: a connection that comes late with the token of before is found and closed',
      async () => {
        const person = await founder(office.url)
        await person.client.call('signOut')
        for (const node of [one, two, one]) {
          const began = performance.now()
          // it may be found before it has heard that it stands
          const late = await connect(node.url, person.token).catch((error: Error) => error)
          if (late instanceof Error) {
            assert.match(late.message, /closed: (4502|3014),/)
            continue
          }
          const [code] = await late.closed
          assert.ok(code === 4502 || code === 3014, String(code))
          assertInTime(began)
        }
      },
    )
    await check('ended: one that hides from the census is closed too', async () => {
      const person = await founder(office.url)
      await person.client.call('signOut')
      const began = performance.now()
      // it may be found before it has heard that it stands
      const late = await connect(two.url, person.token).catch((error: Error) => error)
      if (late instanceof Error) return assert.match(late.message, /closed: (4502|3014),/)
      late.socket.send(JSON.stringify({ id: 2, unsubscribe: { channel: `org:${person.organization}` } }))
      await late.closed
      assertInTime(began)
    })
    await check('ended: a removal closes the connections of the organization, and of no other', async () => {
      const admin = await founder(office.url)
      const { inviteLink } = await admin.client.call('getInviteLink')
      const inviteToken = new URL(inviteLink).searchParams.get('invite_token') ?? ''
      const member = await founder(office.url)
      const elsewhere = await connect(one.url, member.token)
      await member.client.call('joinOrganization', { inviteToken })
      const email = await emailOf(database, member.user)
      await member.client.call('switchOrganization', { email, organizationId: admin.organization })
      assert.deepEqual(await elsewhere.closed, [3014, 'session replaced'])
      const { token } = await member.client.call('mintConnectionToken')
      const here = await connect(two.url, token)
      const { data } = await admin.client.call('listMembers', {})
      const id = data.find((row) => row.email === email)?.id ?? ''
      const began = performance.now()
      await admin.client.call('removeMember', { id })
      // or all of a person who may connect nowhere, where the broker does not yet tell of the connection
      const [code] = await here.closed
      assert.ok(code === 4501 || code === 3014, String(code))
      assertInTime(began)
    })
    await check('rows of the outbox that nobody can use are dropped, and hold nothing up', async () => {
      const person = await founder(office.url)
      const connection = await connect(one.url, person.token)
      const channel = `org:${person.organization}`
      for (const partition of [0, 1, 2, 3])
        for (const [method, payload] of [
          ...UNUSABLE_ROWS,
          ['publish', { channel, data: { partition } }] as const,
        ])
          await database.query(
            'insert into centrifugo_outbox (method, payload, partition) values ($1, $2, $3)',
            [method, payload, partition],
          )
      await eventually('four publications', () => connection.received.length >= 4, { withinMs: 10_000 })
      await eventually('an empty outbox', async () => {
        const { rows } = await database.query('select 1 from centrifugo_outbox limit 1')
        return rows.length === 0
      })
      connection.socket.terminate()
    })
  } finally {
    await database.end()
  }
}

interface Founder {
  client: AtriumClient
  organization: string
  user: string
  token: string
}

async function founder(url: string): Promise<Founder> {
  const client = await signUp(url)
  await client.call('createOrganization', { name: 'Endings' })
  const { token } = await client.call('mintConnectionToken')
  const { sub, meta } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
    sub: string
    meta: { org: string }
  }
  return { client, organization: meta.org, user: sub, token }
}

/** A client that does as it likes: nothing of ours keeps it from coming back. */
async function connect(url: string, token: string) {
  const socket = new WebSocket(url)
  const closed = new Promise<[number, string]>((resolve) => {
    socket.on('close', (code, reason) => resolve([code, String(reason)]))
  })
  const received: unknown[] = []
  const answered = Promise.withResolvers<void>()
  socket.on('message', (data) => {
    for (const line of String(data).split('\n')) {
      const said = JSON.parse(line) as { connect?: object; push?: object }
      if (said.connect) answered.resolve()
      if (said.push) received.push(said.push)
      if (line === '{}') socket.send('{}')
    }
  })
  socket.on('open', () => socket.send(JSON.stringify({ id: 1, connect: { token } })))
  socket.on('error', (error) => answered.reject(error))
  await Promise.race([answered.promise, closed.then((why) => assert.fail(`closed: ${why}`))])
  return { socket, closed, received }
}

async function emailOf(database: pg.Client, user: string): Promise<string> {
  const { rows } = await database.query<{ email: string }>(
    'select email from users where identity_user_id = $1',
    [user],
  )
  return rows[0]?.email ?? ''
}

function assertInTime(began: number): void {
  const ms = Math.round(performance.now() - began)
  assert.ok(ms < CLOSED_WITHIN_MS, `${ms} ms`)
}
