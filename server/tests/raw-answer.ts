import { connect } from 'node:net'
import { closed } from './closed.ts'

export interface RawAnswer {
  status: number
  headers: Record<string, string>
  body: string
  /** All that came back, as it came. */
  text: string
}

/** Sends text to a server on this machine as it is, and answers what came back until it hung up. */
export async function rawAnswer(port: number, sent: string): Promise<RawAnswer> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => (text += chunk))
  socket.write(sent)
  await closed(socket)
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const pairs = lines.map((line) => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    line.slice(line.indexOf(':') + 1).trim(),
  ])
  return {
    status: Number(first.split(' ')[1]),
    headers: Object.fromEntries(pairs),
    body: rest.join('\r\n\r\n'),
    text,
  }
}
