import { preferences } from '../../live/preferences.ts'
import { useStore } from '../../live/use-session.ts'
import type { Call } from '../../media/call-state.ts'
import { useStageWords } from '../../words/stage.ts'
import { SidePanel } from '../side-panel.tsx'
import { DevicePickers } from './device-pickers.tsx'
import { DeviceTests } from './device-tests.tsx'
import { LevelMeter } from './level-meter.tsx'
import { NoiseSwitch } from './noise-switch.tsx'
import { useOpenedDevice } from './use-opened-device.ts'

/** Which devices are used, and whether they work: inside. */
export function SideDevices({ call, onClose }: { call: Call; onClose(): void }) {
  const { close, devices: words } = useStageWords()
  const { microphoneId } = useStore(preferences)
  const { asksConsent } = useStore(call)
  // nothing is opened before one agrees to be recorded
  const { stream } = useOpenedDevice('audio', !asksConsent, microphoneId)
  return (
    <SidePanel title={words.title} closeLabel={close} onClose={onClose}>
      <div className="side-devices">
        <DevicePickers onChange={(kind, id) => void call.chooseDevice(kind, id)} />
        <LevelMeter stream={stream} label={words.level} />
        <NoiseSwitch onChange={(on) => void call.suppressNoise(on)} />
        <DeviceTests stream={stream} />
      </div>
    </SidePanel>
  )
}
