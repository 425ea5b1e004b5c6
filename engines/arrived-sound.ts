/** Of a track that is received, as a browser reports it. */
interface ReceivedSound {
  totalSamplesReceived?: number
  concealedSamples?: number
}

/** Samples that have come of a sound. Where nothing arrives, browsers make samples up: those are concealed. */
export function arrivedSamples(report: ReceivedSound | undefined): number {
  return (report?.totalSamplesReceived ?? 0) - (report?.concealedSamples ?? 0)
}
