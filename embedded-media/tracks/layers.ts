import { type MissingPackets, openMissingPackets } from './missing-packets.ts'
import { aheadOf, isBefore, numberBefore } from './sequence-numbers.ts'

export interface Arrivals {
  expected: number
  received: number
}

/** A simulcast layer that arrives. */
export interface Layer extends Arrivals {
  highest: number
  source: number
  lastAt: number
  askedAt: number
  missing: MissingPackets
}

/** By their name; the only one of what has none is called by the empty name. */
export type Layers = Map<string, Layer>

/** By quality. */
const NAMES = ['q', 'h', 'f']
const LIVES_MS = 1_500

/** Counts a packet. A source that is another one begins its layer anew. */
export function arrived(layers: Layers, name: string, source: number, sequenceNumber: number): Layer {
  const known = layers.get(name)
  const layer = known?.source === source ? known : newLayer(source, sequenceNumber)
  layers.set(name, layer)
  layer.lastAt = performance.now()
  count(layer, sequenceNumber)
  return layer
}

export function liveLayers(layers: Layers): string[] {
  const since = performance.now() - LIVES_MS
  return [...layers].filter(([, { lastAt }]) => lastAt > since).map(([name]) => name)
}

/** The best that arrives, of those up to the quality (0 to 2); undefined where none does. */
export function layerFor(layers: Layers, quality: number): string | undefined {
  const live = new Set(liveLayers(layers))
  if (live.has('')) return ''
  const upTo = NAMES.slice(0, quality + 1).findLast((name) => live.has(name))
  return upTo ?? NAMES.find((name) => live.has(name))
}

/** Packets of all layers since the last time. */
export function takeArrivals(layers: Layers): Arrivals {
  const sum = { expected: 0, received: 0 }
  for (const layer of layers.values()) {
    sum.expected += layer.expected
    sum.received += layer.received
    layer.expected = 0
    layer.received = 0
  }
  return sum
}

function newLayer(source: number, sequenceNumber: number): Layer {
  const highest = numberBefore(sequenceNumber, 1)
  const nothing = { lastAt: 0, askedAt: Number.NEGATIVE_INFINITY, expected: 0, received: 0 }
  return { source, highest, missing: openMissingPackets(), ...nothing }
}

function count(layer: Layer, sequenceNumber: number): void {
  layer.received += 1
  const ahead = aheadOf(sequenceNumber, layer.highest)
  const isLate = ahead === 0 || isBefore(sequenceNumber, layer.highest)
  layer.missing.arrived(sequenceNumber, isLate ? 0 : ahead)
  // late ones were expected before
  if (isLate) return
  layer.expected += ahead
  layer.highest = sequenceNumber
}
