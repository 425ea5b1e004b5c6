import { client, readSession } from '../live/office-client.ts'
import { useAction } from '../live/use-action.ts'
import { Card } from '../ui/card.tsx'
import { Switch } from '../ui/fields/switch.tsx'
import { Problem } from '../ui/state.tsx'
import { useSettingsWords } from '../words/settings.ts'

/** Whether a meeting of one's calendar shows in one's status. */
export function CalendarChoice({ isOn }: { isOn: boolean }) {
  const words = useSettingsWords()
  const choose = useAction(async (on: boolean) => {
    await client.call('updateProfile', { calendarStatus: on ? 'on' : 'off' })
    await readSession()
  })
  return (
    <Card title={words.calendar}>
      <Switch
        label={words.calendarStatus}
        hint={words.calendarStatusHint}
        on={isOn}
        onChange={(on) => void choose.run(on)}
      />
      <Problem>{choose.problem}</Problem>
    </Card>
  )
}
