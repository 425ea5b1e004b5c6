import type { Setting } from './setting.ts'

/** How much one network, one person and one program may ask for. */
export const callSettings = [
  {
    name: 'RATE_LIMIT_SIGN_IN_PER_ADDRESS',
    group: 'Sign-in',
    kind: 'number',
    range: [0, 1_000_000],
    default: '60',
    description:
      'Calls to any way in that one network may make in a minute (a whole company may sit behind one); 0: no limit.',
  },
  {
    name: 'RATE_LIMIT_PER_USER',
    group: 'Sign-in',
    kind: 'number',
    range: [0, 1_000_000],
    default: '600',
    description:
      'Calls with a session or a chat token that one person may make in a minute: up to a sixth of them at once (100 at least), the others little by little, for which a call waits up to 10 seconds; 0: no limit.',
  },
  {
    name: 'RATE_LIMIT_PER_TOKEN',
    group: 'Sign-in',
    kind: 'number',
    range: [0, 1_000_000],
    default: '600',
    description:
      'Calls that may be made with one service token in a minute, given in the same way; 0: no limit.',
  },
  {
    name: 'RATE_LIMIT_TOKENS_PER_ORGANIZATION',
    group: 'Sign-in',
    kind: 'number',
    range: [0, 10_000_000],
    description:
      'Calls that may be made with all service tokens of one organization together in a minute; 0: no limit. Five times RATE_LIMIT_PER_TOKEN where not set.',
  },
  {
    name: 'RATE_LIMIT_SIGN_ON_TRIALS_PER_ORGANIZATION',
    group: 'Sign-in',
    kind: 'number',
    range: [0, 1_000_000],
    default: '60',
    description:
      'Looks for the DNS records of its domains and test sign-ins that one organization may ask for in an hour; 0: no limit.',
  },
  {
    name: 'RATE_LIMIT_PER_DIRECTORY',
    group: 'Sign-in',
    kind: 'number',
    range: [0, 1_000_000],
    default: '1800',
    description:
      'SCIM calls that may be made with one directory connection in a minute, given in the same way; 0: no limit.',
  },
  {
    name: 'REQUESTS_UNDER_WAY_PER_USER',
    group: 'Sign-in',
    kind: 'number',
    range: [0, 1_000],
    default: '2',
    description:
      'Requests with a session, a chat token or a service token that a node works on at the same time for one person or program; further ones wait, as long as for the database (DATABASE_WAIT_MS). Those that have asked another server (a calendar, the media server) are not counted, nor those that are answered by a statement which others have asked for. A person who alone has asked 1,000 times in a row has all but one of the share of the organization, until another person asks. 0: no limit.',
  },
  {
    name: 'REQUESTS_UNDER_WAY_PER_ORGANIZATION',
    group: 'Sign-in',
    kind: 'number',
    range: [0, 10_000],
    description:
      'The same for all of one organization, who take turns. Six tenths of DATABASE_POOL_SIZE where not set, so that others always find a connection; 0: no limit.',
  },
] as const satisfies readonly Setting[]
