import type { Call, CallState } from '../../media/call-state.ts'
import { Button } from '../../ui/button.tsx'
import { useRoomWords } from '../../words/room.ts'
import { Banner } from '../banner.tsx'
import { listed } from './bots-told.tsx'

/** Of bots that were there before: they are told of. Of one that has come since: the microphone waits. */
export function BotsBanner({
  call,
  toldBots,
  newBots,
}: { call: Call } & Pick<CallState, 'toldBots' | 'newBots'>) {
  const words = useRoomWords()
  const heed = () => void call.heedBots()
  if (newBots.length > 0)
    return (
      <Banner icon="bot" tone="danger" text={words.bots.came(listed(newBots), newBots.length)}>
        <Button small look="primary" onPress={heed}>
          {words.bots.goOn}
        </Button>
        <Button small onPress={() => void call.leave()}>
          {words.leave}
        </Button>
      </Banner>
    )
  if (toldBots.length === 0) return null
  return (
    <Banner icon="bot" text={words.bots.here(listed(toldBots), toldBots.length)}>
      <Button small onPress={heed}>
        {words.bots.read}
      </Button>
    </Banner>
  )
}
