import { useEffect } from 'react'

/** Ctrl or Cmd with K, or `/` outside a field, leads to what a screen is searched by. */
export function useSearchKey(open: () => void): void {
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, shiftKey, altKey, target } = event
      const isFind = key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !shiftKey && !altKey
      const isSlash = key === '/' && !ctrlKey && !metaKey && !altKey && !isField(target)
      if (!isFind && !isSlash) return
      event.preventDefault()
      open()
    }
    window.addEventListener('keydown', hear)
    return () => window.removeEventListener('keydown', hear)
  })
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')
}
