import type { SuccessBody } from '@atrium/client'
import { useState } from 'react'
import { client } from '../../live/office-client.ts'
import { outdated } from '../../live/queries.ts'
import { useAction } from '../../live/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { Switch } from '../../ui/fields/switch.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { ListRow } from '../../ui/list.tsx'
import { Menu } from '../../ui/overlays/menu.tsx'
import { MenuButton } from '../../ui/overlays/menu-button.tsx'
import { Problem } from '../../ui/state.tsx'
import { useAdministrationWords } from '../../words/administration.ts'
import { dateAndTime } from '../../words/date-and-time.ts'
import { useProgramsWords } from '../../words/programs.ts'
import { Confirm } from '../confirm.tsx'
import { FormDialog } from '../form-dialog.tsx'
import { Deliveries } from './deliveries.tsx'

type Webhook = SuccessBody<'listWebhooks'>['webhooks'][number]

/** One endpoint: whether it is on, what became of its events, and a new secret for it. */
export function WebhookRow({ webhook, onSecret }: { webhook: Webhook; onSecret(secret: string): void }) {
  const words = useAdministrationWords()
  const { id, url, events, state, enabled, failingSince } = webhook
  const programs = useProgramsWords()
  const [shown, setShown] = useState<'challenge' | 'deliveries' | 'rotate'>()
  const close = () => setShown(undefined)
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
    await outdated('listWebhooks', 'getOrganizationLimits')
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
          {shown === 'challenge' && <Challenge id={id} url={url} onClose={close} />}
          {shown === 'deliveries' && <Deliveries webhook={webhook} onClose={close} />}
          {shown === 'rotate' && (
            <Confirm
              title={programs.rotateTitle}
              about={programs.rotateAbout}
              confirm={programs.rotate}
              work={async () => onSecret((await client.call('rotateWebhook', { id })).secret)}
              onClose={close}
            />
          )}
        </>
      }
      after={
        <>
          {state === 'unverified' && (
            <span className="list-actions">
              <Button small busy={ask.busy} onPress={() => void ask.run()}>
                {words.testAgain}
              </Button>
              <Button small onPress={() => setShown('challenge')}>
                {words.enterChallenge}
              </Button>
            </span>
          )}
          <Switch label={words.on} on={enabled} onChange={(on) => void change.run(on)} />
          <Menu
            label={programs.actionsFor(url)}
            trigger={<MenuButton icon="more" label={programs.actionsFor(url)} busy={remove.busy} />}
            entries={[
              {
                id: 'deliveries',
                label: programs.deliveries,
                icon: 'down',
                onAction: () => setShown('deliveries'),
              },
              { id: 'rotate', label: programs.rotate, icon: 'lock', onAction: () => setShown('rotate') },
              {
                id: 'delete',
                label: words.deleteIt,
                icon: 'trash',
                danger: true,
                onAction: () => void remove.run(),
              },
            ]}
          />
        </>
      }
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
