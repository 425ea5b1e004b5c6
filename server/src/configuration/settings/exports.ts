import type { Setting } from './setting.ts'

const limit = { group: 'Exports', kind: 'number', range: [0, 1_000_000] } as const

/** How many archives may be made. */
export const exportSettings = [
  {
    ...limit,
    name: 'RATE_LIMIT_EXPORTS_PER_USER',
    default: '5',
    description: 'Archives of their own that one person may have made in a day; 0: no limit.',
  },
  {
    ...limit,
    name: 'RATE_LIMIT_EXPORTS_PER_ORGANIZATION',
    default: '5',
    description: 'Archives of one organization that its admins may have made in a day; 0: no limit.',
  },
] as const satisfies readonly Setting[]
