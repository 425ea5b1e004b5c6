import type { Chat } from '@atrium/client/chat'
import { useChat } from '@atrium/react'
import { useEffect, useState } from 'react'
import { sentenceOf } from '../../live/problem.ts'
import { type Action, useAction } from '../../live/use-action.ts'
import { useProblemsWords } from '../../words/problems.ts'

export type Query = Parameters<Chat['search']>[0]
type Found = Awaited<ReturnType<Chat['search']>>

/** What is typed is asked for after this. */
const TYPED_MS = 250

export interface Search {
  hits: Found['hits']
  /** It is known what there is. */
  isKnown: boolean
  problem: string | undefined
  /** Undefined: there are no more. */
  more: Action<[]> | undefined
}

/** Messages that fit a query. Of several questions the newest counts. */
export function useSearch(query: Query): Search {
  const chat = useChat()
  const words = useProblemsWords()
  const key = JSON.stringify(query)
  const [found, setFound] = useState<{ key: string; page?: Found; thrown?: unknown }>()
  useEffect(() => {
    let isWanted = true
    const keep = (outcome: { page?: Found; thrown?: unknown }) => isWanted && setFound({ key, ...outcome })
    const timer = setTimeout(() => {
      chat?.search(JSON.parse(key)).then(
        (page) => keep({ page }),
        (thrown: unknown) => keep({ thrown }),
      )
    }, TYPED_MS)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [chat, key])
  const page = found?.key === key ? found.page : undefined
  const more = useAction(async () => {
    if (!chat || !page?.cursor) return
    const next = await chat.search({ ...query, cursor: page.cursor })
    setFound({ key, page: { cursor: next.cursor, hits: [...page.hits, ...next.hits] } })
  })
  const thrown = found?.key === key ? found.thrown : undefined
  return {
    hits: page?.hits ?? [],
    isKnown: page !== undefined,
    problem: thrown === undefined ? more.problem : sentenceOf(thrown, words),
    more: page && page.cursor !== null ? more : undefined,
  }
}
