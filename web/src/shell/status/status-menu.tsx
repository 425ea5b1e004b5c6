import { usePeople } from '@atrium/react'
import { lazy, Suspense } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { useOwnPerson } from '../../live/own-status.ts'
import { useSession } from '../../live/use-session.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Popover } from '../../ui/overlays/popover.tsx'
import { de } from '../../words/de/shell.ts'
import { en } from '../../words/en/shell.ts'
import { useWords } from '../../words/use-words.ts'
import { aboutPerson, dotOf } from './status-words.ts'
import './status-menu.css'

/** Loaded when it is opened first: its fields weigh as much as the rest of the frame. */
const StatusForm = lazy(async () => ({ default: (await import('./status-form.tsx')).StatusForm }))
const SessionMenu = lazy(async () => ({ default: (await import('../session-menu.tsx')).SessionMenu }))

/** Oneself: how one appears, and what changes it. */
export function StatusMenu() {
  const { status: words } = useWords({ en, de })
  const session = useSession()
  const own = useOwnPerson()
  const { loaded } = usePeople()
  if (session.state !== 'signed-in') return null
  const name = own?.displayName ?? session.user.displayName
  const url = own?.avatarUrl ?? session.user.avatarUrl ?? ''
  const about = own ? aboutPerson(own, words) : ''
  return (
    <Popover
      label={words.title}
      placement="top start"
      trigger={
        <AriaButton className="own-status">
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
        </AriaButton>
      }
    >
      {({ close }) => (
        <div className="status-form">
          <Suspense>
            <StatusForm onDone={close} />
            <SessionMenu onGo={close} />
          </Suspense>
        </div>
      )}
    </Popover>
  )
}
