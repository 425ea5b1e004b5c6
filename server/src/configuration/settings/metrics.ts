import type { Setting } from './setting.ts'

/** Settings of media events and of the metrics that are made of them. */
export const metricsSettings = [
  {
    name: 'WEBHOOK_DUPLICATE_WINDOW_SECONDS',
    group: 'Media events and metrics',
    kind: 'number',
    range: [1, 604_800],
    default: '600',
    description: 'How long an event of the media server is remembered: the same one again has no effect.',
  },
  {
    name: 'MEDIA_SWEEP_SECONDS',
    group: 'Media events and metrics',
    kind: 'number',
    range: [0, 86_400],
    default: '60',
    description:
      "How often what is known of rooms is compared with the media server's own lists; 0: never. What is missing twice is over. Recordings that run, and guests, are looked for all the same: without it a start of unknown outcome would block its room.",
  },
  {
    name: 'METRICS_REFRESH_SECONDS',
    group: 'Media events and metrics',
    kind: 'number',
    range: [1, 86_400],
    default: '300',
    description: 'How often the metrics of days and of presence are computed again.',
  },
  {
    name: 'METRICS_TOKEN',
    group: 'Media events and metrics',
    kind: 'secret',
    description:
      'Bearer token for /metrics; where it is set, it is always required. Without it /metrics answers on a loopback HOST and at METRICS_PORT alone, and never to what comes through a proxy.',
  },
  {
    name: 'METRICS_PORT',
    group: 'Media events and metrics',
    kind: 'number',
    range: [1, 65_535],
    description:
      'A port of its own for /metrics, in place of the path on PORT; without METRICS_TOKEN open to whoever reaches it. For networks that only the collector is in.',
  },
  {
    name: 'METRICS_PROJECT',
    group: 'Media events and metrics',
    kind: 'text',
    default: 'atrium',
    description: 'The label project of all metrics of rooms.',
  },
  {
    name: 'METRICS_REGION',
    group: 'Media events and metrics',
    kind: 'text',
    default: 'local',
    description: 'The label region of all metrics of rooms.',
  },
] as const satisfies readonly Setting[]
