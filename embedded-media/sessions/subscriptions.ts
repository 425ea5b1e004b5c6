import type { UpdateSubscription } from '@livekit/protocol'
import type { Subscriber } from '../subscriber.ts'
import type { Publication } from '../tracks/publication.ts'

export interface SubscriptionsOptions {
  subscriber: Pick<Subscriber, 'add' | 'remove'>
  /** All that there are, but the participant's own. */
  publications(): Publication[]
  mayReceive(): boolean
  /** The participant receives it now. */
  onReceived(publication: Publication): void
}

export type ChosenTracks = Pick<UpdateSubscription, 'trackSids' | 'subscribe'>

/** What one participant receives of the tracks of others. */
export interface Subscriptions {
  receiveAll(): void
  receiveNone(): void
  /** What was declined is not offered again until the client asks for it. */
  choose(chosen: ChosenTracks): void
  offer(publication: Publication): void
  withdraw(publication: Publication): void
}

export function openSubscriptions(options: SubscriptionsOptions): Subscriptions {
  const { subscriber, publications, mayReceive, onReceived } = options
  const declined = new Set<string>()
  const offer = (publication: Publication) => {
    if (!mayReceive() || declined.has(publication.info.sid)) return
    subscriber.add(publication)
    onReceived(publication)
  }
  return {
    receiveAll: () => publications().forEach(offer),
    receiveNone: () => publications().forEach(subscriber.remove),
    choose({ trackSids, subscribe }) {
      const chosen = new Set(trackSids)
      for (const publication of publications()) {
        const { sid } = publication.info
        if (!chosen.has(sid)) continue
        declined[subscribe ? 'delete' : 'add'](sid)
        if (subscribe) offer(publication)
        else subscriber.remove(publication)
      }
    },
    offer,
    withdraw: (publication) => subscriber.remove(publication),
  }
}

/** A client names tracks by themselves, or by the participant who publishes them. */
export function chosenIn({ trackSids, participantTracks, subscribe }: UpdateSubscription): ChosenTracks {
  return { subscribe, trackSids: [...trackSids, ...participantTracks.flatMap((one) => one.trackSids)] }
}
