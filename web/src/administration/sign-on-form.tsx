import type { SuccessBody } from '@atrium/client'
import { useState } from 'react'
import { client } from '../live/office-client.ts'
import { outdated } from '../live/queries.ts'
import { useAction } from '../live/use-action.ts'
import { Switch } from '../ui/fields/switch.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { useSignOnWords } from '../words/sign-on.ts'
import { FormDialog } from './form-dialog.tsx'

type Settings = SuccessBody<'getSingleSignOn'>['inForce']

/** The connection to an issuer, as a draft. */
export function SignOnForm({ settings, onClose }: { settings: Settings; onClose(): void }) {
  const words = useSignOnWords()
  const { draft, change, save } = useDraft(settings, onClose)
  return (
    <FormDialog title={words.signOn} submit={words.save} action={save} onClose={onClose}>
      <TextField
        label={words.issuer}
        value={draft.issuer}
        onChange={(issuer) => change({ issuer })}
        type="url"
        placeholder="https://"
        maxLength={2_048}
        autoComplete="off"
        isRequired
        autoFocus
      />
      <TextField
        label={words.clientId}
        value={draft.clientId}
        onChange={(clientId) => change({ clientId })}
        maxLength={512}
        autoComplete="off"
        isRequired
      />
      <TextField
        label={words.clientSecret}
        value={draft.clientSecret}
        onChange={(clientSecret) => change({ clientSecret })}
        type="password"
        maxLength={4_096}
        // of another service: not one that this browser should keep or offer
        autoComplete="new-password"
        hint={words.clientSecretHint}
        isRequired={settings === null}
      />
      <Switch
        label={words.trustsEmail}
        hint={words.trustsEmailHint}
        on={draft.trustsEmail}
        onChange={(trustsEmail) => change({ trustsEmail })}
      />
    </FormDialog>
  )
}

function useDraft(settings: Settings, onSaved: () => void) {
  const { issuer = '', clientId = '', trustsEmail = false } = settings ?? {}
  const [draft, setDraft] = useState({ issuer, clientId, clientSecret: '', trustsEmail })
  const change = (changed: Partial<typeof draft>) => setDraft({ ...draft, ...changed })
  const save = useAction(async () => {
    const { clientSecret } = draft
    await client.call('saveSingleSignOn', {
      ...{ issuer: draft.issuer.trim(), clientId: draft.clientId.trim(), trustsEmail: draft.trustsEmail },
      ...(clientSecret === '' ? {} : { clientSecret }),
    })
    await outdated('getSingleSignOn')
    onSaved()
  })
  return { draft, change, save }
}
