import { AsyncLocalStorage } from 'node:async_hooks'

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

/** One step of a trace, as it begins. */
export interface SpanStart {
  /** Few, fixed words: names of operations, queues and tables, never an id or an address. */
  name: string
  /** A call to us, a call by us, or work that is handed over to be done later. */
  kind: 'server' | 'client' | 'producer' | 'consumer' | 'internal'
  attributes?: SpanAttributes
}

/** A step that has begun. */
export interface Span {
  /** The step as W3C Trace Context names it: what goes along with all that comes of it. */
  traceparent: string
  add(attributes: SpanAttributes): void
  /** @param error where the step has failed; of it only the name of its kind is told */
  end(error?: unknown): void
}

export interface Tracer {
  /** @param parent a `traceparent`; without one a trace begins */
  begin(start: SpanStart, parent: string | undefined): Span
}

let tracer: Tracer | undefined
const current = new AsyncLocalStorage<Span>()

/**
 * Traces this process. Without a tracer every function here costs one comparison.
 * @returns ends it
 */
export function traceWith(given: Tracer): () => void {
  tracer = given
  return () => {
    if (tracer === given) tracer = undefined
  }
}

export function isTracing(): boolean {
  return tracer !== undefined
}

/** The present step, for work that is written down to be done later. */
export function currentTraceparent(): string | undefined {
  return tracer && current.getStore()?.traceparent
}

/** Begins a step, of the one under way where no other parent is given. End it. */
export function beginSpan(start: SpanStart, parent = currentTraceparent()): Span | undefined {
  return tracer?.begin(start, parent)
}

/** Does something as part of a step. */
export function within<Result>(span: Span | undefined, work: () => Result): Result {
  return span ? current.run(span, work) : work()
}

/** Does something as a step of its own. */
export async function traced<Result>(
  start: SpanStart,
  work: () => Promise<Result>,
  parent = currentTraceparent(),
): Promise<Result> {
  const span = beginSpan(start, parent)
  if (!span) return await work()
  try {
    const result = await current.run(span, work)
    span.end()
    return result
  } catch (error) {
    span.end(error)
    throw error
  }
}

const TRACEPARENT = /^[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

/** The `traceparent` of a request, where it is valid. */
export function traceparentOf(given: unknown): string | undefined {
  return typeof given === 'string' && TRACEPARENT.test(given) ? given : undefined
}
