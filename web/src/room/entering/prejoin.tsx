import { type ReactNode, useEffect, useRef, useState } from 'react'
import { preferences } from '../../live/preferences.ts'
import { useStore } from '../../live/use-session.ts'
import type { JoinWith } from '../../media/call-state.ts'
import type { DeviceProblem } from '../../media/devices/device-problem.ts'
import { keepChoice, keptChoice, type OpenChoice } from '../../media/kept-choice.ts'
import { Button } from '../../ui/button.tsx'
import { Switch } from '../../ui/fields/switch.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Problem } from '../../ui/state.tsx'
import { useRoomWords } from '../../words/room.ts'
import { DevicePickers } from '../devices/device-pickers.tsx'
import { DeviceTests } from '../devices/device-tests.tsx'
import { LevelMeter } from '../devices/level-meter.tsx'
import { NoiseSwitch } from '../devices/noise-switch.tsx'
import { problemSentence } from '../devices/problem-sentence.ts'
import { useOpenedDevice } from '../devices/use-opened-device.ts'
import './prejoin.css'

export interface PrejoinProps {
  /** A person who comes in is recorded: nothing is opened before they agree. */
  recording: boolean
  /** They have agreed to this recording before. */
  hasAgreed?: boolean
  busy: boolean
  problem: string | undefined
  action: string
  onJoin(choices: JoinWith): void
  /** What is to be filled in or known before. */
  children?: ReactNode
}

/** Before one goes in: how one looks and sounds, and with what. */
export function Prejoin(props: PrejoinProps) {
  const { recording, hasAgreed = false, busy, problem, action, onJoin, children } = props
  const words = useRoomWords()
  const { wants, want, agreed, setAgreed, mayOpen, sound, picture, choices } = useEntering(
    recording,
    hasAgreed,
  )
  // in a small window what one came for stands before what is mostly right already
  const [isWide] = useState(() => matchMedia('(min-width: 60rem)').matches)
  const opening = mayOpen ? 'camera' : 'consent'
  const awaited = wants.camera && !picture.problem ? opening : 'nothing'
  return (
    <form
      className="prejoin"
      // what is missing is said beside its field, in the language of the office
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        // a double click is one wish
        if (mayOpen && !busy) onJoin(choices)
      }}
    >
      {!isWide && <div className="prejoin-first">{children}</div>}
      <Look sound={sound} picture={picture} awaits={awaited} />
      <div className="prejoin-form">
        {isWide && children}
        {recording && <Consent hasAgreed={hasAgreed} agreed={agreed} onAgree={setAgreed} />}
        <div className="prejoin-switches">
          <Switch
            label={words.withMicrophone}
            on={wants.microphone}
            onChange={(microphone) => want({ microphone })}
          />
          <Switch label={words.withCamera} on={wants.camera} onChange={(camera) => want({ camera })} />
        </div>
        {isWide && <Devices />}
        <Problem>{problem}</Problem>
        <Button type="submit" look="primary" icon="enter" wide busy={busy} isDisabled={!mayOpen}>
          {action}
        </Button>
        {!isWide && (
          <details>
            <summary>{words.devices}</summary>
            <Devices />
          </details>
        )}
      </div>
    </form>
  )
}

/** What is opened before one goes in, and with what one does. */
function useEntering(recording: boolean, hasAgreed: boolean) {
  const { microphoneId, cameraId, speakerId, suppressNoise } = useStore(preferences)
  const [wants, setWants] = useState(keptChoice)
  const want = (change: Partial<OpenChoice>) => {
    setWants({ ...wants, ...change })
    keepChoice(change)
  }
  const [agreed, setAgreed] = useState(false)
  const mayOpen = agreed || hasAgreed || !recording
  const sound = useOpenedDevice('audio', wants.microphone && mayOpen, microphoneId)
  const picture = useOpenedDevice('video', wants.camera && mayOpen, cameraId)
  const choices: JoinWith = {
    microphone: wants.microphone && sound.problem === undefined,
    camera: wants.camera && picture.problem === undefined,
    ...{ microphoneId, cameraId, speakerId, suppressNoise },
    agreed: recording && mayOpen,
  }
  return { wants, want, agreed, setAgreed, mayOpen, sound, picture, choices }
}

interface LookProps {
  sound: ReturnType<typeof useOpenedDevice>
  picture: ReturnType<typeof useOpenedDevice>
  awaits: PreviewProps['awaits']
}

/** How one looks and sounds. */
function Look({ sound, picture, awaits }: LookProps) {
  const words = useRoomWords()
  return (
    <div className="prejoin-look">
      <Preview stream={picture.stream} awaits={awaits} />
      <LevelMeter stream={sound.stream} label={words.level} />
      <DeviceTests stream={sound.stream} />
      {noticesOf(sound.problem, picture.problem, words).map((notice) => (
        <p key={notice} className="notice">
          {notice}
        </p>
      ))}
    </div>
  )
}

/** What is wrong with both devices is said once. */
function noticesOf(
  sound: DeviceProblem | undefined,
  picture: DeviceProblem | undefined,
  words: ReturnType<typeof useRoomWords>,
): string[] {
  if (sound && sound === picture) return [words.problems[sound](words.microphoneAndCamera)]
  return [
    ...(sound ? [problemSentence('microphone', sound, words)] : []),
    ...(picture ? [problemSentence('camera', picture, words)] : []),
  ]
}

interface ConsentProps {
  hasAgreed: boolean
  agreed: boolean
  onAgree(agreed: boolean): void
}

function Consent({ hasAgreed, agreed, onAgree }: ConsentProps) {
  const words = useRoomWords()
  return (
    <div className="notice notice-recording">
      <p className="notice-title">
        <Icon name="record" size={18} />
        {words.recorded}
      </p>
      <p>{hasAgreed ? words.hasAgreed : words.recordedAbout}</p>
      {!hasAgreed && <Switch label={words.agree} on={agreed} onChange={onAgree} />}
    </div>
  )
}

function Devices() {
  return (
    <>
      <DevicePickers />
      <NoiseSwitch />
    </>
  )
}

interface PreviewProps {
  stream: MediaStream | undefined
  /** What comes before there is a picture. */
  awaits: 'camera' | 'consent' | 'nothing'
}

function Preview({ stream, awaits }: PreviewProps) {
  const words = useRoomWords()
  const texts = { camera: words.openingCamera, consent: words.cameraWaits, nothing: words.noCamera }
  const video = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    if (video.current) video.current.srcObject = stream ?? null
  }, [stream])
  return (
    <div className="preview">
      {stream ? (
        <video ref={video} className="mirrored" autoPlay muted playsInline />
      ) : (
        <p className="preview-none">
          <Icon name={awaits === 'nothing' ? 'camera-off' : 'camera'} size={28} />
          {texts[awaits]}
        </p>
      )}
    </div>
  )
}
