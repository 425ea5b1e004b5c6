import { describe, expect, it } from 'vitest'
import { asksForDevices, type BeforeEntering } from './entering.ts'

const before: BeforeEntering = {
  kept: { microphone: true, camera: true },
  permitted: { microphone: true, camera: true },
  devices: [
    { id: 'headset', kind: 'audioinput', label: 'Headset' },
    { id: 'webcam', kind: 'videoinput', label: 'Webcam' },
  ],
  microphoneId: 'headset',
  cameraId: '',
}
const asks = (some: Partial<BeforeEntering>) => asksForDevices({ ...before, ...some })

describe('entering', () => {
  it('is one step with the devices of last time', () => {
    expect(asks({})).toBe(false)
    expect(asks({ microphoneId: '' })).toBe(false)
  })

  it('asks the first time', () => {
    expect(asks({ kept: undefined })).toBe(true)
  })

  it('asks without permission for what is wanted, and for nothing else', () => {
    expect(asks({ permitted: { microphone: false, camera: true } })).toBe(true)
    expect(asks({ permitted: { microphone: true, camera: false } })).toBe(true)
    const neither = { microphone: false, camera: false }
    expect(asks({ permitted: neither, kept: neither, devices: [] })).toBe(false)
  })

  it('asks when a device is gone', () => {
    expect(asks({ microphoneId: 'sold last year' })).toBe(true)
    expect(asks({ cameraId: 'sold last year' })).toBe(true)
    expect(asks({ devices: before.devices.slice(0, 1) })).toBe(true)
    // a browser that names none before one was opened
    expect(asks({ microphoneId: 'headset', devices: [] })).toBe(false)
    expect(asks({ cameraId: 'sold last year', kept: { microphone: true, camera: false } })).toBe(false)
  })
})
