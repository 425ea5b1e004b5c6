/** Stories that are told on each commit: those that have found something, and some that go far. */
export const keptSeeds: readonly number[] = [
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 245_453_344, 245_453_439],
]
