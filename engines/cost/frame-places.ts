import { METHODS } from '@atrium/embedded-broker/frames.ts'
import type { Place } from './place.ts'
import type { Scene } from './scene.ts'
import { sendFrame } from './send.ts'
import { MARKS, WORST_TEXTS, WORST_VALUES } from './texts.ts'

type Json = Record<string, unknown>

/** The largest that the broker takes is 128 KiB. */
const FRAME_BYTES = 124 * 1_024
const MARK = 'the-worst-text-comes-here'
/** What a command may carry. Each method is tried with all of them: those that it does not know it passes over. */
const FIELDS = ['channel', 'token', 'data', 'method', 'epoch', 'name', 'version', 'subs']

/** Every field of every command of the broker's protocol, and frames of many lines. */
export function framePlaces(scene: Scene): Place[] {
  const url = `${scene.url.replace('http', 'ws')}/connection/websocket`
  const hello = () => JSON.stringify({ id: 1, connect: { token: scene.realtimeToken() } })
  const place = (
    name: string,
    worst: Place['worst'],
    frame: (made: string) => string,
    isFirst = false,
  ): Place => ({
    group: 'realtime frames',
    name,
    worst,
    bytesMax: FRAME_BYTES,
    prepare: (made) => sendFrame(url, isFirst ? undefined : hello(), frame(made)),
  })
  const command = (method: string, fields: Json) => JSON.stringify({ id: 2, [method]: fields })
  return [
    ...METHODS.flatMap((method) => {
      const isFirst = method === 'connect'
      const base = isFirst ? { token: scene.realtimeToken() } : { channel: `status:${MARK.length}:1` }
      return [
        ...FIELDS.map((field) => {
          const template = command(method, { ...base, [field]: MARK })
          return place(
            `${method} ${field}`,
            textsOf(method, field),
            (made) => filled(template, JSON.stringify(made)),
            isFirst,
          )
        }),
        place(
          `${method} data, a value`,
          method === 'rpc' ? WORST_VALUES : WORST_VALUES.slice(0, 1),
          (made) => filled(command(method, { ...base, data: MARK }), made),
          isFirst,
        ),
      ]
    }),
    place(
      'connect subs, a value',
      WORST_VALUES,
      (made) => filled(command('connect', { token: scene.realtimeToken(), subs: MARK }), made),
      true,
    ),
    place('lines', [{ name: 'many pongs', make: (bytes) => '{}\n'.repeat(bytes / 3) }], (made) =>
      made.trimEnd(),
    ),
    place('lines', [{ name: 'many questions', make: questions }], (made) => made.trimEnd()),
  ]
}

/** One field of each is read by the same code. */
const textsOf = (method: string, field: string) =>
  `${method} ${field}` === 'subscribe channel' || field === 'token' ? WORST_TEXTS : [MARKS]

const filled = (template: string, json: string) => template.replace(JSON.stringify(MARK), () => json)

function questions(bytes: number): string {
  const line = (id: number) => `${JSON.stringify({ id, history: { channel: `status:1:${id}` } })}\n`
  return Array.from({ length: bytes / 60 }, (_, place) => line(place + 2)).join('')
}
