/**
 * What is typed after a shortcut, while the field that it is meant for is still being loaded: it comes to nothing else, for
 * a letter on the plan may ring a colleague.
 */
let stop: (() => string) | undefined

/** Begins to keep letters. @param giveUp Escape was pressed */
export function keepTyped(giveUp: () => void): void {
  takeTyped()
  let text = ''
  const hear = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey } = event
    if (ctrlKey || metaKey || altKey || key === 'Tab') return
    event.preventDefault()
    event.stopPropagation()
    if (key === 'Backspace') text = text.slice(0, -1)
    else if ([...key].length === 1) text += key
    else if (key === 'Escape') {
      takeTyped()
      giveUp()
    }
  }
  window.addEventListener('keydown', hear, true)
  stop = () => {
    window.removeEventListener('keydown', hear, true)
    return text
  }
}

/** The field has the focus now. @returns what was typed before */
export function takeTyped(): string {
  const text = stop?.() ?? ''
  stop = undefined
  return text
}
