import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Realtime, ReceivedEvent } from '@atrium/client/realtime'
import { PostgrestClient } from '@supabase/postgrest-js'
import { expectRefusal, expectStatus } from './expect.ts'
import { waitFor } from './patience.ts'
import { fresh, listening, type Person, signedUp } from './person.ts'
import type { Steps } from './steps.ts'
import type { Office, Walk } from './walk.ts'

const SOON_MS = 10_000

/** Two people talk, by the unmodified client of PostgREST, and hear each other live; others hear and see nothing. */
export const chat: Walk = {
  name: 'chat',
  async run(office, steps) {
    const lines: Realtime[] = []
    try {
      const { ada, ben } = await twoColleagues(office, steps)
      const talk = await openIt(steps, ada, ben, lines)
      await speak(steps, talk)
      await read(steps, talk)
      await limits(steps, talk)
      await strangers(office, steps, talk)
    } finally {
      for (const line of lines) line.close()
    }
  },
}

interface Speaker extends Person {
  id: string
  // biome-ignore lint/suspicious/noExplicitAny: no generated types of the schema
  rest: PostgrestClient<any, any, 'public', any>
}

interface Talk {
  ada: Speaker
  ben: Speaker
  conversation: number
  heard: { ada: Heard; ben: Heard }
}
type Heard = ReceivedEvent[]

async function twoColleagues(office: Office, { step }: Steps): Promise<{ ada: Speaker; ben: Speaker }> {
  return await step('two colleagues get their tokens', async () => {
    const ada = await signedUp(office, 'ada')
    await ada.client.call('createOrganization', { name: fresh('Observatory') })
    const ben = await signedUp(office, 'ben')
    const { inviteLink } = await ada.client.call('getInviteLink')
    const inviteToken = new URL(inviteLink).searchParams.get('invite_token') as string
    await ben.client.call('joinOrganization', { inviteToken })
    return { ada: await speaker(office, ada), ben: await speaker(office, ben) }
  })
}

async function speaker(office: Office, person: Person): Promise<Speaker> {
  const { token } = await person.client.call('mintChatToken')
  const { id } = await person.client.call('getCurrentUser')
  const headers = { authorization: `Bearer ${token}` }
  return { ...person, id, rest: new PostgrestClient(`${office.url}/rest/v1`, { headers }) }
}

async function openIt({ step }: Steps, ada: Speaker, ben: Speaker, lines: Realtime[]): Promise<Talk> {
  const listen = async (speaker: Speaker): Promise<Heard> => {
    const { device, events } = await listening(speaker)
    lines.push(device)
    return events
  }
  return await step('they open their conversation, each from their side, and listen', async () => {
    const open = async (from: Speaker, to: Speaker) => {
      const { data, error } = await from.rest.rpc('open_dm', { p_peer_user_id: to.id }).single()
      assert.equal(error, null)
      return data as { conversation_id: number; peer_user_id: number }
    }
    const [first, second] = await Promise.all([open(ada, ben), open(ben, ada)])
    assert.equal(first.conversation_id, second.conversation_id)
    assert.equal(String(first.peer_user_id), ben.id)
    const heard = { ada: await listen(ada), ben: await listen(ben) }
    return { ada, ben, conversation: first.conversation_id, heard }
  })
}

async function speak({ step, check }: Steps, { ada, ben, conversation, heard }: Talk): Promise<void> {
  const first = { conversation_id: conversation, content: 'Lunch?', client_message_id: randomUUID() }
  await step('a message is sent, and once more for safety: it is there once', async () => {
    for (let time = 1; time <= 3; time++) {
      const { status, data } = await ada.rest.from('messages').insert(first).select().single()
      assert.equal(status, 201)
      assert.equal(String(data.sender_id), ada.id)
    }
    const { count } = await ben.rest.from('messages').select('*', { count: 'exact', head: true })
    assert.equal(count, 1)
  })
  await check('both hear of it, and only the other as of something new', async () => {
    const types = (who: 'ada' | 'ben') => heard[who].map(({ type }) => type).sort()
    await waitFor('the events', SOON_MS, async () => types('ben').length === 2 || undefined)
    assert.deepEqual(types('ben'), ['message.created', 'new_message'])
    await waitFor('the own event', SOON_MS, async () => types('ada').length === 1 || undefined)
    assert.deepEqual(types('ada'), ['message.created'])
    const { data } = heard.ben.find(({ type }) => type === 'new_message') as Heard[number]
    assert.deepEqual(Object.keys(data as object).sort(), [
      'content',
      'conversation_id',
      'created_at',
      'message_id',
      'sender_id',
    ])
  })
  await check('an answer in the thread is counted', async () => {
    const parent = await ben.rest.from('messages').select('message_id').single()
    const answer = {
      conversation_id: conversation,
      content: 'Yes!',
      parent_message_id: parent.data?.message_id,
    }
    assert.equal((await ben.rest.from('messages').insert(answer)).status, 201)
    const { data } = await ada.rest.rpc('get_conversation_messages', { p_conversation_id: conversation })
    assert.deepEqual(
      data.map((row: { content: string; reply_count: number }) => [row.content, row.reply_count]),
      [
        ['Yes!', 0],
        ['Lunch?', 1],
      ],
    )
  })
}

async function read({ check }: Steps, { ada, ben, conversation, heard }: Talk): Promise<void> {
  const dm = async (who: Speaker) =>
    (await who.rest.rpc('get_recent_dms').single()).data as Record<string, unknown>
  await check('what the other has sent is unread until the cursor moves, forward only', async () => {
    assert.equal((await dm(ada)).unread_count, 1)
    const newest = await ada.rest
      .from('messages')
      .select('message_id')
      .order('message_id', { ascending: false })
      .limit(1)
      .single()
    const id = newest.data?.message_id as number
    for (const cursor of [id, id - 1, id + 1_000]) {
      const { status } = await ada.rest.rpc('update_read_cursor', {
        p_conversation_id: conversation,
        p_last_read_message_id: cursor,
      })
      assert.equal(status, 204)
    }
    assert.equal((await dm(ada)).unread_count, 0)
    const steps = () => heard.ada.filter(({ type }) => type === 'conversation.read')
    await waitFor('conversation.read', SOON_MS, async () => steps().length > 0 || undefined)
    assert.deepEqual(
      steps().map(({ data }) => data),
      [{ conversation_id: conversation, last_read_message_id: id }],
    )
  })
  await check('a heartbeat shows, and does not show who appears offline', async () => {
    await ben.rest.rpc('update_presence', { p_status: 'away' })
    assert.equal((await dm(ada)).peer_status, 'away')
    await ben.client.call('setPresenceStatus', { status: 'appear_offline' })
    const hidden = await dm(ada)
    assert.equal(hidden.peer_status, 'offline')
    await ben.rest.rpc('update_presence', { p_status: 'online' })
    assert.deepEqual(await dm(ada), hidden)
  })
}

async function limits({ check }: Steps, { ada, conversation }: Talk): Promise<void> {
  await check('of many messages at the same time as many pass as may', async () => {
    const { count } = await ada.rest
      .from('messages')
      .select('*', { count: 'exact', head: true })
      .eq('sender_id', ada.id)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        ada.rest.from('messages').insert({ conversation_id: conversation, content: 'again' }),
      ),
    )
    const sent = answers.filter(({ status }) => status === 201).length
    assert.ok(sent === 5 || sent === 5 - (count ?? 0), `${sent} were sent`)
    for (const { status, error } of answers.filter((answer) => answer.status !== 201)) {
      assert.equal(status, 429)
      assert.equal(error?.code, 'P0429')
      assert.equal(error?.message, 'rate_limit_conversation')
    }
  })
}

async function strangers(office: Office, { check }: Steps, { ada, ben, conversation }: Talk): Promise<void> {
  await check('somebody of another organization finds nothing', async () => {
    const person = await signedUp(office, 'eve')
    expectRefusal(await person.client.request('mintChatToken'), 403)
    await person.client.call('createOrganization', { name: fresh('Elsewhere') })
    const eve = await speaker(office, person)
    const asked = await eve.rest.rpc('get_conversation_messages', { p_conversation_id: conversation })
    assert.deepEqual([asked.status, asked.data], [200, []])
    const sent = await eve.rest.from('messages').insert({ conversation_id: conversation, content: 'x' })
    assert.deepEqual([sent.status, sent.error?.code], [403, '42501'])
    assert.equal((await eve.rest.rpc('open_dm', { p_peer_user_id: ada.id })).status, 404)
  })
  await check('reactions, attachments and changes are refused', async () => {
    for (const table of ['reactions', 'attachments']) {
      const { status, error } = await ada.rest.from(table).select()
      assert.deepEqual([status, error?.code], [403, '42501'])
    }
    const { status, error } = await ada.rest.from('messages').update({ content: 'x' }).gt('message_id', 0)
    assert.deepEqual([status, error?.code], [403, '42501'])
  })
  await check('without a token, or with a false one, there is nothing', async () => {
    for (const headers of [{}, { authorization: 'Bearer x.y.z' }]) {
      const answer = await fetch(`${office.url}/rest/v1/messages`, { headers })
      assert.equal(answer.status, 401)
    }
  })
  await check('who is removed has lost it at once, with the token they hold', async () => {
    expectStatus(await ada.client.request('removeMember', { id: ben.id }), 204)
    await waitFor('the end of the token', 2_000, async () => {
      const { status } = await ben.rest.from('messages').select()
      return status === 401 || undefined
    })
    const refused = [
      await ben.rest.rpc('get_recent_dms'),
      await ben.rest.from('messages').insert({ conversation_id: conversation, content: 'x' }),
    ]
    assert.deepEqual(
      refused.map(({ status }) => status),
      [401, 401],
    )
  })
}
