import { useState } from 'react'
import { readSession, session } from '../live/office-client.ts'
import { codeOf } from '../live/text/digits.ts'
import { useAction } from '../live/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Form } from '../ui/fields/form.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { notices } from '../ui/overlays/notices.ts'
import { Problem } from '../ui/state.tsx'
import { useAccountWords } from '../words/account.ts'

/** Another address to sign in with: a code to the one there is, and one to the new one. */
export function EmailAddress({ email }: { email: string }) {
  const words = useAccountWords()
  const [wanted, setWanted] = useState<string>()
  return (
    <Card title={words.address}>
      <p className="soft small">{words.addressAbout(email)}</p>
      {wanted === undefined ? (
        <NewAddress onAsked={setWanted} />
      ) : (
        <BothCodes former={email} wanted={wanted} onEnd={() => setWanted(undefined)} />
      )}
    </Card>
  )
}

function NewAddress({ onAsked }: { onAsked(email: string): void }) {
  const words = useAccountWords()
  const [address, setAddress] = useState('')
  const ask = useAction(async () => {
    await session.changeEmail(address.trim())
    onAsked(address.trim())
  })
  return (
    <Form onSubmit={ask.run} className="settings-form">
      <TextField
        label={words.newAddress}
        value={address}
        onChange={setAddress}
        type="email"
        autoComplete="email"
        maxLength={254}
        isRequired
      />
      <Problem>{ask.problem}</Problem>
      <Button type="submit" busy={ask.busy} isDisabled={address.trim() === ''}>
        {words.mailCodes}
      </Button>
    </Form>
  )
}

function BothCodes({ former, wanted, onEnd }: { former: string; wanted: string; onEnd(): void }) {
  const words = useAccountWords()
  const [code, setCode] = useState('')
  const [newCode, setNewCode] = useState('')
  const confirm = useAction(async () => {
    await session.confirmEmailChange({ code: codeOf(code), newCode: codeOf(newCode) })
    await readSession()
    notices.show({ text: words.changed, tone: 'good' })
    onEnd()
  })
  return (
    <Form onSubmit={confirm.run} className="settings-form">
      <p role="status">{words.codesMailed}</p>
      <TextField
        label={words.formerCode(former)}
        value={code}
        onChange={setCode}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={64}
        isRequired
        autoFocus
      />
      <TextField
        label={words.newCode(wanted)}
        value={newCode}
        onChange={setNewCode}
        inputMode="numeric"
        autoComplete="off"
        maxLength={64}
        isRequired
      />
      <Problem>{confirm.problem}</Problem>
      <div className="settings-buttons">
        <Button type="submit" look="primary" busy={confirm.busy}>
          {words.change}
        </Button>
        <Button look="quiet" onPress={onEnd}>
          {words.another}
        </Button>
      </div>
    </Form>
  )
}
