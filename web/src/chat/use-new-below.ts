import { useEffect, useRef, useState } from 'react'
import { useSession } from '../live/use-session.ts'
import type { ListedMessage } from './message-groups.ts'
import { countAfter } from './seen-messages.ts'

/** The list follows what comes within this time; nothing is announced before. */
const FOLLOWS_MS = 200

/** How many messages of others have come below, while one reads further up. */
export function useNewBelow(listed: readonly ListedMessage[], isAtEnd: boolean): number {
  const session = useSession()
  const me = session.state === 'signed-in' ? session.user.id : undefined
  const last = listed.findLast(({ message }) => message.message_id !== undefined)?.message.message_id ?? 0
  const atEnd = useRef(last)
  const [count, setCount] = useState(0)
  useEffect(() => {
    if (isAtEnd) {
      atEnd.current = last
      setCount(0)
      return undefined
    }
    const timer = setTimeout(() => setCount(countAfter(listed, atEnd.current, me)), FOLLOWS_MS)
    return () => clearTimeout(timer)
  }, [listed, last, isAtEnd, me])
  return count
}
