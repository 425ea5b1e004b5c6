import { afterEach, expect, it } from 'vitest'
import { createSpeaker, type Speaker } from './one-speaker.ts'

const open: Speaker[] = []
afterEach(() => {
  for (const speaker of open.splice(0)) speaker.close()
})

function tab(isLookedAt = () => false): Speaker {
  const speaker = createSpeaker(isLookedAt)
  open.push(speaker)
  return speaker
}

it('of several tabs in the background the first speaks, and the next one after it', async () => {
  const [first, second] = [tab(), tab()]
  await expect.poll(() => first.speaks()).toBe(true)
  expect(await second.speaks()).toBe(false)
  first.close()
  await expect.poll(() => second.speaks()).toBe(true)
})

it('a tab that is looked at speaks in the place of the first', async () => {
  let isLookedAt = true
  const [first, second] = [tab(), tab(() => isLookedAt)]
  await expect.poll(() => first.speaks()).toBe(false)
  expect(await second.speaks()).toBe(true)
  isLookedAt = false
  await expect.poll(() => first.speaks()).toBe(true)
})
