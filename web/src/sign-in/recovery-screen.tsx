import { AtriumError } from '@atrium/client'
import { useEffect, useState } from 'react'
import { pagePaths } from '../../page-paths.ts'
import { client, session } from '../live/office-client.ts'
import { useAction } from '../live/use-action.ts'
import { Outside } from '../shell/outside/outside.tsx'
import { Button } from '../ui/button.tsx'
import { PageHeading } from '../ui/page-heading.tsx'
import { Problem } from '../ui/state.tsx'
import { useSignInWords } from '../words/sign-in.ts'

type Step = { name: 'nothing' | 'ready' | 'over' } | { name: 'signed-in'; email: string }

/**
 * Where a link of the operator leads, which signs an administrator in who is locked out. Its token stands behind the
 * `#`, which no server is told, and leaves the address bar at once; a button uses it up.
 */
export function RecoveryScreen() {
  const words = useSignInWords()
  const [step, setStep] = useState<Step>({ name: location.hash.length > 1 ? 'ready' : 'nothing' })
  const token = useToken(() => setStep({ name: 'ready' }))
  const recover = useAction(async () => {
    try {
      const { user } = await client.call('recoverAccess', { token })
      setStep({ name: 'signed-in', email: user.email })
    } catch (error) {
      if (!(error instanceof AtriumError) || error.error !== 'invalid-code') throw error
      setStep({ name: 'over' })
    }
    await session.refresh()
  })
  if (step.name === 'ready')
    return (
      <Outside>
        <PageHeading title={words.recoverTitle} about={words.recoverAbout} />
        <Problem>{recover.problem}</Problem>
        <Button look="primary" wide busy={recover.busy} onPress={() => void recover.run()}>
          {words.title}
        </Button>
      </Outside>
    )
  const title = { nothing: words.recoverNothing, over: words.notSignedIn, 'signed-in': words.recovered }
  const about =
    step.name === 'signed-in'
      ? words.recoveredAbout(step.email)
      : { nothing: words.recoverNothingAbout, over: words.recoverOver }[step.name]
  return (
    <Outside>
      <PageHeading key={step.name} title={title[step.name]} about={about} />
      <a className="button button-primary" href={pagePaths.floor}>
        {words.toOffice}
      </a>
    </Outside>
  )
}

/** @param onAnother the whole link was put into a tab that is open on this page */
function useToken(onAnother: () => void): string {
  const [token, setToken] = useState(() => location.hash.slice(1))
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    const hide = () => history.replaceState(null, '', location.pathname)
    const take = () => {
      const another = location.hash.slice(1)
      hide()
      if (another === '') return
      setToken(another)
      onAnother()
    }
    hide()
    addEventListener('hashchange', take)
    return () => removeEventListener('hashchange', take)
  }, [])
  return token
}
