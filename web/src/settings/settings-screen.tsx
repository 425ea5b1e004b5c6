import { useSession } from '../live/use-session.ts'
import { ExportCard } from '../shell/export-card.tsx'
import { PageHeading } from '../ui/page-heading.tsx'
import { useSettingsWords } from '../words/settings.ts'
import { CalendarChoice } from './calendar-choice.tsx'
import { DeleteAccount } from './delete-account.tsx'
import { Devices } from './devices.tsx'
import { EmailAddress } from './email-address.tsx'
import { Look } from './look.tsx'
import { Profile } from './profile.tsx'
import { QuietHours } from './quiet-hours.tsx'
import { Sessions } from './sessions.tsx'
import './settings.css'

/** What is one's own: name and picture, how the office looks and sounds here, devices, where one is signed in. */
export function SettingsScreen() {
  const words = useSettingsWords()
  const session = useSession()
  if (session.state !== 'signed-in') return null
  const { user } = session
  return (
    <>
      <PageHeading title={words.title} />
      <div className="settings">
        <Profile key={user.id} user={user} />
        <Look />
        <QuietHours />
        <Devices />
        {user.calendarStatus !== undefined && <CalendarChoice isOn={user.calendarStatus === 'on'} />}
        <Sessions />
        <EmailAddress key={user.email} email={user.email} />
        <ExportCard of="oneself" />
        <DeleteAccount email={user.email} />
      </div>
    </>
  )
}
