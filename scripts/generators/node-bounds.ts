/** What keeps one from taking a node from the others: the words, and every place that bounds something. */

interface Word {
  word: string
  meaning: string
  file: string
}

interface NodeBound {
  what: string
  of: string
  word: string
  /** Where the number stands. */
  set: string
  /** What is answered beyond it. */
  beyond: string
  file: string
}

export const WORDS: readonly Word[] = [
  {
    word: 'bound',
    meaning: 'what one input may be, looked at before it is read',
    file: 'server/src/platform/http/input/bounds.ts',
  },
  {
    word: 'budget',
    meaning: 'calls, bytes or tries in a time; PostgreSQL counts it for all nodes together',
    file: 'server/src/platform/limits/rate-limit.ts',
  },
  {
    word: 'pace',
    meaning:
      'a budget that each node counts for itself and that refills all the time; calls that come a little early wait',
    file: 'server/src/platform/limits/steady-rate.ts',
  },
  {
    word: 'charge',
    meaning: 'calls that a pace loses afterwards, for the time or the bytes that a call took',
    file: 'server/src/access/budgets/budgets.ts',
  },
  {
    word: 'door',
    meaning:
      'requests of one person, and of one organization, that a node works on at once; the others take turns. A person who alone has asked 1,000 times in a row has all but one of the share of their organization, until another person asks',
    file: 'server/src/platform/limits/requests-under-way.ts',
  },
  {
    word: 'waiting budget',
    meaning:
      'milliseconds that one request may wait for the door and the database, all its statements together',
    file: 'server/src/platform/database/waiting-budget.ts',
  },
  {
    word: 'lane',
    meaning: 'a worker of a queue in the background; a class of work has its own',
    file: 'server/src/platform/background/lanes.ts',
  },
]

export const NODE_BOUNDS: readonly NodeBound[] = [
  {
    what: 'size, depth and texts of an input',
    of: 'a request',
    word: 'bound',
    set: '`contract/input-bounds.ts`',
    beyond: '400 `invalid-input`, 413 `too-large`',
    file: 'server/src/platform/http/input/bounded-input.ts',
  },
  {
    what: 'calls, and what they are charged',
    of: 'a person, service token or directory',
    word: 'pace',
    set: 'the tables above',
    beyond: 'waits 10 s at most, then 429 `rate-limited`',
    file: 'server/src/access/budgets/call-budget.ts',
  },
  {
    what: 'sign-ins, codes, guests, invitations, exports, uploads …',
    of: 'a network, e-mail address, person or organization',
    word: 'budget',
    set: 'the tables above',
    beyond: '429 `rate-limited` with `Retry-After`',
    file: 'server/src/access/budgets/budgets.ts',
  },
  {
    what: 'limits that an operator may set for one organization or person',
    of: 'an organization or a person',
    word: 'budget',
    set: '`atrium organization limits`',
    beyond: '429 `rate-limited`, or the refusal of what would be one too many',
    file: 'server/src/access/budgets/counted-limits.ts',
  },
  {
    what: 'requests at once',
    of: 'a person, a link for guests, an admitted guest, an organization',
    word: 'door',
    set: '`REQUESTS_UNDER_WAY_PER_USER`, `REQUESTS_UNDER_WAY_PER_ORGANIZATION`',
    beyond:
      'waits its turn, 429 `rate-limited` where that takes too long, 503 where the database answered none of theirs in that time',
    file: 'server/src/compose/parts/access.ts',
  },
  {
    what: 'functions and rows of chat at the database at once',
    of: 'a person, an organization',
    word: 'door',
    set: 'fixed: functions 2 and 3 of 4 connections, rows 1 and 2 of 4',
    beyond: 'waits its turn, then 429 `PT429`',
    file: 'server/src/compose/parts/features/chat.ts',
  },
  {
    what: 'waiting for the door and the database',
    of: 'a request',
    word: 'waiting budget',
    set: '`DATABASE_WAIT_MS`',
    beyond: '503 `database-unavailable`',
    file: 'server/src/platform/database/bounded-pool.ts',
  },
  {
    what: 'connections',
    of: 'a network, a node',
    word: 'bound',
    set: '`CONNECTIONS_PER_ADDRESS`, `CONNECTIONS_MAX`',
    beyond: '503 in plain text, then closed; the longest idle one makes room first',
    file: 'server/src/platform/http/connections/connections.ts',
  },
  {
    what: 'commands to the embedded broker',
    of: 'a person',
    word: 'pace',
    set: 'fixed: 6,000 a minute, 4,000 at once',
    beyond: 'wait unread in their socket',
    file: 'embedded-broker/command-pace.ts',
  },
  {
    what: 'mails, deliveries of webhooks, erasures and the rest of the background',
    of: 'a class of work; organizations take turns',
    word: 'lane',
    set: 'fixed, beside each queue',
    beyond: 'waits in its table',
    file: 'server/src/platform/background/work-queue.ts',
  },
]

/** The section of `docs/operations/limits.md` about a node. */
export function nodeBounds(): string {
  const words = WORDS.map(({ word, meaning, file }) => `| ${word} | ${meaning} | \`${file}\` |`)
  const rows = NODE_BOUNDS.map(
    ({ what, of, word, set, beyond, file }) =>
      `| ${what} | ${of} | ${word} | ${set} | ${beyond} | \`${file}\` |`,
  )
  return `
## What keeps a node for everybody

${WORDS.length} words, each with one mechanism ([ADR 0031](../adr/0031-one-door.md)):

| word | meaning | where |
|---|---|---|
${words.join('\n')}

| what is bounded | of | by | set where | beyond it | where |
|---|---|---|---|---|---|
${rows.join('\n')}
`
}
