import { useEffect, useState, useSyncExternalStore } from 'react'
import { Avatar } from '../avatar.tsx'
import { Button, IconButton } from '../button.tsx'
import { classNames } from '../class-names.ts'
import { type Notice, notices, urgentBar } from './notices.ts'
import './toasts.css'

/** Where notices appear. Once on a page; it never takes the focus. */
export function Toasts({ label, closeLabel }: { label: string; closeLabel: string }) {
  const all = useSyncExternalStore(notices.subscribe, notices.get)
  const hasBar = useSyncExternalStore(urgentBar.subscribe, urgentBar.get)
  const shown = hasBar ? all.filter(({ urgency }) => urgency === undefined) : all
  return (
    <section className="toasts" aria-label={label}>
      <div role="status" aria-live="polite" aria-relevant="additions" className="toasts-live">
        {shown.map((notice) => (
          <Toast key={notice.id} notice={notice} closeLabel={closeLabel} />
        ))}
      </div>
    </section>
  )
}

function Toast({ notice, closeLabel }: { notice: Notice; closeLabel: string }) {
  const [held, setHeld] = useState(false)
  useNoticeTime(notice, held)
  return (
    // reading it, or reaching for it, keeps it
    // biome-ignore lint/a11y/noStaticElementInteractions: it reacts to reading, and does nothing
    <div
      className={classNames('toast', `toast-${notice.tone ?? 'plain'}`, notice.person && 'toast-of-person')}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      {notice.person && <Avatar {...notice.person} />}
      <div className="toast-text">
        <p>{notice.text}</p>
        {notice.about && <p className="soft small">{notice.about}</p>}
        {notice.actions && (
          <div className="toast-actions">
            {notice.actions.map(({ label, primary, quiet, onAction }) => (
              <Button
                key={label}
                small
                look={primary ? 'primary' : quiet ? 'quiet' : 'plain'}
                onPress={() => {
                  notices.remove(notice.id)
                  onAction()
                }}
              >
                {label}
              </Button>
            ))}
          </div>
        )}
      </div>
      <IconButton icon="close" small label={closeLabel} onPress={() => closeNotice(notice)} />
      {notice.running && <RunningBar key={notice.running.sinceMs} {...notice.running} />}
    </div>
  )
}

/** How much time is left: at the right place also where the notice is drawn later than it was said. */
function RunningBar({ sinceMs, seconds }: NonNullable<Notice['running']>) {
  const [style] = useState(() => ({
    animationDuration: `${seconds}s`,
    animationDelay: `${sinceMs - Date.now()}ms`,
  }))
  return <span className="toast-bar" style={style} aria-hidden="true" />
}

/** Closes a notice when its time is over. @param held the pointer or the focus is on it */
export function useNoticeTime(notice: Notice, held: boolean): void {
  const { seconds } = notice
  useEffect(() => {
    if (seconds === undefined || held) return undefined
    const timer = setTimeout(() => closeNotice(notice), seconds * 1_000)
    return () => clearTimeout(timer)
  }, [notice, seconds, held])
}

export function closeNotice(notice: Notice): void {
  notices.remove(notice.id)
  notice.onClose?.()
}
