import { useState } from 'react'
import { preferences } from '../live/preferences.ts'
import { useStore } from '../live/use-session.ts'
import { Card } from '../ui/card.tsx'
import { Select } from '../ui/fields/select.tsx'
import { Switch } from '../ui/fields/switch.tsx'
import { Problem } from '../ui/state.tsx'
import { languageNames } from '../words/languages.ts'
import { useSettingsWords } from '../words/settings.ts'
import { PushChoice } from './push-choice.tsx'

/** How the office looks, moves and sounds on this device. */
export function Look() {
  const words = useSettingsWords()
  const { theme, language, motion, sounds, notifications } = useStore(preferences)
  const [refused, setRefused] = useState(false)
  const notify = async (on: boolean) => {
    const allowed = on && 'Notification' in window && (await Notification.requestPermission()) === 'granted'
    setRefused(on && !allowed)
    preferences.change({ notifications: allowed })
  }
  const options = <Id extends string>(labels: Record<Id, string>) =>
    (Object.entries(labels) as [Id, string][]).map(([id, label]) => ({ id, label }))
  return (
    <Card title={words.look}>
      <div className="settings-form">
        <Select
          label={words.language}
          options={options({ system: words.languageOfBrowser, ...languageNames })}
          value={language}
          onChange={(next) => preferences.change({ language: next })}
        />
        <Select
          label={words.theme}
          options={options(words.themes)}
          value={theme}
          onChange={(next) => preferences.change({ theme: next })}
        />
        <Switch
          label={words.lessMotion}
          on={motion === 'less'}
          onChange={(on) => preferences.change({ motion: on ? 'less' : 'system' })}
        />
        <Switch
          label={words.sounds}
          hint={words.soundsHint}
          on={sounds}
          onChange={(on) => preferences.change({ sounds: on })}
        />
        <Switch
          label={words.notifications}
          hint={words.notificationsHint}
          on={notifications}
          onChange={(on) => void notify(on)}
        />
        <Problem>{refused && words.notificationsRefused}</Problem>
        <PushChoice />
      </div>
    </Card>
  )
}
