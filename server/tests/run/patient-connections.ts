import { Agent, setGlobalDispatcher } from 'undici'

/**
 * Clients and offices of tests share a process. On a busy machine its loop may stand still for longer than the ten
 * seconds after which `fetch` gives a new connection up.
 */
setGlobalDispatcher(new Agent({ connect: { timeout: 240_000 } }))
