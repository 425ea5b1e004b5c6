import { methods, type Operation } from '@atrium/contract'
import Type from 'typebox'
import { expect, it } from 'vitest'
import { requestOf } from './request-of.ts'

const probe: Operation = {
  method: 'POST',
  path: '/rooms/{id}/places/{place}',
  summary: 'Probe',
  chapter: 'Probes',
  access: { kind: 'public' },
  params: Type.Object({ id: Type.String(), place: Type.Integer() }),
  query: Type.Object({ limit: Type.Optional(Type.Integer()), tag: Type.Optional(Type.Array(Type.String())) }),
  body: Type.Object({ name: Type.Optional(Type.String()), note: Type.Optional(Type.String()) }),
  replies: { 204: null },
}

it('splits the input into path, query and body', () => {
  expect(requestOf(probe, { id: 'a', place: 4, limit: 10, tag: ['x', 'y z'], name: 'Ada' })).toEqual({
    method: 'POST',
    target: '/rooms/a/places/4?limit=10&tag=x&tag=y+z',
    body: '{"name":"Ada"}',
  })
})

it.each(methods)('sends %s as the table says', (method) => {
  expect(requestOf({ ...probe, method }, { id: 'a', place: 4 })).toMatchObject({ method })
})

it('sends nothing that the operation does not declare, or that is undefined', () => {
  const request = requestOf(probe, { id: 'a', place: 4, limit: undefined, note: undefined, stranger: 1 })
  expect(request).toEqual({ method: 'POST', target: '/rooms/a/places/4', body: '{}' })
})

it('sends no body where none is declared', () => {
  const { body: _, ...bodyless } = probe
  expect(requestOf(bodyless, { id: 'a', place: 4, name: 'Ada' }).body).toBeUndefined()
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
