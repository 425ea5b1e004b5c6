import type { Input } from '@atrium/client'
import { usePeople } from '@atrium/react'
import { Select } from '../../ui/fields/select.tsx'
import { useAdministrationWords } from '../../words/administration.ts'
import { useAuditWords } from '../../words/audit.ts'

type AuditInput = Input<'listAuditLog'>
type Action = NonNullable<AuditInput['action']>

/** Which entries are wanted; `all` of each: whatever. */
export interface AuditFilter {
  /** A User.id. */
  who: string
  action: Action | 'all'
  /** Of the last days. */
  days: '1' | '7' | '30' | 'all'
}

export const EVERYTHING: AuditFilter = { who: 'all', action: 'all', days: 'all' }

const DAYS = ['all', '1', '7', '30'] as const
const DAY_MS = 86_400_000

/** As the office is asked. Days begin at midnight: the same question stays the same for a day. */
export function filterInput({ who, action, days }: AuditFilter, now = new Date()): Partial<AuditInput> {
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate())
  const since = days === 'all' ? undefined : new Date(today.getTime() - (Number(days) - 1) * DAY_MS)
  return {
    ...(who === 'all' ? {} : { actorKind: 'user', actorId: who }),
    ...(action === 'all' ? {} : { action }),
    ...(since ? { since: since.toISOString() } : {}),
  }
}

/** Who, what and when: each narrows the trail down. */
export function AuditFilters({
  filter,
  onChange,
}: {
  filter: AuditFilter
  onChange(filter: AuditFilter): void
}) {
  const { who, what, when, auditFilters: words } = useAdministrationWords()
  const { actions } = useAuditWords()
  const { people } = usePeople()
  const all = { id: 'all', label: words.all }
  const persons = people.map(({ id, displayName, email }) => ({ id, label: displayName || email }))
  const done = (Object.entries(actions) as [Action, string][]).map(([id, label]) => ({ id, label }))
  done.sort((one, other) => one.label.localeCompare(other.label))
  return (
    <fieldset className="audit-filters">
      <legend className="visually-hidden">{words.label}</legend>
      <Select
        label={who}
        options={[all, ...persons]}
        value={filter.who}
        onChange={(next) => onChange({ ...filter, who: next })}
      />
      <Select<AuditFilter['action']>
        label={what}
        options={[{ ...all, id: 'all' as const }, ...done]}
        value={filter.action}
        onChange={(action) => onChange({ ...filter, action })}
      />
      <Select
        label={when}
        options={DAYS.map((id) => ({ id, label: words.days[id] }))}
        value={filter.days}
        onChange={(days) => onChange({ ...filter, days })}
      />
    </fieldset>
  )
}
