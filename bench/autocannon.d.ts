/** The part of autocannon that load.ts uses; the package brings no types. */
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events'

  namespace autocannon {
    interface Options {
      url: string
      method?: string
      headers?: Record<string, string>
      body?: string
      connections?: number
      /** Seconds. */
      duration?: number
      requests?: readonly { setupRequest(request: object): object }[]
    }
    interface Result {
      duration: number
      errors: number
      timeouts: number
      non2xx: number
    }
    interface Run extends EventEmitter {
      on(
        event: 'response',
        listener: (client: unknown, status: number, bytes: number, milliseconds: number) => void,
      ): this
    }
  }

  function autocannon(
    options: autocannon.Options,
    done: (error: Error | null, result: autocannon.Result) => void,
  ): autocannon.Run

  export = autocannon
}
