import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

const STATUS_TEXTS = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  503: 'Service Unavailable',
}

/** Why no WebSocket is opened: clients show the text to people. */
export interface Refused {
  status: keyof typeof STATUS_TEXTS
  text: string
}

export function refuseUpgrade(socket: Duplex, { status, text }: Refused): void {
  const head = `HTTP/1.1 ${status} ${STATUS_TEXTS[status]}\r\nConnection: close\r\nContent-Type: text/plain\r\n`
  socket.end(`${head}Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
}

/** Takes over sockets. What fails on the way ends the one socket, and is told. */
export function acceptingUpgrades(
  accept: (request: IncomingMessage, socket: Duplex, head: Buffer) => Promise<void>,
  onFault: (error: unknown) => void,
): (request: IncomingMessage, socket: Duplex, head: Buffer) => Promise<void> {
  return async (request, socket, head) => {
    // nothing else listens here any more: a client that hangs up while it is judged would end the program
    socket.on('error', () => socket.destroy())
    try {
      await accept(request, socket, head)
    } catch (error) {
      socket.destroy()
      onFault(error)
    }
  }
}
