import { AtriumError } from '@atrium/client'
import { type SignInEnd, signInWithCode, startSignIn } from '@atrium/client/sign-in'
import { useState } from 'react'
import { client } from '../live/office-client.ts'
import { codeOf } from '../live/text/digits.ts'
import { useAction } from '../live/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Form } from '../ui/fields/form.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { PageHeading } from '../ui/page-heading.tsx'
import { Problem } from '../ui/state.tsx'
import { useSignInWords } from '../words/sign-in.ts'
import { ChooseStep } from './choose-step.tsx'
import type { SignedIn } from './use-arrival.ts'
import { useOffer } from './use-offer.ts'

export interface CodeStepProps {
  email: string
  /** Whether the address may be unknown here, which the page does not reveal. */
  unsure?: boolean
  onSignedIn(end: SignedIn): Promise<void>
  onBack(): void
  /** For a person without an account, where sign-up is open. */
  onNew?: (() => void) | undefined
}

type Choice = Extract<SignInEnd, { state: 'choose' }>

/** The code of the mail, then the organization where there are several. */
export function CodeStep({ email, unsure, onSignedIn, onBack, onNew }: CodeStepProps) {
  const words = useSignInWords()
  const { code, setCode, choice, resent, enter, resend } = useCode(email, onSignedIn)
  if (choice) return <ChooseStep choice={choice} onSignedIn={onSignedIn} />
  return (
    <>
      <PageHeading
        title={words.codeTitle}
        about={unsure ? words.codeAboutSignIn(email) : words.codeAbout(email)}
      />
      <Form className="outside-form" onSubmit={enter.run}>
        <TextField
          label={words.code}
          value={code}
          onChange={setCode}
          autoComplete="one-time-code"
          inputMode="numeric"
          isRequired
          autoFocus
        />
        <Problem>{enter.problem ?? resend.problem}</Problem>
        <Button type="submit" look="primary" wide busy={enter.busy}>
          {words.next}
        </Button>
      </Form>
      <p role="status" className="soft small">
        {resent ? words.resent : ''}
      </p>
      <div className="outside-foot">
        <Button look="quiet" small busy={resend.busy} onPress={() => void resend.run()}>
          {words.resend}
        </Button>
        <Button look="quiet" small onPress={onBack}>
          {words.otherAddress}
        </Button>
      </div>
      <NoCode email={email} onNew={unsure ? onNew : undefined} />
    </>
  )
}

function useCode(email: string, onSignedIn: CodeStepProps['onSignedIn']) {
  const [code, setCode] = useState('')
  const [choice, setChoice] = useState<Choice>()
  const [resent, setResent] = useState(false)
  const enter = useAction(async () => {
    try {
      const end = await signInWithCode(client, { email, code: codeOf(code) })
      if (end.state === 'choose') setChoice(end)
      else await onSignedIn(end)
    } catch (error) {
      if (!(error instanceof AtriumError) || error.error !== 'single-sign-on-required') throw error
      await startSignIn(client, { email })
    }
  })
  const resend = useAction(async () => {
    setResent(false)
    await client.call('resendMagicAuth', { email })
    // what was wrong with the one before says nothing of the new one
    enter.clear()
    setCode('')
    setResent(true)
  })
  return { code, setCode, choice, resent, enter, resend }
}

/** What else there is where no code comes. */
function NoCode({ email, onNew }: { email: string; onNew: (() => void) | undefined }) {
  const words = useSignInWords()
  const { offer } = useOffer()
  return (
    <>
      {onNew && offer?.signUp !== 'invitation' && (
        <p className="outside-foot">
          {words.noCode}
          <Button look="quiet" small onPress={onNew}>
            {words.createAccount}
          </Button>
        </p>
      )}
      {offer?.environment === 'development' && (
        <p className="outside-foot">
          <a href={`/sandbox/mail?to=${encodeURIComponent(email)}`} target="_blank" rel="noreferrer">
            {words.mailbox}
          </a>
        </p>
      )}
    </>
  )
}
