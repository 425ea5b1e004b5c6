import type { SourceKind } from '../../media/call-state.ts'
import type { DeviceProblem } from '../../media/devices/device-problem.ts'
import type { en } from '../../words/en/room.ts'

/** What a person is told where their device could not be opened. */
export function problemSentence(kind: SourceKind, problem: DeviceProblem, words: typeof en): string {
  const device = { microphone: words.microphone, camera: words.camera, screen: words.share }[kind]
  return words.problems[problem](device)
}
