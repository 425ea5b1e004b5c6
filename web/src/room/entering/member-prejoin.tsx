import type { Room } from '@atrium/client/rooms'
import { useMay } from '../../live/permissions.ts'
import { useAgreement } from '../../live/recordings/use-agreement.ts'
import type { JoinWith } from '../../media/call-state.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { localeNow } from '../../words/language.ts'
import { useRoomWords } from '../../words/room.ts'
import { BotsTold } from '../bots/bots-told.tsx'
import { useBotsOf } from '../bots/use-bots-of.ts'
import { RoomRecordings } from '../recording/room-recordings.tsx'
import { roomOffers } from '../room-offers.ts'
import { Prejoin } from './prejoin.tsx'

export interface MemberPrejoinProps {
  room: Room
  ownId: string
  busy: boolean
  problem: string | undefined
  onJoin(choices: JoinWith): void
}

/** Before a colleague enters: who is inside, and that they will be seen. */
export function MemberPrejoin({ room, ownId, busy, problem, onJoin }: MemberPrejoinProps) {
  const words = useRoomWords()
  const may = useMay()
  const [hasAgreed, agree] = useAgreement(room)
  const bots = useBotsOf(room)
  const join = (choices: JoinWith) => {
    if (choices.agreed) agree()
    onJoin({ ...choices, seenBots: bots })
  }
  const others = room.people.filter(({ userId }) => userId !== ownId)
  const names = [
    ...others.map(({ displayName }) => displayName),
    ...(room.guests > 0 ? [words.guests(room.guests)] : []),
  ]
  const list = new Intl.ListFormat(localeNow(), { type: 'conjunction' }).format(names)
  return (
    <>
      <PageHeading title={room.name} about={room.temporary ? words.seenAtTable : words.seen} />
      <Prejoin
        recording={room.recording}
        hasAgreed={hasAgreed}
        busy={busy}
        problem={problem}
        action={busy ? words.connecting : words.join}
        onJoin={join}
      >
        <BotsTold names={bots} />
        <div className="prejoin-inside">
          <span className="prejoin-faces">
            {others.slice(0, 5).map(({ userId, displayName, avatarUrl }) => (
              <Avatar key={userId} id={userId} name={displayName} url={avatarUrl} size="small" />
            ))}
          </span>
          <p>{names.length === 0 ? words.nobodyInside : words.inside(list, others.length + room.guests)}</p>
        </div>
      </Prejoin>
      {roomOffers(room, may).recordings && <RoomRecordings roomId={room.id} />}
    </>
  )
}
