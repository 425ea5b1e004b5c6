import { type ReactNode, useState } from 'react'
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
  /** Beside the stage, where it is opened. */
  chat?: (close: () => void) => ReactNode
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
  const toggle = () => setChatOpen(!isChatOpen)
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
        {isChatOpen && chat?.(() => setChatOpen(false))}
      </div>
      <Controls call={call} entries={[viewEntry, ...entries]} chat={chat && { isOpen: isChatOpen, toggle }} />
    </div>
  )
}
