import { once } from 'node:events'
import { organizationChannel, userChannel } from '@atrium/contract/events'
import { PEOPLE_OF_A_TEAM } from '@atrium/server/tests/data/teams.ts'
import { SignJWT } from 'jose'
import { WebSocket } from 'ws'
import { SECRETS } from '../centrifugo/conformance.ts'
import type { CentrifugoNode } from '../centrifugo/node.ts'
import type { Ends } from '../processes.ts'

/** Connections of people at the broker, who do nothing but answer its pings. */
export interface Attendants {
  /** What it took to connect them. */
  seconds: number
  /** So many close their connection, the last first. */
  leave(count: number): void
  /** Connections that the broker has closed. */
  closed(): number
}

const AT_ONCE = 32
const TOKEN_KEY = new TextEncoder().encode(SECRETS.token)

/** Connects people of organizations as `seedTeams` writes them. */
export async function connectPeople(
  { url }: CentrifugoNode,
  { firstTeam, people }: { firstTeam: number; people: number },
  ends: Ends,
): Promise<Attendants> {
  const sockets: WebSocket[] = []
  const left = new Set<WebSocket>()
  let closed = 0
  ends.push(async () => {
    for (const socket of sockets) socket.terminate()
  })
  const began = performance.now()
  const first = (firstTeam - 1) * PEOPLE_OF_A_TEAM + 1
  const numbers = Array.from({ length: people }, (_, n) => first + n).values()
  const lane = async () => {
    for (const n of numbers) {
      const socket = await attend(url, n)
      socket.on('close', () => !left.has(socket) && closed++)
      sockets.push(socket)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return {
    seconds: (performance.now() - began) / 1_000,
    closed: () => closed,
    leave(many) {
      for (const socket of sockets.splice(-many)) {
        left.add(socket)
        socket.close()
      }
    },
  }
}

async function attend(url: string, n: number): Promise<WebSocket> {
  const [user, organization] = [`user_${n}`, `org_${Math.ceil(n / PEOPLE_OF_A_TEAM)}`]
  const channels = [userChannel(organization, user), organizationChannel(organization)]
  const token = await new SignJWT({ sub: user, channels, meta: { org: organization } })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('2h')
    .sign(TOKEN_KEY)
  const socket = new WebSocket(url)
  await once(socket, 'open')
  socket.send(JSON.stringify({ id: 1, connect: { token } }))
  const [answer] = await once(socket, 'message')
  if (!String(answer).includes('"connect"')) throw new Error(`the broker refuses ${user}: ${answer}`)
  socket.on('message', (data) => String(data) === '{}' && socket.send('{}'))
  return socket
}
