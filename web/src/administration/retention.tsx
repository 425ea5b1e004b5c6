import type { SuccessBody } from '@atrium/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../live/office-client.ts'
import { outdated, reading } from '../live/queries.ts'
import { useAction } from '../live/use-action.ts'
import { Answer } from '../shell/answer.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { List, ListRow } from '../ui/list.tsx'
import { notices } from '../ui/overlays/notices.ts'
import { useRetentionWords } from '../words/retention.ts'
import { FormDialog } from './form-dialog.tsx'

type Retention = SuccessBody<'getOrganizationRetention'>

const FIELDS = ['chatDays', 'auditDays', 'recordingDays', 'sessionDays'] as const
type Field = (typeof FIELDS)[number]

/** For how many days the organization keeps what it has. */
export function RetentionCard() {
  const words = useRetentionWords()
  const query = useQuery(reading('getOrganizationRetention'))
  const { data } = query
  const [isOpen, setIsOpen] = useState(false)
  const shown = (answer: Retention, field: Field) => {
    const own = answer[field]
    return own === null ? words.asDeployment(words.days(answer.deployment[field])) : words.days(own)
  }
  return (
    <Card
      title={words.title}
      actions={
        <Button small isDisabled={!data} onPress={() => setIsOpen(true)}>
          {words.change}
        </Button>
      }
    >
      <Answer {...{ query, words }}>
        {(answer) => (
          <List label={words.title}>
            {FIELDS.map((field) => (
              <ListRow key={field} title={words[field]} about={shown(answer, field)} />
            ))}
          </List>
        )}
      </Answer>
      {data && isOpen && <RetentionForm answer={data} onClose={() => setIsOpen(false)} />}
    </Card>
  )
}

function RetentionForm({ answer, onClose }: { answer: Retention; onClose(): void }) {
  const words = useRetentionWords()
  const [typed, setTyped] = useState(
    () => Object.fromEntries(FIELDS.map((field) => [field, textOf(answer[field])])) as Record<Field, string>,
  )
  const save = useAction(async () => {
    // another administrator may have changed the others meanwhile
    const changed = FIELDS.filter((field) => typed[field] !== textOf(answer[field]))
    const days = changed.map((field) => [field, typed[field].trim() === '' ? null : Number(typed[field])])
    await client.call('updateOrganizationRetention', Object.fromEntries(days))
    await outdated('getOrganizationRetention', 'listRecordings', 'listAuditLog')
    onClose()
    notices.show({ text: words.saved, tone: 'good' })
  })
  return (
    <FormDialog title={words.title} submit={words.save} action={save} onClose={onClose}>
      <p>{words.about}</p>
      {FIELDS.map((field, index) => (
        <TextField
          key={field}
          label={words.inDays(words[field])}
          hint={words.hint(minOf(answer, field), words.days(answer.deployment[field]))}
          min={minOf(answer, field)}
          value={typed[field]}
          onChange={(text) => setTyped({ ...typed, [field]: text })}
          // what is no number is not sent: it would mean that nothing was decided
          type="number"
          inputMode="numeric"
          autoComplete="off"
          autoFocus={index === 0}
        />
      ))}
    </FormDialog>
  )
}

function textOf(days: number | null): string {
  return String(days ?? '')
}

function minOf({ deployment }: Retention, field: Field): number {
  return field === 'auditDays' ? deployment.auditDaysMin : 1
}
