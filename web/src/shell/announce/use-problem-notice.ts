import { sentenceOf } from '../../live/problem.ts'
import { notices } from '../../ui/overlays/notices.ts'
import { useProblemsWords } from '../../words/problems.ts'

/** Says beside every screen why something could not be done, where what was pressed has no place to say it. */
export function useProblemNotice(): (error: unknown) => void {
  const words = useProblemsWords()
  return (error) => notices.show({ text: sentenceOf(error, words) })
}
