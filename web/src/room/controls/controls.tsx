import { useStore } from '../../live/use-session.ts'
import type { Call } from '../../media/call-state.ts'
import { Button } from '../../ui/button.tsx'
import { ControlButton, ControlTrigger } from '../../ui/control.tsx'
import type { IconName } from '../../ui/icon.tsx'
import { Popover } from '../../ui/overlays/popover.tsx'
import { useRoomWords } from '../../words/room.ts'
import { useStageWords } from '../../words/stage.ts'
import { Reactions } from './reactions.tsx'
import { shortcuts } from './shortcuts.ts'
import { useShortcuts } from './use-shortcuts.ts'
import './controls.css'

/** Something that is done more rarely. */
export interface Entry {
  id: string
  icon: IconName
  label: string
  onAction(): void
}

/** What stands over the right of the stage. */
export type SideName = 'chat' | 'people' | 'devices'

export interface ControlsProps {
  call: Call
  entries: readonly Entry[]
  side: SideName | undefined
  onSide(name: SideName): void
  /** Where there is a chat: how much in it is unread. */
  unread: number | undefined
  /** There is room for six. */
  isNarrow: boolean
}

const canShare = 'mediaDevices' in navigator && 'getDisplayMedia' in navigator.mediaDevices

/** What one does in a room, each by one key as well. */
export function Controls({ call, entries, side, onSide, unread, isNarrow }: ControlsProps) {
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
  const share: Entry = {
    id: 'screen',
    icon: 'screen',
    label: screen ? room.stopShare : room.startShare,
    onAction: acts.screen,
  }
  const everybody: Entry = { id: 'people', icon: 'people', label: words.people, onAction: acts.people }
  const devices: Entry = {
    id: 'devices',
    icon: 'settings',
    label: room.devices,
    onAction: () => onSide('devices'),
  }
  const rare = isNarrow ? [...(canShare ? [share] : []), everybody, devices, ...entries] : entries
  return (
    <div role="toolbar" aria-label={room.controls} className="controls">
      <ControlButton
        icon={microphone ? 'microphone' : 'microphone-off'}
        label={microphone ? room.mute : room.unmute}
        shortcut={shortcuts.microphone}
        isOff={!microphone}
        onPress={acts.microphone}
      />
      <ControlButton
        icon={camera ? 'camera' : 'camera-off'}
        label={camera ? room.stopCamera : room.startCamera}
        word={room.camera}
        shortcut={shortcuts.camera}
        isOff={!camera}
        onPress={acts.camera}
      />
      {canShare && !isNarrow && (
        <ControlButton
          icon="screen"
          label={share.label}
          word={screen ? room.stopShort : room.shareShort}
          shortcut={shortcuts.screen}
          isOn={screen !== undefined}
          onPress={acts.screen}
        />
      )}
      {!isNarrow && <Divider />}
      <ControlButton
        icon="hand"
        label={isHandUp ? words.lowerHand : words.raiseHand}
        word={words.hand}
        shortcut={shortcuts.hand}
        isOn={isHandUp}
        onPress={acts.hand}
      />
      {!isNarrow && (
        <Popover
          label={words.react}
          placement="top start"
          trigger={<ControlTrigger icon="smile" label={words.react} />}
        >
          {({ close }) => <Reactions call={call} onChosen={close} />}
        </Popover>
      )}
      {unread !== undefined && (
        <ControlButton
          icon="chat"
          label={room.chat}
          shortcut={shortcuts.chat}
          isExpanded={side === 'chat'}
          count={unread}
          countLabel={room.unread(unread)}
          onPress={acts.chat}
        />
      )}
      {!isNarrow && (
        <>
          <ControlButton
            icon="people"
            label={words.people}
            shortcut={shortcuts.people}
            isExpanded={side === 'people'}
            onPress={acts.people}
          />
          <Divider />
          <ControlButton
            icon="settings"
            label={room.devices}
            isExpanded={side === 'devices'}
            onPress={devices.onAction}
          />
        </>
      )}
      {rare.length > 0 && (
        <Popover
          label={room.more}
          placement="top end"
          trigger={<ControlTrigger icon="more" label={room.more} />}
        >
          {({ close }) => (
            <>
              {isNarrow && <Reactions call={call} onChosen={close} />}
              <Entries entries={rare} onChosen={close} />
            </>
          )}
        </Popover>
      )}
      <ControlButton
        icon="sign-out"
        label={room.leave}
        shortcut={shortcuts.leave}
        isDanger
        onPress={acts.leave}
      />
    </div>
  )
}

function Divider() {
  return <span className="controls-divider" aria-hidden="true" />
}

function Entries({ entries, onChosen }: { entries: readonly Entry[]; onChosen(): void }) {
  return (
    <div className="controls-entries">
      {entries.map(({ id, icon, label, onAction }) => (
        <Button
          key={id}
          look="quiet"
          icon={icon}
          onPress={() => {
            onChosen()
            onAction()
          }}
        >
          {label}
        </Button>
      ))}
    </div>
  )
}
