import type { Input, SuccessBody } from '@atrium/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../live/office-client.ts'
import { outdated, reading } from '../live/queries.ts'
import { useAction } from '../live/use-action.ts'
import { AnswerList } from '../shell/answer.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Switch } from '../ui/fields/switch.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { ListRow } from '../ui/list.tsx'
import { Problem } from '../ui/state.tsx'
import { dateAndTime } from '../words/date-and-time.ts'
import { de } from '../words/de/administration.ts'
import { en } from '../words/en/administration.ts'
import { useWords } from '../words/use-words.ts'
import { Choices } from './choices.tsx'
import { FormDialog } from './form-dialog.tsx'
import { EVENTS } from './offered.ts'
import { SecretOnce } from './secret-once.tsx'

type Webhook = SuccessBody<'listWebhooks'>['webhooks'][number]

/** Addresses outside that hear of what happens here. */
export function Webhooks() {
  const words = useWords({ en, de })
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
        {(webhook) => <WebhookRow key={webhook.id} webhook={webhook} />}
      </AnswerList>
      {isNew && <NewWebhook onClose={() => setIsNew(false)} onMade={setSecret} />}
      {secret !== undefined && (
        <SecretOnce title={words.webhookMade} secret={secret} onClose={() => setSecret(undefined)} />
      )}
    </Card>
  )
}

function WebhookRow({ webhook }: { webhook: Webhook }) {
  const words = useWords({ en, de })
  const { id, url, events, state, enabled, failingSince } = webhook
  const [enters, setEnters] = useState(false)
  const ask = useAction(async () => {
    await client.call('verifyWebhook', { id })
    // a receiver that agrees does so at once
    await outdated('listWebhooks')
  })
  const change = useAction(async (on: boolean) => {
    await client.call('updateWebhook', { id, enabled: on })
    await outdated('listWebhooks')
  })
  const remove = useAction(async () => {
    await client.call('deleteWebhook', { id })
    await outdated('listWebhooks')
  })
  return (
    <ListRow
      title={url}
      about={
        <>
          {events.join(', ')}
          {state === 'unverified' && ` · ${words.unverified}`}
          {failingSince && ` · ${words.failingSince(dateAndTime(failingSince))}`}
          <Problem>{change.problem ?? remove.problem ?? ask.problem}</Problem>
          {enters && <Challenge id={id} url={url} onClose={() => setEnters(false)} />}
        </>
      }
      after={
        <>
          {state === 'unverified' && (
            <span className="list-actions">
              <Button small busy={ask.busy} onPress={() => void ask.run()}>
                {words.testAgain}
              </Button>
              <Button small onPress={() => setEnters(true)}>
                {words.enterChallenge}
              </Button>
            </span>
          )}
          <Switch label={words.on} on={enabled} onChange={(on) => void change.run(on)} />
          <IconButton
            icon="trash"
            label={words.deleteWebhook(url)}
            busy={remove.busy}
            onPress={() => void remove.run()}
          />
        </>
      }
    />
  )
}

/** What the test has carried, read at the receiver by a person. */
function Challenge({ id, url, onClose }: { id: string; url: string; onClose(): void }) {
  const words = useWords({ en, de })
  const [challenge, setChallenge] = useState('')
  const enter = useAction(async () => {
    await client.call('verifyWebhook', { id, challenge: challenge.trim() })
    await outdated('listWebhooks')
    onClose()
  })
  return (
    <FormDialog
      title={words.enterChallenge}
      words={{ cancel: words.cancel, submit: words.verifyWebhook }}
      action={enter}
      isIncomplete={challenge.trim() === ''}
      onClose={onClose}
    >
      <p>{words.challengeAbout(url)}</p>
      <TextField
        label={words.challenge}
        value={challenge}
        onChange={setChallenge}
        maxLength={128}
        autoComplete="off"
        isRequired
        autoFocus
      />
    </FormDialog>
  )
}

function NewWebhook({ onClose, onMade }: { onClose(): void; onMade(secret: string): void }) {
  const words = useWords({ en, de })
  const [url, setUrl] = useState('')
  const [chosen, setChosen] = useState<readonly string[]>([])
  const make = useAction(async () => {
    const events = [...chosen] as Input<'createWebhook'>['events']
    const { secret } = await client.call('createWebhook', { url: url.trim(), events })
    await outdated('listWebhooks')
    onClose()
    onMade(secret)
  })
  return (
    <FormDialog
      title={words.newWebhook}
      words={{ cancel: words.cancel, submit: words.make }}
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
      <Choices label={words.events} options={EVENTS} chosen={chosen} onChange={setChosen} />
    </FormDialog>
  )
}
