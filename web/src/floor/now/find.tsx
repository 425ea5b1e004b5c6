import { usePeople, useRooms } from '@atrium/react'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { pagePaths } from '../../../page-paths.ts'
import { isCalled, matches } from '../../live/matching.ts'
import { shownColleague } from '../../live/shown-colleague.ts'
import { dotOf } from '../../shell/status/status-words.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Form } from '../../ui/fields/form.tsx'
import { SearchField } from '../../ui/fields/search-field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { EmptyState } from '../../ui/state.tsx'
import { useFloorWords } from '../../words/floor.ts'
import { distanceOf } from './name-distance.ts'
import { takeTyped } from './typed-ahead.ts'
import './find.css'

const SHOWN_MOST = 12

/** Looks for a person or a room by name; Enter takes the first, which is the nearest. */
export function Find({ onClose }: { onClose(): void }) {
  const words = useFloorWords()
  return (
    <Dialog title={words.find} isOpen onClose={onClose}>
      <Search onClose={onClose} />
    </Dialog>
  )
}

function Search({ onClose }: { onClose(): void }) {
  const words = useFloorWords()
  const [text, setText] = useState('')
  // the field has taken the focus when this runs
  useEffect(() => setText(takeTyped()), [])
  const found = useFound(text, onClose)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only leads to what is pressed
    <div className="find-by-keys" onKeyDown={moveFocus}>
      <Form onSubmit={() => found[0]?.open()}>
        <SearchField label={words.findAbout} value={text} onChange={setText} autoFocus />
      </Form>
      {found.length === 0 && <EmptyState icon="search" title={words.noMatch(text.trim())} />}
      <ul className="found" aria-label={words.found}>
        {found.map((one) => (
          <li key={`${one.isRoom} ${one.id}`}>
            <FoundEntry one={one} />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Arrows lead from the field through what is found and back; letters are typed into the field again. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const { key, ctrlKey, metaKey, altKey, nativeEvent, currentTarget } = event
  if (ctrlKey || metaKey || altKey || nativeEvent.isComposing) return
  const [field, ...entries] = currentTarget.querySelectorAll<HTMLElement>('input, .found-entry')
  if (key.length === 1 && key !== ' ') field?.focus()
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return
  event.preventDefault()
  const now = entries.findIndex((entry) => entry === document.activeElement)
  const next = now + (key === 'ArrowDown' ? 1 : -1)
  const target = next < 0 ? field : entries[next]
  target?.focus()
}

/** What is called so, and how it is opened. */
function useFound(text: string, onClose: () => void) {
  const { people } = usePeople()
  const { rooms } = useRooms()
  const navigate = useNavigate()
  const goIn = (roomId: string) => {
    onClose()
    void navigate({ to: pagePaths.room, params: { roomId } })
  }
  const show = (userId: string) => {
    onClose()
    // beside the face, where there is one
    const face = document.querySelector<HTMLElement>(`[data-face="${CSS.escape(userId)}"]`)
    const anchor = face ?? document.querySelector<HTMLElement>('.find') ?? document.body
    shownColleague.show({ userId, as: 'card', anchor })
  }
  return [
    ...rooms
      .filter(({ name }) => matches(name, text))
      .map((room) => ({
        ...room,
        isRoom: true as const,
        distance: distanceOf(room.name, text),
        open: () => goIn(room.id),
      })),
    ...people
      .filter((person) => isCalled(person, text))
      .map((person) => ({
        ...person,
        isRoom: false as const,
        distance: distanceOf(person.displayName, text),
        open: () => show(person.id),
      })),
  ]
    .toSorted((one, other) => one.distance - other.distance)
    .slice(0, SHOWN_MOST)
}

function FoundEntry({ one }: { one: ReturnType<typeof useFound>[number] }) {
  const words = useFloorWords()
  const room = useRooms(({ rooms }) =>
    one.isRoom ? undefined : rooms.find(({ id }) => id === one.roomId)?.name,
  )
  return (
    <button type="button" className="found-entry" onClick={one.open}>
      {one.isRoom ? (
        <>
          <span className="found-room">
            <Icon name={one.locked ? 'lock' : 'plan'} size={18} />
          </span>
          {one.name}
          {!one.locked && <span className="found-about">{words.goIn}</span>}
        </>
      ) : (
        <>
          <Avatar
            id={one.id}
            name={one.displayName}
            url={one.avatarUrl}
            isBot={one.isBot}
            size="small"
            status={dotOf(one.status)}
          />
          {one.displayName || one.email}
          {one.isBot && <small className="soft">{words.bot}</small>}
          {room && <span className="found-about">{room}</span>}
        </>
      )}
    </button>
  )
}
