import { useEffect, useState } from 'react'
import { useStore } from '../live/use-session.ts'
import type { Call } from '../media/call-state.ts'
import { useRecordingEnd } from '../shell/announce/use-recording-end.ts'
import { Button } from '../ui/button.tsx'
import { useRoomWords } from '../words/room.ts'
import { useStageWords } from '../words/stage.ts'
import { Banner } from './banner.tsx'
import { BotsBanner } from './bots/bots-banner.tsx'
import { problemSentence } from './devices/problem-sentence.ts'
import { useReplacedDevice } from './devices/use-replaced-device.ts'

export interface BannersProps {
  call: Call
  /** Told when they agree to be recorded. */
  onAgree?: (() => void) | undefined
}

/** What a person inside has to know: of their connection, their devices, and that they are recorded. */
export function Banners({ call, onAgree }: BannersProps) {
  const words = useRoomWords()
  const state = useStore(call)
  const { phase, asksConsent, recordingBegun, toldBots, newBots, soundBlocked, problem } = state
  useRecordingEnd(state)
  const agree = () => {
    onAgree?.()
    void call.agree()
  }
  return (
    <div role="status" className="banners">
      {phase === 'reconnecting' && <Banner icon="warning" tone="warning" text={words.reconnecting} />}
      {(recordingBegun || asksConsent) && (
        <Banner
          icon="record"
          tone="danger"
          text={asksConsent ? `${words.recorded}. ${words.recordedAbout}` : words.record.told}
        >
          <Button small onPress={agree}>
            {asksConsent ? words.agree : words.record.stay}
          </Button>
          <Button small onPress={() => void call.leave()}>
            {words.leave}
          </Button>
        </Banner>
      )}
      <CaptionsBanner call={call} />
      <BotsBanner {...{ call, toldBots, newBots }} />
      {soundBlocked && phase === 'inside' && (
        <Banner icon="info" tone="warning" text={words.soundBlocked}>
          <Button small look="primary" onPress={() => void call.playSound()}>
            {words.playSound}
          </Button>
        </Banner>
      )}
      {problem && (
        <Banner icon="warning" tone="warning" text={problemSentence(problem.kind, problem.problem, words)}>
          <Button small onPress={call.forgetProblem}>
            {words.close}
          </Button>
        </Banner>
      )}
      <ReplacedDevice call={call} />
    </div>
  )
}

/** Others read captions of what is said. */
function CaptionsBanner({ call }: { call: Call }) {
  const words = useRoomWords()
  const stage = useStageWords()
  const { captions, captionsMade } = useStore(call)
  const [isTold, read] = useUnread(captionsMade && captions !== 'on')
  if (!isTold) return null
  return (
    <Banner icon="captions" tone="warning" text={stage.captions.told}>
      <Button small onPress={read}>
        {words.bots.read}
      </Button>
    </Banner>
  )
}

/** A device was pulled out: what is used in its place. */
function ReplacedDevice({ call }: { call: Call }) {
  const words = useRoomWords()
  const [replaced, forgetReplaced] = useReplacedDevice(call)
  if (!replaced) return null
  const { gone, next } = replaced
  const text = next ? words.unplugged(gone.label, next.label) : words.unpluggedAll(gone.label)
  return (
    <Banner icon="info" tone="warning" text={text}>
      <Button small onPress={forgetReplaced}>
        {words.close}
      </Button>
    </Banner>
  )
}

/** Whether something goes on of which one has not read yet. */
function useUnread(isOn: boolean): [boolean, () => void] {
  const [isRead, setRead] = useState(false)
  useEffect(() => {
    if (!isOn) setRead(false)
  }, [isOn])
  return [isOn && !isRead, () => setRead(true)]
}
