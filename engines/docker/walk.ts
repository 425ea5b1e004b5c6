import assert from 'node:assert/strict'
import { connectRealtime, type Realtime, type ReceivedEvent } from '@atrium/client/realtime'
import { AudioStream } from '@livekit/rtc-node'
import type { MailStandIn } from '../deploy/mail-stand-in.ts'
import { PICTURE } from '../deploy/picture.ts'
import type { Check } from '../engine.ts'
import { enter, type Present } from '../livekit/people.ts'
import { eventually, within } from '../waiting.ts'
import { CLIENTS, HOSTS, OFFICE_URL } from './places.ts'
import { signUp, type Visitor } from './visitors.ts'

const SOUND_WITHIN_MS = 20_000
/** Of 32,767: the tone of a client has 8,000. */
const LOUD = 1_000

/** Two colleagues at two addresses, and all that leads through the proxy. */
export async function walk(mail: MailStandIn, check: Check): Promise<Visitor | undefined> {
  let people: [Visitor, Visitor] | undefined
  await check('two people at two addresses sign in by mail, over TLS of Caddy’s own authority', async () => {
    people = await gather(mail)
  })
  if (!people) return undefined
  const [ada, grace] = people
  await check('the audit trail has the address of each', () => tellApart(ada, grace))
  await check('a picture goes to the store by https, and is shown', () => showPicture(ada))
  await check('two people hear each other in a room of LiveKit, through the proxy', () => meet(ada, grace))
  await check('a message of one reaches the other by Centrifugo', () => talk(ada, grace))
  return ada
}

async function gather(mail: MailStandIn): Promise<[Visitor, Visitor]> {
  const ada = await signUp(mail, 'ada', CLIENTS[0])
  await ada.client.call('createOrganization', { name: 'Engine Works' })
  const grace = await signUp(mail, 'grace', CLIENTS[1])
  const { inviteLink } = await ada.client.call('getInviteLink')
  const inviteToken = new URL(inviteLink).searchParams.get('invite_token') ?? ''
  await grace.client.call('joinOrganization', { inviteToken })
  return [ada, grace]
}

async function tellApart(ada: Visitor, grace: Visitor): Promise<void> {
  const { data } = await ada.client.call('listAuditLog', { limit: 100 })
  const addressesOf = ({ id }: Visitor) => [
    ...new Set(data.filter(({ actor }) => actor.id === id).map(({ actor }) => actor.address)),
  ]
  assert.deepEqual([addressesOf(ada), addressesOf(grace)], [[CLIENTS[0]], [CLIENTS[1]]])
}

async function showPicture({ client, fetch }: Visitor): Promise<void> {
  const { uploadUrl, tmpKey } = await client.call('createAvatarUploadTicket', { contentType: 'image/png' })
  assert.equal(new URL(uploadUrl).origin, `https://${HOSTS.STORE_HOST}`)
  const headers = { 'content-type': 'image/png' }
  const put = await fetch(uploadUrl, { method: 'PUT', headers, body: PICTURE })
  assert.equal(put.status, 200, await put.text())
  const { avatarUrl } = await client.call('finalizeAvatarUpload', { tmpKey })
  assert.equal((await fetch(avatarUrl)).status, 200, avatarUrl)
}

async function meet(ada: Visitor, grace: Visitor): Promise<void> {
  const { room } = await ada.client.call('createRoom', { name: 'The Kitchen' })
  const enterAs = async ({ client }: Visitor) => {
    const { token } = await client.call('authorizeRoom', { username: 'Member', roomId: room.id })
    return await enter(token, `wss://${HOSTS.MEDIA_HOST}`)
  }
  const [one, other] = [await enterAs(ada), await enterAs(grace)]
  try {
    await one.speak()
    await other.speak()
    await eventually('both are told of a microphone', () => one.heard.size === 1 && other.heard.size === 1)
    await within('the tone arrives', Promise.all([toneAt(one), toneAt(other)]), SOUND_WITHIN_MS)
  } finally {
    await one.leave()
    await other.leave()
  }
}

/** Waits for a sound that is louder than silence, which the client makes up where nothing arrives. */
async function toneAt({ room }: Present): Promise<void> {
  const heard = [...room.remoteParticipants.values()].flatMap((one) => [...one.trackPublications.values()])
  const track = heard.find(({ track }) => track)?.track
  assert.ok(track)
  for await (const frame of new AudioStream(track))
    if (frame.data.some((sample: number) => Math.abs(sample) > LOUD)) return
}

async function talk(ada: Visitor, grace: Visitor): Promise<void> {
  const lines: Realtime[] = []
  try {
    const events: ReceivedEvent[] = []
    const line = await connectRealtime(grace.client)
    lines.push(line)
    line.on('event', (event) => void events.push(event))
    await eventually('Centrifugo has taken the connection', () => line.statusOf(line.userId) === 'online')
    const { token } = await ada.client.call('mintChatToken')
    const opened = await ada.fetch(`${OFFICE_URL}/rest/v1/rpc/open_dm`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ p_peer_user_id: grace.id }),
    })
    const [conversation] = (await opened.json()) as { conversation_id: number }[]
    assert.ok(conversation, `it was answered ${opened.status}`)
    const content = 'Good morning'
    await ada.client.call('sendMessage', { conversationId: conversation.conversation_id, content })
    await eventually('it arrives', () => events.some(({ type }) => type === 'message.created'))
  } finally {
    for (const line of lines) line.close()
  }
}
