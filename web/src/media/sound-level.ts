const EVERY_MS = 100

/** Tells again and again how loud it is, from 0 to 1. @returns what ends it */
export function followLevel(stream: MediaStream, tell: (level: number) => void): () => void {
  const context = new AudioContext()
  const analyser = context.createAnalyser()
  analyser.fftSize = 512
  context.createMediaStreamSource(stream).connect(analyser)
  const samples = new Float32Array(analyser.fftSize)
  const timer = setInterval(() => {
    analyser.getFloatTimeDomainData(samples)
    tell(levelOf(samples))
  }, EVERY_MS)
  return () => {
    clearInterval(timer)
    void context.close().catch(() => {})
  }
}

/** Of 60 decibels, the part that is heard: speech is somewhere in the middle. */
export function levelOf(samples: ArrayLike<number>): number {
  let sum = 0
  for (let at = 0; at < samples.length; at++) sum += (samples[at] ?? 0) ** 2
  const decibels = 20 * Math.log10(Math.sqrt(sum / Math.max(1, samples.length)) || 1e-9)
  return Math.min(1, Math.max(0, (decibels + 60) / 60))
}
