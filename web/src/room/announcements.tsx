import { useEffect, useRef, useState } from 'react'
import type { PersonInCall } from '../media/call-state.ts'
import { de } from '../words/de/stage.ts'
import { en } from '../words/en/stage.ts'
import { useWords } from '../words/use-words.ts'

/** Said to whoever hears the page: who comes in, and once of each whose connection is weak. */
export function Announcements({ people }: { people: readonly PersonInCall[] }) {
  const words = useWords({ en, de })
  const [said, setSaid] = useState('')
  const known = useRef<ReadonlySet<string>>(undefined)
  const weak = useRef(new Set<string>())
  useEffect(() => {
    const others = people.filter(({ isOwn }) => !isOwn)
    const came = others.filter(({ identity }) => known.current?.has(identity) === false)
    const weaker = others.filter(
      ({ identity, connection }) => connection === 'poor' && !weak.current.has(identity),
    )
    for (const { identity } of weaker) weak.current.add(identity)
    // alone, one is on the way in or back: then nobody is new
    known.current = people.length === 0 ? undefined : new Set(people.map(({ identity }) => identity))
    const sentences = [
      ...came.map(({ name }) => words.cameIn(name)),
      ...weaker.map(({ name }) => words.weak(name)),
    ]
    if (sentences.length > 0) setSaid(sentences.join('. '))
  }, [people, words])
  return (
    <p role="status" className="visually-hidden">
      {said}
    </p>
  )
}
