import type { RefObject } from 'react'
import { useStore } from '../live/use-session.ts'
import type { Call } from '../media/call-state.ts'
import { Button } from '../ui/button.tsx'
import { ControlButton, ControlTrigger } from '../ui/control.tsx'
import type { IconName } from '../ui/icon.tsx'
import { Popover } from '../ui/overlays/popover.tsx'
import { de } from '../words/de/room.ts'
import { en } from '../words/en/room.ts'
import { useWords } from '../words/use-words.ts'
import { DevicePickers } from './device-pickers.tsx'
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

export interface ControlsProps {
  call: Call
  entries: readonly Entry[]
  chat:
    | { isOpen: boolean; unread: number; toggle(): void; ref: RefObject<HTMLButtonElement | null> }
    | undefined
}

const canShare = 'mediaDevices' in navigator && 'getDisplayMedia' in navigator.mediaDevices

/** What one does in a room, each by one key as well. */
export function Controls({ call, entries, chat }: ControlsProps) {
  const words = useWords({ en, de })
  const own = useStore(call).people.find(({ isOwn }) => isOwn)
  const { microphone = false, camera, screen } = own ?? {}
  const acts = {
    microphone: () => void call.set('microphone', !microphone),
    camera: () => void call.set('camera', !camera),
    screen: () => void (canShare && call.set('screen', !screen)),
    leave: () => void call.leave(),
  }
  useShortcuts(acts)
  return (
    <div role="toolbar" aria-label={words.controls} className="controls">
      <ControlButton
        icon={microphone ? 'microphone' : 'microphone-off'}
        label={microphone ? words.mute : words.unmute}
        shortcut={shortcuts.microphone}
        isOff={!microphone}
        onPress={acts.microphone}
      />
      <ControlButton
        icon={camera ? 'camera' : 'camera-off'}
        label={camera ? words.stopCamera : words.startCamera}
        word={words.camera}
        shortcut={shortcuts.camera}
        isOff={!camera}
        onPress={acts.camera}
      />
      {canShare && (
        <ControlButton
          icon="screen"
          label={screen ? words.stopShare : words.startShare}
          word={screen ? words.stopShort : words.shareShort}
          shortcut={shortcuts.screen}
          isOn={screen !== undefined}
          onPress={acts.screen}
        />
      )}
      <Popover
        label={words.devices}
        placement="top start"
        trigger={<ControlTrigger icon="settings" label={words.devices} />}
      >
        <DevicePickers onChange={(kind, id) => void call.chooseDevice(kind, id)} />
      </Popover>
      {chat && (
        <ControlButton
          icon="chat"
          label={words.chat}
          isExpanded={chat.isOpen}
          count={chat.unread}
          countLabel={words.unread(chat.unread)}
          buttonRef={chat.ref}
          onPress={chat.toggle}
        />
      )}
      <Popover
        label={words.more}
        placement="top end"
        trigger={<ControlTrigger icon="more" label={words.more} />}
      >
        {({ close }) => <Entries entries={entries} onChosen={close} />}
      </Popover>
      <ControlButton
        icon="sign-out"
        label={words.leave}
        shortcut={shortcuts.leave}
        isDanger
        onPress={acts.leave}
      />
    </div>
  )
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
