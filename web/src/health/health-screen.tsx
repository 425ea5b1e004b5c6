import { useEffect } from 'react'
import { pagePaths } from '../../page-paths.ts'
import { useAction } from '../live/use-action.ts'
import { Outside } from '../shell/outside/outside.tsx'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { PageHeading } from '../ui/page-heading.tsx'
import { Loading } from '../ui/state.tsx'
import { useHealthWords } from '../words/health.ts'
import { useInsteadWords } from '../words/instead.ts'
import { LoadPanel } from './load-panel.tsx'
import { useHealth } from './use-health.ts'
import './health.css'

/** Which part of the office is ill, and what an operator does about it. */
export function HealthScreen() {
  const words = useHealthWords()
  const back = useInsteadWords()
  const { health, read } = useHealth()
  const look = useAction(read)
  useEffect(() => void look.run(), [look.run])
  const known = (part: string): part is keyof typeof words.parts => part in words.parts
  if (!health)
    return (
      <Outside>
        <PageHeading title={words.title} about={'\u00a0'} />
        <div className="health-reading">
          <Loading label={words.loading} />
        </div>
      </Outside>
    )
  return (
    <Outside>
      <PageHeading title={words.title} about={words.statuses[health.status] ?? health.status} />
      <ul className="health">
        {Object.entries(health.parts).map(([part, state]) => (
          <li key={part} className={`health-${state}`}>
            <Icon name={state === 'ok' ? 'check' : 'warning'} />
            <span>
              <strong>{known(part) ? words.parts[part] : part}</strong>
              <span className="small">{words.states[state]}</span>
              {state !== 'ok' && known(part) && <span className="soft small">{words.mend[part]}</span>}
            </span>
          </li>
        ))}
      </ul>
      {health.problems.map((problem) => (
        <p key={problem} role="alert" className="problem">
          {problem}
        </p>
      ))}
      <Button busy={look.busy} onPress={() => void look.run()}>
        {words.again}
      </Button>
      {health.status !== 'away' && <LoadPanel />}
      <a className="button button-quiet" href={pagePaths.floor}>
        {back.toOffice}
      </a>
    </Outside>
  )
}
