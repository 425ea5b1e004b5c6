/** The highest quality that a subscriber wants, as the publisher is told of it; undefined: none is wanted. */
export interface WantedQuality {
  told(): number | undefined
  /** More is told at once. */
  tell(most: number | undefined): void
  close(): void
}

const BEST = 2
/** Less is told later than more: people scroll, and come back. */
const LESS_AFTER_MS = 5_000

export function openWantedQuality(onWanted: (quality: number | undefined) => void): WantedQuality {
  let told: number | undefined = BEST
  let less: NodeJS.Timeout | undefined
  return {
    told: () => told,
    tell(most) {
      clearTimeout(less)
      const tell = () => {
        told = most
        onWanted(most)
      }
      if ((most ?? -1) > (told ?? -1)) tell()
      else if (most !== told) less = setTimeout(tell, LESS_AFTER_MS)
    },
    close: () => clearTimeout(less),
  }
}
