export type DeviceKind = 'audioinput' | 'videoinput' | 'audiooutput'

/** A microphone, a camera or a speaker, as menus show it. */
export interface Device {
  id: string
  kind: DeviceKind
  /** "" as long as nothing was permitted. */
  label: string
}

/** The one to use: the chosen one, else what the system takes. "" where nothing can be named. */
export function deviceInUse(devices: readonly Device[], kind: DeviceKind, chosenId: string): string {
  const ofKind = devices.filter((device) => device.kind === kind)
  const found = ofKind.find(({ id }) => id === chosenId) ?? ofKind.find(({ id }) => id === 'default')
  return (found ?? ofKind[0])?.id ?? ''
}

/** What takes the place of a device that is gone; undefined where the one in use is still there, or none was. */
export function replacementOf(
  before: readonly Device[],
  now: readonly Device[],
  kind: DeviceKind,
  usedId: string,
): { gone: Device; next: Device | undefined } | undefined {
  const gone = before.find((device) => device.kind === kind && device.id === usedId)
  if (!gone || now.some((device) => device.kind === kind && device.id === usedId)) return undefined
  const nextId = deviceInUse(now, kind, '')
  return { gone, next: now.find((device) => device.kind === kind && device.id === nextId) }
}
