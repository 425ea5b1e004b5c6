import { finishSignIn, type RedirectEnd } from '@atrium/client/sign-in'
import { useEffect, useState } from 'react'
import { pagePaths } from '../../page-paths.ts'
import { client } from '../live/office-client.ts'
import { sentenceOf } from '../live/problem.ts'
import { saidOf } from '../live/text/said-of.ts'
import { Outside } from '../shell/outside/outside.tsx'
import { PageHeading } from '../ui/page-heading.tsx'
import { Loading } from '../ui/state.tsx'
import { useProblemsWords } from '../words/problems.ts'
import { useSignInWords } from '../words/sign-in.ts'
import { useArrival } from './use-arrival.ts'

/** A code works once: a second rendering waits for the same answer. */
let finishing: Promise<RedirectEnd> | undefined

/** Where everybody comes back from a provider or single sign-on: the code leaves the address bar at once. */
export function CompleteScreen() {
  const words = useSignInWords()
  const problems = useProblemsWords()
  const [problem, setProblem] = useState<string>()
  const arrive = useArrival()
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    finishing ??= finishSignIn(client)
    finishing.then(
      (end) => {
        if (end.state === 'signed-in') return arrive(end)
        if (end.state === 'nothing') return setProblem(words.nothingToFinish)
        return setProblem(saidOf(words.redirects, end.error) ?? words.refusedByProvider)
      },
      (error: unknown) => setProblem(sentenceOf(error, problems)),
    )
  }, [])
  return (
    <Outside>
      {problem === undefined ? (
        <>
          <PageHeading title={words.completeTitle} />
          <Loading label={words.completeTitle} />
        </>
      ) : (
        <>
          <PageHeading key="problem" title={words.notSignedIn} about={problem} />
          <a className="button button-primary" href={pagePaths.signIn}>
            {words.again}
          </a>
        </>
      )}
    </Outside>
  )
}
