import { startSignIn } from '@atrium/client/sign-in'
import { useSearch } from '@tanstack/react-router'
import { type ComponentType, lazy, useState } from 'react'
import { ended } from '../live/ended.ts'
import { client, type Offer } from '../live/office-client.ts'
import { useAction } from '../live/use-action.ts'
import { useSession, useStore } from '../live/use-session.ts'
import { Go } from '../shell/go.tsx'
import { Outside } from '../shell/outside/outside.tsx'
import { Button } from '../ui/button.tsx'
import { Form } from '../ui/fields/form.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { PageHeading } from '../ui/page-heading.tsx'
import { ErrorState, Problem } from '../ui/state.tsx'
import { useSignInWords } from '../words/sign-in.ts'
import { CodeStep } from './code-step.tsx'
import { Greeting } from './greeting.tsx'
import { nextAddress } from './next-address.ts'
import { useArrival } from './use-arrival.ts'
import { useOffer } from './use-offer.ts'

/** Nothing where it does not come: the form needs no decoration. */
const DrawnOffice = lazy<ComponentType>(async () => {
  try {
    return { default: (await import('./drawn-office.tsx')).DrawnOffice }
  } catch {
    return { default: () => null }
  }
})

/** Every way in that the office offers, with an account and without. */
export function SignInScreen() {
  const search = useSearch({ strict: false })
  const [isNew, setNew] = useState(search.pilot_token !== undefined)
  const [email, setEmail] = useState('')
  const [sent, setSent] = useState(false)
  const arrive = useArrival()
  const session = useSession()
  const next = search.next
  // also where another tab has signed in
  if (session.state === 'signed-in' && !sent) return <Go to={nextAddress(next)} />
  return (
    <Outside view={<DrawnOffice />}>
      {sent ? (
        <CodeStep
          email={email}
          unsure={!isNew}
          onBack={() => setSent(false)}
          onNew={() => {
            setNew(true)
            setSent(false)
          }}
          onSignedIn={(end) => arrive(end, { ...(next === undefined ? {} : { next }), isNew })}
        />
      ) : (
        <AddressStep
          {...{ email, setEmail, isNew, setNew }}
          pilotToken={search.pilot_token}
          onSent={() => setSent(true)}
        />
      )}
    </Outside>
  )
}

interface AddressStepProps {
  email: string
  setEmail(email: string): void
  isNew: boolean
  setNew(isNew: boolean): void
  pilotToken: string | undefined
  onSent(): void
}

function AddressStep({ email, setEmail, isNew, setNew, pilotToken, onSent }: AddressStepProps) {
  const words = useSignInWords()
  const { offer, failed, again } = useOffer()
  const why = useStore(ended)
  const send = useAction(async () => {
    if (isNew && (await signUp(email, pilotToken)) === 'code') return onSent()
    if ((await startSignIn(client, { email: email.trim() })).next === 'code') onSent()
  })
  const about = isNew ? (pilotToken ? words.pilotAbout : words.signUpAbout) : offer && words.about(offer.name)
  return (
    <>
      {!isNew && !why && <Greeting />}
      <PageHeading title={isNew ? words.signUpTitle : words.title} about={about ?? '\u00a0'} />
      {why && (
        <p role="status" className="outside-why">
          {why.what === 'membership' ? words.membershipEnded(why.organization) : words.ended[why.what]}
        </p>
      )}
      <Form className="outside-form" onSubmit={send.run}>
        <TextField
          label={words.email}
          type="email"
          value={email}
          onChange={setEmail}
          autoComplete="username"
          placeholder={words.emailPlaceholder}
          isRequired
          autoFocus
        />
        <Problem>{send.problem}</Problem>
        <Button type="submit" look="primary" wide busy={send.busy}>
          {words.next}
        </Button>
      </Form>
      {failed && (
        <ErrorState title={words.notSignedIn}>
          <Button onPress={again}>{words.again}</Button>
        </ErrorState>
      )}
      {offer && <Providers offer={offer} />}
      {offer?.environment === 'development' && !isNew && <AsDeveloper />}
      {offer && <Foot offer={offer} isNew={isNew} setNew={setNew} />}
    </>
  )
}

/** @returns `code` where one was mailed; `sso` where the address signs in elsewhere */
async function signUp(email: string, pilotToken: string | undefined): Promise<'code' | 'sso'> {
  const input = { email: email.trim() }
  const { authMethod } = pilotToken
    ? await client.call('adminSignUp', { ...input, inviteToken: pilotToken })
    : await client.call('signUp', input)
  return authMethod === 'sso' ? 'sso' : 'code'
}

function Providers({ offer }: { offer: Offer }) {
  const words = useSignInWords()
  const leave = useAction((provider: 'a' | 'b') => startSignIn(client, { provider }))
  const offered = (['a', 'b'] as const).filter((letter) => offer.ways.includes(`provider-${letter}`))
  if (offered.length === 0) return null
  return (
    <>
      <span className="outside-or">{words.or}</span>
      <div className="outside-form">
        {offered.map((letter) => (
          <Button key={letter} wide busy={leave.busy} onPress={() => void leave.run(letter)}>
            {words.provider[letter]}
          </Button>
        ))}
        <Problem>{leave.problem}</Problem>
      </div>
    </>
  )
}

/** On one's own machine: into the office without a code. In production the office knows no such way. */
function AsDeveloper() {
  const words = useSignInWords()
  const arrive = useArrival()
  const enter = useAction(async () => {
    await client.call('devSignIn')
    await arrive({})
  })
  return (
    <div className="outside-form">
      <Button wide busy={enter.busy} onPress={() => void enter.run()}>
        {words.asDeveloper}
      </Button>
      <Problem>{enter.problem}</Problem>
    </div>
  )
}

function Foot({ offer, isNew, setNew }: { offer: Offer } & Pick<AddressStepProps, 'isNew' | 'setNew'>) {
  const words = useSignInWords()
  if (offer.signUp === 'invitation' && !isNew) return <p className="outside-foot">{words.invitationOnly}</p>
  return (
    <p className="outside-foot">
      {isNew ? words.haveAccount : words.newHere}
      <Button look="quiet" small onPress={() => setNew(!isNew)}>
        {isNew ? words.signInInstead : words.createAccount}
      </Button>
    </p>
  )
}
