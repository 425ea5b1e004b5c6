import { expect, it } from 'vitest'
import { deviceName } from './device-name.ts'

const CHROME = '(KHTML, like Gecko) Chrome/141.0.0.0'
it.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0', 'Firefox on Linux'],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 ${CHROME} Safari/537.36 Edg/141.0.0.0`,
    'Edge on Windows',
  ],
  [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 ${CHROME} Safari/537.36`,
    'Chrome on macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  [`Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 ${CHROME} Mobile Safari/537.36`, 'Chrome on Android'],
  ['node', 'Node.js'],
  ['<script>alert(1)</script>', ''],
  ['', ''],
  [undefined, ''],
])('%s is %s', (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name)
})
