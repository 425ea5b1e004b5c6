import { Suspense, useEffect, useState } from 'react'
import { lazyPart } from '../../live/page/patient-import.ts'
import { useStore } from '../../live/use-session.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { type Notice, notices, urgentBar } from '../../ui/overlays/notices.ts'
import { closeNotice, useNoticeTime } from '../../ui/overlays/toasts.tsx'
import { useMedia } from '../../ui/use-media.ts'
import { useFloorWords } from '../../words/floor.ts'

/** Asked for after the floor is there. */
const NextMeeting = lazyPart(() => import('./next-meeting.tsx'), 'NextMeeting')

const SHOWN_MOST = 2
/** All is in one line with the count of people. */
const SHOWN_WHERE_NARROW = 1
const NARROW = '(max-width: 63.99rem)'

/** What is urgent: who is at a door, the next meeting, a wave. A few of them, and how many more there are. */
export function Pills() {
  const words = useFloorWords()
  const [isOpen, setOpen] = useState(false)
  const urgent = useStore(notices)
    .filter(({ urgency }) => urgency !== undefined)
    .sort((one, other) => (one.urgency ?? 0) - (other.urgency ?? 0))
  useEffect(() => {
    urgentBar.set(true)
    return () => urgentBar.set(false)
  }, [])
  const most = useMedia(NARROW) ? SHOWN_WHERE_NARROW : SHOWN_MOST
  const shown = isOpen ? urgent : urgent.slice(0, most)
  const more = urgent.length - most
  return (
    <div className="now-pills">
      <div role="status" aria-live="polite" aria-relevant="additions" className="pills">
        {shown.map((notice) => (
          <Pill key={notice.id} notice={notice} />
        ))}
      </div>
      {more > 0 && (
        <Button
          small
          aria-expanded={isOpen}
          aria-label={words.moreWaiting(more)}
          onPress={() => setOpen(!isOpen)}
        >
          {words.more(more)}
        </Button>
      )}
      {urgent.length < most && (
        <Suspense>
          <NextMeeting />
        </Suspense>
      )}
    </div>
  )
}

function Pill({ notice }: { notice: Notice }) {
  const words = useFloorWords()
  useNoticeTime(notice, false)
  const [first] = notice.actions ?? []
  return (
    <div className="pill pill-urgent">
      <p className="pill-text">
        <strong>{notice.text}</strong>
        {notice.about && <span className="soft"> {notice.about}</span>}
      </p>
      {first && (
        <Button
          small
          look="primary"
          onPress={() => {
            notices.remove(notice.id)
            first.onAction()
          }}
        >
          {first.label}
        </Button>
      )}
      <IconButton
        icon="close"
        small
        // what only closes refuses no guest
        label={notice.onClose ? words.notNow : words.close}
        onPress={() => closeNotice(notice)}
      />
    </div>
  )
}
