import { useEffect, useState } from 'react'
import { runningRecordings } from '../../live/recordings/running-recordings.ts'

/** When the recording of a room began, in milliseconds by the office's clock; undefined where one may not know. */
export function useRecordedSince(roomId: string, isAsked: boolean): number | undefined {
  const [since, setSince] = useState<number>()
  useEffect(() => {
    if (!isAsked) return setSince(undefined)
    let isWanted = true
    runningRecordings(roomId).then(
      ([running]) => isWanted && running?.startedAt && setSince(Date.parse(running.startedAt)),
      () => {},
    )
    return () => {
      isWanted = false
    }
  }, [roomId, isAsked])
  return since
}
