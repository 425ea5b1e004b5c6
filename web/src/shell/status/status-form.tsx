import type { ChosenStatus } from '@atrium/client/realtime'
import { useRealtime } from '@atrium/react'
import { useState } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { officeNow } from '../../live/office-client.ts'
import { useOwnPerson } from '../../live/own-status.ts'
import { useAction } from '../../live/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Form } from '../../ui/fields/form.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Problem } from '../../ui/state.tsx'
import { useShellWords } from '../../words/shell.ts'
import { dotOf, timeOf } from './status-words.ts'
import { type UntilChoice, untilChoices, untilOf } from './until-choice.ts'

const STATUSES = Object.keys({
  online: true,
  away: true,
  busy: true,
  appear_offline: true,
} satisfies Record<ChosenStatus, true>) as ChosenStatus[]

/** How one wants to appear, with a note and an end: one form, saved at once. */
export function StatusForm({ onDone }: { onDone(): void }) {
  const { status: words } = useShellWords()
  const live = useRealtime()
  const own = useOwnPerson()
  const [note, setNote] = useState(own?.note ?? '')
  // of the moment of opening: it may be over meanwhile
  const [keptEnd] = useState(own?.until)
  const [until, setUntil] = useState<UntilChoice>(keptEnd ? 'kept' : 'forever')
  const now = own?.status === undefined || own.status === 'offline' ? 'online' : own.status
  const [chosen, setChosen] = useState<ChosenStatus>()
  // until it is touched it is the one there is, also where that changes meanwhile
  const status = chosen ?? now
  const save = useAction(async () => {
    // a new status drops the end of the one before, unless a note stays: the end is the note's as well
    const isOver = until === 'kept' && status !== now && note.trim() === ''
    const end = isOver ? undefined : untilOf(until, officeNow(), keptEnd)
    await live?.setStatus(status, { note: note.trim(), ...(end ? { until: end } : {}) })
    onDone()
  })
  const ends: { id: UntilChoice; label: string }[] = untilChoices.map((id) => ({ id, label: words[id] }))
  if (keptEnd) ends.unshift({ id: 'kept', label: timeOf(keptEnd, officeNow()) })
  return (
    <Form className="status-fields" onSubmit={save.run}>
      <Choices status={status} onChosen={setChosen} />
      <TextField
        label={words.note}
        value={note}
        onChange={setNote}
        maxLength={100}
        placeholder={words.notePlaceholder}
      />
      <Select
        label={words.until}
        options={ends}
        value={until}
        onChange={(next: UntilChoice) => setUntil(next)}
      />
      <Problem>{save.problem}</Problem>
      <Button type="submit" look="primary" busy={save.busy} isDisabled={!live}>
        {words.save}
      </Button>
    </Form>
  )
}

function Choices({ status, onChosen }: { status: ChosenStatus; onChosen(status: ChosenStatus): void }) {
  const { status: words } = useShellWords()
  const abouts: Partial<Record<ChosenStatus, string>> = {
    busy: words.busyAbout,
    appear_offline: words.offlineAbout,
  }
  return (
    <fieldset className="status-choices">
      <legend className="visually-hidden">{words.title}</legend>
      {STATUSES.map((choice) => (
        <AriaButton
          key={choice}
          className={classNames('status-choice', choice === status && 'status-choice-now')}
          aria-pressed={choice === status}
          onPress={() => onChosen(choice)}
        >
          <span className={`status-dot status-dot-${dotOf(choice)}`} aria-hidden="true" />
          <span className="status-choice-text">
            {words[choice]}
            {abouts[choice] && <span className="list-about">{abouts[choice]}</span>}
          </span>
          {choice === status && <Icon name="check" size={16} />}
        </AriaButton>
      ))}
    </fieldset>
  )
}
