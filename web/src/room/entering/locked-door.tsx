import type { Room } from '@atrium/client/rooms'
import { useRealtime } from '@atrium/react'
import { useEffect, useState } from 'react'
import { client } from '../../live/office-client.ts'
import { useAction } from '../../live/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/state.tsx'
import { de } from '../../words/de/locked-door.ts'
import { en } from '../../words/en/locked-door.ts'
import { useWords } from '../../words/use-words.ts'
import { RoomInstead } from '../room-end.tsx'

type Step = 'before' | 'waiting' | 'empty' | 'later' | 'no' | 'expired'

/** Before a room that is locked: whoever is inside hears the knock. @param onLetIn told when somebody opens */
export function LockedDoor({ room, onLetIn }: { room: Room; onLetIn(): void }) {
  const words = useWords({ en, de })
  const live = useRealtime()
  const [step, setStep] = useState<Step>('before')
  const [knockId, setKnockId] = useState<string>()
  const knock = useAction(async () => {
    const answer = await client.call('knockAtRoom', { roomId: room.id })
    setKnockId(answer.knockId)
    setStep(answer.state === 'waiting' ? 'waiting' : 'empty')
  })
  useEffect(
    () =>
      live?.on('event', (event) => {
        if (event.type !== 'knock.ended' || event.data.knockId !== knockId) return
        const { outcome } = event.data
        if (outcome === 'accept') onLetIn()
        else setStep(outcome === 'cancelled' ? 'before' : outcome)
      }),
    [live, knockId, onLetIn],
  )
  const isWaiting = step === 'waiting'
  return (
    <RoomInstead title={words.title(room.name)} about={words.about}>
      <p role="status" className="soft">
        {step !== 'before' && words[step]}
      </p>
      <Problem>{knock.problem}</Problem>
      {!isWaiting && (
        <Button look="primary" icon="knock" busy={knock.busy} onPress={() => void knock.run()}>
          {words.knock}
        </Button>
      )}
      {isWaiting && (
        <Button onPress={() => void client.call('cancelKnock', { knockId: knockId ?? '' }).catch(() => {})}>
          {words.cancel}
        </Button>
      )}
    </RoomInstead>
  )
}
