import { Icon } from '../../ui/icon.tsx'
import { localeNow } from '../../words/language.ts'
import { useRoomWords } from '../../words/room.ts'
import './bots.css'

/** Which bots are in a room, or will come: before one goes in. */
export function BotsTold({ names }: { names: readonly string[] }) {
  const { bots: words } = useRoomWords()
  if (names.length === 0) return null
  return (
    <p role="status" className="bots-told">
      <Icon name="bot" />
      {words.here(listed(names), names.length)}
    </p>
  )
}

/** As a sentence names them. */
export function listed(names: readonly string[]): string {
  return new Intl.ListFormat(localeNow(), { type: 'conjunction' }).format(names)
}
