import { useConnection, useRealtime } from '@atrium/react'
import { useEffect, useState } from 'react'
import { session } from '../live/office-client.ts'
import { useAction } from '../live/use-action.ts'
import { Button } from '../ui/button.tsx'
import { useShellWords } from '../words/shell.ts'
import './connection-state.css'

/** A short gap needs no words. */
const TELL_AFTER_MS = 1_500

/** Says so as long as nothing new arrives; nothing while all is well. */
export function ConnectionState() {
  const words = useShellWords()
  const { state, error } = useConnection()
  const live = useRealtime()
  const again = useAction(() => (live ? live.reconnect() : session.refresh()))
  const ill = state !== 'connected'
  const [told, setTold] = useState(false)
  // what was never there is not lost
  const [lineBefore, setLineBefore] = useState<typeof live>()
  useEffect(() => {
    if (!ill) setLineBefore(live)
  }, [ill, live])
  useEffect(() => {
    if (!ill) return setTold(false)
    const timer = setTimeout(() => setTold(true), TELL_AFTER_MS)
    return () => clearTimeout(timer)
  }, [ill])
  const ended = state === 'closed' || error !== undefined
  const sentence = ended ? words.ended : live && live === lineBefore ? words.lost : words.connecting
  return (
    <div role="status" className="connection-place">
      {told && ill && (
        <div className="connection">
          <span>{sentence}</span>
          {ended && (
            <Button small busy={again.busy} onPress={() => void again.run()}>
              {words.reconnect}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}
