import { useState } from 'react'
import { preferences } from '../live/preferences.ts'
import { canPush } from '../live/push/browser-push.ts'
import { beginPushes, endPushes } from '../live/push/pushes.ts'
import { useStore } from '../live/use-session.ts'
import { Select } from '../ui/fields/select.tsx'
import { Switch } from '../ui/fields/switch.tsx'
import { Problem } from '../ui/state.tsx'
import { useSettingsWords } from '../words/settings.ts'

/** Whether this browser tells of messages and calls while the office is closed, and how much it says. */
export function PushChoice() {
  const words = useSettingsWords()
  const { pushes } = useStore(preferences)
  const [refused, setRefused] = useState(false)
  if (!canPush()) return null
  const begin = async (show: 'who' | 'what') => {
    const isAllowed = (await Notification.requestPermission()) === 'granted'
    setRefused(!(isAllowed && (await beginPushes(show))))
  }
  const turn = async (on: boolean) => {
    setRefused(false)
    await (on ? begin('who') : endPushes())
  }
  return (
    <>
      <Switch
        label={words.pushes}
        hint={words.pushesHint}
        on={pushes !== 'off'}
        onChange={(on) => void turn(on)}
      />
      {pushes !== 'off' && (
        <Select
          label={words.pushesSay}
          options={[
            { id: 'who', label: words.pushesWho },
            { id: 'what', label: words.pushesWhat },
          ]}
          value={pushes}
          onChange={(show) => void begin(show)}
        />
      )}
      <Problem>{refused && words.pushesRefused}</Problem>
    </>
  )
}
