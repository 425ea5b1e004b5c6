import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual'
import { type FocusEvent, useState } from 'react'

export interface FocusedRow {
  /** The key of the row that has the focus. */
  focused: string | undefined
  /** Which rows are drawn: those near the window, and the one that has the focus with its neighbours. */
  rangeExtractor(range: Range): number[]
  /** For the element around the rows. */
  handlers: {
    onFocus(event: FocusEvent): void
    onBlur(event: FocusEvent): void
  }
}

/**
 * Keeps the row that has the focus, wherever one scrolls: a row that went away would take the focus with it. With its
 * neighbours, so that Tab leads to them.
 */
export function useFocusedRow(count: number, keyOf: (index: number) => string): FocusedRow {
  const [focused, setFocused] = useState<string>()
  return {
    focused,
    rangeExtractor(range) {
      const near = defaultRangeExtractor(range)
      const at = indexOf(focused, count, keyOf)
      if (at === undefined) return near
      const kept = [at - 1, at, at + 1].filter((index) => index >= 0 && index < count)
      return [...new Set([...near, ...kept])].sort((one, other) => one - other)
    },
    handlers: {
      onFocus({ target }) {
        const index = target.closest('[data-index]')?.getAttribute('data-index')
        setFocused(index === null || index === undefined ? undefined : keyOf(Number(index)))
      },
      onBlur({ currentTarget, relatedTarget }) {
        if (!currentTarget.contains(relatedTarget)) setFocused(undefined)
      },
    },
  }
}

function indexOf(
  key: string | undefined,
  count: number,
  keyOf: (index: number) => string,
): number | undefined {
  if (key === undefined) return undefined
  for (let index = 0; index < count; index += 1) if (keyOf(index) === key) return index
  return undefined
}
