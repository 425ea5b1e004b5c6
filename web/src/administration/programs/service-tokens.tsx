import type { Input, SuccessBody } from '@atrium/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../live/office-client.ts'
import { outdated, reading } from '../../live/queries.ts'
import { useAction } from '../../live/use-action.ts'
import { AnswerList } from '../../shell/answer.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { useAdministrationWords } from '../../words/administration.ts'
import { dateAndTime } from '../../words/date-and-time.ts'
import { useProgramsWords } from '../../words/programs.ts'
import { FormDialog } from '../form-dialog.tsx'
import { RevocableRow } from '../revocable-row.tsx'
import { SecretOnce } from '../secret-once.tsx'
import { Choices } from './choices.tsx'
import { type OfferedOperation, OPERATIONS_BY_CHAPTER } from './offered.ts'

/** How long a token is good for, in days. */
const LASTS = ['30', '90', '365', 'ever'] as const
type Lasts = (typeof LASTS)[number]
const DAY_MS = 86_400_000
const CHAPTERS = ['people', 'rooms', 'recordings', 'trail'] as const

type ServiceToken = SuccessBody<'listServiceTokens'>['tokens'][number]

/** With which programs act for the organization. */
export function ServiceTokens() {
  const words = useAdministrationWords()
  const query = useQuery(reading('listServiceTokens'))
  const [isNew, setIsNew] = useState(false)
  const [secret, setSecret] = useState<string>()
  return (
    <Card
      title={words.tokens}
      actions={
        <Button small icon="plus" onPress={() => setIsNew(true)}>
          {words.newToken}
        </Button>
      }
    >
      <AnswerList
        query={query}
        rows={(data) => data.tokens}
        label={words.tokens}
        words={words}
        none={words.noTokens}
      >
        {(token) => <TokenRow key={token.id} token={token} />}
      </AnswerList>
      {isNew && <NewToken onClose={() => setIsNew(false)} onMade={setSecret} />}
      {secret !== undefined && (
        <SecretOnce title={words.tokenMade} secret={secret} onClose={() => setSecret(undefined)} />
      )}
    </Card>
  )
}

function TokenRow({ token }: { token: ServiceToken }) {
  const words = useAdministrationWords()
  const programs = useProgramsWords()
  const { id, name, operations, expiresAt, lastUsedAt } = token
  const mayDo = operations.map((one) => programs.operations[one as OfferedOperation] ?? one)
  const ends = expiresAt ? programs.until(dateAndTime(expiresAt)) : programs.forEver
  const used = lastUsedAt ? words.lastUsed(dateAndTime(lastUsedAt)) : words.neverUsed
  return (
    <RevocableRow
      name={name}
      about={[mayDo.join(', '), ends, used].join(' · ')}
      words={words}
      onRevoke={async () => {
        await client.call('revokeServiceToken', { id })
        await outdated('listServiceTokens', 'getOrganizationLimits')
      }}
    />
  )
}

function NewToken({ onClose, onMade }: { onClose(): void; onMade(secret: string): void }) {
  const words = useAdministrationWords()
  const [name, setName] = useState('')
  const programs = useProgramsWords()
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [lasts, setLasts] = useState<Lasts>('90')
  const make = useAction(async () => {
    const operations = [...chosen] as Input<'createServiceToken'>['operations']
    const { token } = await client.call('createServiceToken', {
      name: name.trim(),
      operations,
      ...expiryOf(lasts),
    })
    await outdated('listServiceTokens', 'getOrganizationLimits')
    onClose()
    onMade(token)
  })
  return (
    <FormDialog
      title={words.newToken}
      submit={words.make}
      action={make}
      isIncomplete={chosen.length === 0}
      onClose={onClose}
    >
      <TextField label={words.name} value={name} onChange={setName} maxLength={100} isRequired autoFocus />
      <Choices
        label={programs.mayDo}
        groups={CHAPTERS.map((chapter) => ({
          title: programs.chapters[chapter],
          options: OPERATIONS_BY_CHAPTER[chapter].map((id) => ({ id, label: programs.operations[id] })),
        }))}
        chosen={chosen}
        onChange={setChosen}
      />
      <Select<Lasts>
        label={programs.expires}
        options={LASTS.map((id) => ({ id, label: programs.lasts[id] }))}
        value={lasts}
        onChange={setLasts}
      />
    </FormDialog>
  )
}

function expiryOf(lasts: Lasts): { expiresAt?: string } {
  if (lasts === 'ever') return {}
  return { expiresAt: new Date(Date.now() + Number(lasts) * DAY_MS).toISOString() }
}
