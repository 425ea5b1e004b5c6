// A note-taker. `BOT_ID=17 BOT_TOKEN=atrbot_… node assistant/assistant.js`; TRANSCRIBER_URL, where it is to listen.
import { setTimeout as pause } from 'node:timers/promises'
import { AtriumError, createAtriumClient } from '@atrium/client'
import { connectRealtime } from '@atrium/client/realtime'
import { dispose } from '@livekit/rtc-node'
import { attend } from './meeting.js'
import { minutesOf } from './minutes.js'

const baseUrl = process.env.OFFICE ?? 'http://localhost:3000'
const transcriberUrl = process.env.TRANSCRIBER_URL || undefined
const { BOT_ID: botId, BOT_TOKEN: serviceToken } = process.env
if (!botId || !serviceToken) throw new Error('BOT_ID and BOT_TOKEN say which bot this is')
const SENDING_TRIES_MAX = 5

const office = createAtriumClient({ baseUrl, serviceToken })
/** The meetings that it is in or comes into, by their rooms. */
const meetings = new Map()
/** Minutes that are being made, of meetings that are over too. */
const making = new Set()
/** Conversations that it answers in at the moment. */
const answering = new Set()
let isLeaving = false
/** The title of the last minutes in a conversation. Kept in memory alone. */
const lastMinutes = new Map()

// Node 22 has a WebSocket of its own, Node 20 has not
const websocket = globalThis.WebSocket ?? (await import('ws')).default
const live = await connectRealtime(office, { websocket })
live.on('state', ({ state }) => {
  console.log(state)
  if (state === 'closed') void leaveAll()
})
live.on('event', ({ type, data }) => {
  if (type === 'agent.dispatched') void takeMinutes(data.roomId)
  if (type === 'message.created' && data.mentions?.includes(botId)) void answer(data)
})
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void leaveAll())

async function takeMinutes(roomId) {
  // once it is out it may be asked in again, while the minutes are made
  if (meetings.has(roomId)) return
  const meeting = attend({ office, roomId, transcriberUrl })
  meetings.set(roomId, meeting)
  const minutes = meeting.then(({ over }) => over).then(post)
  // told of below, where coming in fails too
  minutes.catch(() => undefined)
  making.add(minutes)
  try {
    const { left } = await meeting
    console.log(`in room ${roomId}`)
    await left
    meetings.delete(roomId)
    await minutes
  } catch (error) {
    meetings.delete(roomId)
    console.error(`room ${roomId}: ${error.message}`)
  } finally {
    making.delete(minutes)
  }
}

/** Into the conversation of the room, if it is in it; else to each who was there and has a conversation with it. */
async function post(meeting) {
  if (meeting.people.length === 0) return
  const { title, messages } = minutesOf(meeting)
  const own = await ownConversations()
  const ofRoom = own.filter(({ roomId }) => roomId === meeting.roomId)
  const there = new Set(meeting.people.map(({ id }) => id))
  const direct = own.filter(({ type, peerUserId }) => type === 'DM' && there.has(peerUserId))
  const chosen = ofRoom.length > 0 ? ofRoom : direct
  if (chosen.length === 0) console.error(`nobody has a conversation with me: no minutes of ${meeting.roomId}`)
  for (const { conversationId } of chosen) {
    for (const content of messages) await send({ conversationId, content })
    lastMinutes.set(conversationId, title)
  }
}

async function ownConversations() {
  const all = []
  let cursor
  do {
    const page = await office.call('listConversations', { limit: 100, ...(cursor && { cursor }) })
    all.push(...page.conversations)
    cursor = page.cursor
  } while (cursor)
  return all
}

/** What is written to it is no instruction: any mention has the same answer, one at a time in a conversation. */
async function answer({ conversation_id: conversationId, sender_id: senderId }) {
  if (String(senderId) === botId || answering.has(conversationId)) return
  answering.add(conversationId)
  const title = lastMinutes.get(conversationId)
  const does = `I write down who was in a room${transcriberUrl ? ' and what was said' : ''}: ask me in.`
  const content = title ? `My last minutes here: ${title}. ${does}` : does
  try {
    await send({ conversationId, content })
  } catch (error) {
    console.error(`conversation ${conversationId}: ${error.message}`)
  } finally {
    answering.delete(conversationId)
  }
}

/** Sent again where nothing is known of it, or the office asks to wait: it is there once. */
async function send(message) {
  const input = { ...message, clientMessageId: crypto.randomUUID() }
  for (let tries = 1; ; tries += 1) {
    try {
      return await office.call('sendMessage', input)
    } catch (error) {
      const isFinal = error instanceof AtriumError && error.status < 500 && error.status !== 429
      if (isFinal || tries === SENDING_TRIES_MAX) throw error
      await pause((error.retryAfterSeconds ?? tries) * 1_000)
    }
  }
}

/** Minutes of the meetings so far are sent before it ends. */
async function leaveAll() {
  if (isLeaving) return
  isLeaving = true
  live.close()
  await Promise.allSettled([...meetings.values()].map(async (meeting) => (await meeting).leave()))
  await Promise.allSettled([...making])
  await dispose()
  process.exit()
}
