import { useEffect, useRef, useState } from 'react'
import type { CallState } from '../media/call-state.ts'
import { useStageWords } from '../words/stage.ts'
import { sayingForAWhile } from './said-for-a-while.ts'

/** Said to a listener of the page: who comes in, and once of each person with a weak connection. */
export function Announcements({ people, phase }: Pick<CallState, 'people' | 'phase'>) {
  const words = useStageWords()
  const [said, setSaid] = useState('')
  const [{ say, stop }] = useState(() => sayingForAWhile(setSaid))
  useEffect(() => stop, [stop])
  const known = useRef<ReadonlySet<string>>(undefined)
  const weak = useRef(new Set<string>())
  useEffect(() => {
    // a person who comes back finds the others there: none of them is new
    if (phase !== 'inside') {
      known.current = undefined
      return
    }
    const others = people.filter(({ isOwn }) => !isOwn)
    const came = others.filter(({ identity }) => known.current?.has(identity) === false)
    const weaker = others.filter(
      ({ identity, connection }) => connection === 'poor' && !weak.current.has(identity),
    )
    for (const { identity } of weaker) weak.current.add(identity)
    known.current = new Set(people.map(({ identity }) => identity))
    const sentences = [
      ...came.map(({ name }) => words.cameIn(name)),
      ...weaker.map(({ name }) => words.weak(name)),
    ]
    if (sentences.length > 0) say(sentences.join('. '))
  }, [people, phase, words, say])
  return (
    <p role="status" className="visually-hidden">
      {said}
    </p>
  )
}
