import type { Setting } from './setting.ts'

const limit = { group: 'Sign-in', kind: 'number', range: [0, 1_000_000] } as const

/** Settings of e-mailed codes: how many, and how many wrong ones. */
export const codeSettings = [
  {
    ...limit,
    name: 'RATE_LIMIT_CODES_PER_EMAIL',
    default: '5',
    description:
      'Codes that one e-mail address may be mailed in a minute because of one network (sign-in, sign-up, resend); 0: no limit.',
  },
  {
    ...limit,
    name: 'RATE_LIMIT_CODES_PER_EMAIL_HOUR',
    default: '20',
    description:
      'Codes that one e-mail address may be mailed in an hour, whoever asks; browsers that it has signed in with before are exempt. 0: no limit.',
  },
  {
    ...limit,
    name: 'RATE_LIMIT_GUESSES_PER_ADDRESS',
    default: '50',
    description:
      'Wrong codes that one network may send in an hour; browsers of earlier sign-ins are counted apart. 0: no limit.',
  },
  {
    ...limit,
    name: 'RATE_LIMIT_GUESSES_PER_EMAIL_HOUR',
    default: '10',
    description:
      'Wrong codes for one e-mail address in an hour, whoever sends them. Browsers that it has signed in with before have as many of their own. 0: no limit.',
  },
  {
    ...limit,
    name: 'RATE_LIMIT_GUESSES_PER_EMAIL_DAY',
    default: '30',
    description: 'The same in a day; 0: no limit.',
  },
] as const satisfies readonly Setting[]
