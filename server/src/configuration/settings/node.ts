import type { Setting } from './setting.ts'

/** What one node takes from its clients, and how it leaves them. */
export const nodeSettings = [
  {
    name: 'CONNECTIONS_MAX',
    group: 'The office',
    kind: 'number',
    range: [0, 10_000_000],
    default: '0',
    description:
      'Connections of clients that one node holds, WebSockets of the embedded broker included; 0: as many as the limit of open files allows, with room kept for the database and files (docs/operations/connections.md).',
  },
  {
    name: 'CONNECTIONS_PER_ADDRESS',
    group: 'The office',
    kind: 'number',
    range: [0, 10_000_000],
    default: '0',
    description:
      'Connections that one network (an address, an IPv6 /64) may have to one node; 0: half of all. Addresses in TRUST_PROXY have as many as there are.',
  },
  {
    name: 'DRAIN_NOTICE_SECONDS',
    group: 'The office',
    kind: 'number',
    range: [0, 300],
    description:
      'How long a node that is told to stop says so (/health/ready 503, `Connection: close`) and still takes requests, for load balancers to notice. 5 in production, 0 elsewhere; what ends it has to wait for a minute more.',
  },
] as const satisfies readonly Setting[]
