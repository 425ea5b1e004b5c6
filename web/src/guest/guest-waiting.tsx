import { useState } from 'react'
import { BotsTold } from '../room/bots/bots-told.tsx'
import { Outside } from '../shell/outside/outside.tsx'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { PageHeading } from '../ui/page-heading.tsx'
import { useGuestWords } from '../words/guest.ts'
import { useRoomWords } from '../words/room.ts'
import type { Invite } from './invite.ts'

export interface GuestWaitingProps {
  invite: Invite
  /** Whether a member who may admit was reached; undefined before the first answer. */
  told: boolean | undefined
  recording: boolean
  /** Names of those in the room, and of those that will come. */
  bots: readonly string[]
  onAgree(): void
  onStop(): void
}

/** At the door: what waiting means, and whether anybody knows. */
export function GuestWaiting({ invite, told, recording, bots, onAgree, onStop }: GuestWaitingProps) {
  const words = useGuestWords()
  const { inviterName, organizationName, roomName } = invite
  return (
    <Outside>
      <PageHeading title={words.waiting} about={words.about(inviterName, organizationName)} />
      <p>{words.waitingAbout(organizationName, roomName)}</p>
      <p role="status" className="guest-told">
        {told !== undefined && (
          <>
            <Icon name={told ? 'check' : 'clock'} />
            {told ? words.told : words.notTold}
          </>
        )}
      </p>
      <BotsTold names={bots} />
      {recording && <Recorded onAgree={onAgree} />}
      <Button onPress={onStop}>{words.stop}</Button>
    </Outside>
  )
}

/** They may agree before they are let in; else they are asked inside, before their microphone opens. */
function Recorded({ onAgree }: { onAgree(): void }) {
  const words = useRoomWords()
  const [agreed, setAgreed] = useState(false)
  const agree = () => {
    setAgreed(true)
    onAgree()
  }
  return (
    <div className="guest-recorded">
      <p>
        {words.recorded}. {agreed ? words.hasAgreed : words.recordedAbout}
      </p>
      {!agreed && <Button onPress={agree}>{words.agree}</Button>}
    </div>
  )
}
