import { type FocusEvent, type PointerEvent, useEffect, useRef, useState } from 'react'

const LONG_PRESS_MS = 450
/** A finger that moves further scrolls. */
const STILL_PX = 10

/** Whether the tools of a message are shown: while it is under the mouse, has the focus, or after a long press. */
export function useToolbarShown() {
  const [isOver, setOver] = useState(false)
  const [hasFocus, setFocus] = useState(false)
  const [isPressed, setPressed] = useState(false)
  const place = useRef<HTMLElement>(null)
  const press = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number }>(undefined)
  const endPress = () => {
    clearTimeout(press.current?.timer)
    press.current = undefined
  }
  useEffect(() => () => clearTimeout(press.current?.timer), [])
  useEffect(() => {
    if (!isPressed) return undefined
    const hide = ({ target }: Event) => {
      const isOurs =
        target instanceof Element && (place.current?.contains(target) || target.closest('.popover'))
      if (!isOurs) setPressed(false)
    }
    document.addEventListener('pointerdown', hide)
    return () => document.removeEventListener('pointerdown', hide)
  }, [isPressed])
  return {
    isShown: isOver || hasFocus || isPressed,
    place,
    handlers: {
      onPointerEnter: ({ pointerType }: PointerEvent) => setOver(pointerType === 'mouse'),
      onPointerLeave: () => setOver(false),
      onPointerDown({ pointerType, clientX: x, clientY: y }: PointerEvent) {
        if (pointerType !== 'mouse')
          press.current = { timer: setTimeout(() => setPressed(true), LONG_PRESS_MS), x, y }
      },
      onPointerMove({ clientX, clientY }: PointerEvent) {
        const begun = press.current
        if (begun && Math.hypot(clientX - begun.x, clientY - begun.y) > STILL_PX) endPress()
      },
      onPointerUp: endPress,
      onPointerCancel: endPress,
      // a press by mouse gives the focus as well; what opens beside the message keeps its tools
      onFocus: ({ target }: FocusEvent) =>
        setFocus(!place.current?.contains(target) || target.matches(':focus-visible')),
      onBlur({ currentTarget, relatedTarget }: FocusEvent) {
        if (!currentTarget.contains(relatedTarget)) setFocus(false)
      },
    },
  }
}
