import type { Room } from '@atrium/client/rooms'
import { useEffect, useState } from 'react'
import { keepIdsOfPerson, keptIdsOfPerson } from '../of-person.ts'
import { runningRecordings } from './running-recordings.ts'

const KEY = 'agreed-recordings'
/** Those before are not asked about any more. */
const KEPT_MAX = 50

/**
 * Whether one has agreed to the recording of a room that runs, and what keeps that one has: in this tab, until one is
 * signed out. Each recording is another question; a person who may not see which one runs is asked each time they come in.
 */
export function useAgreement({ id, recording }: Room): [hasAgreed: boolean, agree: () => void] {
  const [agreedRoom, setAgreedRoom] = useState<string>()
  useEffect(() => {
    if (!recording) return setAgreedRoom(undefined)
    let isWanted = true
    void hasAgreedTo(id).then((has) => isWanted && has && setAgreedRoom(id))
    return () => {
      isWanted = false
    }
  }, [id, recording])
  return [recording && agreedRoom === id, () => void keepAgreement(id)]
}

/** To all that is recorded in a room now. Never rejects. */
export async function keepAgreement(roomId: string): Promise<void> {
  const ids = await idsOf(roomId)
  keepIdsOfPerson(KEY, [...new Set([...keptIdsOfPerson(KEY), ...ids])].slice(-KEPT_MAX))
}

/** Whether one has agreed to all that is recorded in a room now. Never rejects. */
export async function hasAgreedTo(roomId: string): Promise<boolean> {
  const kept = keptIdsOfPerson(KEY)
  const ids = await idsOf(roomId)
  return ids.length > 0 && ids.every((one) => kept.includes(one))
}

async function idsOf(roomId: string): Promise<string[]> {
  return await runningRecordings(roomId).then(
    (running) => running.map(({ id }) => id),
    () => [],
  )
}
