import { setTimeout as pause } from 'node:timers/promises'

const LONGEST_WAIT_SECONDS = 90

/**
 * A fetch that takes a rate limit as what it is: it waits as long as `Retry-After` asks and sends the request again.
 * So walks can go through an office with limits of its own.
 */
export const patientFetch: typeof globalThis.fetch = async (input, init) => {
  for (;;) {
    const response = await fetch(input, init)
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    if (response.status !== 429 || !(seconds <= LONGEST_WAIT_SECONDS)) return response
    await response.body?.cancel()
    console.log(`    … rate limit: waiting ${seconds} s`)
    await pause((seconds + 1) * 1000)
  }
}

/** Asks again and again until there is an answer; fails naming what it waited for. */
export async function waitFor<Result>(
  what: string,
  limitMs: number,
  ask: () => Promise<Result | undefined>,
): Promise<Result> {
  const deadline = Date.now() + limitMs
  for (;;) {
    const answer = await ask()
    if (answer !== undefined) return answer
    if (Date.now() > deadline) throw new Error(`${what} did not come within ${limitMs / 1000} s`)
    await pause(100)
  }
}
