import { AtriumError, type SuccessBody } from '@atrium/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client, readSession } from '../live/office-client.ts'
import { outdated, reading } from '../live/queries.ts'
import { useAction } from '../live/use-action.ts'
import { Answer } from '../shell/answer.tsx'
import { Confirm } from '../shell/question/confirm.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Problem } from '../ui/state.tsx'
import { dateAndTime } from '../words/date-and-time.ts'
import { useSignOnWords } from '../words/sign-on.ts'
import { CopyField } from './copy-field.tsx'
import { SignOnForm } from './sign-on-form.tsx'

type SignOnState = SuccessBody<'getSingleSignOn'>
type Settings = NonNullable<SignOnState['inForce']>
type Question = 'activate' | 'deactivate' | 'removeSignOn'

const OPERATIONS = {
  activate: 'activateSingleSignOn',
  deactivate: 'deactivateSingleSignOn',
  removeSignOn: 'removeSingleSignOn',
} as const

/** How people of the verified domains sign in: set up, tested, and then put in force. */
export function SignOn() {
  const words = useSignOnWords()
  const query = useQuery(reading('getSingleSignOn'))
  const { error } = query
  if (error instanceof AtriumError && error.error === 'single-sign-on-elsewhere')
    return (
      <Card title={words.signOn}>
        <p className="soft">{words.elsewhere}</p>
      </Card>
    )
  return (
    <Card title={words.signOn}>
      <p className="soft small">{words.signOnAbout}</p>
      <Answer {...{ query, words }}>{(state) => <SignOnParts state={state} />}</Answer>
    </Card>
  )
}

function SignOnParts({ state }: { state: SignOnState }) {
  const words = useSignOnWords()
  const { inForce, draft, lastTest } = state
  const [asks, setAsks] = useState<Question>()
  const [edits, setEdits] = useState(false)
  const answer = async (question: Question) => {
    await client.call(OPERATIONS[question])
    // it may have ended one's own session
    await readSession()
    await outdated('getSingleSignOn')
  }
  return (
    <>
      {inForce && <SettingsPart about={words.inForce} settings={inForce} />}
      {draft && <SettingsPart about={words.draft} settings={draft} />}
      {!inForce && !draft && <p>{words.off}</p>}
      {lastTest && (
        <p role="status" className="small">
          {words.lastTest(dateAndTime(lastTest.at))} {words.outcomes[lastTest.outcome] ?? lastTest.outcome}
        </p>
      )}
      {draft && draft.testedAt === null && <p className="small soft">{words.testFirst}</p>}
      <SignOnButtons state={state} onEdit={() => setEdits(true)} onAsk={setAsks} />
      {edits && <SignOnForm settings={draft ?? inForce} onClose={() => setEdits(false)} />}
      {asks && (
        <Confirm
          title={words[asks]}
          about={words[`${asks}About`]}
          confirm={words[asks]}
          work={() => answer(asks)}
          onClose={() => setAsks(undefined)}
        />
      )}
    </>
  )
}

interface SignOnButtonsProps {
  state: SignOnState
  onEdit(): void
  onAsk(question: Question): void
}

function SignOnButtons({ state: { inForce, draft }, onEdit, onAsk }: SignOnButtonsProps) {
  const words = useSignOnWords()
  const test = useAction(async () => {
    const { redirectURL } = await client.call('testSingleSignOn')
    window.location.assign(redirectURL)
  })
  return (
    <>
      <Problem>{test.problem}</Problem>
      <div className="administration-pages">
        <Button onPress={onEdit}>{inForce || draft ? words.change : words.setUp}</Button>
        {(inForce || draft) && (
          <Button busy={test.busy} onPress={() => void test.run()}>
            {words.test}
          </Button>
        )}
        {draft && (
          <Button look="primary" isDisabled={draft.testedAt === null} onPress={() => onAsk('activate')}>
            {words.activate}
          </Button>
        )}
        {inForce && <Button onPress={() => onAsk('deactivate')}>{words.deactivate}</Button>}
        {(inForce || draft) && (
          <Button look="quiet" onPress={() => onAsk('removeSignOn')}>
            {words.removeSignOn}
          </Button>
        )}
      </div>
    </>
  )
}

function SettingsPart({ about, settings }: { about: string; settings: Settings }) {
  const words = useSignOnWords()
  const { issuer, clientId, redirectAddress } = settings
  return (
    <section className="sign-on-part" aria-label={issuer}>
      <h3>{issuer}</h3>
      <p className="small">{about}</p>
      <p className="small soft">
        {words.clientId}: <code>{clientId}</code>
      </p>
      <CopyField label={words.redirectAddress} value={redirectAddress} />
    </section>
  )
}
