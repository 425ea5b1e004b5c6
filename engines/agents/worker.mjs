import { fileURLToPath } from 'node:url'
import { cli, defineAgent, ServerOptions } from '@livekit/agents'

/** A worker as livekit-agents has it: it joins, says that it is there, and stays until it is told to go. */
const agent = fileURLToPath(import.meta.url)

// biome-ignore lint/style/noDefaultExport: the processes of its jobs read it
export default defineAgent({
  async entry(ctx) {
    await ctx.connect()
    console.log(`joined ${ctx.room.name} with ${ctx.job.metadata}`)
  },
})

// each job is a process that imports this file
if (process.argv[1] === agent)
  cli.runApp(
    new ServerOptions({
      agent,
      agentName: process.env.AGENT_NAME,
      numIdleProcesses: 1,
      port: Number(process.env.WORKER_PORT),
      // the machine of a trial is always busy
      loadFunc: async () => 0,
      initializeProcessTimeout: 120_000,
    }),
  )
