import type { VisibleStatus } from '@atrium/client/people'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'
import { portraitOf } from './portrait.ts'
import './avatar.css'

export interface AvatarProps {
  name: string
  /** Of whom it is: their drawn portrait stays theirs, whatever they are called. Without one the initials are shown. */
  id?: string | undefined
  /** "" where there is none: a portrait is drawn. */
  url: string
  /** A program: it has no face. */
  isBot?: boolean | undefined
  size?: 'small' | 'medium' | 'large'
  /** Shown as a dot. The word for it stands beside the picture, not in it: `StatusWord` where no line says it. */
  status?: VisibleStatus | undefined
}

const BOT_SIZES = { small: 16, medium: 22, large: 48 }

/** Says nothing to a screen reader: the name stands beside it. */
export function Avatar({ name, id, url, isBot = false, size = 'medium', status }: AvatarProps) {
  const picture = url || (id === undefined || isBot ? '' : portraitOf(id))
  const drawn = isBot ? <Icon name="bot" size={BOT_SIZES[size]} /> : initialsOf(name)
  return (
    <span
      className={classNames('avatar', `avatar-${size}`, `avatar-tone-${toneOf(id ?? name)}`)}
      aria-hidden="true"
    >
      {picture ? <img src={picture} alt="" loading="lazy" decoding="async" /> : drawn}
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
