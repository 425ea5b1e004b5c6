import type { Input, SuccessBody } from '@atrium/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../live/office-client.ts'
import { outdated, reading } from '../live/queries.ts'
import { useAction } from '../live/use-action.ts'
import { AnswerList } from '../shell/answer.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { ListRow } from '../ui/list.tsx'
import { Problem } from '../ui/state.tsx'
import { dateAndTime } from '../words/date-and-time.ts'
import { de } from '../words/de/administration.ts'
import { en } from '../words/en/administration.ts'
import { useWords } from '../words/use-words.ts'
import { Choices } from './choices.tsx'
import { FormDialog } from './form-dialog.tsx'
import { OPERATIONS } from './offered.ts'
import { SecretOnce } from './secret-once.tsx'

type ServiceToken = SuccessBody<'listServiceTokens'>['tokens'][number]

/** With which programs act for the organization. */
export function ServiceTokens() {
  const words = useWords({ en, de })
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
  const words = useWords({ en, de })
  const { id, name, operations, lastUsedAt } = token
  const revoke = useAction(async () => {
    await client.call('revokeServiceToken', { id })
    await outdated('listServiceTokens')
  })
  return (
    <ListRow
      title={name}
      about={
        <>
          {operations.join(', ')} · {lastUsedAt ? words.lastUsed(dateAndTime(lastUsedAt)) : words.neverUsed}
          <Problem>{revoke.problem}</Problem>
        </>
      }
      after={
        <Button small look="quiet" busy={revoke.busy} onPress={() => void revoke.run()}>
          {words.revoke} <span className="visually-hidden">{name}</span>
        </Button>
      }
    />
  )
}

function NewToken({ onClose, onMade }: { onClose(): void; onMade(secret: string): void }) {
  const words = useWords({ en, de })
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<readonly string[]>([])
  const make = useAction(async () => {
    const operations = [...chosen] as Input<'createServiceToken'>['operations']
    const { token } = await client.call('createServiceToken', { name: name.trim(), operations })
    await outdated('listServiceTokens')
    onClose()
    onMade(token)
  })
  return (
    <FormDialog
      title={words.newToken}
      words={{ cancel: words.cancel, submit: words.make }}
      action={make}
      isIncomplete={chosen.length === 0}
      onClose={onClose}
    >
      <TextField label={words.name} value={name} onChange={setName} maxLength={100} isRequired autoFocus />
      <Choices label={words.mayCall} options={OPERATIONS} chosen={chosen} onChange={setChosen} />
    </FormDialog>
  )
}
