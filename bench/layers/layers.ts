import { freePort } from '@atrium/embedded-postgres/free-port.ts'
import type { AgainstLoad } from '../against/loads.ts'
import { microsecondsPerRequest } from '../against/rounds.ts'
import { openScene, type Scene } from '../against/scene.ts'
import type { Ends } from '../opening.ts'
import { allAnswered } from '../undisturbed.ts'
import { type Inspector, openInspector } from './inspector.ts'
import { layerOf } from './layer.ts'
import { countSystemCalls } from './system-calls.ts'

const WARM_UP_SECONDS = 10
/** Looks at the stack, and bytes between two looks at what is allocated. */
const SAMPLE_MICROSECONDS = 200
const SAMPLE_BYTES = 16_384
const SHOWN_FROM = 0.005

interface CallFrame {
  url: string
  functionName: string
}
interface Profile {
  nodes: { id: number; callFrame: CallFrame }[]
  samples: number[]
  timeDeltas: number[]
}
interface HeapNode {
  callFrame: CallFrame
  selfSize: number
  children: HeapNode[]
}

/** Where what a request costs goes, as a table. Each figure is of a run of its own: what looks on makes others dear. */
export async function describeLayers(load: AgainstLoad, seconds: number): Promise<string> {
  const ends: Ends = []
  try {
    const port = await freePort()
    const scene = await openScene(ends, { nodeOptions: [`--inspect=127.0.0.1:${port}`] })
    const inspector = await openInspector(port)
    ends.push(async () => inspector.close())
    const ask = (took: () => void = () => {}) => load.ask(scene, seconds, took)
    await allAnswered(() => load.ask(scene, WARM_UP_SECONDS, () => {}))
    const microseconds = await allAnswered(() => microsecondsPerRequest(scene, load, seconds))
    const processor = await allAnswered(() => processorByLayer(inspector, ask))
    const bytes = await allAnswered(() => bytesByLayer(inspector, ask))
    const promises = await allAnswered(() => promisesOf(inspector, ask))
    const calls = await allAnswered(() => systemCallsOf(scene, load, seconds))
    return [
      `${load.name}: ${microseconds.toFixed(1)} µs of the processor, ${kilobytes(total(bytes))}, ${promises.toFixed(1)} promises a request`,
      ...table('processor, µs a request', processor, (share) => (share * microseconds).toFixed(1)),
      ...table('allocated a request', bytes, kilobytes),
      ...calls,
    ].join('\n')
  } finally {
    for (let end = ends.pop(); end; end = ends.pop()) await end()
  }
}

/** @returns shares of the time in which the office worked */
async function processorByLayer(
  inspector: Inspector,
  ask: () => Promise<void>,
): Promise<Map<string, number>> {
  await inspector.call('Profiler.enable')
  await inspector.call('Profiler.setSamplingInterval', { interval: SAMPLE_MICROSECONDS })
  await inspector.call('Profiler.start')
  await ask()
  const { profile } = (await inspector.call('Profiler.stop')) as { profile: Profile }
  const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]))
  const spent = new Map<string, number>()
  for (const [n, id] of profile.samples.entries()) {
    const { url = '', functionName = '' } = frames.get(id) ?? {}
    const layer = layerOf(url, functionName)
    if (layer !== 'idle') add(spent, layer, profile.timeDeltas[n] ?? 0)
  }
  const all = total(spent)
  return new Map([...spent].map(([layer, time]) => [layer, time / all]))
}

/** @returns bytes that a request allocates, by the layer that does so; what was freed since counts too */
async function bytesByLayer(
  inspector: Inspector,
  ask: (took: () => void) => Promise<void>,
): Promise<Map<string, number>> {
  await inspector.call('HeapProfiler.startSampling', {
    samplingInterval: SAMPLE_BYTES,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  })
  const requests = await counted(ask)
  const { profile } = (await inspector.call('HeapProfiler.stopSampling')) as { profile: { head: HeapNode } }
  const allocated = new Map<string, number>()
  const look = ({ callFrame, selfSize, children }: HeapNode) => {
    add(allocated, layerOf(callFrame.url, callFrame.functionName), selfSize / requests)
    for (const child of children) look(child)
  }
  look(profile.head)
  return allocated
}

/** @returns promises that a request makes, those of Node itself among them */
async function promisesOf(inspector: Inspector, ask: (took: () => void) => Promise<void>): Promise<number> {
  const evaluate = async (expression: string): Promise<number> => {
    const { result } = await inspector.call('Runtime.evaluate', { expression, returnByValue: true })
    return result.value
  }
  await evaluate(
    `globalThis.benchPromises = 0;
    globalThis.benchHook = process.getBuiltinModule('node:async_hooks').createHook({
      init(id, type) { if (type === 'PROMISE') globalThis.benchPromises += 1 },
    }).enable(); 0`,
  )
  const requests = await counted(ask)
  return (await evaluate('globalThis.benchHook.disable(); globalThis.benchPromises')) / requests
}

async function systemCallsOf(scene: Scene, load: AgainstLoad, seconds: number): Promise<string[]> {
  let requests = 0
  const calls = await countSystemCalls(scene.pid, async () => {
    requests = await counted((took) => load.ask(scene, seconds, took))
  })
  if (typeof calls === 'string') return [`  ${calls}`]
  const each = new Map([...calls].map(([name, count]) => [name, count / requests]))
  return table('system calls a request', each, (count) => count.toFixed(2))
}

async function counted(ask: (took: () => void) => Promise<void>): Promise<number> {
  let requests = 0
  await ask(() => {
    requests += 1
  })
  return requests
}

function table(head: string, values: Map<string, number>, show: (value: number) => string): string[] {
  const all = total(values)
  const rows = [...values].sort(([, a], [, b]) => b - a).filter(([, value]) => value >= all * SHOWN_FROM)
  const line = (name: string, value: number) =>
    `    ${name.padEnd(32)} ${show(value).padStart(9)} ${Math.round((100 * value) / all)
      .toString()
      .padStart(4)} %`
  return [`  ${head}`, ...rows.map(([name, value]) => line(name, value)), line('all', all)]
}

function add(sums: Map<string, number>, name: string, value: number): void {
  sums.set(name, (sums.get(name) ?? 0) + value)
}

function total(values: Map<string, number>): number {
  return [...values.values()].reduce((sum, value) => sum + value, 0)
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1_024).toFixed(1)} kB`
}
