import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { pixelsOfUnit } from './lengths.ts'

/** In units of the plan. */
export interface WindowSize {
  /** Of what the plan may fill. */
  width: number
  /** Of the window. */
  height: number
  /** The window is being dragged. */
  isChanging: boolean
}

/** Nothing more comes for so long: the window has its size. */
const SETTLED_MS = 400
/** Smaller changes make no other plan. */
const STEP = 8

/** How much room there is; undefined before the first picture. */
export function useWindowSize(element: RefObject<HTMLElement | null>): WindowSize | undefined {
  const [size, setSize] = useState<WindowSize>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useLayoutEffect(() => {
    const measured = element.current
    if (!measured) return undefined
    const measure = (): Omit<WindowSize, 'isChanging'> => {
      const unit = pixelsOfUnit()
      const inSteps = (pixels: number) => Math.floor(pixels / unit / STEP) * STEP
      // not what two fingers have made larger: Safari says of the window how much of the page is seen
      return { width: inSteps(measured.clientWidth), height: inSteps(document.documentElement.clientHeight) }
    }
    setSize({ ...measure(), isChanging: false })
    const look = () => {
      const next = measure()
      setSize((before) => {
        if (before?.width === next.width && before.height === next.height) return before
        clearTimeout(timer.current)
        timer.current = setTimeout(
          () => setSize((last) => last && { ...last, isChanging: false }),
          SETTLED_MS,
        )
        return { ...next, isChanging: before !== undefined }
      })
    }
    const observer = new ResizeObserver(look)
    observer.observe(measured)
    window.addEventListener('resize', look)
    return () => {
      clearTimeout(timer.current)
      observer.disconnect()
      window.removeEventListener('resize', look)
    }
  }, [element])
  return size
}
