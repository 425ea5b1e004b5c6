import { useChat } from '@atrium/react'
import { useEffect } from 'react'

/** Warns before the page goes where messages would be lost with it: a private window keeps none. */
export function useUnsavedWarning(): void {
  const outbox = useChat()?.outbox
  useEffect(() => {
    if (!outbox) return undefined
    const warn = (event: BeforeUnloadEvent) => {
      if (outbox.get().unsaved > 0) event.preventDefault()
    }
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [outbox])
}
