import { useState } from 'react'
import type { Call } from '../../media/call-state.ts'
import { Button } from '../../ui/button.tsx'
import { ControlButton, ControlTrigger } from '../../ui/control.tsx'
import { Popover } from '../../ui/overlays/popover.tsx'
import { useRoomWords } from '../../words/room.ts'
import { useStageWords } from '../../words/stage.ts'
import { type Actions, canShare, type Entry, type SideName, useActions } from './actions.ts'
import { Reactions } from './reactions.tsx'
import { shortcuts } from './shortcuts.ts'
import './controls.css'

export type { Entry, SideName } from './actions.ts'

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

/** What one does in a room, each by one key as well. */
export function Controls({ call, entries, side, onSide, unread, isNarrow }: ControlsProps) {
  const words = useStageWords()
  const room = useRoomWords()
  const actions = useActions({ call, onSide, unread })
  const { acts } = actions
  const rare = isNarrow ? [...actions.rare, ...entries] : entries
  return (
    <div role="toolbar" aria-label={room.controls} className="controls">
      <OwnMedia actions={actions} isNarrow={isNarrow} />
      {!isNarrow && <Divider />}
      <Hand actions={actions} />
      {!isNarrow && (
        <Popover
          label={words.react}
          placement="top start"
          trigger={<ControlTrigger icon="smile" label={words.react} />}
        >
          {({ close }) => <Reactions call={call} onChosen={close} />}
        </Popover>
      )}
      <Sides actions={actions} side={side} unread={unread} isNarrow={isNarrow} />
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

/** Microphone, camera and screen. */
function OwnMedia({ actions, isNarrow }: { actions: Actions; isNarrow: boolean }) {
  const room = useRoomWords()
  const { acts, microphone, camera, screen, share } = actions
  return (
    <>
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
          isOn={screen}
          onPress={acts.screen}
        />
      )}
    </>
  )
}

function Hand({ actions: { acts, isHandUp } }: { actions: Actions }) {
  const words = useStageWords()
  return (
    <ControlButton
      icon="hand"
      label={isHandUp ? words.lowerHand : words.raiseHand}
      word={words.hand}
      shortcut={shortcuts.hand}
      isOn={isHandUp}
      onPress={acts.hand}
    />
  )
}

/** What opens over the right of the stage. */
function Sides({
  actions: { acts, devices },
  side,
  unread,
  isNarrow,
}: { actions: Actions } & Pick<ControlsProps, 'side' | 'unread' | 'isNarrow'>) {
  const words = useStageWords()
  const room = useRoomWords()
  return (
    <>
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
    </>
  )
}

function Divider() {
  return <span className="controls-divider" aria-hidden="true" />
}

function Entries({ entries, onChosen }: { entries: readonly Entry[]; onChosen(): void }) {
  // as they were when the menu was opened: one that changed under the pointer would do what its label did not say
  const [shown] = useState(entries)
  return (
    <div className="controls-entries">
      {shown.map(({ id, icon, label, onAction }) => (
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
