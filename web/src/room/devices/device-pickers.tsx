import { preferences } from '../../live/preferences.ts'
import { useStore } from '../../live/use-session.ts'
import { type DeviceKind, deviceInUse } from '../../media/devices/device-choice.ts'
import { canChooseSpeaker, devices } from '../../media/devices/devices.ts'
import { Select } from '../../ui/fields/select.tsx'
import { useRoomWords } from '../../words/room.ts'
import './devices.css'

const CHOICES = [
  { kind: 'audioinput', word: 'microphone', preference: 'microphoneId' },
  { kind: 'videoinput', word: 'camera', preference: 'cameraId' },
  { kind: 'audiooutput', word: 'speaker', preference: 'speakerId' },
] as const

/** Which microphone, camera and speaker are used on this device. @param onChange told after each choice */
export function DevicePickers({ onChange }: { onChange?(kind: DeviceKind, id: string): void }) {
  const words = useRoomWords()
  const all = useStore(devices)
  const chosen = useStore(preferences)
  return (
    <div className="device-pickers">
      {CHOICES.filter(({ kind }) => kind !== 'audiooutput' || canChooseSpeaker).map(
        ({ kind, word, preference }) => {
          const found = all.filter((device) => device.kind === kind)
          const options = found.map(({ id, label }, at) => ({
            id,
            label: label || words.unnamedDevice(at + 1),
          }))
          return (
            <Select
              key={kind}
              label={words[word]}
              options={options.length > 0 ? options : [{ id: '', label: words.systemDevice }]}
              value={deviceInUse(all, kind, chosen[preference])}
              disabled={options.length === 0}
              onChange={(id) => {
                preferences.change({ [preference]: id })
                onChange?.(kind, id)
              }}
            />
          )
        },
      )}
    </div>
  )
}
