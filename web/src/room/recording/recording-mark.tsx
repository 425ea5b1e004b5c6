import { useEffect, useState } from 'react'
import { officeNow } from '../../live/office-client.ts'
import { useRoomWords } from '../../words/room.ts'
import { useStageWords } from '../../words/stage.ts'

/** That it is recorded, and for how long where that is known. */
export function RecordingMark({ since }: { since: number | undefined }) {
  const words = useStageWords()
  const room = useRoomWords()
  const now = useSeconds(since !== undefined)
  const time = since === undefined ? undefined : clockOf(Math.max(0, now - since))
  return (
    <span className="in-room-recording">
      <span aria-hidden="true">{time === undefined ? words.recordedShort : words.recordedFor(time)}</span>
      <span className="visually-hidden">{room.record.running}</span>
    </span>
  )
}

function useSeconds(isRunning: boolean): number {
  const [now, setNow] = useState(() => officeNow().getTime())
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => setNow(officeNow().getTime()), 1_000)
    return () => clearInterval(timer)
  }, [isRunning])
  return now
}

/** Minutes and seconds, with hours where there are any. */
export function clockOf(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1_000)
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
  const shown = parts[0] === 0 ? parts.slice(1) : parts
  return shown.map((part, at) => (at === 0 ? String(part) : String(part).padStart(2, '0'))).join(':')
}
