import { SignalTarget, TrickleRequest } from '@livekit/protocol'
import { openSending } from '../only-connection.ts'
import { openPublisher, type Publisher, type PublisherOptions } from '../publisher.ts'
import type { SignalAnswer } from '../signal.ts'
import { openSubscriber, type Subscriber } from '../subscriber.ts'

export interface ConnectionsOptions
  extends Pick<PublisherOptions, 'address' | 'onLost' | 'onNegotiated' | 'onData' | 'sources'> {
  /** One carries everything; else the client receives on another than it publishes on. */
  isOne: boolean
  /** Whether there is anything to publish, as it is now. */
  mayPublish(): boolean
  send(message: SignalAnswer): void
  /** Media flows, or may; more than once. */
  onConnected(): void
  onSilent(): void
  onFault(error: unknown): void
}

/** What carries the media of one client. */
export interface Connections {
  /** The client makes the offers of the connection that counts. */
  readonly offersCome: boolean
  /** Undefined where nothing may be published: offers are not even read then, unless media is received by them. */
  publisher(): Publisher | undefined
  readonly subscriber: Subscriber
  close(): Promise<unknown>
}

export function openConnections(options: ConnectionsOptions): Connections {
  const { address, isOne, send, onConnected, onSilent, onFault } = options
  const offersCome = isOne || options.mayPublish()
  const trickle = (target: SignalTarget) => (candidate: object) => {
    const candidateInit = JSON.stringify(candidate)
    send({ case: 'trickle', value: new TrickleRequest({ candidateInit, target }) })
  }
  const sending = isOne ? openSending(send) : undefined
  const subscriber: Subscriber =
    sending ??
    openSubscriber({
      ...{ address, send, onFault, onSilent },
      onCandidate: trickle(SignalTarget.SUBSCRIBER),
      // as the client was told when it came in: see `subscriberPrimary`
      onConnected: () => offersCome || onConnected(),
    })
  let publisher: Publisher | undefined
  return {
    offersCome,
    subscriber,
    publisher() {
      if (!publisher && (isOne || options.mayPublish()))
        publisher = openPublisher({
          ...{ address, send, sending, onConnected },
          onCandidate: trickle(SignalTarget.PUBLISHER),
          onFailed: onSilent,
          onLost: options.onLost,
          onNegotiated: options.onNegotiated,
          onData: options.onData,
          sources: options.sources,
          onBadInput: onFault,
        })
      return publisher
    },
    close: () => Promise.allSettled([publisher?.close(), subscriber.close()]),
  }
}
