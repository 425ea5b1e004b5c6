import { type ReactNode, useEffect, useRef, useState } from 'react'
import { preferences } from '../live/preferences.ts'
import { useStore } from '../live/use-session.ts'
import type { Call, CallState, PersonInCall } from '../media/call-state.ts'
import { classNames } from '../ui/class-names.ts'
import { useMedia } from '../ui/use-media.ts'
import { useStageWords } from '../words/stage.ts'
import { Announcements } from './announcements.tsx'
import { Banners } from './banners.tsx'
import type { BotsToCall } from './bots/use-bots-to-call.ts'
import { Captions } from './captions/captions.tsx'
import { Controls, type Entry, type SideName } from './controls/controls.tsx'
import { SideDevices } from './devices/side-devices.tsx'
import type { Moderation } from './people/moderation.ts'
import { PeoplePanel } from './people/people-panel.tsx'
import { SidePanel } from './side-panel.tsx'
import { arrange } from './stage/arrangement.ts'
import { Stage } from './stage/stage.tsx'
import { TopBar } from './top-bar.tsx'
import { useFullScreen, useIdle } from './use-full-screen.ts'
import './in-room.css'

export interface InRoomProps {
  call: Call
  title: string
  recording: boolean
  recordedSince?: number | undefined
  locked?: boolean
  /** Told when they agree to be recorded. */
  onAgree?: () => void
  avatarOf?(identity: string): string
  /** What members can do beside the controls that everybody has. */
  entries?: readonly Entry[]
  /** Who waits: the last card of the strip. */
  door?: ReactNode
  /** Over the stage, where it is opened; how much in it is unread. */
  chat?: { unread: number; show(close: () => void): ReactNode }
  moderation?: Moderation | undefined
  /** Of members. */
  botsToCall?: BotsToCall
  /** Guests have none to go to. */
  hasFloor?: boolean
}

const NO_PICTURE = () => ''
/** With a panel beside them ten controls need more. */
const NARROW = { alone: '(max-width: 55.99rem)', 'beside a panel': '(max-width: 79.99rem)' }

/** Inside a room: everybody there, and what one does. The same for members and guests. */
export function InRoom(props: InRoomProps) {
  const { call, title, recording, recordedSince, avatarOf = NO_PICTURE, entries = [], door, chat } = props
  const { locked = false, hasFloor = false, onAgree } = props
  const { people, bots, hands, reactions, speaker, phase, sealing, captions, captionsMade, captionLines } =
    useStore(call)
  const [pinned, setPinned] = useState<string>()
  const { side, toggleSide, closeSide } = useSide()
  const fullScreen = useFullScreen()
  const isIdle = useIdle(fullScreen.isFull && side === undefined)
  const isNarrow = useMedia(side ? NARROW['beside a panel'] : NARROW.alone)
  const arrangement = useArrangement([...people, ...bots], pinned)
  const { large } = arrangement
  const selfEntries = useSelfEntries(people.length + bots.length)
  const captionsEntries = useCaptionsEntries(call, captions)
  const watched = large?.person ?? people.find(({ identity }) => identity === speaker) ?? people[1]
  const look = { avatarOf, hands, reactions, pinned, onPin: setPinned }
  const isDoorInStrip = large !== undefined && side === undefined
  return (
    <div
      className={classNames(
        'in-room',
        large && 'in-room-shared',
        side && 'in-room-aside',
        isIdle && 'in-room-idle',
      )}
    >
      <TopBar
        {...{ title, people, bots, sealing, recording, captionsMade, watched, fullScreen }}
        {...{ recordedSince, locked, hasFloor, onAcceptKeys: call.acceptKeys }}
      />
      <Banners {...{ call, onAgree }} />
      <Controls
        {...{ call, side, isNarrow }}
        entries={[...entries, ...captionsEntries, ...selfEntries]}
        onSide={toggleSide}
        unread={chat && (side === 'chat' ? 0 : chat.unread)}
      />
      <div className="in-room-middle">
        <Stage arrangement={arrangement} door={isDoorInStrip && door} {...look} />
        {captions === 'on' && <Captions lines={captionLines} />}
      </div>
      <div className="in-room-side">
        <Panel {...{ ...props, side, avatarOf, pinned, onPin: setPinned, onClose: closeSide }} />
        {!isDoorInStrip && door}
      </div>
      <Announcements people={people} phase={phase} />
    </div>
  )
}

interface PanelProps extends Pick<InRoomProps, 'chat' | 'moderation' | 'botsToCall'> {
  side: SideName | undefined
  call: Call
  avatarOf(identity: string): string
  pinned: string | undefined
  onPin(key: string | undefined): void
  onClose(): void
}

/** What is opened beside the stage, if anything. */
function Panel({ side, chat, call, avatarOf, pinned, moderation, botsToCall, onPin, onClose }: PanelProps) {
  const words = useStageWords()
  if (side === 'chat') return chat?.show(onClose)
  if (side === 'devices') return <SideDevices {...{ call, onClose }} />
  return (
    side === 'people' && (
      <SidePanel title={words.people} closeLabel={words.close} onClose={onClose}>
        <PeoplePanel {...{ call, avatarOf, pinned, moderation, botsToCall, onPin }} />
      </SidePanel>
    )
  )
}

/** Where the pictures are: a large one stays where it is as long as it may. */
function useArrangement(people: readonly PersonInCall[], pinned: string | undefined) {
  const { smallSelf } = useStore(preferences)
  const before = useRef<string>(undefined)
  const arrangement = arrange({ people, pinned, before: before.current, smallSelf })
  useEffect(() => {
    before.current = arrangement.large?.key
  }, [arrangement.large?.key])
  return arrangement
}

/** One's own picture, small or large. */
function useSelfEntries(peopleCount: number): Entry[] {
  const words = useStageWords()
  const { smallSelf } = useStore(preferences)
  const selfEntry: Entry = {
    id: 'self',
    icon: 'small-picture',
    label: smallSelf ? words.largeSelf : words.smallSelf,
    onAction: () => preferences.change({ smallSelf: !smallSelf }),
  }
  // of two, one is small already
  return smallSelf || peopleCount > 2 ? [selfEntry] : []
}

function useCaptionsEntries(call: Call, captions: CallState['captions']): Entry[] {
  const words = useStageWords()
  if (captions === undefined) return []
  const isOn = captions === 'on'
  const label = isOn ? words.captions.hide : words.captions.show
  return [{ id: 'captions', icon: 'captions', label, onAction: () => void call.readCaptions(!isOn) }]
}

/** What stands over the right of the stage: one at a time. Where it is closed, the focus goes back to what opened it. */
function useSide() {
  const [side, setSide] = useState<SideName>()
  const opener = useRef<Element>(null)
  const closeSide = () => {
    setSide(undefined)
    const { current } = opener
    if (current instanceof HTMLElement && current.isConnected) current.focus()
  }
  const toggleSide = (name: SideName) => {
    if (name === side) return closeSide()
    opener.current = document.activeElement
    setSide(name)
  }
  return { side, toggleSide, closeSide }
}
