import { useEffect, useRef, useState } from 'react'
import { useStore } from '../live/use-session.ts'
import type { Call } from '../media/call-state.ts'
import { Button } from '../ui/button.tsx'
import { useRoomWords } from '../words/room.ts'
import { Banner } from './banner.tsx'
import { BotsBanner } from './bots/bots-banner.tsx'
import { problemSentence } from './devices/problem-sentence.ts'
import { useReplacedDevice } from './devices/use-replaced-device.ts'

export interface BannersProps {
  call: Call
  recording: boolean
  knowsOfRecording: boolean
  /** Told when they agree to be recorded. */
  onAgree?: (() => void) | undefined
}

/** What somebody inside has to know: of their connection, their devices, and that they are recorded. */
export function Banners({ call, recording, knowsOfRecording, onAgree }: BannersProps) {
  const words = useRoomWords()
  const { phase, asksConsent, toldBots, newBots, soundBlocked, problem } = useStore(call)
  const [told, stay] = useRecordingBegun(recording)
  const agree = () => {
    stay()
    onAgree?.()
    void call.agree()
  }
  return (
    <div role="status" className="banners">
      {phase === 'reconnecting' && <Banner icon="warning" tone="warning" text={words.reconnecting} />}
      {((told && !knowsOfRecording) || asksConsent) && (
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

/** Whether a recording has begun while one was inside, until one has said to stay. */
function useRecordingBegun(recording: boolean): [boolean, () => void] {
  const [begun, setBegun] = useState(false)
  const before = useRef(recording)
  useEffect(() => {
    if (recording !== before.current) setBegun(recording)
    before.current = recording
  }, [recording])
  return [begun, () => setBegun(false)]
}
