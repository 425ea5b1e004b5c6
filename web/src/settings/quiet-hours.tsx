import type { SuccessBody } from '@atrium/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { zoneNow } from '../live/clock/own-clock.ts'
import { client } from '../live/office-client.ts'
import { queryClient, reading } from '../live/queries.ts'
import { useAction } from '../live/use-action.ts'
import { Card } from '../ui/card.tsx'
import { Switch } from '../ui/fields/switch.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { Problem } from '../ui/state.tsx'
import { useSettingsWords } from '../words/settings.ts'

type Settings = SuccessBody<'getNotificationSettings'>
type Hours = NonNullable<Settings['quietHours']>

/** The evening and the night, until another time is chosen. */
const USUAL = { from: '18:00', to: '08:00' }

/** Whether the office sounds, and the hours without a call by messages: on every device of the person. */
export function QuietHours() {
  const words = useSettingsWords()
  const { data, isError } = useQuery(reading('getNotificationSettings'))
  const change = useAction(async (next: Partial<Settings>) => {
    const now = await client.call('updateNotificationSettings', next)
    queryClient.setQueryData(reading('getNotificationSettings').queryKey, now)
  })
  const hours = data?.quietHours
  return (
    <Card title={words.everyDevice}>
      <Problem>{isError && words.failed}</Problem>
      {data && (
        <div className="settings-form">
          <Switch
            label={words.soundsEverywhere}
            on={data.sounds}
            onChange={(sounds) => void change.run({ sounds })}
          />
          <Switch
            label={words.quietHours}
            hint={words.quietHoursHint}
            on={hours !== null}
            onChange={(on) => void change.run({ quietHours: on ? { ...USUAL, zone: zoneNow() } : null })}
          />
          {hours && (
            <Times
              key={`${hours.from} ${hours.to}`}
              hours={hours}
              onChange={(next) => void change.run({ quietHours: next })}
            />
          )}
          <Problem>{change.problem}</Problem>
        </div>
      )}
    </Card>
  )
}

/** Both ends are kept when a field is left: an end that is half typed is none. */
function Times({ hours, onChange }: { hours: Hours; onChange(hours: Hours): void }) {
  const words = useSettingsWords()
  const [typed, setTyped] = useState({ from: hours.from, to: hours.to })
  const keep = () => {
    const isWhole = typed.from !== '' && typed.to !== ''
    const isOther = typed.from !== hours.from || typed.to !== hours.to
    if (isWhole && isOther) onChange({ ...typed, zone: zoneNow() })
  }
  return (
    <div className="settings-times">
      <TextField
        type="time"
        label={words.quietFrom}
        value={typed.from}
        onChange={(from) => setTyped({ ...typed, from })}
        onBlur={keep}
      />
      <TextField
        type="time"
        label={words.quietTo}
        value={typed.to}
        onChange={(to) => setTyped({ ...typed, to })}
        onBlur={keep}
      />
      <p className="soft small">{words.quietZone(hours.zone)}</p>
    </div>
  )
}
