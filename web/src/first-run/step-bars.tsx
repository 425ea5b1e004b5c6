import { classNames } from '../ui/class-names.ts'
import { useFirstRunWords } from '../words/first-run.ts'

/** How far one is. */
export function StepBars({ step, steps }: { step: number; steps: number }) {
  const words = useFirstRunWords()
  return (
    <p className="first-run-steps">
      <span className="visually-hidden">{words.step(step + 1, steps)}</span>
      {Array.from({ length: steps }, (_, at) => (
        <i
          // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
          key={at}
          className={classNames(at < step && 'first-run-step-done', at === step && 'first-run-step-now')}
        />
      ))}
    </p>
  )
}
