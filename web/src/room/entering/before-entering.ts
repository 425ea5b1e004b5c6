import type { Room } from '@atrium/client/rooms'
import { hasAgreedTo } from '../../live/recordings/use-agreement.ts'
import type { JoinWith } from '../../media/call-state.ts'
import { chosenDevices, devices, permissionFor } from '../../media/devices/devices.ts'
import { asksForDevices } from '../../media/entering.ts'
import { keptChoice, keptOnDevice, type OpenChoice } from '../../media/kept-choice.ts'

/**
 * What a person goes in with at once, as last time; undefined where they have to look first: at their devices, or at
 * whether they want to be recorded. Never rejects.
 */
export async function joinAsLastTime({ id, recording }: Room): Promise<JoinWith | undefined> {
  await devices.refresh()
  const chosen = chosenDevices()
  const known = { permitted: await permitted(), devices: devices.get(), ...chosen }
  if (asksForDevices({ ...known, kept: keptOnDevice() })) return undefined
  const agreed = recording && (await hasAgreedTo(id))
  if (recording && !agreed) return undefined
  return { ...keptChoice(), ...chosen, agreed }
}

async function permitted(): Promise<OpenChoice> {
  const [microphone, camera] = await Promise.all([isGranted('microphone'), isGranted('camera')])
  return { microphone, camera }
}

/** Where the browser does not say, it names its devices only to pages that may open them. */
async function isGranted(name: 'microphone' | 'camera'): Promise<boolean> {
  const permission = await permissionFor(name)
  if (permission) return permission.state === 'granted'
  const kind = name === 'microphone' ? 'audioinput' : 'videoinput'
  return devices.get().some((device) => device.kind === kind && device.label !== '')
}
