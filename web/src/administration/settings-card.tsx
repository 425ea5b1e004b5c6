import type { SuccessBody } from '@atrium/client'
import { useQuery } from '@tanstack/react-query'
import { client } from '../live/office-client.ts'
import { outdated, reading } from '../live/queries.ts'
import { useAction } from '../live/use-action.ts'
import { Answer } from '../shell/answer.tsx'
import { Card } from '../ui/card.tsx'
import { Select } from '../ui/fields/select.tsx'
import { Switch } from '../ui/fields/switch.tsx'
import { notices } from '../ui/overlays/notices.ts'
import { Problem } from '../ui/state.tsx'
import { languageNames } from '../words/languages.ts'
import { useOrganizationSettingsWords } from '../words/organization-settings.ts'

type Settings = SuccessBody<'getOrganizationSettings'>

const ADMISSIONS = ['admin', 'moderator', 'member'] as const
const MAIL_LANGUAGES = ['en', 'de'] as const

/** Who lets guests in, whether programs come into rooms, and the language of mails. */
export function SettingsCard() {
  const words = useOrganizationSettingsWords()
  const query = useQuery(reading('getOrganizationSettings'))
  const save = useAction(async (change: Partial<Settings>) => {
    await client.call('updateOrganizationSettings', change)
    await outdated('getOrganizationSettings', 'getCurrentUser', 'listAuditLog')
    notices.show({ text: words.saved, tone: 'good' })
  })
  return (
    <Card title={words.title}>
      <div className="administration-settings">
        {save.problem && <Problem>{save.problem}</Problem>}
        <Answer {...{ query, words }}>
          {(data) => (
            <>
              <Select
                label={words.guestAdmission}
                options={ADMISSIONS.map((id) => ({ id, label: words.admissions[id] }))}
                value={data.guestAdmission}
                onChange={(guestAdmission) => void save.run({ guestAdmission })}
                busy={save.busy}
              />
              <Select
                label={words.language}
                options={MAIL_LANGUAGES.map((id) => ({ id, label: languageNames[id] }))}
                value={data.language}
                onChange={(language) => void save.run({ language })}
                busy={save.busy}
              />
              <Switch
                label={words.agents}
                hint={words.agentsHint}
                on={data.agents}
                onChange={(agents) => void save.run({ agents })}
                busy={save.busy}
              />
            </>
          )}
        </Answer>
      </div>
    </Card>
  )
}
