import { useCallback, useEffect } from 'react'
import { keepAgreement } from '../../live/recordings/use-agreement.ts'
import type { Call, CallState } from '../../media/call-state.ts'
import { notices } from '../../ui/overlays/notices.ts'
import { localeNow } from '../../words/language.ts'
import { useRoomWords } from '../../words/room.ts'
import { useSmallCallWords } from '../../words/small-call.ts'

/**
 * What a call asks while another screen is shown is asked there: of bots that come in, until when the microphone waits,
 * and of a recording.
 * @returns what asks again, where the microphone waits
 */
export function useQuestions(call: Call, roomId: string, state: CallState): (() => void) | undefined {
  const { newBots, asksConsent, recordingBegun } = state
  const words = useSmallCallWords()
  const { record } = useRoomWords()
  const names = new Intl.ListFormat(localeNow(), { type: 'conjunction' }).format(newBots)
  const bots = newBots.length > 0 && words.botsCame(names, newBots.length)
  const askBots = useQuestion(call, bots, words.botsAbout, words.goOn, call.heedBots)
  const recording = (asksConsent || recordingBegun) && words.recording
  const agree = useCallback(() => {
    void keepAgreement(roomId)
    void call.agree()
  }, [call, roomId])
  const askConsent = useQuestion(call, recording, record.told, record.stay, agree)
  if (asksConsent) return askConsent
  return bots ? askBots : undefined
}

/** @param text what is asked about; false: nothing is */
function useQuestion(call: Call, text: string | false, about: string, yes: string, onYes: () => unknown) {
  const { leave } = useSmallCallWords()
  const ask = useCallback(() => {
    if (!text) return
    notices.show({
      ...{ id: about, text, about },
      actions: [
        { label: yes, primary: true, onAction: () => void onYes() },
        { label: leave, onAction: () => void call.leave() },
      ],
    })
  }, [call, text, about, yes, onYes, leave])
  useEffect(() => {
    ask()
    return () => notices.remove(about)
  }, [ask, about])
  return ask
}
