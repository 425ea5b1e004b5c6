import type { ReactElement } from 'react'
import type { Reaction } from '../../media/signals/room-signal.ts'

/** Drawn, not written: fonts of many machines have none of them. */
const SIGNS: Record<Reaction, ReactElement> = {
  clap: (
    <>
      <path
        d="M5 13 3.4 9.5a1 1 0 0 1 1.7-.9L7 11 5.2 6.3a1 1 0 0 1 1.8-.8L9.4 10 8 4.8a1 1 0 0 1 1.9-.6l2 5.4-.3-2.7a1 1 0 0 1 2-.2l.9 4.6c.5 3-1 5.2-3.7 5.7-2.7.5-4.6-1.2-5.8-4Z"
        fill="#f0bd4a"
        stroke="#8a5a00"
        strokeWidth=".7"
      />
      <path
        d="M14.5 2.5l.5 1.6M17.6 3.8l-1.2 1.2M18.4 7l-1.6.2"
        stroke="#d64f45"
        strokeWidth="1.2"
        strokeLinecap="round"
      />
    </>
  ),
  up: (
    <>
      <path d="M3 9h3v8H3Z" fill="#3d7a6d" />
      <path
        d="M7 9.2 10.4 2.8c1.6.2 2 1.5 1.7 2.7L11.5 8H16a1.5 1.5 0 0 1 1.5 1.9l-1.4 5.7a1.9 1.9 0 0 1-1.9 1.4H7Z"
        fill="#f0bd4a"
      />
    </>
  ),
  heart: (
    <path
      d="M10 16.8C4.5 12.8 2.8 10.2 2.8 7.6a3.7 3.7 0 0 1 7.2-1.2 3.7 3.7 0 0 1 7.2 1.2c0 2.6-1.7 5.2-7.2 9.2Z"
      fill="#d64f45"
    />
  ),
  laugh: (
    <>
      <circle cx="10" cy="10" r="8" fill="#f0bd4a" />
      <path d="M6 11h8c-.5 3-2 4.2-4 4.2S6.5 14 6 11Z" fill="#5a3510" />
      <path
        d="M6 8.2l1.6-1 1.2 1M11.2 8.2l1.2-1 1.6 1"
        fill="none"
        stroke="#5a3510"
        strokeWidth="1.1"
        strokeLinecap="round"
      />
    </>
  ),
  party: (
    <>
      <path d="M3 17 7.5 7.5l5 5Z" fill="#3d7a6d" />
      <path
        d="M10 6.5c.3-2 1.4-3 3-3M13 10c2-.4 3.2.2 4 1.5M12 7.8l3.5-3"
        fill="none"
        stroke="#d64f45"
        strokeWidth="1.4"
        strokeLinecap="round"
      />
      <circle cx="16.5" cy="7.5" r="1.1" fill="#f0bd4a" />
      <circle cx="9" cy="3.5" r="1" fill="#8a6bb0" />
    </>
  ),
  eyes: (
    <>
      <circle cx="10" cy="10" r="8" fill="#f0bd4a" />
      <circle cx="7.3" cy="9.3" r="2.1" fill="#fff" />
      <circle cx="12.7" cy="9.3" r="2.1" fill="#fff" />
      <circle cx="8" cy="9.6" r="1" fill="#3b2410" />
      <circle cx="13.4" cy="9.6" r="1" fill="#3b2410" />
      <path d="M8 14h4" stroke="#5a3510" strokeWidth="1.2" strokeLinecap="round" />
    </>
  ),
}

/** Says nothing: whatever carries it has a name of its own. */
export function ReactionSign({ reaction, size }: { reaction: Reaction; size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      {SIGNS[reaction]}
    </svg>
  )
}
