import { startSignIn } from '@atrium/client/sign-in'
import { useState } from 'react'
import { client } from '../live/office-client.ts'
import { useAction } from '../live/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Form } from '../ui/fields/form.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { PageHeading } from '../ui/page-heading.tsx'
import { Problem } from '../ui/state.tsx'
import { useSignInWords } from '../words/sign-in.ts'
import { CodeStep } from './code-step.tsx'
import { useArrival } from './use-arrival.ts'

/** By an invitation or a link, with a code that is mailed; through the organization where that is how it signs in. */
export async function signUpInvited(email: string, inviteToken: string): Promise<'code' | 'leaving'> {
  const { authMethod } = await client.call('memberSignUp', { email, inviteToken })
  if (authMethod !== 'sso') return 'code'
  return (await startSignIn(client, { email })).next
}

/** Asks for the address, then for the code. */
export function InvitedSignUp({ title, inviteToken }: { title: string; inviteToken: string }) {
  const words = useSignInWords()
  const [email, setEmail] = useState('')
  const [sent, setSent] = useState(false)
  const send = useAction(async () => {
    if ((await signUpInvited(email.trim(), inviteToken)) === 'code') setSent(true)
  })
  if (sent) return <InvitedCode email={email.trim()} onBack={() => setSent(false)} />
  return (
    <>
      <PageHeading title={title} about={words.joinWhere} />
      <Form className="outside-form" onSubmit={send.run}>
        <TextField
          label={words.email}
          type="email"
          value={email}
          onChange={setEmail}
          autoComplete="username"
          isRequired
          autoFocus
        />
        <Problem>{send.problem}</Problem>
        <Button type="submit" look="primary" wide busy={send.busy}>
          {words.next}
        </Button>
      </Form>
    </>
  )
}

/** The code step of an invited person; the name comes next. */
export function InvitedCode({ email, onBack }: { email: string; onBack(): void }) {
  const arrive = useArrival()
  return <CodeStep email={email} onBack={onBack} onSignedIn={(end) => arrive(end, { isNew: true })} />
}
