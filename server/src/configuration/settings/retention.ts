import type { Setting } from './setting.ts'

const days = { group: 'Retention', kind: 'number', range: [0, 36_500] } as const

/** How long things are kept at most. Organizations may decide to keep them for less. Recordings are among those of rooms. */
export const retentionSettings = [
  {
    ...days,
    name: 'CHAT_RETENTION_DAYS',
    default: '0',
    description: 'After how many days messages are deleted; 0: they are kept. Organizations may choose less.',
  },
  {
    ...days,
    name: 'AUDIT_RETENTION_DAYS',
    default: '0',
    description:
      'After how many days entries of audit trails are removed; 0: they are kept. Organizations may choose less.',
  },
  {
    ...days,
    range: [1, 36_500],
    name: 'AUDIT_RETENTION_DAYS_MIN',
    default: '90',
    description: 'The fewest days that an organization may keep its audit trail for.',
  },
] as const satisfies readonly Setting[]
