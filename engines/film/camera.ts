/**
 * In a page, before anything of it is loaded: its camera and its screen are drawn, for a browser without either shows a
 * test pattern; and where the mouse is can be seen.
 * @param portrait the address of a picture of the page's user
 */
export function drawDevices(portrait: string): void {
  const { mediaDevices } = navigator
  const open = mediaDevices.getUserMedia.bind(mediaDevices)
  const face = Object.assign(new Image(), { src: portrait })
  type Draw = (on: CanvasRenderingContext2D, seconds: number) => void
  const moving = (width: number, height: number, draw: Draw) => {
    const on = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d')
    if (!on) throw new Error('there is no canvas')
    setInterval(() => draw(on, performance.now() / 1_000), 100)
    return on.canvas.captureStream(10).getVideoTracks()
  }
  const person: Draw = (on, seconds) => {
    // the wall behind the picture is the picture, much larger
    on.drawImage(face, 0, 0, 2, 2, 0, 0, 640, 360)
    on.drawImage(face, 130 + 10 * Math.sin(seconds * 0.7), -10 + 5 * Math.sin(seconds * 1.1), 380, 380)
  }
  const slide: Draw = (on, seconds) => {
    on.fillStyle = '#fffdf9'
    on.fillRect(0, 0, 1_280, 720)
    on.fillStyle = '#23201b'
    on.font = '600 52px Inter, sans-serif'
    on.fillText('Bernoulli review', 80, 120)
    on.font = '26px Inter, sans-serif'
    on.fillText('Numbers computed each week, note G', 80, 168)
    for (const [at, share] of [0.35, 0.48, 0.44, 0.62, 0.71, 0.66, 0.84, 0.93].entries()) {
      const height = 380 * share * (0.98 + 0.02 * Math.sin(seconds + at))
      on.fillStyle = at === 7 ? '#0b6e5f' : '#9fc9bd'
      on.fillRect(80 + at * 140, 640 - height, 96, height)
    }
  }
  mediaDevices.getUserMedia = async (wanted) => {
    if (!wanted?.video) return await open(wanted)
    const sound = wanted.audio ? (await open({ audio: wanted.audio })).getAudioTracks() : []
    return new MediaStream([...moving(640, 360, person), ...sound])
  }
  mediaDevices.getDisplayMedia = async () => new MediaStream(moving(1_280, 720, slide))
  const mark = document.createElement('div')
  const look =
    'position:fixed;z-index:99;width:18px;height:18px;margin:-9px;border-radius:50%;background:#0b6e5fb0;pointer-events:none'
  mark.style.cssText = look
  addEventListener('mousemove', ({ clientX, clientY }) => {
    mark.style.translate = `${clientX}px ${clientY}px`
    if (!mark.isConnected) document.body.append(mark)
  })
}
