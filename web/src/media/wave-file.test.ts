import { expect, it } from 'vitest'
import { chime, waveFile } from './wave-file.ts'

it('is a file of one channel with as many samples as it was given', () => {
  const bytes = waveFile(new Float32Array([0, 1, -1, 2]), 8_000)
  const view = new DataView(bytes.buffer)
  expect(new TextDecoder().decode(bytes.subarray(0, 4))).toBe('RIFF')
  expect(new TextDecoder().decode(bytes.subarray(8, 16))).toBe('WAVEfmt ')
  expect([view.getUint32(4, true), view.getUint32(24, true), view.getUint32(40, true)]).toEqual([
    44, 8_000, 8,
  ])
  expect([0, 1, 2, 3].map((at) => view.getInt16(44 + 2 * at, true))).toEqual([0, 32_767, -32_767, 32_767])
})

it('has a chime that is heard, begins and ends in silence, and hurts no ear', () => {
  const samples = chime(8_000)
  const loudest = Math.max(...samples.map(Math.abs))
  expect(loudest).toBeGreaterThan(0.2)
  expect(loudest).toBeLessThanOrEqual(0.4)
  expect(samples[0]).toBe(0)
  expect(Math.abs(samples.at(-1) ?? 1)).toBeLessThan(0.01)
})
