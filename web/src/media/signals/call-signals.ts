import type { Call, CallState } from '../call-state.ts'
import { createCaptions } from '../captions/follow-captions.ts'
import { createSignals, type Signals } from './follow-signals.ts'

type Signalled = Pick<CallState, 'hands' | 'reactions' | 'captionLines'>

/** Hands, reactions and captions: what goes beside sound and pictures, over one connection after the other. */
export interface CallSignals extends Pick<Signals, 'follow' | 'entered' | 'close'> {
  readonly controls: Pick<Call, 'raiseHand' | 'react' | 'readCaptions'>
}

/** @param now milliseconds by the office's clock @param changed told after each change */
export function createCallSignals(
  now: () => number,
  changed: (signalled: Partial<Signalled>) => void,
): CallSignals {
  const signals = createSignals(now, changed)
  const captions = createCaptions((captionLines) => changed({ captionLines }))
  return {
    follow(room) {
      signals.follow(room)
      captions.follow(room)
    },
    entered() {
      signals.entered()
      void captions.entered()
    },
    close() {
      signals.close()
      captions.close()
    },
    controls: { raiseHand: signals.raise, react: signals.react, readCaptions: captions.read },
  }
}
