import { usePeople } from '@atrium/react'
import { Suspense, useRef, useState } from 'react'
import { useOwnPerson } from '../../live/own-status.ts'
import { useSession } from '../../live/use-session.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { useShellWords } from '../../words/shell.ts'
import { aboutPerson, dotOf } from './status-words.ts'
import './status-menu.css'
import { lazyPart } from '../../live/page/patient-import.ts'

/** Loaded when it is opened first: what pops up and its fields weigh more than the rest of the frame. */
const StatusPopover = lazyPart(() => import('./status-popover.tsx'), 'StatusPopover')

/** Oneself: how one appears, and what changes it. */
export function StatusMenu() {
  const { status: words } = useShellWords()
  const session = useSession()
  const own = useOwnPerson()
  const loaded = usePeople((people) => people.loaded)
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  if (session.state !== 'signed-in') return null
  const name = own?.displayName ?? session.user.displayName
  const url = own?.avatarUrl ?? session.user.avatarUrl ?? ''
  const about = own ? aboutPerson(own, words) : ''
  return (
    <>
      <button
        ref={button}
        type="button"
        className="own-status"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
      >
        <Avatar
          id={session.user.id}
          name={name}
          url={url}
          status={loaded && own ? dotOf(own.status) : undefined}
        />
        <span className="own-status-text">
          <span className="list-title">{name}</span>
          <span className="list-about">{about}</span>
          <span className="visually-hidden">{words.change}</span>
        </span>
      </button>
      <Suspense>
        {isOpen && button.current && <StatusPopover anchor={button.current} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  )
}
