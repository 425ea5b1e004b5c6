import type { SuccessBody } from '@atrium/client'
import { useEffect, useState } from 'react'
import { client } from '../live/office-client.ts'

export type Offer = SuccessBody<'describeOffice'>

let known: Promise<Offer> | undefined

/** What this office offers before anybody signs in. Read once; `failed` where it does not answer. */
export function useOffer(): { offer: Offer | undefined; failed: boolean; again(): void } {
  const [state, setState] = useState<{ offer?: Offer; failed: boolean; turn: number }>({
    failed: false,
    turn: 0,
  })
  const { turn } = state
  // biome-ignore lint/correctness/useExhaustiveDependencies: each turn asks anew
  useEffect(() => {
    let wanted = true
    known ??= client.call('describeOffice')
    known.then(
      (offer) => wanted && setState((before) => ({ ...before, offer, failed: false })),
      () => {
        known = undefined
        if (wanted) setState((before) => ({ ...before, failed: true }))
      },
    )
    return () => {
      wanted = false
    }
  }, [turn])
  return {
    ...{ offer: state.offer, failed: state.failed },
    again: () => setState(({ turn: before }) => ({ failed: false, turn: before + 1 })),
  }
}
