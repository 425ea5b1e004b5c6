import type { Setting } from './setting.ts'

const limit = { group: 'Invitations', kind: 'number', range: [0, 1_000_000] } as const

/** How many invitations may be mailed. */
export const invitationSettings = [
  {
    ...limit,
    name: 'RATE_LIMIT_INVITATIONS_PER_USER',
    default: '200',
    description: 'Invitations that one person may send in an hour; 0: no limit.',
  },
  {
    ...limit,
    name: 'RATE_LIMIT_INVITATIONS_PER_ORGANIZATION',
    default: '1000',
    description: 'Invitations that all people of one organization may send in a day; 0: no limit.',
  },
  {
    ...limit,
    name: 'RATE_LIMIT_INVITATIONS_PER_ADDRESS',
    default: '2000',
    description:
      'Invitations that all people of one network may send in a day, for whichever organizations; 0: no limit.',
  },
  {
    ...limit,
    name: 'RATE_LIMIT_INVITATIONS_PER_EMAIL',
    default: '3',
    description:
      'Mails of invitations that one address is sent in a day, from whichever organization; 0: no limit. Further ones are made and not mailed, which nobody is told: it would say that others invite the address too.',
  },
] as const satisfies readonly Setting[]
