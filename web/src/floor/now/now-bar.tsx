import { Suspense, useEffect, useRef, useState } from 'react'
import { type Preferences, preferences } from '../../live/preferences.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { useFloorWords } from '../../words/floor.ts'
import { useOnFloor } from '../state/use-floor.ts'
import { Pills } from './pills.tsx'
import { keepTyped, takeTyped } from './typed-ahead.ts'
import './now.css'
import { lazyPart } from '../../live/page/patient-import.ts'

/** Loaded when they are opened first. */
const Find = lazyPart(() => import('./find.tsx'), 'Find')
const AddRoom = lazyPart(() => import('../add-room.tsx'), 'AddRoom')

type View = Preferences['floorView']

export interface NowBarProps {
  /** All is read. */
  loaded: boolean
  view: View
}

/** Above the floor: how many people are in, what is urgent, and the search for a person. */
export function NowBar({ loaded, view }: NowBarProps) {
  const words = useFloorWords()
  const [opened, setOpened] = useState<'find' | 'add-room'>()
  const close = () => setOpened(undefined)
  const openFind = () => {
    if (opened === 'find') return
    keepTyped(close)
    setOpened('find')
  }
  useFindKey(openFind)
  useEffect(() => () => void takeTyped(), [])
  return (
    <PageHeading title={words.title} about={loaded ? <Counts /> : '\u00a0'}>
      <div className="now-tools">
        {loaded && <Pills />}
        <button type="button" className="find" aria-keyshortcuts="Control+K Meta+K" onClick={openFind}>
          <Icon name="search" size={18} />
          {words.find} <kbd>Ctrl K</kbd>
        </button>
        <IconButton icon="plus" label={words.addRoom} onPress={() => setOpened('add-room')} />
        <ViewSwitch view={view} />
      </div>
      <Suspense>
        {opened === 'find' && <Find onClose={close} />}
        {opened === 'add-room' && <AddRoom isOpen onClose={close} />}
      </Suspense>
    </PageHeading>
  )
}

function Counts() {
  const words = useFloorWords()
  const { in: around, inRooms, offline } = useOnFloor(({ counts }) => counts)
  if (around === 1 && inRooms === 0)
    return (
      <>
        <strong>{words.youAreIn}</strong> <span className="now-whereabout">{words.nobodyElse}</span>
      </>
    )
  return (
    <>
      <strong>{words.in(around)}</strong>{' '}
      <span className="now-whereabout">{words.whereabout(inRooms, offline)}</span>
    </>
  )
}

function ViewSwitch({ view }: { view: View }) {
  const words = useFloorWords()
  return (
    <fieldset className="now-views">
      <legend className="visually-hidden">{words.view}</legend>
      {(['plan', 'list'] as const).map((one) => (
        <IconButton
          key={one}
          icon={one}
          label={words[one]}
          aria-pressed={one === view}
          onPress={() => preferences.change({ floorView: one })}
        />
      ))}
    </fieldset>
  )
}

function useFindKey(open: () => void): void {
  const current = useRef(open)
  current.current = open
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (
        event.key.toLowerCase() !== 'k' ||
        !(event.ctrlKey || event.metaKey) ||
        event.shiftKey ||
        event.altKey
      )
        return
      event.preventDefault()
      current.current()
    }
    window.addEventListener('keydown', hear)
    return () => window.removeEventListener('keydown', hear)
  })
}
