import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { UpdateJobStatus } from '@livekit/protocol'
import { WebSocketServer } from 'ws'
import { grantsOf, type TokenKeys, tokenIn } from '../api/access-tokens.ts'
import { acceptingUpgrades, refuseUpgrade } from '../api/refused-upgrade.ts'
import type { Clock, OnFault } from '../timers.ts'
import { openWorker, type Worker } from './worker.ts'

export interface WorkersNeeds extends TokenKeys {
  clock: Clock
  onJob(update: UpdateJobStatus): void
  /** It takes no jobs any more, and says nothing more of those that it has. */
  onGone(worker: Worker): void
  onFault: OnFault
}

/** The workers that are connected. */
export interface Workers {
  /** Takes over a socket that asked for a WebSocket at `/agent`, or refuses it in HTTP. It never rejects. */
  acceptUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>
  /** One of that name that is available, the less loaded the likelier; undefined where there is none beside these. */
  choose(wanted: Pick<Worker, 'agentName' | 'deployment'>, tried: ReadonlySet<Worker>): Worker | undefined
  close(): void
}

/** Where workers register, by a token of the API key with the grant `agent`. */
export const AGENT_PATH = '/agent'
const MESSAGE_BYTES_MAX = 64 * 1024
const WORKERS_MAX = 100

export function openWorkers(needs: WorkersNeeds): Workers {
  const { clock, onFault } = needs
  const connected = new Set<Worker>()
  const limits = { maxPayload: MESSAGE_BYTES_MAX, perMessageDeflate: false }
  const handshakes = new WebSocketServer({ noServer: true, ...limits })
  let closing = false
  const accept = async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const grants = await grantsOf(needs, tokenIn(request), clock.now())
    if (socket.destroyed) return
    if (grants?.video.agent !== true)
      return refuseUpgrade(socket, { status: 401, text: 'permissions denied' })
    if (closing) return refuseUpgrade(socket, { status: 503, text: 'the server is closing' })
    if (handshakes.clients.size >= WORKERS_MAX)
      return refuseUpgrade(socket, { status: 503, text: 'too many workers' })
    handshakes.handleUpgrade(request, socket, head, (line) => {
      openWorker(line, {
        ...{ onJob: needs.onJob, onFault },
        onRegistered: (worker) => connected.add(worker),
        onClosed(worker) {
          if (worker && connected.delete(worker)) needs.onGone(worker)
        },
      })
    })
  }
  return {
    acceptUpgrade: acceptingUpgrades(accept, onFault),
    choose({ agentName, deployment }, tried) {
      const able = [...connected].filter(
        (one) =>
          one.agentName === agentName &&
          one.namespace === '' &&
          one.deployment === deployment &&
          one.isAvailable() &&
          !tried.has(one),
      )
      return chosenByLoad(able)
    },
    close() {
      closing = true
      for (const line of handshakes.clients) line.terminate()
    },
  }
}

/** As LiveKit chooses: by chance, weighted by what they have to spare. Who is fully loaded is not asked. */
function chosenByLoad(workers: readonly Worker[]): Worker | undefined {
  const spare = workers.map((worker) => Math.max(0, 1 - worker.load()))
  let rest = Math.random() * spare.reduce((sum, one) => sum + one, 0)
  return workers.find((_, index) => {
    rest -= spare[index] ?? 0
    return (spare[index] ?? 0) > 0 && rest <= 0
  })
}
