import type { SuccessBody } from '@atrium/client'
import { useState } from 'react'
import { client } from '../../live/office-client.ts'
import { outdated } from '../../live/queries.ts'
import { type Action, useAction } from '../../live/use-action.ts'
import { Confirm } from '../../shell/question/confirm.tsx'
import { Button } from '../../ui/button.tsx'
import { Switch } from '../../ui/fields/switch.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { ListRow } from '../../ui/list.tsx'
import { Menu } from '../../ui/overlays/menu.tsx'
import { MenuButton } from '../../ui/overlays/menu-button.tsx'
import { notices } from '../../ui/overlays/notices.ts'
import { Problem } from '../../ui/state.tsx'
import { useAdministrationWords } from '../../words/administration.ts'
import { dateAndTime } from '../../words/date-and-time.ts'
import { useProgramsWords } from '../../words/programs.ts'
import { FormDialog } from '../form-dialog.tsx'
import { Deliveries } from './deliveries.tsx'

type Webhook = SuccessBody<'listWebhooks'>['webhooks'][number]

type Shown = 'challenge' | 'deliveries' | 'rotate' | 'delete'

/** One endpoint: whether it is on, what became of its events, and a new secret for it. */
export function WebhookRow({ webhook, onSecret }: { webhook: Webhook; onSecret(secret: string): void }) {
  const words = useAdministrationWords()
  const { id, url, events, state, enabled, failingSince } = webhook
  const [shown, setShown] = useState<Shown>()
  const close = () => setShown(undefined)
  const { ask, change } = useWebhookActions(id)
  const isUnverified = state === 'unverified'
  return (
    <ListRow
      title={url}
      about={
        <>
          {events.join(', ')}
          {isUnverified && ` · ${words.unverified}`}
          {failingSince && ` · ${words.failingSince(dateAndTime(failingSince))}`}
          <Problem>{change.problem ?? ask.problem}</Problem>
          {shown === 'challenge' && <Challenge id={id} url={url} onClose={close} />}
          {shown === 'deliveries' && <Deliveries webhook={webhook} onClose={close} />}
          {shown === 'rotate' && <Rotate id={id} onSecret={onSecret} onClose={close} />}
          {shown === 'delete' && <Delete id={id} url={url} onClose={close} />}
        </>
      }
      after={
        <>
          {isUnverified && <Verification url={url} ask={ask} onChallenge={() => setShown('challenge')} />}
          <Switch
            label={words.on}
            of={url}
            on={enabled}
            onChange={(on) => void change.run(on)}
            busy={change.busy}
          />
          <WebhookMenu url={url} onShow={setShown} />
        </>
      }
    />
  )
}

function useWebhookActions(id: string) {
  const words = useAdministrationWords()
  const ask = useAction(async () => {
    await client.call('verifyWebhook', { id })
    // a receiver that agrees does so at once
    await outdated('listWebhooks')
    notices.show({ text: words.testSent })
  })
  const change = useAction(async (on: boolean) => {
    await client.call('updateWebhook', { id, enabled: on })
    await outdated('listWebhooks')
  })
  return { ask, change }
}

function Delete({ id, url, onClose }: { id: string; url: string; onClose(): void }) {
  const words = useAdministrationWords()
  return (
    <Confirm
      title={words.deleteWebhook(url)}
      about={words.deleteWebhookAbout}
      confirm={words.deleteIt}
      work={async () => {
        await client.call('deleteWebhook', { id })
        await outdated('listWebhooks', 'getOrganizationLimits')
      }}
      onClose={onClose}
    />
  )
}

/** Asks before the secret is replaced. */
function Rotate({ id, onSecret, onClose }: { id: string; onSecret(secret: string): void; onClose(): void }) {
  const programs = useProgramsWords()
  return (
    <Confirm
      title={programs.rotateTitle}
      about={programs.rotateAbout}
      confirm={programs.rotate}
      work={async () => onSecret((await client.call('rotateWebhook', { id })).secret)}
      onClose={onClose}
    />
  )
}

/** Sends the test again, or takes its challenge by hand. */
function Verification({ url, ask, onChallenge }: { url: string; ask: Action<[]>; onChallenge(): void }) {
  const words = useAdministrationWords()
  return (
    <span className="list-actions">
      <Button small busy={ask.busy} onPress={() => void ask.run()}>
        {words.testAgain} <span className="visually-hidden">{url}</span>
      </Button>
      <Button small onPress={onChallenge}>
        {words.enterChallenge} <span className="visually-hidden">{url}</span>
      </Button>
    </span>
  )
}

function WebhookMenu({ url, onShow }: { url: string; onShow(shown: Shown): void }) {
  const words = useAdministrationWords()
  const programs = useProgramsWords()
  return (
    <Menu
      label={programs.actionsFor(url)}
      trigger={<MenuButton icon="more" label={programs.actionsFor(url)} />}
      entries={[
        { id: 'deliveries', label: programs.deliveries, icon: 'down', onAction: () => onShow('deliveries') },
        { id: 'rotate', label: programs.rotate, icon: 'lock', onAction: () => onShow('rotate') },
        {
          id: 'delete',
          label: words.deleteIt,
          icon: 'trash',
          danger: true,
          onAction: () => onShow('delete'),
        },
      ]}
    />
  )
}

/** What the test has carried, read at the receiver by a person. */
function Challenge({ id, url, onClose }: { id: string; url: string; onClose(): void }) {
  const words = useAdministrationWords()
  const [challenge, setChallenge] = useState('')
  const enter = useAction(async () => {
    await client.call('verifyWebhook', { id, challenge: challenge.trim() })
    await outdated('listWebhooks')
    onClose()
  })
  return (
    <FormDialog
      title={words.enterChallenge}
      submit={words.verifyWebhook}
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
