import { useFilmWords } from '../words/film.ts'
import { type Chapter, momentOf, speechOf } from './speech.ts'

interface SpeechStripProps {
  chapters: readonly Chapter[]
  nameOf(chapter: Chapter): string
  durationSeconds: number
}

/** Who spoke when: a line for each, nothing where no speech is known. */
export function SpeechStrip({ chapters, nameOf, durationSeconds }: SpeechStripProps) {
  const words = useFilmWords()
  const speech = speechOf(chapters, nameOf)
  if (speech.length === 0) return null
  const end = Math.max(durationSeconds, ...speech.flatMap(({ turns }) => turns.map(({ until }) => until)))
  const share = (seconds: number) => `${(100 * seconds) / end}%`
  return (
    <section>
      <h2>{words.speech}</h2>
      <dl className="speech">
        {speech.map(({ who, name, seconds, turns }) => (
          <div key={who} className="speech-line">
            <dt>{name}</dt>
            <dd>
              <span className="speech-turns" aria-hidden="true">
                {turns.map(({ at, until }) => (
                  <span
                    key={at}
                    className="speech-turn"
                    style={{ left: share(at), width: share(until - at) }}
                  />
                ))}
              </span>
              <span className="soft">{momentOf(seconds)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
