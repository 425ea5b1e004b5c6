import type { CaptureKind } from '../media/call-state.ts'
import type { CaptureProblem } from '../media/capture-problem.ts'
import type { en } from '../words/en/room.ts'

/** What somebody is told whose device could not be opened. */
export function captureSentence(kind: CaptureKind, problem: CaptureProblem, words: typeof en): string {
  const device = { microphone: words.microphone, camera: words.camera, screen: words.share }[kind]
  return words.problems[problem](device)
}
