import type { Input } from '@atrium/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../live/office-client.ts'
import { outdated, reading } from '../../live/queries.ts'
import { useAction } from '../../live/use-action.ts'
import { AnswerList } from '../../shell/answer.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { useAdministrationWords } from '../../words/administration.ts'
import { FormDialog } from '../form-dialog.tsx'
import { SecretOnce } from '../secret-once.tsx'
import { Choices } from './choices.tsx'
import { EVENTS } from './offered.ts'
import { WebhookRow } from './webhook-row.tsx'

/** Addresses outside that hear of what happens here. */
export function Webhooks() {
  const words = useAdministrationWords()
  const query = useQuery(reading('listWebhooks'))
  const [isNew, setIsNew] = useState(false)
  const [secret, setSecret] = useState<string>()
  return (
    <Card
      title={words.webhooks}
      actions={
        <Button small icon="plus" onPress={() => setIsNew(true)}>
          {words.newWebhook}
        </Button>
      }
    >
      <AnswerList
        query={query}
        rows={(data) => data.webhooks}
        label={words.webhooks}
        words={words}
        none={words.noWebhooks}
      >
        {(webhook) => <WebhookRow key={webhook.id} webhook={webhook} onSecret={setSecret} />}
      </AnswerList>
      {isNew && <NewWebhook onClose={() => setIsNew(false)} onMade={setSecret} />}
      {secret !== undefined && (
        <SecretOnce title={words.webhookMade} secret={secret} onClose={() => setSecret(undefined)} />
      )}
    </Card>
  )
}

function NewWebhook({ onClose, onMade }: { onClose(): void; onMade(secret: string): void }) {
  const words = useAdministrationWords()
  const [url, setUrl] = useState('')
  const [chosen, setChosen] = useState<readonly string[]>([])
  const make = useAction(async () => {
    const events = [...chosen] as Input<'createWebhook'>['events']
    const { secret } = await client.call('createWebhook', { url: url.trim(), events })
    await outdated('listWebhooks', 'getOrganizationLimits')
    onClose()
    onMade(secret)
  })
  return (
    <FormDialog
      title={words.newWebhook}
      submit={words.make}
      action={make}
      isIncomplete={chosen.length === 0}
      onClose={onClose}
    >
      <TextField
        label={words.address}
        value={url}
        onChange={setUrl}
        type="url"
        placeholder="https://"
        maxLength={2_048}
        autoComplete="off"
        isRequired
        autoFocus
      />
      <Choices
        label={words.events}
        groups={[{ options: EVENTS.map((id) => ({ id, label: id })) }]}
        chosen={chosen}
        onChange={setChosen}
      />
    </FormDialog>
  )
}
