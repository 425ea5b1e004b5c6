import { useCallback, useEffect } from 'react'
import type { Call, CallState } from '../../media/call-state.ts'
import { notices } from '../../ui/overlays/notices.ts'
import { localeNow } from '../../words/language.ts'
import { useSmallCallWords } from '../../words/small-call.ts'

const ID = 'new-bots'

/**
 * Bots that come into a call while another screen is shown are told of there: the microphone waits.
 * @returns what tells of them again; undefined: there is nothing to tell
 */
export function useNewBots(call: Call, { newBots }: Pick<CallState, 'newBots'>): (() => void) | undefined {
  const words = useSmallCallWords()
  const tell = useCallback(() => {
    const names = new Intl.ListFormat(localeNow(), { type: 'conjunction' }).format(newBots)
    notices.show({
      ...{ id: ID, text: words.botsCame(names, newBots.length), about: words.botsAbout },
      actions: [
        { label: words.goOn, primary: true, onAction: () => void call.heedBots() },
        { label: words.leave, onAction: () => void call.leave() },
      ],
    })
  }, [call, newBots, words])
  useEffect(() => {
    if (newBots.length === 0) return
    tell()
    return () => notices.remove(ID)
  }, [newBots, tell])
  return newBots.length > 0 ? tell : undefined
}
