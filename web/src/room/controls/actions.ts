import { useStore } from '../../live/use-session.ts'
import type { Call } from '../../media/call-state.ts'
import type { IconName } from '../../ui/icon.tsx'
import { useRoomWords } from '../../words/room.ts'
import { useStageWords } from '../../words/stage.ts'
import type { ShortcutName } from './shortcuts.ts'
import { useShortcuts } from './use-shortcuts.ts'

/** Something that is done more rarely. */
export interface Entry {
  id: string
  icon: IconName
  label: string
  onAction(): void
}

/** What stands over the right of the stage. */
export type SideName = 'chat' | 'people' | 'devices'

/** What one can do in a room, and how it is now. */
export interface Actions {
  acts: Readonly<Record<ShortcutName, () => void>>
  microphone: boolean
  camera: boolean
  screen: boolean
  isHandUp: boolean
  share: Entry
  devices: Entry
  /** What stands behind "more" where there is little room. */
  rare: readonly Entry[]
}

export const canShare = 'mediaDevices' in navigator && 'getDisplayMedia' in navigator.mediaDevices

/** Listens to their keys too. */
export function useActions({
  call,
  onSide,
  unread,
}: {
  call: Call
  onSide(name: SideName): void
  unread: number | undefined
}): Actions {
  const words = useStageWords()
  const room = useRoomWords()
  const { people, hands } = useStore(call)
  const own = people.find(({ isOwn }) => isOwn)
  const { microphone = false, camera, screen } = own ?? {}
  const isHandUp = own !== undefined && hands.includes(own.identity)
  const acts = {
    microphone: () => void call.set('microphone', !microphone),
    camera: () => void call.set('camera', !camera),
    screen: () => void (canShare && call.set('screen', !screen)),
    hand: () => call.raiseHand(!isHandUp),
    chat: () => void (unread !== undefined && onSide('chat')),
    people: () => onSide('people'),
    leave: () => void call.leave(),
  }
  useShortcuts(acts)
  const label = screen ? room.stopShare : room.startShare
  const share: Entry = { id: 'screen', icon: 'screen', label, onAction: acts.screen }
  const everybody: Entry = { id: 'people', icon: 'people', label: words.people, onAction: acts.people }
  const openDevices = () => onSide('devices')
  const devices: Entry = { id: 'devices', icon: 'settings', label: room.devices, onAction: openDevices }
  const rare = [...(canShare ? [share] : []), everybody, devices]
  const isOn = { microphone, camera: camera !== undefined, screen: screen !== undefined, isHandUp }
  return { acts, ...isOn, share, devices, rare }
}
