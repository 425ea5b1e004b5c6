import { spawn } from 'node:child_process'
import { run } from '../commands.ts'
import { type Ends, end } from '../processes.ts'
import { eventually } from '../waiting.ts'
import type { Daemon } from './daemon.ts'
import { CLIENTS, MACHINE } from './places.ts'

/** A machine beside Docker's, with the addresses of both visitors. @returns the process that has its network */
export async function startClient(daemon: Daemon, ends: Ends): Promise<string> {
  const machine = spawn('unshare', ['-n', 'sleep', 'infinity'], { stdio: 'ignore' })
  ends.push(() => end(machine))
  const pid = String(machine.pid)
  const link = ['ip', 'link', 'add', 'out0', 'type', 'veth', 'peer', 'name', 'out1', 'netns', pid]
  const apart = () => run('nsenter', ['-t', pid, '-n', 'readlink', '/proc/self/ns/net'])
  const ours = await run('readlink', ['/proc/self/ns/net'])
  await eventually('the client has a network of its own', async () => (await apart()) !== ours)
  await daemon.inside(...link)
  await daemon.inside('sh', '-ec', `ip addr add ${MACHINE}/24 dev out0; ip link set out0 up`)
  const addresses = CLIENTS.map((address) => `ip addr add ${address}/24 dev out1`).join('; ')
  const up = `${addresses}; ip link set lo up; ip link set out1 up`
  await run('nsenter', ['-t', pid, '-n', 'sh', '-ec', up])
  return pid
}
