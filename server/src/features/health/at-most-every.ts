/** Work that is done at most once in so long, however many ask; all that ask meanwhile share its outcome. */
export function atMostEvery(milliseconds: number, work: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> | undefined
  let next = Number.NEGATIVE_INFINITY
  return async () => {
    const now = performance.now()
    if (!last || now >= next) {
      next = now + milliseconds
      last = work()
    }
    await last
  }
}
