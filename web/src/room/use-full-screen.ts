import { useEffect, useState } from 'react'

/** So long the controls stay after the last movement. */
const IDLE_MS = 3_000
const MOVES = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const

/** Whether the page fills the screen, and what changes that; undefined where the browser has none. */
export function useFullScreen(): { isFull: boolean; toggle: (() => void) | undefined } {
  const [isFull, setFull] = useState(() => document.fullscreenElement !== null)
  useEffect(() => {
    const look = () => setFull(document.fullscreenElement !== null)
    document.addEventListener('fullscreenchange', look)
    return () => {
      document.removeEventListener('fullscreenchange', look)
      // other screens have no button that ends it
      if (document.fullscreenElement) void document.exitFullscreen().catch(() => {})
    }
  }, [])
  const toggle = () =>
    // all of the page, so that what opens beside a button is seen as well
    void (isFull ? document.exitFullscreen() : document.documentElement.requestFullscreen()).catch(() => {})
  return { isFull, toggle: document.fullscreenEnabled ? toggle : undefined }
}

/** Whether nothing has been moved for a while; never where it is not asked for. */
export function useIdle(isAsked: boolean): boolean {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    if (!isAsked) return setIdle(false)
    let timer = setTimeout(() => setIdle(true), IDLE_MS)
    const move = () => {
      clearTimeout(timer)
      timer = setTimeout(() => setIdle(true), IDLE_MS)
      setIdle(false)
    }
    for (const event of MOVES) addEventListener(event, move)
    return () => {
      clearTimeout(timer)
      for (const event of MOVES) removeEventListener(event, move)
    }
  }, [isAsked])
  return isIdle
}
