// A bot that answers direct messages. `BOT_EMAIL=bot@example.com node bot/bot.js`, with the mailed code on standard input.
import { createInterface } from 'node:readline/promises'
import { createAtriumClient, createCookieJar } from '@atrium/client'
import { createChat } from '@atrium/client/chat'
import { connectRealtime } from '@atrium/client/realtime'
import { signInWithCode } from '@atrium/client/sign-in'

const baseUrl = process.env.OFFICE ?? 'http://localhost:3000'
const email = process.env.BOT_EMAIL ?? 'bot@example.com'
const office = createAtriumClient({ baseUrl, cookies: createCookieJar() })

const input = createInterface({ input: process.stdin, output: process.stdout })
await office.call('signUp', { email })
const end = await signInWithCode(office, { email, code: await input.question('Code: ') })
if (end.state === 'choose') await end.choose(end.organizations[0].id)
// `https://…/join?invite_token=…`: whoever is in no organization yet joins by its invite link
const link = process.env.BOT_INVITE_LINK
if (link)
  await office.call('joinOrganization', { inviteToken: new URL(link).searchParams.get('invite_token') })

// Node 22 has a WebSocket of its own, Node 20 has not
const websocket = globalThis.WebSocket ?? (await import('ws')).default
const live = await connectRealtime(office, { websocket })
live.on('state', ({ state }) => {
  console.log(state)
  if (state === 'closed') process.exit()
})
const chat = createChat(office, live)
const me = chat.me()
live.on('event', async ({ type, data }) => {
  if (type !== 'message.created' || data.sender_id === (await me)) return
  const conversation = chat.conversation(data.conversation_id)
  await conversation.send(`You said: ${data.content}`)
})
