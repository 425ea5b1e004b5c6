import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { AtriumClient } from '@atrium/client'
import type { Ends } from '../processes.ts'
import { inviteTokenOf, newPerson } from '../web/people.ts'

const EVERY_MS = 250
const PAGE = 100

/** One answer to a message that was sent. */
export interface Sent {
  /** When it was sent, and answered. */
  at: number
  answeredAt: number
  /** Of the message, where it was acknowledged. */
  messageId: number | undefined
  /** 0: no answer came. */
  status: number
}

export interface Writers {
  /** All so far, in the order of their answers. */
  sent: readonly Sent[]
  /** Until no more is sent, and all answers are there. */
  stop(): Promise<void>
  /** What a colleague reads. */
  readAll(): Promise<number[]>
}

/** Two people write to each other, each by a node of their own, four messages a second together, whatever the answers are. */
export async function startWriting(nodes: readonly [string, string], ends: Ends): Promise<Writers> {
  const ada = await newPerson({ url: nodes[0] }, 'Ada', { found: 'Engines' })
  const ben = await newPerson({ url: nodes[1] }, 'Ben', { inviteToken: await inviteTokenOf(ada) })
  const conversationId = await openDirect(nodes[0], ada.client, (await ben.client.call('getCurrentUser')).id)
  const sent: Sent[] = []
  const stopping = new AbortController()
  const writes = [ada.client, ben.client].map((client) =>
    write(client, conversationId, sent, stopping.signal),
  )
  const stop = async () => {
    stopping.abort()
    await Promise.all(writes)
  }
  ends.push(stop)
  return { sent, stop, readAll: () => readAll(ben.client, conversationId) }
}

async function openDirect(office: string, client: AtriumClient, peer: string): Promise<number> {
  const { token } = await client.call('mintChatToken')
  const answer = await fetch(`${office}/rest/v1/rpc/open_dm`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ p_peer_user_id: Number(peer) }),
  })
  if (!answer.ok) throw new Error(`the conversation was not opened: ${await answer.text()}`)
  const [row] = (await answer.json()) as { conversation_id: number }[]
  return row?.conversation_id ?? Number.NaN
}

async function write(
  client: AtriumClient,
  conversationId: number,
  sent: Sent[],
  stopping: AbortSignal,
): Promise<void> {
  const under: Promise<void>[] = []
  for (let n = 0; !stopping.aborted; n += 1) {
    under.push(
      sendOne(client, { conversationId, content: `message ${n}` }).then((one) => void sent.push(one)),
    )
    await pause(EVERY_MS * 2, undefined, { signal: stopping }).catch(() => {})
  }
  await Promise.all(under)
}

async function sendOne(
  client: AtriumClient,
  message: { conversationId: number; content: string },
): Promise<Sent> {
  const at = performance.now()
  const answer = await client
    .request('sendMessage', { ...message, clientMessageId: randomUUID() })
    .catch(() => undefined)
  const messageId = answer?.status === 201 ? (answer.body as { message_id: number }).message_id : undefined
  return { at, answeredAt: performance.now(), messageId, status: answer?.status ?? 0 }
}

async function readAll(client: AtriumClient, conversationId: number): Promise<number[]> {
  const ids: number[] = []
  for (let after: number | null = 0; after !== null; ) {
    const page: { messages: { message_id: number }[] } = await client.call('listMessages', {
      conversationId,
      after,
      limit: PAGE,
    })
    ids.push(...page.messages.map(({ message_id }) => message_id))
    after = page.messages.length === PAGE ? (ids.at(-1) ?? null) : null
  }
  return ids
}
