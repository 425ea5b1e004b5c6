import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import type { Benchmark } from './benchmark.ts'
import { type Listener, listen, timeAsking } from './listener.ts'
import { type Employee, employ } from './noisy-tenants.ts'
import { openBare, openContest, openProduction, pinSides } from './opening.ts'

const BASELINE = fileURLToPath(new URL('chat-send-baseline.ts', import.meta.url))
const NO_LIMITS = { RATE_LIMIT_MESSAGES_PER_USER: '0', RATE_LIMIT_MESSAGES_PER_CONVERSATION: '0' }

export const chatSend: Benchmark = {
  name: 'chat-send',
  describe:
    "POST /rest/v1/messages until it arrives at a colleague's socket, through policies, triggers, outbox and embedded broker (median), against bare node:http + pg that inserts a row and hands the text to a WebSocket",
  unit: 'ms',
  goal: { subjectMax: 20 },
  prepare: () =>
    openContest(async (ends) => {
      const { office, running, person, base } = await openProduction(ends, NO_LIMITS)
      const databaseUrl = await office.databaseUrl()
      const [sender, peer] = (await employ(databaseUrl, person, 2)) as [Employee, Employee]
      const bare = await openBare(ends, BASELINE, [databaseUrl])
      pinSides(ends, running, bare)

      const authorization = await bearer(base, sender)
      const opened = await post(
        `${base}/rest/v1/rpc/open_dm`,
        { p_peer_user_id: Number(peer.userId) },
        authorization,
      )
      const [{ conversation_id: conversation }] = (await opened.json()) as [{ conversation_id: number }]
      const ours = await earsOf(base, peer)
      ends.push(async () => ours.close())
      const theirs = await listen(`${bare.base.replace('http', 'ws')}/`)
      ends.push(async () => theirs.close())
      const asking = (listener: Listener, url: string) => ({
        listener,
        text: (number: number) => `Message ${number}.`,
        ask: (number: number) =>
          post(url, { conversation_id: conversation, content: `Message ${number}.` }, authorization),
      })
      return await timeAsking(
        asking(ours, `${base}/rest/v1/messages`),
        asking(theirs, `${bare.base}/messages`),
      )
    }),
}

async function bearer(base: string, { cookie }: Employee): Promise<string> {
  const minted = await fetch(`${base}/api/v1/realtime/token`, { method: 'POST', headers: { cookie } })
  return `Bearer ${((await minted.json()) as { token: string }).token}`
}

/** The socket of a person: what concerns them comes without a subscription. */
async function earsOf(base: string, { cookie }: Employee): Promise<Listener> {
  const answer = await fetch(`${base}/websocket/token`, { method: 'POST', headers: { cookie } })
  const { token, url } = (await answer.json()) as { token: string; url: string }
  return await listen(url, JSON.stringify({ id: 1, connect: { token } }), '"id":1')
}

async function post(url: string, body: object, authorization: string): Promise<Response> {
  const headers = { 'content-type': 'application/json', authorization }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  assert(answer.ok, `${url} answered ${answer.status}`)
  return answer
}
