import { expect, it } from 'vitest'
import { portraitOf } from './portrait.ts'

it('is the same for one person, on every screen and on every day', () => {
  expect(portraitOf('42')).toBe(portraitOf('42'))
  expect(portraitOf('42')).toMatch(/^data:image\/svg\+xml,%3Csvg/)
  expect(decodeURIComponent(portraitOf('1')).length).toBeLessThan(2_000)
})

it('tells people apart', () => {
  const portraits = new Set(Array.from({ length: 200 }, (_, at) => portraitOf(String(at))))
  expect(portraits.size).toBeGreaterThan(110)
})

it('has every paper, also where ids are numbers in a row', () => {
  const backs = new Map<string, number>()
  for (let id = 0; id < 400; id += 1) {
    const [, back = ''] = /fill="(#[0-9a-f]+)"/.exec(decodeURIComponent(portraitOf(String(id)))) ?? []
    backs.set(back, (backs.get(back) ?? 0) + 1)
  }
  expect(backs.size).toBe(8)
  expect(Math.min(...backs.values())).toBeGreaterThan(20)
})

it('carries nothing that the policy of the page or a picture would refuse', () => {
  for (let id = 0; id < 50; id += 1)
    expect(decodeURIComponent(portraitOf(`user_${id}`))).not.toMatch(/style|script|href|url\(/)
})
