import type { SuccessBody } from '@atrium/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../live/office-client.ts'
import { outdated, reading } from '../../live/queries.ts'
import { useAction } from '../../live/use-action.ts'
import { AnswerList } from '../../shell/answer.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { dateAndTime } from '../../words/date-and-time.ts'
import { useSignOnWords } from '../../words/sign-on.ts'
import { CopyField } from '../copy-field.tsx'
import { FormDialog } from '../form-dialog.tsx'
import { RevocableRow } from '../revocable-row.tsx'
import { SecretOnce } from '../secret-once.tsx'

type Connection = SuccessBody<'listDirectoryConnections'>['connections'][number]
type Made = SuccessBody<'createDirectoryConnection'>

/** Directories that keep the people of the organization. */
export function Directories() {
  const words = useSignOnWords()
  const query = useQuery(reading('listDirectoryConnections'))
  const [isNew, setIsNew] = useState(false)
  const [made, setMade] = useState<Made>()
  return (
    <Card
      title={words.directories}
      actions={
        <Button small icon="plus" onPress={() => setIsNew(true)}>
          {words.newDirectory}
        </Button>
      }
    >
      <p className="soft small">{words.directoriesAbout}</p>
      <AnswerList
        {...{ query, words, label: words.directories, none: words.noDirectories }}
        rows={({ connections }) => connections}
      >
        {(connection) => <ConnectionRow key={connection.id} connection={connection} />}
      </AnswerList>
      {isNew && <NewDirectory onClose={() => setIsNew(false)} onMade={setMade} />}
      {made && (
        <SecretOnce title={words.directoryMade} secret={made.token} onClose={() => setMade(undefined)}>
          <CopyField label={words.directoryAddress} value={made.url} />
        </SecretOnce>
      )}
    </Card>
  )
}

function ConnectionRow({ connection: { id, name, lastUsedAt } }: { connection: Connection }) {
  const words = useSignOnWords()
  return (
    <RevocableRow
      name={name}
      about={lastUsedAt ? words.lastUsed(dateAndTime(lastUsedAt)) : words.neverUsed}
      words={words}
      onRevoke={async () => {
        await client.call('revokeDirectoryConnection', { id })
        await outdated('listDirectoryConnections')
      }}
    />
  )
}

function NewDirectory({ onClose, onMade }: { onClose(): void; onMade(made: Made): void }) {
  const words = useSignOnWords()
  const [name, setName] = useState('')
  const make = useAction(async () => {
    const made = await client.call('createDirectoryConnection', { name: name.trim() })
    await outdated('listDirectoryConnections')
    onClose()
    onMade(made)
  })
  return (
    <FormDialog title={words.newDirectory} submit={words.make} action={make} onClose={onClose}>
      <TextField label={words.name} value={name} onChange={setName} maxLength={100} isRequired autoFocus />
    </FormDialog>
  )
}
