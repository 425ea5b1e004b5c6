import { useEffect, useState } from 'react'
import { type Preferences, preferences } from '../live/preferences.ts'
import { useAction } from '../live/use-action.ts'
import { useStore } from '../live/use-session.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Select } from '../ui/fields/select.tsx'
import { Problem } from '../ui/state.tsx'
import { useSettingsWords } from '../words/settings.ts'

const KINDS = [
  { kind: 'audioinput', key: 'microphoneId' },
  { kind: 'videoinput', key: 'cameraId' },
  { kind: 'audiooutput', key: 'speakerId' },
] as const

/** Which microphone, camera and speaker rooms begin with on this device. */
export function Devices() {
  const words = useSettingsWords()
  const chosen = useStore(preferences)
  const devices = useDevices()
  const [refused, setRefused] = useState(false)
  // browsers name devices to those only who were allowed to use them
  const areNamed = devices.some(({ label }) => label !== '')
  const ask = useAction(async () => {
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ audio: true, video: true })
      for (const track of stream.getTracks()) track.stop()
      setRefused(false)
      navigator.mediaDevices.dispatchEvent(new Event('devicechange'))
    } catch {
      setRefused(true)
    }
  })
  return (
    <Card title={words.devices}>
      <div className="settings-form">
        {!areNamed && (
          <>
            <p className="soft">{words.devicesHidden}</p>
            <Button busy={ask.busy} onPress={() => void ask.run()}>
              {words.showDevices}
            </Button>
            <Problem>{refused && words.devicesRefused}</Problem>
          </>
        )}
        {areNamed &&
          KINDS.map(({ kind, key }) => (
            <DeviceChoice
              key={kind}
              label={words.kinds[kind]}
              devices={devices.filter((one) => one.kind === kind)}
              chosen={chosen[key]}
              onChange={(deviceId) => preferences.change({ [key]: deviceId } as Partial<Preferences>)}
            />
          ))}
      </div>
    </Card>
  )
}

interface DeviceChoiceProps {
  label: string
  devices: readonly MediaDeviceInfo[]
  chosen: string
  onChange(deviceId: string): void
}

/** The browser's own choice has an id of its own here: an empty one is none. */
const OF_BROWSER = 'of-browser'

function DeviceChoice({ label, devices, chosen, onChange }: DeviceChoiceProps) {
  const words = useSettingsWords()
  const named = devices.filter(({ deviceId }) => deviceId !== '' && deviceId !== 'default')
  if (named.length === 0) return null
  const options = [
    { id: OF_BROWSER, label: words.ofBrowser },
    ...named.map((device) => ({ id: device.deviceId, label: device.label || label })),
  ]
  // one that is not plugged in now is chosen again when it is
  const value = named.some(({ deviceId }) => deviceId === chosen) ? chosen : OF_BROWSER
  return (
    <Select
      label={label}
      options={options}
      value={value}
      onChange={(id) => onChange(id === OF_BROWSER ? '' : id)}
    />
  )
}

/** Those that are plugged in. */
function useDevices(): readonly MediaDeviceInfo[] {
  const [devices, setDevices] = useState<readonly MediaDeviceInfo[]>([])
  useEffect(() => {
    // only on pages that came over https or from this machine
    const { mediaDevices } = navigator as { mediaDevices?: MediaDevices }
    if (!mediaDevices) return undefined
    const read = () => void mediaDevices.enumerateDevices().then(setDevices, () => setDevices([]))
    read()
    mediaDevices.addEventListener('devicechange', read)
    return () => mediaDevices.removeEventListener('devicechange', read)
  }, [])
  return devices
}
