import { useEffect, useRef } from 'react'
import type { CallState } from '../../media/call-state.ts'
import { notices } from '../../ui/overlays/notices.ts'
import { useRoomWords } from '../../words/room.ts'

/** Of the notice that a recording has ended: the person who stops it is told more. */
export const RECORDING_ENDED = 'recording-ended'

/** Says that a recording has ended, by a person or by itself: its mark alone would go without a word. */
export function useRecordingEnd({ phase, recording }: Pick<CallState, 'phase' | 'recording'>): void {
  const { record: words } = useRoomWords()
  const was = useRef(false)
  useEffect(() => {
    // nothing is known of it while the connection is away
    if (phase !== 'inside') return
    const isTold = notices.get().some(({ id }) => id === RECORDING_ENDED)
    if (was.current && !recording && !isTold) notices.show({ id: RECORDING_ENDED, text: words.ended })
    was.current = recording
  }, [phase, recording, words])
}
