import { isWorker, type Worker } from '../caller.ts'
import { Disagreement, same, shown } from '../disagreement.ts'
import { picked, type Rule } from '../rule.ts'
import type { Conversation } from '../state.ts'
import type { World } from '../world.ts'

/** The earlier data access, as an unmodified client of PostgREST speaks to it. */
async function rest(
  world: World,
  { device }: Worker,
  path: string,
  body: object,
): Promise<{ status: number; rows: unknown }> {
  const minted = (await world.ask(device, 'mintChatToken', {}, { status: 200 })) as { token: string }
  const response = await fetch(`${world.office.url}/rest/v1/${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${minted.token}`,
      'content-type': 'application/json',
      prefer: 'return=representation',
    },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  return { status: response.status, rows: text === '' ? undefined : JSON.parse(text) }
}

const conversationsOf = ({ organizations }: World) =>
  organizations.flatMap(({ conversations }) => conversations)

const open: Rule = {
  name: 'two people open their conversation',
  written: 'decisions, Chat: open_dm opens or finds the one conversation of two members of the organization',
  plan(world, drawn) {
    const caller = world.caller(drawn)
    const target = world.target(drawn, caller)
    if (!isWorker(caller) || target === caller.person) return undefined
    const { organization, person } = caller
    return {
      says: `${caller.name} opens the conversation with ${target.name}`,
      async act() {
        const { status, rows } = await rest(world, caller, 'rpc/open_dm', {
          p_peer_user_id: Number(target.id),
        })
        const known = organization.conversations.find(({ between }) =>
          [person, target].every((one) => between.includes(one)),
        )
        if (!organization.members.has(target)) return same('open_dm with a stranger', status < 300, false)
        same('open_dm', status, 200)
        const [row] = rows as { conversation_id: number }[]
        const id = row?.conversation_id ?? 0
        if (known) return same('the conversation of two', id, known.id)
        organization.conversations.push({ id, between: [person, target], messages: [], read: new Map() })
      },
    }
  },
}

const send: Rule = {
  name: 'somebody writes',
  written:
    'spec, Earlier chat: members of the conversation alone write, and to members alone; message.created to every member; content 1 to 4,000 characters',
  weight: 3,
  plan(world, drawn) {
    const caller = world.caller(drawn)
    const conversation = picked(conversationsOf(world), drawn.one)
    if (!isWorker(caller) || !conversation) return undefined
    const content = drawn.other === 0 ? 'x'.repeat(4_001) : `Word ${drawn.other}`
    return {
      says: `${caller.name} writes to ${conversation.between.map(({ name }) => name).join(' and ')}`,
      act: () => write(world, caller, conversation, content),
    }
  },
}

async function write(
  world: World,
  caller: Worker,
  conversation: Conversation,
  content: string,
): Promise<void> {
  const { organization, person } = caller
  const { status, rows } = await rest(world, caller, 'messages', {
    conversation_id: conversation.id,
    content,
  })
  const isTheirs = organization.conversations.includes(conversation) && conversation.between.includes(person)
  const isRead = conversation.between.every((one) => organization.members.has(one))
  const may = isTheirs && isRead && content.length <= 4_000
  if (!may) return same(`${caller.name} writes where they may not`, status < 300, false)
  if (status !== 201) throw new Disagreement(`${caller.name} writes: ${status} ${shown(rows)}`)
  const [row] = rows as { message_id: number; sender_id: number }[]
  same('the sender', String(row?.sender_id), person.id)
  const id = row?.message_id ?? 0
  conversation.messages.push({ id, content, sender: person })
  for (const reader of conversation.between)
    world.tellPerson(reader, organization, 'message.created', { message_id: id, content })
}

const read: Rule = {
  name: 'somebody reads on',
  written:
    'spec, update_read_cursor: forward only, only one’s own; get_conversation_messages: newest first, none of others’',
  weight: 2,
  plan(world, drawn) {
    const caller = world.caller(drawn)
    const conversation = picked(conversationsOf(world), drawn.one)
    if (!isWorker(caller) || !conversation) return undefined
    return {
      says: `${caller.name} reads ${conversation.between.map(({ name }) => name).join(' and ')}`,
      act: () => readOn(world, caller, conversation, drawn.other),
    }
  },
}

async function readOn(
  world: World,
  caller: Worker,
  conversation: Conversation,
  place: number,
): Promise<void> {
  const { organization, person } = caller
  const asked = { p_conversation_id: conversation.id }
  const { rows } = await rest(world, caller, 'rpc/get_conversation_messages', asked)
  const isTheirs = organization.conversations.includes(conversation) && conversation.between.includes(person)
  const texts = (rows as { content: string }[]).map(({ content }) => content)
  const written = conversation.messages.map(({ content }) => content).reverse()
  same(`what ${caller.name} reads`, texts, isTheirs ? written.slice(0, 50) : [])
  const message = picked(conversation.messages, place)
  if (!isTheirs || !message) return
  await rest(world, caller, 'rpc/update_read_cursor', { ...asked, p_last_read_message_id: message.id })
  const known = conversation.read.get(person) ?? 0
  conversation.read.set(person, Math.max(known, message.id))
  const recent = await rest(world, caller, 'rpc/get_recent_dms', {})
  const row = (recent.rows as { conversation_id: number; unread_count: number }[]).find(
    ({ conversation_id }) => conversation_id === conversation.id,
  )
  const cursor = conversation.read.get(person) ?? 0
  const unread = conversation.messages.filter(({ id, sender }) => sender !== person && id > cursor)
  same(`how much ${caller.name} has not read`, row?.unread_count, unread.length)
}

export const chatRules: readonly Rule[] = [open, send, read]
