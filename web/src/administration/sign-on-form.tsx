import type { SuccessBody } from '@atrium/client'
import { type FormEvent, useState } from 'react'
import { client } from '../live/office-client.ts'
import { outdated } from '../live/queries.ts'
import { useAction } from '../live/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogButtons } from '../ui/dialog.tsx'
import { Problem } from '../ui/state.tsx'
import { Switch } from '../ui/switch.tsx'
import { TextField } from '../ui/text-field.tsx'
import { de } from '../words/de/sign-on.ts'
import { en } from '../words/en/sign-on.ts'
import { useWords } from '../words/use-words.ts'

type Settings = SuccessBody<'getSingleSignOn'>['inForce']

/** The connection to an issuer, as a draft. */
export function SignOnForm({ settings, onClose }: { settings: Settings; onClose(): void }) {
  const words = useWords({ en, de })
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
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save.run()
  }
  return (
    <Dialog title={words.signOn} isOpen onClose={onClose}>
      <form onSubmit={submit} className="administration-form">
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
        <Problem>{save.problem}</Problem>
        <DialogButtons>
          <Button onPress={onClose}>{words.cancel}</Button>
          <Button type="submit" look="primary" busy={save.busy}>
            {words.save}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
