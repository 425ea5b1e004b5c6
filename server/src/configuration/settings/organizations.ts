import type { Setting } from './setting.ts'

const limit = { group: 'Organizations', kind: 'number' } as const
const some = { ...limit, range: [1, 10_000] } as const

/** How many organizations, and how much one may have; `atrium organization limits` says otherwise for one of them. */
export const organizationSettings = [
  {
    ...limit,
    name: 'ORGANIZATIONS_PER_USER',
    range: [0, 10_000],
    default: '20',
    description:
      'Organizations that one person may found: those that are there, and those deleted less than a day ago; 0: no limit.',
  },
  {
    ...some,
    name: 'ROOMS_PER_ORGANIZATION',
    default: '1000',
    description: 'Rooms of one organization. They are listed all at once.',
  },
  {
    ...some,
    name: 'WEBHOOKS_PER_ORGANIZATION',
    default: '20',
    description: 'Webhooks of one organization.',
  },
  {
    ...limit,
    name: 'RATE_LIMIT_WEBHOOK_TESTS_PER_HOST',
    range: [0, 10_000],
    default: '3',
    description:
      'Tests that an organization may ask for to one host in an hour, beside the first of each new address, before its receiver has agreed; 0: no limit.',
  },
  {
    ...limit,
    name: 'RATE_LIMIT_WEBHOOK_TESTS_PER_ADDRESS',
    range: [0, 10_000],
    default: '30',
    description:
      'Tests of all organizations together, first ones too, asked for from one network address in an hour; 0: no limit.',
  },
  {
    ...some,
    name: 'SERVICE_TOKENS_PER_ORGANIZATION',
    default: '100',
    description: 'Service tokens of one organization.',
  },
  {
    ...some,
    name: 'BOTS_PER_ORGANIZATION',
    default: '50',
    description: 'Bots of one organization.',
  },
  {
    ...some,
    name: 'DIRECTORY_CONNECTIONS_PER_ORGANIZATION',
    default: '50',
    description: 'Directory connections (SCIM) of one organization.',
  },
  {
    ...some,
    name: 'DOMAINS_PER_ORGANIZATION',
    default: '50',
    description: 'Domains that one organization may claim.',
  },
  {
    ...limit,
    name: 'RATE_LIMIT_MESSAGES_PER_CONVERSATION',
    range: [0, 10_000],
    default: '5',
    description: 'Chat messages that one person may send to one conversation in 10 seconds; 0: no limit.',
  },
  {
    ...limit,
    name: 'RATE_LIMIT_MESSAGES_PER_USER',
    range: [0, 10_000],
    default: '20',
    description: 'Chat messages that one person may send in one organization in a minute; 0: no limit.',
  },
  {
    ...limit,
    name: 'RATE_LIMIT_GROUPS_PER_USER',
    range: [0, 10_000],
    default: '10',
    description: 'Groups of the chat that one person may make in one organization in a minute; 0: no limit.',
  },
  {
    ...some,
    name: 'PEOPLE_PER_GROUP',
    default: '50',
    description: 'People in a new group of the chat, besides whoever makes it.',
  },
  {
    ...limit,
    name: 'RATE_LIMIT_REACTIONS_PER_USER',
    range: [0, 10_000],
    default: '60',
    description:
      'Reactions to chat messages that one person may give in a minute, what is given again or refused included; 0: no limit.',
  },
  {
    ...limit,
    name: 'CHAT_EDIT_MINUTES',
    range: [0, 525_600],
    default: '0',
    description:
      'Minutes after sending in which a chat message may be changed or deleted by its author; 0: always.',
  },
  {
    ...limit,
    name: 'CHAT_FILE_BYTES',
    range: [1, 1_073_741_824],
    default: '26214400',
    description:
      'Bytes that one file of the chat has at most. A proxy before a server that keeps files itself has to let as many through.',
  },
  {
    ...limit,
    name: 'RATE_LIMIT_FILE_BYTES_PER_USER',
    range: [0, 1_000_000_000_000],
    default: '536870912',
    description:
      'Bytes of files that one person may put into conversations of one organization in an hour; 0: no limit. A ticket counts as the bytes that it is for.',
  },
  {
    ...limit,
    name: 'RATE_LIMIT_FILE_BYTES_PER_ORGANIZATION',
    range: [0, 1_000_000_000_000],
    default: '10737418240',
    description:
      'Bytes of files that all people of one organization may put into conversations in a day; 0: no limit.',
  },
] as const satisfies readonly Setting[]
