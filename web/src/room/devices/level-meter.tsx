import { useEffect, useState } from 'react'
import { followLevel } from '../../media/sound-level.ts'
import { classNames } from '../../ui/class-names.ts'

const BARS = 14

/** How loud a microphone is at the moment. */
export function LevelMeter({ stream, label }: { stream: MediaStream | undefined; label: string }) {
  const [level, setLevel] = useState(0)
  useEffect(() => {
    if (!stream) return setLevel(0)
    return followLevel(stream, (next) => setLevel(Math.round(next * BARS)))
  }, [stream])
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers draw a meter of their own
    <div
      className="level"
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={BARS}
      aria-valuenow={level}
    >
      {Array.from({ length: BARS }, (_, bar) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
        <span key={bar} className={classNames('level-bar', bar < level && 'level-bar-on')} />
      ))}
    </div>
  )
}
