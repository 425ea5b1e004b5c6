import type { Setting } from './setting.ts'

/** Settings of traces (docs/traces.md). */
export const tracesSettings = [
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    group: 'Traces',
    kind: 'url',
    description:
      'A collector that takes OTLP over HTTP (http://collector:4318): every request is sent to it as a trace, with its statements, events, background work and calls outside (docs/traces.md). Where not set, nothing is traced.',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    group: 'Traces',
    kind: 'secret',
    description: 'Headers that the collector requires: name=value, separated by commas.',
  },
  {
    name: 'OTEL_SERVICE_NAME',
    group: 'Traces',
    kind: 'text',
    default: 'atrium',
    description: 'What this office is called there.',
  },
  {
    name: 'TRACES_SAMPLE_PERCENT',
    group: 'Traces',
    kind: 'number',
    range: [0, 100],
    default: '100',
    description:
      'Of a hundred traces that begin here, how many are sent. Those that a proxy of TRUST_PROXY has begun are sent or not as it says.',
  },
] as const satisfies readonly Setting[]
