import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { useFocusedRow } from './focused-row.ts'
import { type LongListProps, RowPlaceContext } from './list.tsx'

/** Beyond each edge of the window: what Tab and a quick turn of the wheel reach before more is drawn. */
const OVERSCAN = 10
/** Until there is a row to be measured. */
const ROW_PX = 56

/** A list that is as high as all of its rows, with those that are near the window. A reader is told which of how many. */
export function WindowedList<Row>({ label, rows, keyOf, children }: LongListProps<Row>) {
  const list = useRef<HTMLUListElement>(null)
  const { top, rowHeight } = useMeasures(list)
  const keyAt = (index: number) => keyOf(rows[index] as Row)
  const { rangeExtractor, handlers } = useFocusedRow(rows.length, keyAt)
  const virtualizer = useWindowVirtualizer<HTMLLIElement>({
    count: rows.length,
    estimateSize: () => rowHeight ?? ROW_PX,
    getItemKey: keyAt,
    overscan: OVERSCAN,
    scrollMargin: top,
    rangeExtractor,
  })
  return (
    <ul
      ref={list}
      className="list list-windowed"
      // biome-ignore lint/a11y/noRedundantRoles: Safari forgets it
      role="list"
      aria-label={label}
      style={{ height: virtualizer.getTotalSize() }}
      {...handlers}
    >
      {virtualizer.getVirtualItems().map(({ key, index, start }) => (
        <RowPlaceContext
          key={key}
          value={{
            ref: virtualizer.measureElement,
            'data-index': index,
            'aria-posinset': index + 1,
            'aria-setsize': rows.length,
            style: { top: start - top },
          }}
        >
          {children(rows[index] as Row)}
        </RowPlaceContext>
      ))}
    </ul>
  )
}

/** Where the list begins, and how high a row is, in pixels of the page. */
function useMeasures(list: RefObject<HTMLElement | null>): { top: number; rowHeight: number | undefined } {
  const [top, setTop] = useState(0)
  const [rowHeight, setRowHeight] = useState<number>()
  // what stands above it may have grown; the end is where it is only if rows that were never drawn are as high as others
  useLayoutEffect(() => {
    const element = list.current
    if (!element) return undefined
    const measure = () => {
      setTop(Math.round(element.getBoundingClientRect().top + scrollY))
      const { height = 0 } = element.firstElementChild?.getBoundingClientRect() ?? {}
      if (height > 0) setRowHeight((before) => before ?? Math.round(height))
    }
    measure()
    // after a layout that there is anyway: one that is asked for at each rendering costs more than the rendering
    const observer = new ResizeObserver(measure)
    for (const sized of [document.body, element]) observer.observe(sized)
    return () => observer.disconnect()
  }, [list])
  return { top, rowHeight }
}
