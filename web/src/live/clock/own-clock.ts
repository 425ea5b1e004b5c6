import { useEffect } from 'react'
import { client, readSession } from '../office-client.ts'
import { useSession } from '../use-session.ts'

/** Of this device, by its name in the IANA database. */
export function zoneNow(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** A person who shows colleagues a clock shows that of the place where this device is. */
export function useClockOfThisPlace(): void {
  const session = useSession()
  const shown = session.state === 'signed-in' ? session.user.timeZone : undefined
  useEffect(() => {
    if (shown === undefined || shown === zoneNow()) return
    // a session of single sign-on may not change what other organizations see: the clock stays
    void client.call('updateProfile', { timeZone: zoneNow() }).then(readSession, () => {})
  }, [shown])
}
