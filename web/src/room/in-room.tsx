import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useStore } from '../live/use-session.ts'
import type { Call } from '../media/call-state.ts'
import { classNames } from '../ui/class-names.ts'
import { Icon } from '../ui/icon.tsx'
import { PageHeading } from '../ui/page-heading.tsx'
import { de } from '../words/de/room.ts'
import { en } from '../words/en/room.ts'
import { useWords } from '../words/use-words.ts'
import { Banners } from './banners.tsx'
import { Controls, type Entry } from './controls.tsx'
import { Stage } from './stage/stage.tsx'
import type { View } from './stage/stage-layout.ts'
import './in-room.css'

export interface InRoomProps {
  call: Call
  title: string
  recording: boolean
  /** Whoever has started it oneself need not be asked whether they stay. */
  knowsOfRecording?: boolean
  /** Told when they agree to be recorded. */
  onAgree?: () => void
  avatarOf?(identity: string): string
  /** What members can do beside the controls that everybody has. */
  entries?: readonly Entry[]
  /** Above the stage. */
  door?: ReactNode
  /** Beside the stage, where it is opened; how much in it is unread. */
  chat?: { unread: number; show(close: () => void): ReactNode }
}

const NO_PICTURE = () => ''

/** Inside a room: everybody there, and what one does. The same for members and guests. */
export function InRoom({
  call,
  title,
  recording,
  knowsOfRecording = false,
  onAgree,
  avatarOf = NO_PICTURE,
  entries = [],
  door,
  chat,
}: InRoomProps) {
  const words = useWords({ en, de })
  const { people, speaker } = useStore(call)
  const [view, setView] = useState<View>('grid')
  const [isChatOpen, setChatOpen] = useState(false)
  const chatButton = useRef<HTMLButtonElement>(null)
  const toggle = () => setChatOpen(!isChatOpen)
  const closeChat = () => {
    setChatOpen(false)
    // the field that had the focus is gone
    chatButton.current?.focus()
  }
  // one may have scrolled to the button that leads in
  useEffect(() => {
    // answers a promise in new browsers, which is nothing to clean up with
    void scrollTo(0, 0)
  }, [])
  const viewEntry: Entry = {
    id: 'view',
    icon: 'people',
    label: view === 'grid' ? words.speakerView : words.gridView,
    onAction: () => setView(view === 'grid' ? 'speaker' : 'grid'),
  }
  return (
    <div className="in-room">
      <PageHeading title={title}>
        {recording && (
          <span className="in-room-recording">
            <Icon name="record" size={16} />
            {words.record.running}
          </span>
        )}
      </PageHeading>
      <Banners call={call} recording={recording} knowsOfRecording={knowsOfRecording} onAgree={onAgree} />
      {door}
      <div className={classNames('in-room-middle', isChatOpen && chat && 'in-room-with-chat')}>
        <Stage people={people} speaker={speaker} view={view} avatarOf={avatarOf} />
        {isChatOpen && chat?.show(closeChat)}
      </div>
      <Controls
        call={call}
        entries={[viewEntry, ...entries]}
        chat={chat && { isOpen: isChatOpen, unread: isChatOpen ? 0 : chat.unread, toggle, ref: chatButton }}
      />
    </div>
  )
}
