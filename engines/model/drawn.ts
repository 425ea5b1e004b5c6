import fc from 'fast-check'

/** What is drawn for a step: a rule takes of it what it needs, and counts round in lists of its own. */
export const drawn = fc.record({
  who: fc.nat(4),
  device: fc.nat(1),
  whom: fc.nat(4),
  one: fc.nat(11),
  other: fc.nat(11),
  yes: fc.boolean(),
})
export type Drawn = typeof drawn extends fc.Arbitrary<infer Value> ? Value : never
