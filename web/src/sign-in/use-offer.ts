import { useEffect, useState } from 'react'
import { knownOffer, type Offer } from '../live/office-client.ts'

/** What this office offers before anybody signs in; `failed` where it does not answer. */
export function useOffer(): { offer: Offer | undefined; failed: boolean; again(): void } {
  const [state, setState] = useState<{ offer?: Offer; failed: boolean; turn: number }>({
    failed: false,
    turn: 0,
  })
  const { turn } = state
  // biome-ignore lint/correctness/useExhaustiveDependencies: each turn asks again
  useEffect(() => {
    let wanted = true
    knownOffer().then(
      (offer) => wanted && setState((before) => ({ ...before, offer, failed: false })),
      () => wanted && setState((before) => ({ ...before, failed: true })),
    )
    return () => {
      wanted = false
    }
  }, [turn])
  return {
    offer: state.offer,
    failed: state.failed,
    again: () => setState(({ turn: before }) => ({ failed: false, turn: before + 1 })),
  }
}
