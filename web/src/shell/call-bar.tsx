import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { pagePaths } from '../../page-paths.ts'
import { useStore } from '../live/use-session.ts'
import { type CallElsewhere, callElsewhere } from '../media/call-elsewhere.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { notices } from '../ui/overlays/notices.ts'
import { de } from '../words/de/call-bar.ts'
import { en } from '../words/en/call-bar.ts'
import { useWords } from '../words/use-words.ts'
import './call-bar.css'

/** Beside every other screen, for whoever is in a room: that they are heard there, and what leads back. */
export function CallBar() {
  const elsewhere = useStore(callElsewhere)
  return elsewhere && <Bar key={elsewhere.roomId} {...elsewhere} />
}

function Bar({ call, roomId, roomName }: CallElsewhere) {
  const words = useWords({ en, de })
  const { phase, end, people, recording } = useStore(call)
  const isHeard = people[0]?.microphone === true
  useEffect(() => {
    if (phase !== 'ended') return
    callElsewhere.forget()
    if (end !== 'left') notices.show({ text: words.ended(roomName) })
  }, [phase, end, roomName, words])
  return (
    <section className="call-bar" aria-label={words.title}>
      <p role="status" className="call-bar-text">
        <strong>{words.inside(roomName)}</strong>
        {phase === 'reconnecting' && <span>{words.reconnecting}</span>}
        {recording && <span className="call-bar-recording">{words.recording}</span>}
      </p>
      <div className="call-bar-buttons">
        <Link
          to={pagePaths.room}
          params={{ roomId }}
          className="button button-small button-primary"
          aria-label={words.backToRoom}
        >
          {words.back}
        </Link>
        <IconButton
          icon={isHeard ? 'microphone' : 'microphone-off'}
          label={isHeard ? words.mute : words.unmute}
          small
          onPress={() => void call.set('microphone', !isHeard)}
        />
        <Button small onPress={callElsewhere.leave}>
          {words.leave}
        </Button>
      </div>
    </section>
  )
}
