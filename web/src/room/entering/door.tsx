import type { LobbyGuest } from '@atrium/client/guests'
import type { LobbyView } from '@atrium/react'
import { useAction } from '../../live/use-action.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/state.tsx'
import { useRoomWords } from '../../words/room.ts'
import './door.css'

/** Guests who wait, one by one, for members who may let them in. */
export function Door({ waiting, lobby }: Pick<LobbyView, 'waiting' | 'lobby'>) {
  const admit = async (guest: LobbyGuest) => await lobby?.admit(guest.guestIdentity)
  const deny = async (guest: LobbyGuest) => await lobby?.deny(guest.guestIdentity)
  return (
    <div role="status" className="door">
      {waiting.map((guest) => (
        <AtDoor key={guest.guestIdentity} guest={guest} admit={admit} deny={deny} />
      ))}
    </div>
  )
}

type Decide = (guest: LobbyGuest) => Promise<void>

function AtDoor({ guest, ...decide }: { guest: LobbyGuest; admit: Decide; deny: Decide }) {
  const { door: words } = useRoomWords()
  const admit = useAction(() => decide.admit(guest))
  const deny = useAction(() => decide.deny(guest))
  const name = <span className="visually-hidden"> {guest.guestName}</span>
  return (
    <div className="at-door">
      <Avatar name={guest.guestName} url="" />
      <p className="at-door-text">
        <strong>{guest.guestName}</strong> <span>{words.atDoor}</span>
      </p>
      <div className="at-door-buttons">
        <Button small look="primary" busy={admit.busy} onPress={() => void admit.run()}>
          {words.admit}
          {name}
        </Button>
        <Button small busy={deny.busy} onPress={() => void deny.run()}>
          {words.deny}
          {name}
        </Button>
      </div>
      <Problem>{admit.problem ?? deny.problem}</Problem>
    </div>
  )
}
