import { AgentDispatchClient, EgressClient, IngressClient, RoomServiceClient } from 'livekit-server-sdk'
import { ProviderFailure } from '../../platform/refusal.ts'
import type { Secret } from '../../platform/secrets/secret.ts'

export interface LivekitOptions {
  /** Of LiveKit's API, http or ws. Asked when it is first needed; undefined: not there yet. */
  url: () => string | undefined
  apiKey: string
  apiSecret: Secret
}

/** The clients of its API. */
export interface Clients {
  rooms: RoomServiceClient
  workers: AgentDispatchClient
  egress: EgressClient
  recorder(answerWithinSeconds: number): EgressClient
  ingress: IngressClient
}

const ANSWER_WITHIN_SECONDS = 5
/** An unknown recording takes LiveKit 3 s to say so, a dead recorder longer. */
const STOP_WITHIN_SECONDS = 10

/** @throws ProviderFailure where there is no server yet */
export function openClients({ url, apiKey, apiSecret }: LivekitOptions): Clients {
  const host = url()
  if (host === undefined) throw new ProviderFailure('livekit', 'starting', { retryable: true })
  const open = <Client>(
    Service: new (host: string, key: string, secret: string, options: { requestTimeout: number }) => Client,
    requestTimeout: number,
  ) => new Service(host, apiKey, apiSecret.reveal(), { requestTimeout })
  return {
    rooms: open(RoomServiceClient, ANSWER_WITHIN_SECONDS),
    workers: open(AgentDispatchClient, ANSWER_WITHIN_SECONDS),
    egress: open(EgressClient, STOP_WITHIN_SECONDS),
    // a client of its own: a start has its own patience, and is never sent twice
    recorder: (requestTimeout) =>
      new EgressClient(host, apiKey, apiSecret.reveal(), { requestTimeout, failover: false }),
    ingress: open(IngressClient, ANSWER_WITHIN_SECONDS),
  }
}
