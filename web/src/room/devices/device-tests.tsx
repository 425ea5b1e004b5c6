import { useState } from 'react'
import { playChime, playOn, recordSound } from '../../media/play-sound.ts'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/state.tsx'
import { useStageWords } from '../../words/stage.ts'

const LISTENS_MS = 3_000

/** Whether one hears, and how one is heard. */
export function DeviceTests({ stream }: { stream: MediaStream | undefined }) {
  const { devices: words } = useStageWords()
  const [step, setStep] = useState<'nothing' | 'chime' | 'recording' | 'playing'>('nothing')
  const [hasFailed, setFailed] = useState(false)
  const attempt = async (work: () => Promise<void>) => {
    if (step !== 'nothing') return
    setFailed(false)
    await work().catch(() => setFailed(true))
    setStep('nothing')
  }
  const testSpeaker = () =>
    attempt(async () => {
      setStep('chime')
      await playChime()
    })
  const testMicrophone = () =>
    attempt(async () => {
      if (!stream) return
      setStep('recording')
      const sound = await recordSound(stream, LISTENS_MS)
      setStep('playing')
      await playOn(sound)
    })
  return (
    <div className="device-tests">
      <Button small icon="volume" busy={step === 'chime'} onPress={() => void testSpeaker()}>
        {words.testSpeaker}
      </Button>
      <Button
        small
        icon="microphone"
        busy={step === 'recording' || step === 'playing'}
        isDisabled={!stream}
        onPress={() => void testMicrophone()}
      >
        {words.testMicrophone}
      </Button>
      <p role="status" className="soft small">
        {step === 'recording' && words.recording}
        {step === 'playing' && words.playing}
      </p>
      <Problem>{hasFailed && words.failed}</Problem>
    </div>
  )
}
