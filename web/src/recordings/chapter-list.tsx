import { useFilmWords } from '../words/film.ts'
import { type Chapter, momentOf } from './speech.ts'

interface ChapterListProps {
  chapters: readonly Chapter[]
  nameOf(chapter: Chapter): string
  /** @param at in seconds from the beginning */
  onChoose(at: number): void
}

/** What happened, each a button that goes there. */
export function ChapterList({ chapters, nameOf, onChoose }: ChapterListProps) {
  const words = useFilmWords()
  if (chapters.length === 0) return null
  return (
    <section>
      <h2>{words.chapters}</h2>
      <ol className="film-chapters">
        {chapters.map((chapter, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two may happen at one moment, and their order never changes
          <li key={index}>
            <button type="button" className="film-chapter" onClick={() => onChoose(chapter.at)}>
              <span className="film-moment">{momentOf(chapter.at)}</span>
              {words.happened[chapter.kind](nameOf(chapter))}
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
}
