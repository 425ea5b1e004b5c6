import { useSearch } from '@tanstack/react-router'
import { pagePaths } from '../../page-paths.ts'
import { saidOf } from '../live/text/said-of.ts'
import { Outside } from '../shell/outside/outside.tsx'
import { PageHeading } from '../ui/page-heading.tsx'
import { useSignOnWords } from '../words/sign-on.ts'

/** Where administrators come back from a test sign-in. There is nothing left to do: the office has kept the outcome. */
export function SignOnCompleteScreen() {
  const words = useSignOnWords()
  const { outcome = '' } = useSearch({ strict: false })
  return (
    <Outside>
      <PageHeading
        title={outcome === 'passed' ? words.tested : words.notTested}
        about={saidOf(words.outcomes, outcome) ?? words.outcomes.expired}
      />
      <a className="button button-primary" href={`${pagePaths.administration}?part=people`}>
        {words.back}
      </a>
    </Outside>
  )
}
