import { expect, it } from 'vitest'
import { createListeners } from './listeners.ts'

it('calls listeners of the name, until they leave', () => {
  const listeners = createListeners<{ one: number; two: string }>()
  const heard: unknown[] = []
  const stop = listeners.on('one', (payload) => heard.push(payload))
  listeners.on('two', (payload) => heard.push(payload))
  listeners.emit('one', 1)
  listeners.emit('two', 'b')
  stop()
  listeners.emit('one', 2)
  expect(heard).toEqual([1, 'b'])
})

it('keeps the harm of a listener that throws from the others, and does not hide its error', async () => {
  const listeners = createListeners<{ one: number }>()
  const heard: number[] = []
  listeners.on('one', () => {
    throw new Error('of the listener')
  })
  listeners.on('one', (payload) => heard.push(payload))
  const others = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException')
  try {
    const uncaught = new Promise((resolve) => process.once('uncaughtException', resolve))
    listeners.emit('one', 1)
    expect(heard).toEqual([1])
    expect(await uncaught).toMatchObject({ message: 'of the listener' })
  } finally {
    for (const other of others) process.on('uncaughtException', other)
  }
})
