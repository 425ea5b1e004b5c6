import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { webhookText } from '@atrium/embedded-media/api/api-messages.ts'
import { type Egress, egressMessage, newEgress } from '@atrium/embedded-media/recording/egress.ts'
import { expect, it } from 'vitest'

const BODIES = fileURLToPath(new URL('../../adapters/livekit/fixtures/', import.meta.url))
const real = (name: string) =>
  JSON.parse(readFileSync(`${BODIES}${name}.json`, 'utf8')) as { egressInfo: object }

/** A value as its kind and the names of its fields: what differs from recording to recording is left out. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]))
}

const filepath = 'recordings/org_1/1.mp4'
const asked = { layout: 'grid', fileOutputs: [{ fileType: 'MP4', filepath, disableManifest: true }] }
const begun = newEgress({ sid: 'RM_1', name: 'room' }, asked, 1_000)
const active: Egress = { ...begun, status: 'EGRESS_ACTIVE', runningAtMs: 2_000 }
const ending: Egress = { ...active, status: 'EGRESS_ENDING', details: 'End reason: StopEgress API' }
const file = { filename: filepath, location: filepath, sizeBytes: 1, durationMs: 1 }

it.each([
  ['egress_started-starting', begun],
  ['egress_updated-active', active],
  ['egress_updated-ending', ending],
  ['egress_ended-complete', { ...ending, status: 'EGRESS_COMPLETE', endedAtMs: 3_000, file }],
] as const)('tells of a recording as a real recorder does: %s', (name, egress) => {
  const { egressInfo } = JSON.parse(webhookText({ egressInfo: egressMessage(egress) })) as {
    egressInfo: object
  }
  expect(shapeOf(egressInfo)).toEqual(shapeOf(real(name).egressInfo))
})
