import type { VisibleStatus } from '@atrium/client/people'
import { classNames } from './class-names.ts'
import './avatar.css'

export interface AvatarProps {
  name: string
  /** Of whom it is: the colour behind the initials stays theirs, whatever they are called. */
  id?: string | undefined
  /** "" where there is none: the initials are shown. */
  url: string
  size?: 'small' | 'medium' | 'large'
  /** Shown as a dot. The word for it stands beside the picture, not in it. */
  status?: VisibleStatus | undefined
}

/** Says nothing to a screen reader: the name stands beside it. */
export function Avatar({ name, id = name, url, size = 'medium', status }: AvatarProps) {
  return (
    <span className={classNames('avatar', `avatar-${size}`, `avatar-tone-${toneOf(id)}`)} aria-hidden="true">
      {url ? <img src={url} alt="" loading="lazy" /> : initialsOf(name)}
      {status && <span className={classNames('avatar-status', `avatar-status-${status}`)} />}
    </span>
  )
}

const TONES = 6

/** The same for one person on every screen. */
function toneOf(id: string): number {
  let sum = 0
  for (const letter of id) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9_973
  return sum % TONES
}

/** Of the first and the last word. */
function initialsOf(name: string): string {
  const words = name
    .trim()
    .split(/[\s.@_-]+/u)
    .filter(Boolean)
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words
  return ends
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase()
}
