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
    description: 'Calls with a session or a chat token that one person may make in a minute; 0: no limit.',
  },
  {
    name: 'RATE_LIMIT_PER_TOKEN',
    group: 'Sign-in',
    kind: 'number',
    range: [0, 1_000_000],
    default: '600',
    description: 'Calls that may be made with one service token in a minute; 0: no limit.',
  },
] as const satisfies readonly Setting[]
