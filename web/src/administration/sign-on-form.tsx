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
  const [issuer, setIssuer] = useState(settings?.issuer ?? '')
  const [clientId, setClientId] = useState(settings?.clientId ?? '')
  const [clientSecret, setClientSecret] = useState('')
  const [trustsEmail, setTrustsEmail] = useState(settings?.trustsEmail ?? false)
  const save = useAction(async () => {
    await client.call('saveSingleSignOn', {
      ...{ issuer: issuer.trim(), clientId: clientId.trim(), trustsEmail },
      ...(clientSecret === '' ? {} : { clientSecret }),
    })
    await outdated('getSingleSignOn')
    onClose()
  })
  return (
    <FormDialog
      title={words.signOn}
      words={{ cancel: words.cancel, submit: words.save }}
      action={save}
      onClose={onClose}
    >
      <TextField
        label={words.issuer}
        value={issuer}
        onChange={setIssuer}
        type="url"
        placeholder="https://"
        maxLength={2_048}
        autoComplete="off"
        isRequired
        autoFocus
      />
      <TextField
        label={words.clientId}
        value={clientId}
        onChange={setClientId}
        maxLength={512}
        autoComplete="off"
        isRequired
      />
      <TextField
        label={words.clientSecret}
        value={clientSecret}
        onChange={setClientSecret}
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
        on={trustsEmail}
        onChange={setTrustsEmail}
      />
    </FormDialog>
  )
}
