import type { Connection } from '../../media/call-state.ts'
import { classNames } from '../../ui/class-names.ts'
import { useStageWords } from '../../words/stage.ts'

const BARS: Record<Connection, number> = { excellent: 3, good: 2, poor: 1, lost: 0, unknown: 0 }

/** How well a person is connected, in three bars. */
export function QualityBars({ connection }: { connection: Connection }) {
  const { quality } = useStageWords()
  return (
    <span
      role="img"
      aria-label={quality[connection]}
      className={classNames('quality', `quality-${connection}`)}
    >
      {[1, 2, 3].map((bar) => (
        <i key={bar} className={classNames(bar <= BARS[connection] && 'quality-on')} />
      ))}
    </span>
  )
}
