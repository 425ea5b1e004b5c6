import type { Person } from '@atrium/client/people'
import type { Room } from '@atrium/client/rooms'
import { usePeople, useRooms } from '@atrium/react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { pagePaths } from '../../../page-paths.ts'
import { useNow } from '../../live/clock/use-now.ts'
import { followedPeople, isFree } from '../../live/followed-people.ts'
import { client } from '../../live/office-client.ts'
import { type ShownColleague, shownColleague } from '../../live/shown-colleague.ts'
import { type Action, useAction } from '../../live/use-action.ts'
import { useSession, useStore } from '../../live/use-session.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { notices } from '../../ui/overlays/notices.ts'
import { PopoverAt } from '../../ui/overlays/popover.tsx'
import { Problem } from '../../ui/state.tsx'
import { useColleagueWords } from '../../words/colleague.ts'
import { localeNow } from '../../words/language.ts'
import { useShellWords } from '../../words/shell.ts'
import { localTime } from '../status/local-time.ts'
import { aboutPerson, dotOf, isReachable } from '../status/status-words.ts'
import { KnockDialog } from './knock-dialog.tsx'
import { TalkButton } from './talk-button.tsx'
import { useKnockAtRoom } from './use-knock-at-room.ts'
import { useWriteTo } from './use-write-to.ts'
import { firstWay, type WayToMeet } from './ways-to-meet.ts'
import './colleague-card.css'

/** Above the screen: a colleague's card with what one can do, or the form of a knock. */
export function Colleague({ userId, as, anchor }: ShownColleague) {
  const { people } = usePeople()
  const { rooms } = useRooms()
  const session = useSession()
  const person = people.find(({ id }) => id === userId)
  // a former member has no card
  if (!person) return null
  if (as === 'knock') {
    const ownId = session.state === 'signed-in' ? session.user.id : ''
    return <KnockDialog {...{ person, ownId, rooms }} onClose={() => shownColleague.close('knock')} />
  }
  const room = rooms.find(({ id }) => id === person.roomId)
  return (
    <PopoverAt label={nameOf(person)} anchor={anchor} onClose={closeCard}>
      <Card person={person} room={room} anchor={anchor} />
    </PopoverAt>
  )
}

const closeCard = () => shownColleague.close('card')

interface CardProps {
  person: Person
  room: Room | undefined
  anchor: HTMLElement
}

function Card({ person, room, anchor }: CardProps) {
  const { status } = useShellWords()
  const { id, email, avatarUrl } = person
  const name = nameOf(person)
  return (
    <div className="colleague-card">
      <div className="colleague-card-head">
        <Avatar
          id={id}
          name={name}
          url={avatarUrl}
          isBot={person.isBot}
          size="large"
          status={dotOf(person.status)}
        />
        <div className="colleague-card-text">
          <p className="colleague-card-name">{name}</p>
          <p className="soft small">{email}</p>
        </div>
      </div>
      <p>{aboutPerson(person, status, room?.name)}</p>
      <LocalTime zone={person.timeZone} />
      <Ways person={person} room={room} anchor={anchor} />
    </div>
  )
}

function LocalTime({ zone }: { zone: string | undefined }) {
  const words = useColleagueWords()
  const now = useNow()
  const time = zone === undefined ? undefined : localTime(zone, now, localeNow())
  return time === undefined ? null : <p className="soft small">{words.localTime(time)}</p>
}

/** What one can do first, then the rest; what disturbs the colleague takes one more press. */
function Ways({ person, room, anchor }: CardProps) {
  const words = useColleagueWords()
  const session = useSession()
  const ownId = session.state === 'signed-in' ? session.user.id : ''
  const write = useWriteTo(person.id, closeCard)
  const wave = useWave(person)
  const [hasMore, setMore] = useState(false)
  const isBot = person.isBot === true
  const first = firstWay(person, room, ownId)
  if (first === 'profile')
    return (
      <Link to={pagePaths.settings} className="button button-small" onClick={closeCard}>
        {words.ownProfile}
      </Link>
    )
  const isDisturbing = first === 'write'
  return (
    <>
      <FirstWay {...{ person, room, first }} write={<WriteButton primary write={write} />} />
      <div className="colleague-card-actions">
        {(!isDisturbing || hasMore) && (
          <Button small icon="wave" busy={wave.busy} onPress={() => void wave.run()}>
            {words.wave}
          </Button>
        )}
        {!isDisturbing && <WriteButton write={write} />}
        <FollowButton person={person} />
        {hasMore && first !== 'talk' && <TalkButton person={person} onTalk={closeCard} />}
        {hasMore && isReachable(person) && (
          <Button
            small
            icon="knock"
            onPress={() => shownColleague.show({ userId: person.id, as: 'knock', anchor })}
          >
            {words.knock}
          </Button>
        )}
        {!hasMore && !isBot && (
          <Button small icon="more" aria-expanded={false} onPress={() => setMore(true)}>
            {words.more}
          </Button>
        )}
      </div>
      <Problem>{write.problem ?? wave.problem}</Problem>
    </>
  )
}

/** Not for a colleague who is free already. */
function FollowButton({ person }: { person: Person }) {
  const words = useColleagueWords()
  const isFollowed = useStore(followedPeople).includes(person.id)
  if (isFree(person)) return null
  const change = () => {
    if (isFollowed) return followedPeople.unfollow(person.id)
    followedPeople.follow(person.id)
    closeCard()
    notices.show({ text: words.followed(nameOf(person)), about: words.followedAbout })
  }
  return (
    <Button small icon="signal" aria-pressed={isFollowed} onPress={change}>
      {words.follow}
    </Button>
  )
}

function WriteButton({ primary, write }: { primary?: boolean; write: Action<[]> }) {
  const words = useColleagueWords()
  return (
    <Button
      small={!primary}
      wide={primary === true}
      look={primary ? 'primary' : 'plain'}
      icon="chat"
      busy={write.busy}
      onPress={() => void write.run()}
    >
      {words.write}
    </Button>
  )
}

function FirstWay({
  person,
  room,
  first,
  write,
}: Omit<CardProps, 'anchor'> & { first: WayToMeet; write: ReactNode }) {
  const words = useColleagueWords()
  const knock = useKnockAtRoom()
  if (first === 'write') return write
  if (first === 'talk') return <TalkButton wide person={person} onTalk={closeCard} />
  if (!room) return null
  if (first === 'join')
    return (
      <Link
        to={pagePaths.room}
        params={{ roomId: room.id }}
        className="button button-primary button-wide"
        onClick={closeCard}
      >
        <span className="colleague-card-place">{words.joinIn(room.name)}</span>
      </Link>
    )
  const knockNow = async () => {
    if (await knock.run(room)) closeCard()
  }
  return (
    <>
      <Button look="primary" icon="knock" wide busy={knock.busy} onPress={() => void knockNow()}>
        <span className="colleague-card-place">{words.knockAtRoom(room.name)}</span>
      </Button>
      <Problem>{knock.problem}</Problem>
    </>
  )
}

/** A wave ends alike for busy, hidden and offline colleagues: the sender does not learn whether it arrives. */
function useWave(person: Person): Action<[]> {
  const words = useColleagueWords()
  return useAction(async () => {
    await client.call('wave', { userId: person.id })
    closeCard()
    notices.show({ text: words.waved(nameOf(person)) })
  })
}

function nameOf({ displayName, email }: Person): string {
  return displayName || email
}
