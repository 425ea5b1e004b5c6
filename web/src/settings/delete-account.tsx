import { useState } from 'react'
import { deleteAccount } from '../live/ended.ts'
import { session } from '../live/office-client.ts'
import { codeOf } from '../live/text/digits.ts'
import { useAction } from '../live/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Form } from '../ui/fields/form.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { Dialog, DialogButtons } from '../ui/overlays/dialog.tsx'
import { Problem } from '../ui/state.tsx'
import { useAccountWords } from '../words/account.ts'

/** The end of the account: the address typed, a code from its mail, and it is gone. */
export function DeleteAccount({ email }: { email: string }) {
  const words = useAccountWords()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Card title={words.deletion}>
      <p className="soft small">{words.deletionAbout}</p>
      <Button look="danger" onPress={() => setIsOpen(true)}>
        {words.deletion}
      </Button>
      {isOpen && <Deletion email={email} onClose={() => setIsOpen(false)} />}
    </Card>
  )
}

function Deletion({ email, onClose }: { email: string; onClose(): void }) {
  const words = useAccountWords()
  const [typed, setTyped] = useState('')
  const { isMailed, code, setCode, step } = useDeletion()
  const isTyped = typed.trim().toLowerCase() === email.toLowerCase()
  return (
    <Dialog title={words.deletion} isOpen alert held={step.busy} onClose={onClose}>
      <Form onSubmit={step.run} className="settings-form">
        <p>{words.deletionAbout}</p>
        {isMailed ? (
          <TextField
            key="code"
            label={words.code}
            value={code}
            onChange={setCode}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={64}
            isRequired
            autoFocus
          />
        ) : (
          <TextField
            key="address"
            label={words.typeAddress(email)}
            value={typed}
            onChange={setTyped}
            autoComplete="off"
            maxLength={254}
            isRequired
            autoFocus
          />
        )}
        <Problem>{step.problem}</Problem>
        <DialogButtons>
          <Button isDisabled={step.busy} onPress={onClose}>
            {words.cancel}
          </Button>
          <Button type="submit" look="danger" busy={step.busy} isDisabled={!isMailed && !isTyped}>
            {isMailed ? words.deleteForGood : words.mailCode}
          </Button>
        </DialogButtons>
      </Form>
    </Dialog>
  )
}

/** Two steps: a code is mailed, and the code deletes. */
function useDeletion() {
  const [isMailed, setIsMailed] = useState(false)
  const [code, setCode] = useState('')
  const ask = useAction(async () => {
    await session.deleteAccount()
    setIsMailed(true)
  })
  const confirm = useAction(() => deleteAccount(codeOf(code)))
  const step = isMailed ? confirm : ask
  return { isMailed, code, setCode, step }
}
