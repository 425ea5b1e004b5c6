import type { ChosenStatus } from '@atrium/client/realtime'
import { usePeople, useRealtime } from '@atrium/react'
import { type FormEvent, useState } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { useOwnPerson } from '../live/own-status.ts'
import { useAction } from '../live/use-action.ts'
import { useSession } from '../live/use-session.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Icon } from '../ui/icon.tsx'
import { Popover } from '../ui/popover.tsx'
import { Select } from '../ui/select.tsx'
import { Problem } from '../ui/state.tsx'
import { TextField } from '../ui/text-field.tsx'
import { de } from '../words/de/shell.ts'
import { en } from '../words/en/shell.ts'
import { useWords } from '../words/use-words.ts'
import { SessionMenu } from './session-menu.tsx'
import { aboutPerson, dotOf } from './status-words.ts'
import { type UntilChoice, untilChoices, untilOf } from './until-choice.ts'
import './status-menu.css'

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
          <Avatar name={name} url={url} status={loaded && own ? dotOf(own.status) : undefined} />
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
          <StatusForm onDone={close} />
          <SessionMenu />
        </div>
      )}
    </Popover>
  )
}

const STATUSES: readonly ChosenStatus[] = ['online', 'away', 'busy', 'appear_offline']

function StatusForm({ onDone }: { onDone(): void }) {
  const { status: words } = useWords({ en, de })
  const live = useRealtime()
  const own = useOwnPerson()
  const [note, setNote] = useState(own?.note ?? '')
  const [until, setUntil] = useState<UntilChoice>('forever')
  const choose = useAction(async (status: ChosenStatus) => {
    const end = untilOf(until, new Date())
    await live?.setStatus(status, { note: note.trim(), ...(end ? { until: end } : {}) })
    onDone()
  })
  const now = own?.status === 'offline' ? 'online' : own?.status
  const save = (event: FormEvent) => {
    event.preventDefault()
    void choose.run(now ?? 'online')
  }
  const abouts: Partial<Record<ChosenStatus, string>> = {
    busy: words.busyAbout,
    appear_offline: words.offlineAbout,
  }
  return (
    <>
      <fieldset className="status-choices">
        <legend className="visually-hidden">{words.title}</legend>
        {STATUSES.map((status) => (
          <AriaButton
            key={status}
            className={classNames('status-choice', status === now && 'status-choice-now')}
            aria-pressed={status === now}
            isDisabled={!live}
            onPress={() => void choose.run(status)}
          >
            <span className={`status-dot status-dot-${dotOf(status)}`} aria-hidden="true" />
            <span className="status-choice-text">
              {words[status]}
              {abouts[status] && <span className="list-about">{abouts[status]}</span>}
            </span>
            {status === now && <Icon name="check" size={16} />}
          </AriaButton>
        ))}
      </fieldset>
      <form className="status-note" onSubmit={save}>
        <TextField
          label={words.note}
          value={note}
          onChange={setNote}
          maxLength={100}
          placeholder={words.notePlaceholder}
        />
        <Select
          label={words.until}
          options={untilChoices.map((id) => ({ id, label: words[id] }) as { id: UntilChoice; label: string })}
          value={until}
          onChange={(next: UntilChoice) => setUntil(next)}
        />
        <Problem>{choose.problem}</Problem>
        <Button type="submit" look="primary" busy={choose.busy}>
          {words.save}
        </Button>
      </form>
    </>
  )
}
