import { useEffect, useState } from 'react'
import { officeNow } from '../office-client.ts'

const MINUTE_MS = 60_000

/** The office's time, as far as a screen shows it: to the minute. */
export function useNow(): Date {
  const [now, setNow] = useState(officeNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(officeNow()), MINUTE_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}
