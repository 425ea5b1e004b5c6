import type { PersonInCall } from '../../media/call-state.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/overlays/menu.tsx'
import { MenuButton } from '../../ui/overlays/menu-button.tsx'
import { useRoomWords } from '../../words/room.ts'
import { useStageWords } from '../../words/stage.ts'
import type { Moderation } from '../people/moderation.ts'
import type { BotsToCall } from './use-bots-to-call.ts'
import './bots.css'

export interface BotsHereProps {
  bots: readonly PersonInCall[]
  avatarOf(identity: string): string
  moderation: Moderation | undefined
  /** Of members. */
  botsToCall: BotsToCall | undefined
}

/** The bots in the room, apart from its people, and those that may be called in. */
export function BotsHere({ bots, avatarOf, moderation, botsToCall }: BotsHereProps) {
  const words = useStageWords()
  const room = useRoomWords()
  const mayCall = botsToCall !== undefined && botsToCall.bots.length > 0
  if (bots.length === 0 && !mayCall) return null
  return (
    <section className="bots-here">
      <h3 id="bots-here">
        <Icon name="bot" size={16} /> {words.botsHere}
      </h3>
      <ul aria-labelledby="bots-here">
        {bots.map((bot) => (
          <li key={bot.identity} className="people-panel-row">
            <Avatar id={bot.botId ?? bot.identity} name={bot.name} url={avatarOf(bot.identity)} isBot />
            <span className="people-panel-name">
              {bot.name} <small>{room.bot}</small>
            </span>
            {moderation?.may('remove', bot) && (
              <IconButton
                icon="sign-out"
                label={room.door.remove(bot.name)}
                onPress={() => void moderation.remove(bot)}
              />
            )}
          </li>
        ))}
      </ul>
      {mayCall && <CallIn {...botsToCall} />}
    </section>
  )
}

function CallIn({ bots, call }: BotsToCall) {
  const words = useStageWords()
  const [only] = bots
  if (only && bots.length === 1)
    return (
      <Button small look="quiet" icon="plus" onPress={() => void call(only)}>
        {words.callBot(only.name)}
      </Button>
    )
  return (
    <Menu
      label={words.callBots}
      trigger={<MenuButton icon="plus" label={words.callBots} />}
      entries={bots.map((bot) => ({ id: bot.id, label: bot.name, onAction: () => void call(bot) }))}
    />
  )
}
