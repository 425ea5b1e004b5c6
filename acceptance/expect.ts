import assert from 'node:assert/strict'
import type { RawAnswer } from './raw-http.ts'

interface Answered {
  status: number
  headers: Headers
  body?: unknown
}

/** The answer, known to have that status (and so that body). Fails with the body of what came instead. */
export function expectStatus<Got extends Answered, Status extends Got['status']>(
  answer: Got,
  status: Status,
): Extract<Got, { status: Status }> {
  if (answer.status !== status) {
    assert.fail(`expected ${status}, got ${answer.status}: ${JSON.stringify(answer.body)}`)
  }
  return answer as Extract<Got, { status: Status }>
}

/** Expects a refusal in the shape of the spec, with the status as its `code`. @returns its body without `requestId` */
export function expectRefusal(
  answer: Answered | RawAnswer,
  status: number,
): { code: number; message: string } & Record<string, unknown> {
  const body = 'text' in answer ? parseJson(answer) : answer.body
  if (answer.status !== status)
    assert.fail(`expected ${status}, got ${answer.status}: ${JSON.stringify(body)}`)

  assert.ok(
    typeof body === 'object' && body !== null,
    `the refusal has no JSON object: ${JSON.stringify(body)}`,
  )
  const { requestId: _, ...said } = body as { code: number; message: string; requestId?: string }
  assert.equal(said.code, status, `code repeats the status: ${JSON.stringify(body)}`)
  assert.ok(typeof said.message === 'string' && said.message !== '', `no message: ${JSON.stringify(body)}`)
  return said
}

export function expectMediaType(answer: { headers: Headers }, mediaType: string): void {
  assert.equal(answer.headers.get('content-type')?.split(';')[0], mediaType)
}

/** The body of an answer that must be JSON. */
export function parseJson(answer: RawAnswer): unknown {
  expectMediaType(answer, 'application/json')
  return JSON.parse(answer.text)
}
