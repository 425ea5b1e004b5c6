import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { client } from '../live/office-client.ts'
import { useAction } from '../live/use-action.ts'

/** An address is good for five minutes: an error sooner than this is the film's. */
const RENEWED_AFTER_MS = 60_000

interface FilmAddress {
  url: string | undefined
  problem: string | undefined
  /** The film could not be read on: asks for another address, and goes on where it was. */
  renew(): void
}

/** Where the film of a recording can be read from. */
export function useFilmAddress(recordingId: string, video: RefObject<HTMLVideoElement | null>): FilmAddress {
  const [url, setUrl] = useState<string>()
  const askedAt = useRef(0)
  const { run, problem } = useAction(async () => {
    askedAt.current = performance.now()
    const { downloadUrl } = await client.call('downloadRecording', { recordingId })
    const { currentTime: stoodAt = 0, paused: wasPaused = true } = video.current ?? {}
    setUrl(downloadUrl)
    video.current?.addEventListener(
      'loadedmetadata',
      ({ currentTarget }) => goOn(currentTarget, stoodAt, wasPaused),
      {
        once: true,
      },
    )
  })
  useEffect(() => void run(), [run])
  const renew = useCallback(() => {
    if (performance.now() - askedAt.current > RENEWED_AFTER_MS) void run()
  }, [run])
  return { url, problem, renew }
}

function goOn(player: EventTarget | null, stoodAt: number, wasPaused: boolean): void {
  if (!(player instanceof HTMLVideoElement) || stoodAt === 0) return
  player.currentTime = stoodAt
  if (!wasPaused) player.play().catch(() => {})
}
