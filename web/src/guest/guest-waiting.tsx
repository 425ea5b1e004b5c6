import { Outside } from '../shell/outside/outside.tsx'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { PageHeading } from '../ui/page-heading.tsx'
import { de } from '../words/de/guest.ts'
import { en } from '../words/en/guest.ts'
import { useWords } from '../words/use-words.ts'
import type { Invite } from './invite.ts'

export interface GuestWaitingProps {
  invite: Invite
  /** Whether somebody who may let them in is there; undefined as long as it was not asked. */
  told: boolean | undefined
  recording: boolean
  onStop(): void
}

/** At the door: what waiting means, and whether anybody knows. */
export function GuestWaiting({ invite, told, recording, onStop }: GuestWaitingProps) {
  const words = useWords({ en, de })
  const { inviterName, organizationName, roomName } = invite
  return (
    <Outside>
      <PageHeading title={words.waiting} about={words.about(inviterName, organizationName)} />
      <p>{words.waitingAbout(roomName)}</p>
      <p role="status" className="guest-told">
        {told !== undefined && (
          <>
            <Icon name={told ? 'check' : 'clock'} />
            {told ? words.told : words.notTold}
          </>
        )}
      </p>
      {recording && <p className="guest-recorded">{words.recorded}</p>}
      <Button onPress={onStop}>{words.stop}</Button>
    </Outside>
  )
}
