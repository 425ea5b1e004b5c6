import { useStore } from '../../live/use-session.ts'
import type { Call, PersonInCall } from '../../media/call-state.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu, type MenuEntry } from '../../ui/overlays/menu.tsx'
import { MenuButton } from '../../ui/overlays/menu-button.tsx'
import { useRoomWords } from '../../words/room.ts'
import { useStageWords } from '../../words/stage.ts'
import { BotsHere } from '../bots/bots-here.tsx'
import type { BotsToCall } from '../bots/use-bots-to-call.ts'
import { QualityBars } from '../stage/quality-bars.tsx'
import { personIdOf } from '../stage/tile.tsx'
import type { Moderation } from './moderation.ts'
import './people-panel.css'

export interface PeoplePanelProps {
  call: Call
  avatarOf(identity: string): string
  pinned: string | undefined
  onPin(key: string | undefined): void
  /** For moderators. */
  moderation: Moderation | undefined
  /** Of members. */
  botsToCall: BotsToCall | undefined
}

/** Everybody inside, with what can be done about them. */
export function PeoplePanel({ call, avatarOf, pinned, onPin, moderation, botsToCall }: PeoplePanelProps) {
  const words = useStageWords()
  const { people, bots, hands } = useStore(call)
  return (
    <>
      <div className="people-panel">
        <ul>
          {people.map((person) => (
            <li key={person.identity} className="people-panel-row">
              <Avatar
                id={person.isGuest ? person.name : personIdOf(person.identity)}
                name={person.name}
                url={avatarOf(person.identity)}
              />
              <About person={person} number={hands.indexOf(person.identity) + 1} />
              <Actions {...{ person, pinned, onPin, moderation }} />
            </li>
          ))}
        </ul>
        <BotsHere {...{ bots, avatarOf, moderation, botsToCall }} />
      </div>
      {moderation?.may('lower-hands') && hands.length > 0 && (
        <div className="people-panel-foot">
          <Button icon="hand" onPress={() => void moderation.lowerHands()}>
            {words.lowerAll}
          </Button>
        </div>
      )}
    </>
  )
}

function About({ person, number }: { person: PersonInCall; number: number }) {
  const words = useStageWords()
  const room = useRoomWords()
  const marks = [person.isOwn && room.you, person.isGuest && room.guest].filter(Boolean).join(', ')
  return (
    <>
      <span className="people-panel-name">
        {person.name}
        {marks && <small> {marks}</small>}
      </span>
      {number > 0 && (
        <span className="people-panel-hand" role="img" aria-label={words.handUp(number)}>
          <Icon name="hand" size={16} />
          {number}
        </span>
      )}
      {!person.microphone && (
        <span className="people-panel-muted">
          <Icon name="microphone-off" size={16} />
          <span className="visually-hidden">{room.muted}</span>
        </span>
      )}
      <QualityBars connection={person.connection} />
    </>
  )
}

type ActionsProps = Pick<PeoplePanelProps, 'pinned' | 'onPin' | 'moderation'> & { person: PersonInCall }

function Actions({ person, pinned, onPin, moderation }: ActionsProps) {
  const words = useStageWords()
  const { identity, name, isOwn, microphone } = person
  const key = `${identity} person`
  const isPinned = pinned === key
  const entries: MenuEntry[] = [
    {
      id: 'pin',
      icon: 'pin',
      label: isPinned ? words.unpin(name) : words.pin(name),
      onAction: () => onPin(isPinned ? undefined : key),
    },
  ]
  if (!isOwn && microphone && moderation?.may('mute'))
    entries.push({
      id: 'mute',
      icon: 'microphone-off',
      label: words.mutePerson,
      onAction: () => void moderation.mute(person),
    })
  if (!isOwn && moderation?.may('remove', person))
    entries.push({
      id: 'remove',
      icon: 'sign-out',
      label: words.removePerson,
      danger: true,
      onAction: () => void moderation.remove(person),
    })
  return (
    <Menu
      label={words.actionsFor(name)}
      trigger={<MenuButton icon="more" label={words.actionsFor(name)} />}
      entries={entries}
    />
  )
}
