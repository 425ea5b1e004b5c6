import { useEffect, useRef } from 'react'
import { type ShortcutName, shortcutOf } from './shortcuts.ts'

/** Listens to the keys of a room as long as it is shown. */
export function useShortcuts(acts: Readonly<Record<ShortcutName, () => void>>): void {
  const current = useRef(acts)
  current.current = acts
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const name = shortcutOf(event, document.activeElement)
      if (!name) return
      event.preventDefault()
      current.current[name]()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}
