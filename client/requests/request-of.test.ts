import { methods } from '@atrium/contract'
import { expect, it } from 'vitest'
import { parseWire, requestOf } from './request-of.ts'

const probe = parseWire('probe', 'POST /rooms/{id}/places/{place}?limit,tag {}')

it('reads a line of the table', () => {
  expect(probe).toEqual({
    method: 'POST',
    path: '/rooms/{id}/places/{place}',
    query: ['limit', 'tag'],
    body: true,
    idempotent: false,
  })
  expect(parseWire('bare', 'GET /user')).toMatchObject({ query: [], body: false })
  expect(parseWire('safe', 'POST /user {} idempotent')).toMatchObject({ body: true, idempotent: true })
  expect(() => parseWire('missing', undefined)).toThrow(TypeError)
})

it('splits the input into path, query and body', () => {
  expect(requestOf(probe, { id: 'a', place: 4, limit: 10, tag: ['x', 'y z'], name: 'Ada' })).toEqual({
    method: 'POST',
    target: '/rooms/a/places/4?limit=10&tag=x&tag=y+z',
    body: '{"name":"Ada"}',
    idempotencyKey: undefined,
  })
})

it.each(methods)('sends %s as the table says', (method) => {
  expect(requestOf({ ...probe, method }, { id: 'a', place: 4 })).toMatchObject({ method })
})

it('sends nothing that is undefined, and nothing twice', () => {
  const request = requestOf(probe, { id: 'a', place: 4, limit: undefined, note: undefined })
  expect(request).toMatchObject({ method: 'POST', target: '/rooms/a/places/4', body: '{}' })
})

it('sends no body where none is declared', () => {
  expect(requestOf({ ...probe, body: false }, { id: 'a', place: 4, name: 'Ada' }).body).toBeUndefined()
})

it('keeps a value inside its step of the path', () => {
  expect(requestOf(probe, { id: '../x?y#z', place: 1 }).target).toBe('/rooms/..%2Fx%3Fy%23z/places/1')
})

it.each([[{ place: 1 }], [{ id: '', place: 1 }], [{ id: '..', place: 1 }], [{ id: '.', place: 1 }]])(
  'refuses a missing or misleading path parameter: %j',
  (input) => {
    expect(() => requestOf(probe, input)).toThrow(TypeError)
  },
)

it('gives what makes something a key of its own each time, or the one that is asked for', () => {
  const making = parseWire('making', 'POST /rooms {} idempotent')
  const keys = [1, 2].map(() => requestOf(making, { name: 'a' }).idempotencyKey)
  expect(keys[0]).toMatch(/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/)
  expect(keys[1]).not.toBe(keys[0])
  expect(requestOf(making, { name: 'a' }, 'again').idempotencyKey).toBe('again')
  expect(requestOf(probe, { id: 'a', place: 4 }, 'again').idempotencyKey).toBeUndefined()
})
